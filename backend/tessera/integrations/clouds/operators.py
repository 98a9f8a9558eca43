"""A warehouse accessed through an OpenDAL operator, with errors mapped to ours."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Self, TypeVar, cast

from opendal import AsyncOperator
from opendal.file import AsyncFile

from tessera.integrations.clouds import paths, shutdown
from tessera.integrations.clouds.protocol import (
    MAX_READ_BYTES,
    CloudError,
    ConnectionFailure,
    Link,
    LinkTarget,
    ObjectStat,
    ObjectTooLarge,
)
from tessera.integrations.clouds.strategy import Credentials, LinkRequest, Strategy, prefix
from tessera.kit import clock
from tessera.kit.concurrency import for_each
from tessera.settings import Settings

Result = TypeVar("Result")

# Where each link costs a call; what was not answered by then gets none.
LINKS_AT_ONCE = 8
LINKS_SECONDS = 15
PART_BYTES = 256 * 1024

_STATUS = re.compile(r"\bstatus: (\d{3})\b")
# The request as repeated by the library; the tenant's input is not part of the provider's message.
_CONTEXT = re.compile(r"\n\nContext:\n.*?(?=\n\n|\Z)", re.DOTALL)
_BY_STATUS = {
    401: ConnectionFailure.WRONG_KEY,
    403: ConnectionFailure.NO_WRITE_PERMISSION,
    404: ConnectionFailure.NO_SUCH_BUCKET,
}


@dataclass(frozen=True)
class ProviderError:
    """An error as the library reports it; `said` is the provider's part of it."""

    kind: str
    status: int | None
    said: str

    @classmethod
    def of(cls, error: Exception) -> Self:
        text = str(error)
        status = _STATUS.search(text)
        said = _CONTEXT.sub("\n", text.partition(" => ")[2])
        return cls(text.partition(" ")[0], int(status[1]) if status else None, said)


class OperatorCloud:
    def __init__(
        self,
        operator: AsyncOperator,
        strategy: Strategy,
        credentials: Credentials,
        settings: Settings | None,
        seconds: float,
    ) -> None:
        self._settings = settings
        self._operator = operator
        self._strategy = strategy
        self._form = credentials
        self._seconds = seconds

    async def read(self, path: str, *, limit: int = MAX_READ_BYTES) -> bytes | None:
        content = await self._found(self._beginning(paths.normalised(path), limit + 1))
        if content is not None and len(content) > limit:
            raise ObjectTooLarge
        return content

    async def stream(self, path: str) -> AsyncGenerator[bytes, None] | None:
        # Whether there is an object shows when something is read.
        begun = await self._found(self._begun(paths.normalised(path)))
        return self._parts(*begun) if begun else None

    async def write(self, path: str, content: bytes) -> None:
        await self._done(self._operator.write(paths.normalised(path), content))

    async def stat(self, path: str) -> ObjectStat | None:
        found = await self._found(self._operator.stat(paths.normalised(path)))
        if found is None:
            return None
        # Dropbox states no checksum through the library; its time changes with the content.
        checksum = found.content_md5 or found.etag or found.version or str(found.last_modified)
        return ObjectStat(found.content_length, checksum)

    async def delete(self, path: str) -> None:
        await self._done(self._operator.delete(paths.normalised(path)))

    async def list_objects(self, folder: str) -> list[str]:
        return await self._done(self._scan(f"{paths.normalised(folder)}/"))

    async def links(
        self, targets: Sequence[LinkTarget], *, seconds: int
    ) -> list[Link | CloudError]:
        made: list[Link | CloudError]
        made = [CloudError(ConnectionFailure.UNREACHABLE)] * len(targets)
        now = clock.now()

        async def make(target: tuple[int, LinkTarget]) -> None:
            number, wanted = target
            try:
                made[number] = await self._link(wanted, now, seconds)
            except CloudError as error:
                made[number] = error

        with suppress(TimeoutError):
            async with asyncio.timeout(LINKS_SECONDS):
                await for_each(list(enumerate(targets)), make, at_once=LINKS_AT_ONCE)
        return made

    async def _link(self, target: LinkTarget, now: datetime, seconds: int) -> Link:
        assert self._settings is not None
        key = paths.normalised(target.path)
        folder = prefix(self._form)
        request = LinkRequest(
            credentials=self._form,
            settings=self._settings,
            key=f"{folder}/{key}" if folder else key,
            upload=target.upload,
            now=now,
            seconds=seconds,
        )
        return await self._done(self._strategy.link(request))

    async def _begun(self, key: str) -> tuple[AsyncFile, bytes]:
        file = await self._operator.open(key, "rb")
        return file, await file.read(PART_BYTES)

    async def _parts(self, file: AsyncFile, part: bytes) -> AsyncGenerator[bytes, None]:
        try:
            while part:
                yield part
                part = await self._done(file.read(PART_BYTES))
        finally:
            await file.close()

    async def _beginning(self, key: str, size: int) -> bytes:
        """Reads up to the size in one request: the tenant controls the object."""
        file = await self._operator.open(key, "rb")
        try:
            parts: list[bytes] = []
            while size and (more := await file.read(size)):
                parts.append(more)
                size -= len(more)
            return b"".join(parts)
        finally:
            await file.close()

    async def _scan(self, folder: str) -> list[str]:
        if self._strategy.lists_whole_paths:
            entries = await self._operator.scan(folder)
            return [entry.path async for entry in entries if not entry.path.endswith("/")]
        found: list[str] = []
        waiting = [folder]
        while waiting:
            inside = waiting.pop()
            async for entry in await self._operator.list(inside):
                path = inside + entry.path
                (waiting if path.endswith("/") else found).append(path)
        return found

    async def _found(self, call: Awaitable[Result]) -> Result | None:
        """None if there is no such object."""
        result, problem = await self._tried(call)
        if problem is None:
            return result
        if problem.kind == "NotFound" and self._cause(problem) is None:
            return None
        raise CloudError(self._failure(problem))

    async def _done(self, call: Awaitable[Result]) -> Result:
        result, problem = await self._tried(call)
        if problem is not None:
            raise CloudError(self._failure(problem))
        return cast("Result", result)

    async def _tried(self, call: Awaitable[Result]) -> tuple[Result | None, ProviderError | None]:
        """Returns the error instead of raising it, so that our own error has no context to leak."""
        try:
            async with asyncio.timeout(self._seconds):
                return await call, None
        except Exception as error:  # noqa: BLE001 - the library raises undocumented types
            return None, ProviderError.of(error)
        finally:
            shutdown.called()

    def _failure(self, problem: ProviderError) -> ConnectionFailure:
        found = self._cause(problem) or _BY_STATUS.get(problem.status or 0)
        return self._strategy.reconsider(self._form, found or ConnectionFailure.UNREACHABLE)

    def _cause(self, problem: ProviderError) -> ConnectionFailure | None:
        causes = self._strategy.causes
        return next((failure for text, failure in causes if text in problem.said), None)
