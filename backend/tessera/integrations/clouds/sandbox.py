"""Every provider as a folder of this machine. Some values stand for what can go wrong:
a secret `wrong`, the bucket or container `missing`, the region `wrong`, and as a folder of the
path `readonly`, `unreachable` or `slow`."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from opendal import AsyncOperator

from tessera.integrations.clouds.operators import OperatorCloud
from tessera.integrations.clouds.protocol import (
    Cloud,
    CloudError,
    ConnectionFailure,
    MalformedForm,
    WarehouseType,
)
from tessera.integrations.clouds.registry import STRATEGIES
from tessera.integrations.clouds.strategy import SANDBOX_REGION, Form, Strategy, prefix

SLOW_SECONDS = 12.0
TIMEOUT_SECONDS = 10


class SandboxClouds:
    def __init__(self, folder: Path, *, slow_seconds: float = SLOW_SECONDS) -> None:
        self._folder = folder.absolute()
        self._slow_seconds = slow_seconds

    def open(self, type: WarehouseType, form: Mapping[str, str]) -> Cloud:  # noqa: A002
        strategy = STRATEGIES[type]
        problems = strategy.check(form, sandbox=True)
        if problems:
            raise MalformedForm(problems)
        path = prefix(form)
        root = self._folder / type.name.lower() / strategy.place(form) / path
        # As in a cloud, an object is replaced whole or not at all.
        half_written = str(self._folder / "half-written")
        operator = AsyncOperator("fs", root=str(root), atomic_write_dir=half_written)
        inner = OperatorCloud(operator, strategy, form, TIMEOUT_SECONDS)
        folders = set(path.split("/"))
        return SandboxCloud(
            inner,
            failure=_failure(strategy, form, folders),
            read_only="readonly" in folders,
            delay=self._slow_seconds if "slow" in folders else 0,
        )


class SandboxCloud:
    def __init__(
        self, inner: Cloud, *, failure: ConnectionFailure | None, read_only: bool, delay: float
    ) -> None:
        self._inner = inner
        self._failure = failure
        self._read_only = read_only
        self._delay = delay

    async def read(self, path: str) -> bytes | None:
        await self._answer()
        return await self._inner.read(path)

    async def write(self, path: str, content: bytes) -> None:
        await self._answer()
        if self._read_only:
            raise CloudError(ConnectionFailure.NO_WRITE_PERMISSION)
        await self._inner.write(path, content)

    async def _answer(self) -> None:
        await asyncio.sleep(self._delay)
        if self._failure is not None:
            raise CloudError(self._failure)


def _failure(strategy: Strategy, form: Form, folders: set[str]) -> ConnectionFailure | None:
    if "unreachable" in folders:
        return ConnectionFailure.UNREACHABLE
    if form.get("region") == SANDBOX_REGION:
        return ConnectionFailure.WRONG_REGION
    if any(form.get(name) == "wrong" for name in strategy.secret):
        return ConnectionFailure.WRONG_KEY
    if "missing" in {form.get("bucket_name"), form.get("application_name")}:
        return ConnectionFailure.NO_SUCH_BUCKET
    return None
