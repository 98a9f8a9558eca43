"""Checks every piece of every file, while the page shows how far it is."""

import asyncio
import time
from dataclasses import dataclass, field
from functools import partial
from threading import Event

from tessera_client.errors import EXPECTED, to_client_error
from tessera_client.ui.schemas import State, UnreadableFile, VerificationInfo
from tessera_client.ui.transfers import Interrupted
from tessera_client.ui.worker import Lane, Worker
from tessera_client.vault.vault import Vault
from tessera_client.vault.verify import Check

MAX_FILES = 100


@dataclass
class Verification:
    worker: Worker
    info: VerificationInfo | None = None
    """None before the first one."""
    _cancelled: Event = field(default_factory=Event, repr=False)
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_active(self) -> bool:
        return self.info is not None and self.info.state is State.RUNNING

    def start(self) -> None:
        if not self.is_active:
            self.info = VerificationInfo(State.RUNNING)
            self._cancelled = Event()
            self._task = asyncio.create_task(self._run(self.info, self._cancelled))

    def cancel(self) -> None:
        if self.info and self.is_active:
            self.info.state = State.CANCELLED
            self._cancelled.set()

    def forget(self) -> None:
        """Cancels, and removes the names that were found."""
        self.cancel()
        self.info = None

    async def _run(self, info: VerificationInfo, cancelled: Event) -> None:
        check = partial(_check, info=info, cancelled=cancelled)
        try:
            await self.worker.use(check, Lane.VERIFY)
        except Interrupted:
            return
        except EXPECTED as error:
            failure = to_client_error(error)
            state, info.code, info.message = State.FAILED, failure.code, str(failure)
        else:
            state = State.DONE
        if not cancelled.is_set():
            info.state, info.time = state, int(time.time() * 1000)


def _check(vault: Vault, info: VerificationInfo, cancelled: Event) -> None:
    def advance(size: int) -> None:
        if cancelled.is_set():
            raise Interrupted
        info.done += size

    checks = [Check(space, is_full=True) for space in vault.spaces()]
    info.size = sum(check.size for check in checks)
    for check in checks:
        check.run(advance)
    files = [
        UnreadableFile(check.space.id, path)
        for check in checks
        for path in check.unreadable_files()
    ]
    info.packs = sum(len(check.packs) for check in checks)
    info.degraded = sum(len(check.degraded) for check in checks)
    info.affected, info.files = len(files), files[:MAX_FILES]
