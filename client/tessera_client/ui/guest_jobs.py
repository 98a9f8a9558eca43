"""Long work for people without an account: one at a time, seen and stopped on the page."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from tessera_client.errors import ClientError, WrongUsage
from tessera_client.ui.schemas import GuestProgress
from tessera_client.ui.worker import Lane, Worker
from tessera_client.vault.vault import Vault

T = TypeVar("T")


class GuestJob(ABC):
    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.progress: GuestProgress | None = None
        self._is_cancelled = False

    async def _run(self, work: Callable[[Vault], T]) -> T:
        if self.progress is not None:
            raise self._busy()
        self.progress, self._is_cancelled = GuestProgress(0, 0), False
        try:
            return await self._worker.use(work, Lane.TRANSFERS)
        finally:
            self.progress = None

    @abstractmethod
    def _busy(self) -> WrongUsage:
        """The answer to somebody who begins a second one."""

    def cancel(self) -> None:
        self._is_cancelled = True

    @contextmanager
    def _show(self, _: str, total: int) -> Iterator[Callable[[int], None]]:
        done = 0

        def advance(size: int) -> None:
            nonlocal done
            if self._is_cancelled:
                raise ClientError.from_code("cancelled")
            done += size
            self.progress = GuestProgress(done, total)

        advance(0)
        yield advance
