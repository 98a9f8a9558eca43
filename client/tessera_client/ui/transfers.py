"""Uploads and downloads that were asked for on the page, one batch after another."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal
from uuid import UUID

import msgspec

from tessera_client.errors import to_client_error
from tessera_client.ui.schemas import State, TransferInfo
from tessera_client.ui.selection import Selection, save_archive, save_item
from tessera_client.ui.worker import Lane, Worker
from tessera_client.vault.backup_runs import run_backup
from tessera_client.vault.backups import Backup
from tessera_client.vault.disk_names import Renamed, disk_name, numbered_disk_name
from tessera_client.vault.put import PutOptions, PutSummary, store
from tessera_client.vault.restore import Restorer
from tessera_client.vault.vault import Vault
from tessera_core.files import File

MAX_BATCH_FILES = 500
MAX_BATCH_BYTES = 64 * 2**20
MAX_ENDED = 200
MAX_RENAMED = 20


Kind = Literal["upload", "download", "backup"]
ENDED = {State.DONE, State.FAILED, State.CANCELLED}
# Why a run of a backup was cancelled by itself: another process runs it, or has just run it.
BUSY = "backup_busy"
# Whether a run is for the schedule alone decides whether the backup is given.
Claim = Callable[[bool], AbstractContextManager[Backup | None]]


class Interrupted(Exception):
    """Somebody paused or cancelled a transfer that is under way."""


@dataclass
class Transfer:
    id: int
    kind: Kind
    space: UUID
    path: str
    local: Path
    """An upload's content; a download's target; a folder that is backed up."""
    size: int
    state: State = State.WAITING
    done: int = 0
    message: str = ""
    code: str = ""
    """Why it failed, as a stable name."""
    is_safe: bool = True
    """False if a finished upload is not yet on one warehouse more than needed."""
    claim: Claim = lambda _: nullcontext(None)
    is_scheduled: bool = False
    backup: Backup | None = None
    """What is run, with how it ended."""
    renamed: list[Renamed] = field(default_factory=list)
    """What a download has written under other names."""
    selection: Selection | None = None
    """What a download fetches."""
    on_ended: Callable[["Transfer"], None] = lambda _: None

    @property
    def target(self) -> str | None:
        return str(self.local) if self.kind == "download" else None

    def info(self) -> TransferInfo:
        return msgspec.convert(self, TransferInfo, from_attributes=True)


@dataclass
class Transfers:
    worker: Worker
    on_stored: Callable[[], Awaitable[None]]
    """Called after a space has changed."""
    items: dict[int, Transfer] = field(default_factory=dict)
    is_paused: bool = False
    _last_id: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(
        self,
        kind: Kind,
        space: UUID,
        path: str,
        local: Path,
        size: int = 0,
        *,
        claim: Claim = lambda _: nullcontext(None),
        is_scheduled: bool = False,
        selection: Selection | None = None,
        on_ended: Callable[[Transfer], None] = lambda _: None,
    ) -> Transfer:
        self._last_id += 1
        state = State.PAUSED if self.is_paused else State.WAITING
        transfer = Transfer(self._last_id, kind, space, path, local, size, state)
        transfer.claim, transfer.is_scheduled, transfer.on_ended = claim, is_scheduled, on_ended
        transfer.selection = selection
        self.items[transfer.id] = transfer
        self._changed.set()
        return transfer

    @property
    def is_active(self) -> bool:
        return any(item.state not in ENDED for item in self.items.values())

    def targets(self) -> set[Path]:
        """Where downloads will write that have not ended."""
        return {
            item.local
            for item in self.items.values()
            if item.kind == "download" and item.state not in {State.DONE, State.CANCELLED}
        }

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
                    _remove_copy(item)
                    item.on_ended(item)

    def retry(self, chosen: int) -> None:
        item = self.items.get(chosen)
        if item and item.state is State.FAILED and (item.kind != "upload" or item.local.exists()):
            item.state, item.done, item.message, item.code = State.WAITING, 0, "", ""
            item.is_scheduled = False
            self._changed.set()

    def clear(self) -> None:
        """Forgets what has ended."""
        for item in [item for item in self.items.values() if item.state in ENDED]:
            self.forget(item.id)

    def forget(self, chosen: int) -> None:
        if item := self.items.pop(chosen, None):
            _remove_copy(item)

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
            except Exception as error:  # noqa: BLE001 - the queue must go on
                failure = to_client_error(error)
                _fail(batch, str(failure), failure.code)
            self._settle(batch)

    def _next_batch(self) -> list[Transfer]:
        waiting = [item for item in self.items.values() if item.state is State.WAITING]
        if not waiting or waiting[0].kind != "upload":
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
        first = batch[0]
        if first.kind == "upload":
            return self._upload(vault, batch)
        if first.kind == "backup":
            return self._back_up(vault, first)
        self._download(vault, first)
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
        return store(vault, space, pairs, PutOptions(), lambda *_: nullcontext(advance))

    def _back_up(self, vault: Vault, item: Transfer) -> PutSummary:
        def advance(size: int) -> None:
            item.done = min(item.done + size, item.size)
            _check([item])

        @contextmanager
        def show(_: str, total: int) -> Iterator[Callable[[int], None]]:
            item.done, item.size = 0, total
            _check([item])
            yield advance

        with item.claim(item.is_scheduled) as item.backup:
            if item.backup is None:
                item.state, item.code = State.CANCELLED, BUSY
                raise Interrupted
            return run_backup(vault, item.backup, show)

    def _download(self, vault: Vault, item: Transfer) -> None:
        def advance(size: int) -> None:
            item.done += size
            _check([item])

        space, selection = vault.find(str(item.space)), item.selection
        assert selection is not None
        items = selection.items(space.tree)
        item.size = sum(entry.size for entry in items.values() if isinstance(entry, File))
        restorer = Restorer(space.reader(), space.chunk_places(), advance)
        if selection.is_archive:
            restored = save_archive(restorer, items, selection, item.local)
        else:
            restored = save_item(restorer, items, selection, item.local)
            if selection.sequence is None:
                space.remember_fetched(item.path, restored.present)
        item.renamed = restored.renamed[:MAX_RENAMED]
        if error := selection.failure(restored):
            raise error
        item.state, item.done = State.DONE, item.size

    def _settle(self, batch: list[Transfer]) -> None:
        for item in batch:
            if item.state in {State.DONE, State.CANCELLED}:
                _remove_copy(item)
            if item.state in ENDED:
                item.on_ended(item)
        ended = [item for item in self.items.values() if item.state in ENDED]
        for item in ended[:-MAX_ENDED]:
            self.forget(item.id)


def _check(batch: list[Transfer]) -> None:
    if any(item.state is not State.RUNNING for item in batch):
        raise Interrupted


def _note(batch: list[Transfer], summary: PutSummary) -> None:
    if batch[0].kind == "backup":
        _note_backup(batch[0], summary)
        return
    problems = {problem.path: problem.message for problem in summary.failed}
    not_safe = {*summary.not_safe}
    conflicts = {conflict.path: conflict.as_text() for conflict in summary.conflicts}
    for item in batch:
        message = problems.get(item.path) or problems.get(str(item.local))
        if message:
            _fail([item], message)
        else:
            item.state, item.done = State.DONE, item.size
            item.is_safe = item.path not in not_safe
            missing = "" if item.is_safe else " ".join(summary.refusals)
            item.message = conflicts.get(item.path, missing)


def _note_backup(item: Transfer, summary: PutSummary) -> None:
    if summary.failed:
        first = summary.failed[0]
        _fail([item], f"{first.path}: {first.message}", "files_failed")
    else:
        item.state, item.done = State.DONE, item.size
        item.is_safe = not summary.not_safe
        item.message = "" if item.is_safe else " ".join(summary.refusals)


def _fail(batch: list[Transfer], message: str, code: str = "failed") -> None:
    for item in batch:
        if item.state is State.RUNNING:
            item.state, item.message, item.code = State.FAILED, message, code


def _remove_copy(item: Transfer) -> None:
    """Removes the copy of an upload that the browser handed over."""
    if item.kind == "upload":
        shutil.rmtree(item.local.parent, ignore_errors=True)


def free_name(folder: Path, name: str, taken: Collection[Path]) -> Path:
    """A path in the folder that does not exist: name, name (2), and so on."""
    target, number = folder / disk_name(name), 2
    while target in taken or target.exists() or target.is_symlink():
        target = folder / numbered_disk_name(name, number)
        number += 1
    return target
