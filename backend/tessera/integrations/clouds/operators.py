"""A warehouse accessed through an OpenDAL operator, with errors mapped to ours."""

import asyncio
import re
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Self, TypeVar

from opendal import AsyncOperator

from tessera.integrations.clouds import paths, shutdown
from tessera.integrations.clouds.protocol import CloudError, ConnectionFailure
from tessera.integrations.clouds.strategy import Form, Strategy

MAX_READ_BYTES = 1024 * 1024

Result = TypeVar("Result")

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
        self, operator: AsyncOperator, strategy: Strategy, form: Form, seconds: float
    ) -> None:
        self._operator = operator
        self._strategy = strategy
        self._form = form
        self._seconds = seconds

    async def read(self, path: str) -> bytes | None:
        content, trouble = await self._tried(self._beginning(paths.normalised(path)))
        if trouble is None:
            return content
        if trouble.kind == "NotFound" and self._cause(trouble) is None:
            return None
        raise CloudError(self._failure(trouble))

    async def write(self, path: str, content: bytes) -> None:
        _, trouble = await self._tried(self._operator.write(paths.normalised(path), content))
        if trouble is not None:
            raise CloudError(self._failure(trouble))

    async def _beginning(self, key: str) -> bytes:
        """Reads up to the limit in one request: the tenant controls the object."""
        file = await self._operator.open(key, "rb")
        try:
            content = b""
            while more := await file.read(MAX_READ_BYTES - len(content)):
                content += more
            return content
        finally:
            await file.close()

    async def _tried(self, call: Awaitable[Result]) -> tuple[Result | None, ProviderError | None]:
        """Returns the error instead of raising it, so that our own error has no context to leak."""
        try:
            async with asyncio.timeout(self._seconds):
                return await call, None
        except Exception as error:  # noqa: BLE001 - the library raises undocumented types
            return None, ProviderError.of(error)
        finally:
            shutdown.called()

    def _failure(self, trouble: ProviderError) -> ConnectionFailure:
        found = self._cause(trouble) or _BY_STATUS.get(trouble.status or 0)
        return self._strategy.reconsider(self._form, found or ConnectionFailure.UNREACHABLE)

    def _cause(self, trouble: ProviderError) -> ConnectionFailure | None:
        causes = self._strategy.causes
        return next((failure for text, failure in causes if text in trouble.said), None)
