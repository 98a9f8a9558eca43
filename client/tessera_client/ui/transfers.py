"""Uploads and downloads that were asked for on the page, one batch after another."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path
from uuid import UUID

from tessera_client.commands.files import PutSummary, store
from tessera_client.errors import ClientError
from tessera_client.ui.worker import Lane, Worker
from tessera_client.vault.restore import Restorer
from tessera_client.vault.vault import Vault
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File

MAX_BATCH_FILES = 500
MAX_BATCH_BYTES = 64 * 2**20
MAX_ENDED = 200

_EXPECTED = (ClientError, Malformed, NotAuthentic, NotEnoughShards, OSError)


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = {State.DONE, State.FAILED, State.CANCELLED}


class Interrupted(Exception):
    """Somebody paused or cancelled a transfer that is under way."""


@dataclass
class Transfer:
    id: int
    kind: str
    """upload or download."""
    space: UUID
    path: str
    local: Path
    """An upload's content; a download's target."""
    size: int
    state: State = State.WAITING
    done: int = 0
    message: str = ""
    is_safe: bool = True
    """False if a finished upload is not yet on one warehouse more than needed."""

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "kind": self.kind,
            "space": str(self.space),
            "path": self.path,
            "target": str(self.local) if self.kind == "download" else None,
            "size": self.size,
            "done": self.done,
            "state": self.state,
            "message": self.message,
            "isSafe": self.is_safe,
        }


@dataclass
class Transfers:
    worker: Worker
    on_stored: Callable[[], Awaitable[None]]
    """Called after a space has changed."""
    items: dict[int, Transfer] = field(default_factory=dict)
    is_paused: bool = False
    _last_id: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, kind: str, space: UUID, path: str, local: Path, size: int) -> Transfer:
        self._last_id += 1
        state = State.PAUSED if self.is_paused else State.WAITING
        transfer = Transfer(self._last_id, kind, space, path, local, size, state)
        self.items[transfer.id] = transfer
        self._changed.set()
        return transfer

    @property
    def is_active(self) -> bool:
        return any(item.state not in ENDED for item in self.items.values())

    def pause(self) -> None:
        self.is_paused = True
        for item in self.items.values():
            if item.state in {State.WAITING, State.RUNNING}:
                item.state = State.PAUSED

    def resume(self) -> None:
        self.is_paused = False
        for item in self.items.values():
            if item.state is State.PAUSED:
                item.state, item.done = State.WAITING, 0
        self._changed.set()

    def cancel(self, chosen: int | None = None) -> None:
        """Cancels one transfer, or all that have not ended."""
        for item in self.items.values():
            if item.state not in ENDED and chosen in {None, item.id}:
                was_running = item.state is State.RUNNING
                item.state = State.CANCELLED
                if not was_running:
                    _forget(item)

    def retry(self, chosen: int) -> None:
        item = self.items.get(chosen)
        if item and item.state is State.FAILED and (item.kind == "download" or item.local.exists()):
            item.state, item.done, item.message = State.WAITING, 0, ""
            self._changed.set()

    def clear(self) -> None:
        """Forgets what has ended."""
        for item in [item for item in self.items.values() if item.state in ENDED]:
            _forget(item)
            del self.items[item.id]

    async def run(self) -> None:
        """Works through the queue for as long as the program runs."""
        while True:
            batch = self._next_batch()
            if not batch:
                self._changed.clear()
                await self._changed.wait()
                continue
            for item in batch:
                item.state = State.RUNNING
            try:
                transfer = partial(self._transfer, batch=batch)
                summary = await self.worker.use(transfer, Lane.TRANSFERS)
                if summary:
                    await self.on_stored()
                    _note(batch, summary)
            except Interrupted:
                for item in batch:
                    if item.state is State.RUNNING:
                        item.state, item.done = State.WAITING, 0
            except _EXPECTED as error:
                _fail(batch, str(error) or type(error).__name__)
            self._settle(batch)

    def _next_batch(self) -> list[Transfer]:
        waiting = [item for item in self.items.values() if item.state is State.WAITING]
        if not waiting or waiting[0].kind == "download":
            return waiting[:1]
        batch, size = list[Transfer](), 0
        for item in waiting:
            if (item.kind, item.space) != ("upload", waiting[0].space):
                continue
            if batch and (len(batch) == MAX_BATCH_FILES or size + item.size > MAX_BATCH_BYTES):
                break
            batch.append(item)
            size += item.size
        return batch

    def _transfer(self, vault: Vault, batch: list[Transfer]) -> PutSummary | None:
        if batch[0].kind == "upload":
            return self._upload(vault, batch)
        self._download(vault, batch[0])
        return None

    def _upload(self, vault: Vault, batch: list[Transfer]) -> PutSummary:
        space = vault.find(str(batch[0].space))
        queue = iter(batch)
        current = next(queue)

        def advance(size: int) -> None:
            nonlocal current
            while current.done >= current.size and (following := next(queue, None)):
                current = following
            current.done = min(current.done + size, current.size)
            _check(batch)

        pairs = [(item.local, item.path) for item in batch]
        return store(vault, space, pairs, [], advance=advance)

    def _download(self, vault: Vault, item: Transfer) -> None:
        space = vault.find(str(item.space))
        items = list(space.tree.walk(item.path))
        if not items:
            raise ClientError("It is no longer there.", code="no_such_path")
        item.size = sum(each.size for _, each in items if isinstance(each, File))
        relative = [(path[len(item.path) :].lstrip("/"), each) for path, each in items]

        def advance(size: int) -> None:
            item.done += size
            _check([item])

        restorer = Restorer(space.reader(), space.chunk_places(), advance)
        restored = restorer.restore(relative, item.local)
        if restored.failed:
            first = restored.failed[0]
            raise ClientError(f"{first.path or item.path}: {first.message}", code="not_restored")
        item.state, item.done = State.DONE, item.size

    def _settle(self, batch: list[Transfer]) -> None:
        for item in batch:
            if item.state in {State.DONE, State.CANCELLED}:
                _forget(item)
        ended = [item for item in self.items.values() if item.state in ENDED]
        for item in ended[:-MAX_ENDED]:
            _forget(item)
            del self.items[item.id]


def _check(batch: list[Transfer]) -> None:
    if any(item.state is not State.RUNNING for item in batch):
        raise Interrupted


def _note(batch: list[Transfer], summary: PutSummary) -> None:
    problems = {problem.path: problem.message for problem in summary.failed}
    not_safe = {*summary.not_safe}
    for item in batch:
        message = problems.get(item.path) or problems.get(str(item.local))
        if message:
            _fail([item], message)
        else:
            item.state, item.done = State.DONE, item.size
            item.is_safe = item.path not in not_safe


def _fail(batch: list[Transfer], message: str) -> None:
    for item in batch:
        if item.state is State.RUNNING:
            item.state, item.message = State.FAILED, message


def _forget(item: Transfer) -> None:
    """Removes the copy of an upload that the browser handed over."""
    if item.kind == "upload":
        shutil.rmtree(item.local.parent, ignore_errors=True)


def free_name(folder: Path, name: str) -> Path:
    """A path in the folder that does not exist: name, name (2), and so on."""
    target, number = folder / name, 2
    stem, suffix = target.stem, target.suffix
    while target.exists() or target.is_symlink():
        target = folder / f"{stem} ({number}){suffix}"
        number += 1
    return target
