"""Checks every piece of every file, while the page shows how far it is."""

import asyncio
import time
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from typing import Any

from tessera_client.ui.transfers import EXPECTED, Interrupted, State, error_code
from tessera_client.ui.worker import Lane, Worker
from tessera_client.vault.vault import Vault
from tessera_client.vault.verify import Check

MAX_FILES = 100


@dataclass
class Verification:
    worker: Worker
    state: State | None = None
    """None before the first one."""
    done: int = 0
    size: int = 0
    outcome: dict[str, object] = field(default_factory=dict)
    """What was found, or why it failed."""
    _cancelled: Event = field(default_factory=Event, repr=False)
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_active(self) -> bool:
        return self.state is State.RUNNING

    def as_json(self) -> dict[str, Any] | None:
        if self.state is None:
            return None
        return {"state": self.state, "done": self.done, "size": self.size, **self.outcome}

    def start(self) -> None:
        if not self.is_active:
            self.state, self.done, self.size, self.outcome = State.RUNNING, 0, 0, {}
            self._cancelled = Event()
            self._task = asyncio.create_task(self._run(self._cancelled))

    def cancel(self) -> None:
        if self.is_active:
            self.state = State.CANCELLED
            self._cancelled.set()

    def forget(self) -> None:
        """Cancels, and removes the names that were found."""
        self.cancel()
        self.state, self.outcome = None, {}

    async def _run(self, cancelled: Event) -> None:
        try:
            outcome = await self.worker.use(partial(self._check, cancelled=cancelled), Lane.VERIFY)
        except Interrupted:
            return
        except EXPECTED as error:
            state, outcome = State.FAILED, {"code": error_code(error), "message": str(error)}
        else:
            state = State.DONE
        if not cancelled.is_set():
            self.state, self.outcome = state, {**outcome, "time": int(time.time() * 1000)}

    def _check(self, vault: Vault, cancelled: Event) -> dict[str, object]:
        def advance(size: int) -> None:
            if cancelled.is_set():
                raise Interrupted
            self.done += size

        checks = [Check(space, is_full=True) for space in vault.spaces()]
        self.size = sum(check.size for check in checks)
        for check in checks:
            check.run(advance)
        files = [
            {"space": str(check.space.id), "path": path}
            for check in checks
            for path in check.unreadable_files()
        ]
        return {
            "packs": sum(len(check.packs) for check in checks),
            "degraded": sum(len(check.degraded) for check in checks),
            "affected": len(files),
            "files": files[:MAX_FILES],
        }
