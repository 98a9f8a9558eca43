"""Sends what waits on the drive, several files in one entry, and shows what others have done."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from uuid import UUID

from tessera_client.drive.arrived import knowing
from tessera_client.drive.connection import Connection
from tessera_client.drive.drive import SpaceDrive
from tessera_client.drive.pending import (
    PendingChange,
    PendingMove,
    PendingPut,
    PendingRemove,
    make_plan,
    step_paths,
)
from tessera_client.drive.sealed_files import BlockDamaged
from tessera_client.drive.staging import StagedFile
from tessera_client.drive.view import Content, StoredView, is_related
from tessera_client.errors import ClientError, NotLoggedIn, to_client_error
from tessera_client.transfer.api import is_offline
from tessera_client.vault.changes import START_OVER, ChangeWriter, writing
from tessera_client.vault.conflicts import IsSeen
from tessera_core.changes import Move, Put, Remove
from tessera_core.chunks import CHUNK_BYTES, chunk_count
from tessera_core.files import File, Item

QUIET_SECONDS = 1.0
# Who writes without a pause is not waited for.
PATIENCE_SECONDS = 5.0
RETRY_SECONDS = 10.0
FILES_PER_ENTRY = 5000
SAVE_SECONDS = 60.0


class Sender:
    """Works in the background for one drive."""

    def __init__(self, drive: SpaceDrive, connection: Connection | None = None) -> None:
        self._drive = drive
        self._connection = drive.connection = connection or drive.connection
        # While it sends, the drive goes on following the log.
        self._space = drive.vault.load_space(drive.space.id)
        for space in (self._space, drive.space):
            space.is_saved_at_once = False
        self._stored = StoredView()
        self._saved_at = time.monotonic()
        self._appending = Lock()
        """While changes are on their way, both the log and the drive would show them."""
        self._own = set[int]()
        """Entries that it has appended: what they hold was seen here."""
        self._stopped = Event()
        self.problem: ClientError | None = None
        """Why it could not send or follow the last time."""
        self._thread = Thread(target=self._send, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = 30) -> None:
        """Sends what is closed; what cannot be sent waits on this computer."""
        self._stopped.set()
        with self._drive.lock:
            self._drive.changed.notify_all()
        self._thread.join(seconds)

    def _send(self) -> None:
        self._drive.learn_room()
        while not self._stopped.is_set():
            if self._wait_for_changes():
                try:
                    self.attempt(self.send)
                finally:
                    if self.problem:
                        self._stopped.wait(RETRY_SECONDS)
        self.attempt(self.send)

    def _wait_for_changes(self) -> bool:
        """Returns once something can be sent, or the end has come."""
        drive = self._drive
        with drive.lock:
            drive.keep_again()
            while not self._stopped.is_set() and not any(map(_is_closed, drive.changes)):
                drive.changed.wait(RETRY_SECONDS if drive.not_kept else None)
                drive.keep_again()
        # Who writes many files is not slowed down by waking up at each.
        begun = time.monotonic()
        while not self._stopped.is_set():
            left = (
                min(drive.last_change + QUIET_SECONDS, begun + PATIENCE_SECONDS) - time.monotonic()
            )
            if left <= 0:
                break
            self._stopped.wait(left)
        return not self._stopped.is_set()

    def attempt(self, work: Callable[[], None]) -> None:
        """Nothing that goes wrong ends the drive; the same problem is told once."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever it is
            problem = to_client_error(error)
            if problem.code == "quota_exceeded":
                self._drive.learn_room()
            # A space that this person is no member of any more is not told from one that is gone.
            self._drive.is_revoked |= problem.code == "space_not_found"
            if is_offline(problem) or isinstance(problem, NotLoggedIn):
                self._connection.lost(problem)
            elif self.problem is None or self.problem.code != problem.code:
                self._drive.on_notice(str(problem))
            self.problem = problem
        else:
            self._drive.is_revoked = False
            self.problem = None
        finally:
            self._drive.problem = self.problem

    @property
    def space_id(self) -> UUID:
        return self._space.id

    @property
    def sequence(self) -> int:
        """The last entry that the drive shows."""
        return self._drive.space.state.sequence

    def follow(self) -> None:
        """Shows what others have done."""
        drive = self._drive
        drive.vault.account.confirm_kept_keys()
        with self._appending:
            if drive.journal.attempt():
                return
            sequence = drive.space.state.sequence
            drive.space.sync()
            self._connection.works()
            if drive.space.state.sequence != sequence:
                drive.follow()

    def send(self) -> None:
        """Sends everything that nobody is writing to."""
        with suppress(*START_OVER):
            while self._send_some():
                pass
        if time.monotonic() - self._saved_at > SAVE_SECONDS or self._stopped.is_set():
            self._space.save()
            self._saved_at = time.monotonic()

    def _send_some(self) -> bool:
        """Sends one entry; returns whether there was more than it can hold."""
        drive, space = self._drive, self._space
        if not drive.changes:
            return False
        drive.vault.account.confirm_kept_keys()
        space.sync()
        self._connection.works()
        drive.drop_arrived_steps(space.tree)
        with drive.lock:
            plan = make_plan(self._stored.follow(space.tree), drive.changes)
            changes: list[PendingChange] = [*plan.steps, *plan.puts.values()]
            drive.replace_changes(changes)
        ready = [put for put in plan.puts.values() if self._is_ready(put)][:FILES_PER_ENTRY]
        if not plan.steps and not ready:
            return False
        if plan.steps:
            drive.journal.begin_attempt(space.state.sequence, len(plan.steps))
        sent: dict[str, tuple[PendingPut, Item, int]] = {}
        damaged: OSError | None = None
        with writing(drive.vault, space) as writer:
            writer.resume_uploads()
            for put in ready:
                content = put.content
                before = content.changes if isinstance(content, StagedFile) else 0
                try:
                    item = _store(writer, content)
                except BlockDamaged as error:
                    damaged = OSError(error.errno, error.strerror, put.path)
                    continue
                if item:
                    sent[put.path] = put, item, before
            with self._appending:
                self._add_steps(writer, plan.steps, sent.keys())
                for path, (put, item, _) in sent.items():
                    writer.add(Put(path, 0, item), self._seen(put.seen))
                self._commit(writer)
                drive.space.sync()
                stored = writer.result.sequences
                self._finish(changes, {path: sent[path] for path in stored if path in sent}, stored)
        drive.conflicts += writer.result.conflicts
        for conflict in writer.result.conflicts:
            drive.on_notice(conflict.as_text())
        if damaged:
            raise damaged
        if writer.result.not_stored:
            raise ClientError.from_code("not_stored")
        drive.learn_room()
        return len(ready) == FILES_PER_ENTRY

    def _add_steps(
        self,
        writer: ChangeWriter,
        steps: Sequence[PendingRemove | PendingMove],
        puts: Collection[str],
    ) -> None:
        """In one entry, no operation may be about what another one has moved."""
        touched: list[str] = []
        for step in steps:
            paths = step_paths(step)
            if any(is_related(path, other) for path in paths for other in touched):
                self._commit(writer)
                touched = []
            touched += paths
            if isinstance(step, PendingMove):
                writer.add(Move(step.source, step.target), self._seen(step.seen))
            else:
                writer.add(Remove(step.path, 0), self._seen(step.seen))
        if any(is_related(path, other) for path in puts for other in touched):
            self._commit(writer)

    def _commit(self, writer: ChangeWriter) -> None:
        before = self._space.state.sequence
        writer.commit()
        if self._space.state.sequence > before:
            self._own.add(self._space.state.sequence)

    def _seen(self, sequence: int) -> IsSeen:
        return lambda _, version: version.sequence <= sequence or version.sequence in self._own

    def _is_ready(self, put: PendingPut) -> bool:
        file = put.content
        if not isinstance(file, StagedFile):
            return True
        is_quiet = time.monotonic() - file.changed_at >= QUIET_SECONDS or self._stopped.is_set()
        return _is_closed(put) and is_quiet

    def _finish(
        self,
        changes: list[PendingChange],
        sent: dict[str, tuple[PendingPut, Item, int]],
        stored: Mapping[str, int],
    ) -> None:
        """Forgets what is stored now. What was written meanwhile goes on waiting."""
        drive = self._drive
        with drive.lock:
            left = list[PendingChange]()
            for put in changes:
                if not isinstance(put, PendingPut):
                    continue
                if put.path not in sent:
                    left.append(put)
                    continue
                file = put.content
                if isinstance(file, StagedFile):
                    file.seen = drive.space.state.sequence
                    if file.changes != sent[put.path][2]:
                        left.append(PendingPut(put.path, file, file.seen))
            drive.mark_seen(*sent)
            later = [knowing(change, stored) for change in drive.changes[len(changes) :]]
            drive.replace_changes([*left, *later])
            drive.know_stored(stored)
            drive.follow()


def _is_closed(change: PendingChange) -> bool:
    """Whether nobody is writing to what a change is about."""
    file = change.content if isinstance(change, PendingPut) else None
    return not (isinstance(file, StagedFile) and file.writers)


def _store(writer: ChangeWriter, content: Content) -> Item | None:
    """Chunks that nothing was written to are not read. Returns None if somebody writes again."""
    if not isinstance(content, StagedFile):
        writer.reuse(content)
        return content
    before, size, chunks = content.changes, content.size, list[bytes]()
    for position in range(chunk_count(size)):
        known = content.known_chunk(position)
        if known is None:
            chunk = content.read(position * CHUNK_BYTES, CHUNK_BYTES)
            chunks.append(writer.add_chunk(chunk))
        else:
            writer.reuse_chunks((known,))
            chunks.append(known)
    if not content.writers:
        content.close()
    if content.changes != before:
        return None
    return File(size, content.modified, content.executable, tuple(chunks), content.private)
