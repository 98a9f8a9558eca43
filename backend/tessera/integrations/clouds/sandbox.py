"""Every provider as a local folder. Some values simulate failures: a secret `wrong`, the bucket or
container `missing`, the region `wrong`, and as a folder of the path `readonly`, `unreachable` or
`slow`. The file `fault_mode` sets a failure for all of them at once: `unreachable`, `slow`, or
`lost` for work that is done but not answered."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from opendal import AsyncOperator

from tessera.integrations.clouds import paths
from tessera.integrations.clouds.operators import OperatorCloud
from tessera.integrations.clouds.protocol import (
    MAX_READ_BYTES,
    Cloud,
    CloudError,
    ConnectionFailure,
    Link,
    LinkTarget,
    MalformedCredentials,
    ObjectStat,
)
from tessera.integrations.clouds.registry import strategy_of
from tessera.integrations.clouds.sandbox_links import SandboxLinks
from tessera.integrations.clouds.strategy import SANDBOX_REGION, Credentials, Strategy, prefix
from tessera.kit import clock
from tessera_core.objects import ROOT

SLOW_SECONDS = 12.0
MAX_STAT_BYTES = 64 * 1024 * 1024
TIMEOUT_SECONDS = 10

Result = TypeVar("Result")


class SandboxClouds:
    def __init__(
        self, folder: Path, links: SandboxLinks, *, slow_seconds: float = SLOW_SECONDS
    ) -> None:
        self._folder = folder.absolute()
        self._links = links
        self._slow_seconds = slow_seconds

    def open(self, warehouse_type: int, credentials: Mapping[str, str]) -> Cloud:
        strategy = strategy_of(warehouse_type)
        problems = strategy.check(credentials, sandbox=True)
        if problems:
            raise MalformedCredentials(problems)
        path = prefix(credentials)
        location = "/".join(
            filter(None, (strategy.provider.key, strategy.place(credentials), path))
        )
        root = self._folder / location

        def connect() -> Cloud:
            # As in a cloud, an object is replaced completely or not at all.
            half_written = str(self._folder / "half-written")
            operator = AsyncOperator("fs", root=str(root), atomic_write_dir=half_written)
            return OperatorCloud(operator, strategy, credentials, None, TIMEOUT_SECONDS)

        folders = set(path.split("/"))
        return SandboxCloud(
            connect,
            root=root,
            location=location,
            links=self._links,
            folder=self._folder,
            failure=_failure(strategy, credentials, folders),
            read_only="readonly" in folders,
            is_slow="slow" in folders,
            slow_seconds=self._slow_seconds,
        )


class SandboxCloud:
    """The warehouse's folder is its bucket. Only the first health file creates it: the storage
    library would do so whenever it connects."""

    def __init__(
        self,
        connect: Callable[[], Cloud],
        *,
        root: Path,
        location: str,
        links: SandboxLinks,
        folder: Path,
        failure: ConnectionFailure | None,
        read_only: bool,
        is_slow: bool,
        slow_seconds: float,
    ) -> None:
        self._connect = connect
        self._root = root
        self._location = location
        self._links = links
        self._folder = folder
        self._failure = failure
        self._read_only = read_only
        self._is_slow = is_slow
        self._slow_seconds = slow_seconds

    async def read(self, path: str, *, limit: int = MAX_READ_BYTES) -> bytes | None:
        return await self._of_a_bucket(lambda: self._connect().read(path, limit=limit))

    async def stream(self, path: str) -> AsyncGenerator[bytes, None] | None:
        return await self._of_a_bucket(lambda: self._connect().stream(path))

    async def write(self, path: str, content: bytes) -> None:
        fault_mode = await self._answer()
        if self._read_only:
            raise CloudError(ConnectionFailure.NO_WRITE_PERMISSION)
        if path.startswith(f"{ROOT}/"):
            self._check_bucket()
        await self._connect().write(path, content)
        _lose(fault_mode)

    async def stat(self, path: str) -> ObjectStat | None:
        content = await self.read(path, limit=MAX_STAT_BYTES)
        if content is None:
            return None
        digest = await asyncio.to_thread(hashlib.sha256, content)
        return ObjectStat(len(content), digest.hexdigest(), digest.hexdigest())

    async def delete(self, path: str) -> None:
        if self._read_only:
            raise CloudError(ConnectionFailure.NO_WRITE_PERMISSION)
        await self._of_a_bucket(lambda: self._connect().delete(path))

    async def list_objects(self, folder: str) -> list[str]:
        return await self._of_a_bucket(lambda: self._connect().list_objects(folder))

    async def links(
        self, targets: Sequence[LinkTarget], *, seconds: int
    ) -> list[Link | CloudError]:
        expires_at = clock.now() + timedelta(seconds=seconds)

        async def sign() -> list[Link | CloudError]:
            return [self._link(target, expires_at) for target in targets]

        return await self._of_a_bucket(sign)

    def _link(self, target: LinkTarget, expires_at: datetime) -> Link | CloudError:
        if target.upload and self._read_only:
            return CloudError(ConnectionFailure.NO_WRITE_PERMISSION)
        location = f"{self._location}/{paths.normalised(target.path)}"
        return self._links.sign(location, target.upload, expires_at)

    async def _of_a_bucket(self, call: Callable[[], Awaitable[Result]]) -> Result:
        fault_mode = await self._answer()
        self._check_bucket()
        result = await call()
        _lose(fault_mode)
        return result

    def _check_bucket(self) -> None:
        if not self._root.is_dir():
            raise CloudError(ConnectionFailure.NO_SUCH_BUCKET)

    async def _answer(self) -> str:
        fault_mode = read_fault_mode(self._folder, self._location)
        if self._is_slow or fault_mode == "slow":
            await asyncio.sleep(self._slow_seconds)
        if fault_mode == "unreachable":
            raise CloudError(ConnectionFailure.UNREACHABLE)
        if self._failure is not None:
            raise CloudError(self._failure)
        return fault_mode


def read_fault_mode(folder: Path, location: str) -> str:
    """Reads which fault the sandbox's clouds have now: `slow`, `unreachable` or `lost`, of all of
    them, or of the one whose folder is named after it."""
    try:
        kind, _, place = (folder / "fault_mode").read_text().strip().partition(" ")
    except FileNotFoundError:
        return ""
    return kind if place in {"", location} else ""


def _lose(fault_mode: str) -> None:
    if fault_mode == "lost":
        raise CloudError(ConnectionFailure.UNREACHABLE)


def _failure(
    strategy: Strategy, credentials: Credentials, folders: set[str]
) -> ConnectionFailure | None:
    if "unreachable" in folders:
        return ConnectionFailure.UNREACHABLE
    if credentials.get("region") == SANDBOX_REGION:
        return ConnectionFailure.WRONG_REGION
    if any(credentials.get(name) == "wrong" for name in strategy.provider.secrets):
        return ConnectionFailure.WRONG_KEY
    if strategy.bucket(credentials) == "missing":
        return ConnectionFailure.NO_SUCH_BUCKET
    return None
