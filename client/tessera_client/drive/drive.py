"""One space as a file system. Errors are OSErrors, as programs expect them."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from errno import (
    EACCES,
    EBADF,
    EEXIST,
    EINVAL,
    EIO,
    EISDIR,
    ENAMETOOLONG,
    ENOSPC,
    ENOTDIR,
    ENOTEMPTY,
    EPERM,
)
from itertools import dropwhile
from pathlib import Path
from threading import Condition, RLock
from typing import NamedTuple

from tessera_client.drive.arrived import find_arrived, knowing
from tessera_client.drive.cache import ChunkCache
from tessera_client.drive.chunks import Chunks, StoredContent
from tessera_client.drive.connection import Connection
from tessera_client.drive.journal import DriveJournal
from tessera_client.drive.pending import (
    PendingChange,
    PendingMove,
    PendingPut,
    PendingRemove,
    apply,
    staged_files,
)
from tessera_client.drive.staging import StagedFile, new_record
from tessera_client.drive.view import Content, Node, StoredView, View, is_below
from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_client.transfer.answers import Usage
from tessera_client.vault.conflicts import Conflict
from tessera_client.vault.disk_names import stays_inside
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.binary import Buffer
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import MAX_PATH_BYTES, File, Folder, Link, check_path
from tessera_core.tree import Tree

_UNREADABLE = (ClientError, Malformed, NotAuthentic, NotEnoughShards, TimeoutError)


class Status(NamedTuple):
    """What `ls -l` shows."""

    type: str
    """file, folder or link."""
    size: int
    modified: int
    """Nanoseconds since 1970."""
    executable: bool = False
    private: bool = False


@dataclass
class Handle:
    """An open file."""

    drive: "SpaceDrive"
    content: StagedFile | StoredContent
    can_write: bool

    def read(self, offset: int, size: int) -> bytes:
        self.drive.check_access()
        try:
            return self.content.read(offset, size)
        except _UNREADABLE as error:
            raise self.drive.unreadable(error) from error

    def write(self, offset: int, data: Buffer) -> int:
        content = self._writable()
        self.drive.check_access()
        self.drive.check_room(offset + len(data) - content.size)
        try:
            content.write(offset, data)
        except _UNREADABLE as error:
            raise self.drive.unreadable(error) from error
        return len(data)

    def truncate(self, size: int) -> None:
        content = self._writable()
        self.drive.check_room(size - content.size)
        content.truncate(size)

    def keep(self, *, is_durable: bool = False) -> None:
        """What was written survives the end of this program, or a power failure too."""
        if isinstance(self.content, StagedFile) and self.can_write:
            self.drive.note(self.content, is_durable=is_durable)

    def close(self) -> None:
        if isinstance(self.content, StagedFile):
            self.drive.release(self.content, was_writer=self.can_write)

    def status(self) -> Status:
        """Also of a file that was removed while it is open."""
        content = self.content
        return _status(content if isinstance(content, StagedFile) else content.item)

    def _writable(self) -> StagedFile:
        if not self.can_write or not isinstance(self.content, StagedFile):
            raise OSError(EBADF, "")
        return self.content


class SpaceDrive:
    """The files of one space, with what waits to be sent on top. Thread-safe.

    Nothing here talks to the service; `Sender` sends what waits, and `Follower` follows the log.
    """

    def __init__(
        self,
        vault: Vault,
        space: Space,
        folder: Path,
        cache: ChunkCache,
        on_notice: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.vault = vault
        self.space = space
        self.on_notice = on_notice
        self.connection = Connection(on_notice)
        self.is_revoked = False
        """Whether the service says that this person has no access to the space any more."""
        self.chunks = Chunks(space, cache)
        self.journal = DriveJournal(folder, space.keyring, len(space.state.rewinds))
        self.lock = RLock()
        self.changed = Condition(self.lock)
        """Something waits to be sent."""
        self._open: dict[bytes, int] = {}
        """How many handles each staged file has."""
        self._written: dict[bytes, StagedFile] = {}
        """Files that somebody is writing to."""
        self.not_kept: dict[bytes, StagedFile] = {}
        """Closed files that the disk had no room for. They are in memory alone."""
        self.changes: list[PendingChange] = self.journal.load(self.chunks, space.state)
        self._count_waiting()
        self.last_change = 0.0
        self._last_unreadable, self._unreadable_told = "", 0.0
        self.quota = 0
        self.room: int | None = None
        """Bytes that the quota leaves; None if it is not known."""
        self.conflicts: list[Conflict] = []
        """What this program has kept under other names."""
        self.problem: ClientError | None = None
        """Why nothing could be sent or followed the last time."""
        self._read: dict[str, int] = {}
        """Which entry's version of a path was read here last."""
        self._stored, self.view = StoredView(), View()
        self.drop_arrived_steps(space.tree)
        self._know_arrived_files()
        self.rebuild_view()
        for path, node in self.view.items():
            if isinstance(node.content, StagedFile):
                node.content.path = path

    def rebuild_view(self) -> None:
        """Builds what is shown out of the space as it is now, what waits, and what is open."""
        with self.lock:
            self.view = self._stored.follow(self.space.tree)
            for change in self.changes:
                apply(self.view, change)
            for file in [*self._written.values(), *self.not_kept.values()]:
                if file.path is not None:
                    self.view.put(file.path, file)

    def follow(self) -> None:
        """Takes over what the space has got."""
        self.chunks.follow(self.space)
        with self.lock:
            self.journal.keyring = self.space.keyring
            self._follow_rewind()
            self.rebuild_view()

    def _follow_rewind(self) -> None:
        """Where the leader has given up entries after a restore of the service, others stand in
        their place, which nobody here has seen."""
        kept = self.space.state.kept_since(self.journal.rewinds)
        if kept is None:
            return
        self.journal.rewinds = len(self.space.state.rewinds)
        for file in [*staged_files(self.changes), *self._written.values()]:
            file.seen = min(file.seen, kept)
        self._read = {path: min(sequence, kept) for path, sequence in self._read.items()}
        self.replace_changes(
            [replace(change, seen=min(change.seen, kept)) for change in self.changes]
        )

    def check_access(self) -> None:
        """Whoever lost the access sees nothing any more; what waits stays encrypted here."""
        if self.is_revoked or self.connection.is_ended:
            raise OSError(EACCES, "")

    # Looking

    def status(self, path: str) -> Status:
        with self.lock:
            return _status(self.view.get(path).content)

    def entries(self, path: str) -> list[tuple[str, Status]]:
        with self.lock:
            node = self.view.get(path)
            if not node.is_folder:
                raise OSError(ENOTDIR, "", path)
            return [(name, _status(child.content)) for name, child in node.children.items()]

    def read_link(self, path: str) -> str:
        with self.lock:
            content = self.view.get(path).content
        if not isinstance(content, Link):
            raise OSError(EINVAL, "", path)
        if not stays_inside(path, content.target):
            raise OSError(EACCES, "", path)
        return content.target

    # Files

    def open(self, path: str, *, write: bool = False, truncate: bool = False) -> Handle:
        with self.lock:
            node = self.view.get(path)
            content = node.content
            if isinstance(content, Folder):
                raise OSError(EISDIR, "", path)
            if isinstance(content, Link):
                raise OSError(EACCES, "", path)
            if isinstance(content, File):
                if not truncate:
                    self._read[path] = node.sequence
                if not write:
                    return Handle(self, StoredContent(self.chunks, content), can_write=False)
                content = self._stage(path, node, None if truncate else content)
            elif write and truncate and content.id not in self._open:
                # Until the new content is closed, the old one is what a kill leaves.
                content = self._stage(path, node, None)
            handle = self._handle(content, can_write=write)
            if write and truncate and content.size:
                content.truncate(0)
            return handle

    def create(self, path: str, *, executable: bool = False, private: bool = False) -> Handle:
        """Makes an empty file; one that is there already stays what it is."""
        with self.lock:
            self._check_new(path)
            record = new_record(None, executable=executable, private=private)
            file = self.journal.stage(record, self.chunks)
            file.path, file.seen = path, self.space.state.sequence
            self.view.put(path, file)
            return self._handle(file, can_write=True)

    def truncate(self, path: str, size: int) -> None:
        handle = self.open(path, write=True, truncate=size == 0)
        try:
            handle.truncate(size)
        finally:
            handle.close()

    def _stage(self, path: str, node: Node, base: File | None) -> StagedFile:
        file = node.content
        assert isinstance(file, File | StagedFile)
        record = new_record(base, executable=file.executable, private=file.private)
        staged = self.journal.stage(record, self.chunks)
        staged.path = path
        staged.seen = file.seen if isinstance(file, StagedFile) else self._seen(path)
        self.view.put(path, staged)
        return staged

    def _handle(self, file: StagedFile, *, can_write: bool) -> Handle:
        self._open[file.id] = self._open.get(file.id, 0) + 1
        file.writers += can_write
        if can_write:
            self._written[file.id] = file
        return Handle(self, file, can_write)

    def note(self, file: StagedFile, *, is_durable: bool = False) -> None:
        """Puts a file's present state into the journal: from now on it is not lost."""
        with self.lock, file.lock:
            file.seal(is_durable=is_durable)
            if file.path is not None and not file.is_noted:
                self._add(PendingPut(file.path, file, file.seen), is_shown=True)
                file.is_noted = True
            if is_durable:
                self.journal.make_durable()

    def release(self, file: StagedFile, *, was_writer: bool) -> None:
        with self.lock:
            file.writers -= was_writer
            if was_writer and not file.writers:
                del self._written[file.id]
                self._keep(file)
            self._open[file.id] -= 1
            if not self._open[file.id]:
                del self._open[file.id]
                if file.id not in self.not_kept:
                    file.close()
                    self.forget_unused([file])
            self.changed.notify_all()

    def _keep(self, file: StagedFile) -> None:
        """Notes a closed file, now or as soon as the disk has room again."""
        try:
            self.note(file)
        except OSError as error:
            if file.id not in self.not_kept:
                self.on_notice(translate("drive.not_kept", reason=describe(error)))
            self.not_kept[file.id] = file
        else:
            self.not_kept.pop(file.id, None)

    def keep_again(self) -> None:
        """Tries again to note what the disk had no room for."""
        with self.lock:
            for file in [each for each in self.not_kept.values() if not each.writers]:
                self._keep(file)
                if file.id not in self.not_kept and file.id not in self._open:
                    file.close()
                    self.forget_unused([file])

    def forget_unused(self, files: list[StagedFile]) -> None:
        """Deletes what is neither open nor waits."""
        with self.lock:
            for file in files:
                if file.path is None:
                    self.not_kept.pop(file.id, None)
                if not any(file.id in used for used in (self._waiting, self._open, self.not_kept)):
                    file.remove()

    # Changes

    def make_folder(self, path: str, *, private: bool = False) -> None:
        with self.lock:
            self._check_new(path)
            self._add(PendingPut(path, Folder(time.time_ns(), private), self.space.state.sequence))

    def make_link(self, path: str, target: str) -> None:
        with self.lock:
            self._check_new(path)
            if not stays_inside(path, target):
                raise OSError(EPERM, "", path)
            self._add(PendingPut(path, Link(time.time_ns(), target), self.space.state.sequence))

    def remove(self, path: str) -> None:
        with self.lock:
            if self.view.get(path).is_folder:
                raise OSError(EISDIR, "", path)
            self._remove(path)

    def remove_folder(self, path: str, *, with_contents: bool = False) -> None:
        with self.lock:
            node = self.view.get(path)
            if not node.is_folder:
                raise OSError(ENOTDIR, "", path)
            if node.children and not with_contents:
                raise OSError(ENOTEMPTY, "", path)
            self._remove(path)

    def _remove(self, path: str) -> None:
        gone = self._staged_below(path)
        self._add(PendingRemove(path, self._seen(path)))
        self.mark_seen(path)
        for file in gone:
            file.path = None
        self.forget_unused(gone)

    def move(self, source: str, target: str, *, replace: bool = True) -> None:
        with self.lock:
            node, existing = self.view.get(source), self.view.find(target)
            if source == target:
                return
            if is_below(target, source):
                raise OSError(EINVAL, "", target)
            self._check_parent(target)
            if existing:
                _check_replaced(node, existing, target, replace=replace)
            self._check_lengths(node, source, target)
            replaced, moved = self._staged_below(target), self._staged_below(source)
            seen = self._seen(target) if existing else self.space.state.sequence
            if existing and existing.is_folder:
                self._add(PendingRemove(target, seen))
            self._add(PendingMove(source, target, seen))
            for file in replaced:
                file.path = None
            for file in moved:
                assert file.path is not None
                file.path = target + file.path.removeprefix(source)
                if file.path == target and existing:
                    file.seen = seen
            self.mark_seen(source)
            self.mark_seen(target)
            self.forget_unused(replaced)

    def set_times(self, path: str, modified: int) -> None:
        def change(content: Content) -> Content:
            match content:
                case File():
                    return File(
                        content.size, modified, content.executable, content.chunks, content.private
                    )
                case Folder():
                    return Folder(modified, content.private)
                case Link():
                    return Link(modified, content.target)
            content.modified = modified
            return content

        self._change(path, change)

    def set_mode(self, path: str, *, executable: bool, private: bool) -> None:
        def change(content: Content) -> Content:
            match content:
                case File():
                    return File(content.size, content.modified, executable, content.chunks, private)
                case Folder():
                    return Folder(content.modified, private)
                case Link():
                    return content
            content.executable, content.private = executable, private
            return content

        self._change(path, change)

    def _change(self, path: str, change: Callable[[Content], Content]) -> None:
        with self.lock:
            if not path:
                return
            node = self.view.get(path)
            content = node.content
            changed = change(content)
            if isinstance(changed, StagedFile):
                changed.touch()
                if not changed.writers:
                    self.note(changed)
            elif changed != content:
                self._add(PendingPut(path, changed, self._seen(path)))

    def _add(self, change: PendingChange, *, is_shown: bool = False) -> None:
        """Writes a change down before it is shown."""
        self.journal.append(change)
        self.changes.append(change)
        if isinstance(change, PendingPut) and isinstance(change.content, StagedFile):
            self._waiting.add(change.content.id)
            self._waiting_bytes += change.content.size
        if not is_shown:
            apply(self.view, change)
        self.last_change = time.monotonic()
        self.changed.notify_all()

    def _seen(self, path: str) -> int:
        """What whoever writes to a path has seen of it: the version that was read here last, if it
        was read at all, else what is there now."""
        return self._read.get(path, self.space.state.sequence)

    def replace_changes(self, changes: list[PendingChange]) -> None:
        with self.lock:
            files = staged_files(self.changes)
            self.journal.replace(changes)
            self.changes = list(changes)
            self._count_waiting()
            if files:
                # After a power failure no change may name a file that was deleted.
                self.journal.make_durable()
            self.forget_unused(files)
            if files and not changes:
                self.journal.shrink()

    def _count_waiting(self) -> None:
        files = staged_files(self.changes)
        self._waiting = {file.id for file in files}
        self._waiting_bytes = sum(file.size for file in files)

    def drop_arrived_steps(self, tree: Tree) -> None:
        """Forgets what an interrupted attempt has moved and removed already, in this order."""
        attempt = self.journal.attempt()
        if attempt is None:
            return
        sequence, count = attempt
        user = self.vault.account.user
        removed = {
            path
            for path, versions in tree.versions.items()
            for version in versions
            if version.item is None and version.sequence > sequence and version.author == user
        }
        with self.lock:
            left = dropwhile(lambda step: _has_arrived(step, removed), self.changes[:count])
            self.replace_changes([*left, *self.changes[count:]])

    def _know_arrived_files(self) -> None:
        account, space = self.vault.account, self.space
        key = space.keyring.chunk_id_key
        stored = find_arrived(self.changes, space.tree, account.user, key)
        if stored:
            self.replace_changes([knowing(change, stored) for change in self.changes])
            self.know_stored(stored)

    def know_stored(self, stored: Mapping[str, int]) -> None:
        """Who is writing to these paths knows the entries that have stored them."""
        waiting = staged_files(self.changes)
        for file in [*waiting, *self._written.values(), *self.not_kept.values()]:
            if file.path is not None:
                file.seen = max(file.seen, stored.get(file.path, 0))

    def mark_seen(self, *paths: str) -> None:
        """What is at these paths and below them now is known to whoever writes here."""
        known = set(paths)
        self._read = {
            at: seen for at, seen in self._read.items() if known.isdisjoint(_with_parents(at))
        }

    def _staged_below(self, path: str) -> list[StagedFile]:
        node = self.view.find(path)
        contents = (each.content for each in node.walk()) if node else ()
        return [content for content in contents if isinstance(content, StagedFile)]

    def _check_new(self, path: str) -> None:
        if self.view.find(path) is not None:
            raise OSError(EEXIST, "", path)
        self._check_parent(path)
        _check_path(path)

    def _check_parent(self, path: str) -> None:
        parent, _, _ = path.rpartition("/")
        if not self.view.get(parent).is_folder:
            raise OSError(ENOTDIR, "", path)

    def _check_lengths(self, node: Node, source: str, target: str) -> None:
        _check_path(target)
        if node.is_folder:
            longest = max((len(path.encode()) for path in _paths(node, target)), default=0)
            if longest > MAX_PATH_BYTES:
                raise OSError(ENAMETOOLONG, "", source)

    def unreadable(self, error: Exception) -> OSError:
        """What a program is told, after a person was."""
        problem = translate("drive.too_slow") if isinstance(error, TimeoutError) else str(error)
        if problem != self._last_unreadable or time.monotonic() > self._unreadable_told + 60:
            self._last_unreadable, self._unreadable_told = problem, time.monotonic()
            self.on_notice(translate("drive.unreadable", reason=problem))
        return OSError(EIO, problem)

    # Room

    def check_room(self, more: int) -> None:
        """What the quota does not leave room for could never be sent."""
        if more > 0 and self.room is not None and self._waiting_bytes + more > self.room:
            raise OSError(ENOSPC, "")

    @property
    def waiting(self) -> int:
        """How many files and other changes are not sent yet."""
        return len(self.changes) + len(self.not_kept)

    def learn_room(self) -> None:
        """Asks the service; what was known stays if it does not answer."""
        with suppress(ClientError):
            usage = self.vault.account.api.get("/storage/usage", Usage)
            self.quota, self.room = usage.quota, min(usage.left, usage.quota)

    def close(self) -> None:
        with self.lock:
            for file in staged_files(self.changes):
                file.close()
            self.journal.close()


def _has_arrived(step: PendingChange, removed: set[str]) -> bool:
    path = step.source if isinstance(step, PendingMove) else step.path
    return any(is_below(at, path) for at in removed)


def _with_parents(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def _paths(node: Node, path: str) -> Iterator[str]:
    waiting = [(path, node)]
    while waiting:
        at, each = waiting.pop()
        yield at
        waiting += [(f"{at}/{name}", child) for name, child in each.children.items()]


def _status(content: Content) -> Status:
    match content:
        case Folder():
            return Status("folder", 0, content.modified, private=content.private)
        case Link():
            return Status("link", len(content.target.encode()), content.modified)
    return Status("file", content.size, content.modified, content.executable, content.private)


def _check_path(path: str) -> None:
    try:
        check_path(path)
        path.encode()
    except (Malformed, UnicodeEncodeError):
        too_long = max(len(name.encode(errors="replace")) for name in path.split("/")) > 255
        raise OSError(ENAMETOOLONG if too_long else EINVAL, "", path) from None
    if len(path.encode()) > MAX_PATH_BYTES:
        raise OSError(ENAMETOOLONG, "", path)


def _check_replaced(node: Node, existing: Node, target: str, *, replace: bool) -> None:
    if not replace:
        raise OSError(EEXIST, "", target)
    if existing.is_folder and not node.is_folder:
        raise OSError(EISDIR, "", target)
    if node.is_folder and not existing.is_folder:
        raise OSError(ENOTDIR, "", target)
    if existing.children:
        raise OSError(ENOTEMPTY, "", target)
