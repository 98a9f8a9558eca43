"""Writes files of a space to this computer."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_client.transfer.download import ChunkPlace, ChunkReader
from tessera_client.vault.disk_names import DiskPaths, Renamed
from tessera_client.vault.part_files import PartFile, free_part_name, open_part, remove_parts
from tessera_client.vault.scan import Problem
from tessera_client.vault.target_folders import (
    FOLDER_MODE,
    PRIVATE_FOLDER,
    LinkInTheWay,
    TargetFolder,
    TargetTree,
)
from tessera_core.chunks import CHUNK_BYTES, chunk_length
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File, Folder, Item, Link


@dataclass
class Restored:
    files: int = 0
    bytes: int = 0
    unchanged: int = 0
    """Files and links that were there already."""
    kept: list[str] = field(default_factory=list)
    """What is there and differs. It is replaced only if that is asked for."""
    failed: list[Problem] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    """What this system cannot hold under its own name."""
    present: list[tuple[str, Item, str]] = field(default_factory=list)
    """What was written or found equal, and where."""
    planned: list[str] = field(default_factory=list)
    """What a dry run would have written."""


IsKnown = Callable[[str, Item, str], bool]


class Task(NamedTuple):
    """An item that is to be written."""

    path: str
    names: tuple[str, ...]
    """Where it is written, below the root."""
    item: Item


class Restorer:
    """Restores items below a folder. Links are never followed."""

    def __init__(
        self,
        reader: ChunkReader,
        places: Mapping[bytes, Sequence[ChunkPlace]],
        on_written: Callable[[int], None] = lambda _: None,
        *,
        overwrite: bool = False,
        is_known: IsKnown | None = None,
        check: Callable[[str, os.stat_result | None], None] | None = None,
    ) -> None:
        """`overwrite` replaces what differs. Contents are compared unless `is_known` says that a
        local file of the same size and time is this item: whoever stores one chooses its time.
        `check` may refuse to replace what is at a path in the last moment."""
        self._reader = reader
        self._places = places
        self._on_written = on_written
        self._overwrite = overwrite
        self._is_known = is_known
        self._check = check
        self._mask = 0

    def restore(
        self, items: Iterable[tuple[str, Item]], root: Path, *, dry_run: bool = False
    ) -> Restored:
        """Writes each item to its path below the root; an empty path is the root itself."""
        result, paths = Restored(), DiskPaths()
        # The order of names decides which one keeps a name.
        tasks = [
            Task(path, paths.find(path), item)
            for path, item in sorted(items, key=lambda each: (RANKS[type(each[1])], each[0]))
        ]
        result.renamed, tree = paths.renamed, TargetTree(root)
        if any(not task.names and not isinstance(task.item, Folder) for task in tasks):
            tasks = [task._replace(names=(root.name,)) for task in tasks]
            tree = TargetTree(root.parent, follow=True)
        folders = [task for task in tasks if isinstance(task.item, Folder)]
        try:
            selected = self._select(tasks[len(folders) :], tree, result, dry_run=dry_run)
            if dry_run:
                result.planned = [task.path for task in selected]
            else:
                self._write_all(folders, selected, tree, result)
        finally:
            tree.close()
            self.finish()
        return result

    def write_to(self, item: File, file: BinaryIO) -> None:
        """Writes the content of one file."""
        self.plan([Task("", (), item)])
        self.write_content(item, file)
        file.flush()
        self.finish()

    def write_content(self, item: File, file: IO[bytes]) -> None:
        """Writes the content of a file that was planned."""
        for chunk in self.read_content(item):
            file.write(chunk)

    def read_content(self, item: File) -> Iterator[bytes]:
        """The chunks of a file that was planned."""
        for chunk in self._reader.read_each(self._chunks(item)):
            yield chunk
            self._on_written(len(chunk))

    def finish(self) -> None:
        self._reader.note_compared()

    def _select(
        self, tasks: Iterable[Task], tree: TargetTree, result: Restored, *, dry_run: bool
    ) -> list[Task]:
        """Leaves out what is there already, and what may not be replaced."""
        by_folder: dict[tuple[str, ...], list[Task]] = {}
        for task in tasks:
            by_folder.setdefault(task.names[:-1], []).append(task)
        selected = []
        for names, inside in by_folder.items():
            folder = None
            with suppress(OSError, LinkInTheWay):  # Reported when something is written to it.
                folder = tree.find(names)
            if folder is None:
                selected += inside
                continue
            wanted = [task for task in inside if self._is_wanted(folder, task, tree, result)]
            if not dry_run:
                with suppress(OSError):
                    remove_parts(folder, {task.names[-1] for task in wanted})
            selected += wanted
        return selected

    def _is_wanted(
        self, folder: TargetFolder, task: Task, tree: TargetTree, result: Restored
    ) -> bool:
        with noting(task, result):
            status = folder.status(task.names[-1])
            if status is None:
                return True
            local = tree.path(task.names)
            if (
                self._is_known
                and _looks_like(status, task.item)
                and self._is_known(task.path, task.item, local)
            ):
                result.unchanged += 1
            elif self._is_equal(folder, task, status):
                result.unchanged += 1
                result.present.append((task.path, task.item, local))
            elif self._overwrite and stat.S_IFMT(status.st_mode) in _REPLACEABLE:
                return True
            else:
                result.kept.append(task.path)
        return False

    def _is_equal(self, folder: TargetFolder, task: Task, status: os.stat_result) -> bool:
        name, item = task.names[-1], task.item
        if isinstance(item, Link):
            return stat.S_ISLNK(status.st_mode) and folder.read_link(name) == item.target
        assert isinstance(item, File)
        if not stat.S_ISREG(status.st_mode) or status.st_size != item.size:
            return False
        descriptor = folder.open(name, os.O_RDONLY)
        try:
            return self._count_equal(descriptor, item) == len(item.chunks)
        finally:
            os.close(descriptor)

    def _count_equal(self, descriptor: int, item: File) -> int:
        """How many chunks a file begins with that are the item's: compared, not trusted."""
        for number, identifier in enumerate(item.chunks):
            chunk = _read_all(descriptor, chunk_length(item.size, number))
            if not self._reader.is_chunk(chunk, identifier):
                return number
        return len(item.chunks)

    def _write_all(
        self,
        folders: Sequence[Task],
        selected: Iterable[Task],
        tree: TargetTree,
        result: Restored,
    ) -> None:
        """Folders come first and links last."""
        is_root_listed = folders and not folders[0].names
        tree.make_root(_folder_mode(folders[0].item) if is_root_listed else FOLDER_MODE)
        made = []
        for task in folders:
            with noting(task, result):
                tree.folder(task.names, _folder_mode(task.item))
                made.append(task)
                result.present.append((task.path, task.item, tree.path(task.names)))
        self._mask = read_mask()
        for task in self.plan(selected):
            with noting(task, result):
                folder, name, item = tree.folder(task.names[:-1]), task.names[-1], task.item
                if isinstance(item, File):
                    self._write_file(folder, task, item)
                    result.files += 1
                    result.bytes += item.size
                elif isinstance(item, Link):
                    if self._check:
                        self._check(task.path, folder.status(name))
                    _write_link(folder, name, item)
                result.present.append((task.path, item, tree.path(task.names)))
        for task in reversed(made):
            with noting(task, result):
                tree.folder(task.names).set_time(task.item.modified)

    def plan(self, tasks: Iterable[Task]) -> list[Task]:
        """Files in the order of their packs, so that each pack is read once, then links."""
        packs: dict[bytes, int] = {}
        for places in self._places.values():
            packs.setdefault(places[0].pack, len(packs))

        def order(task: Task) -> tuple[int, int, int]:
            if not isinstance(task.item, File):
                return 1, 0, 0
            places = self._places.get(task.item.chunks[0]) if task.item.chunks else None
            return (0, packs[places[0].pack], places[0].offset) if places else (0, -1, 0)

        ordered = sorted(tasks, key=order)
        self._reader.plan(
            [
                self._places[chunk][0]
                for task in ordered
                if isinstance(task.item, File)
                for chunk in task.item.chunks
                if chunk in self._places
            ]
        )
        return ordered

    def _chunks(self, item: File) -> list[Sequence[ChunkPlace]]:
        """Finds a file's chunks before anything is written: together they must have its size."""
        found: list[Sequence[ChunkPlace]] = []
        for number, identifier in enumerate(item.chunks):
            places = self._places.get(identifier)
            if not places:
                raise ClientError.from_code("chunk_missing")
            length = chunk_length(item.size, number)
            fitting = [place for place in places if place.chunk.length == length]
            if not fitting:
                raise Malformed("the chunks do not have the file's size")
            found.append(fitting)
        return found

    def _write_file(self, folder: TargetFolder, task: Task, item: File) -> None:
        """Completely or not at all; a later run goes on with what was fetched of a large file."""
        name = task.names[-1]
        chunks, part = self._chunks(item), open_part(folder, name)
        try:
            try:
                self._fill(part, item, chunks)
                self._describe(part, item)
            finally:
                os.close(part.descriptor)
            if not _SETS_OPEN:
                folder.set_file_time(part.name, item.modified)
            if self._check:
                self._check(task.path, folder.status(name))
            folder.replace(part.name, name)
        except BaseException as error:
            can_continue = isinstance(error, ClientError | KeyboardInterrupt)
            status = folder.status(part.name) if can_continue else None
            if status is None or status.st_size < CHUNK_BYTES:
                folder.remove(part.name)
            raise

    def _fill(self, part: PartFile, item: File, chunks: Sequence[Sequence[ChunkPlace]]) -> None:
        taken = 0
        if not part.is_new:
            taken = self._count_equal(part.descriptor, item)
            end = min(taken * CHUNK_BYTES, item.size)
            os.ftruncate(part.descriptor, end)
            os.lseek(part.descriptor, end, os.SEEK_SET)
            self._on_written(end)
        for chunk in self._reader.read_each(chunks[taken:] if taken else chunks):
            _write_sparse(part.descriptor, chunk)
            self._on_written(len(chunk))
        if item.size >= CHUNK_BYTES:
            os.ftruncate(part.descriptor, item.size)

    def _describe(self, part: PartFile, item: File) -> None:
        if _SETS_OPEN:
            os.fchmod(part.descriptor, file_mode(item, self._mask))
            os.utime(part.descriptor, ns=(item.modified, item.modified))


# Windows sets the time of a file by its path, when it is closed.
_SETS_OPEN = sys.platform != "win32"
# Neither folders nor devices such as /dev/null.
_REPLACEABLE = {stat.S_IFREG, stat.S_IFLNK}
RANKS: dict[type[Item], int] = {Folder: 0, File: 1, Link: 2}
_ZEROS = bytes(CHUNK_BYTES)


@dataclass(slots=True)
class noting:  # noqa: N801 - used like a function; a generator takes four times as long
    """Notes why one item failed; the others go on."""

    task: Task
    result: Restored

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        match error:
            case OSError():
                message = describe(error)
            case Malformed() | NotAuthentic():
                message = translate("errors.content_damaged")
            case NotEnoughShards():
                message = str(error)
            case ClientError() if error.exit_code == 1:
                message = str(error)
            case _:
                return False
        self.result.failed.append(Problem(self.task.path, message))
        return True


def _looks_like(status: os.stat_result, item: Item) -> bool:
    looks = stat.S_ISREG(status.st_mode), status.st_size, status.st_mtime_ns
    return isinstance(item, File) and looks == (True, item.size, item.modified)


def _folder_mode(item: Item) -> int:
    return PRIVATE_FOLDER if isinstance(item, Folder) and item.private else FOLDER_MODE


def file_mode(item: File, mask: int) -> int:
    mode = (0o777 if item.executable else 0o666) & ~mask
    return mode & 0o700 if item.private else mode


def read_mask() -> int:
    """What the user's files may not allow; systems tell it only to whoever sets it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _write_link(folder: TargetFolder, name: str, item: Link) -> None:
    part = free_part_name()
    folder.create_link(part, item.target)
    try:
        folder.replace(part, name)
    except OSError:
        folder.remove(part)
        raise


def _write_sparse(descriptor: int, chunk: bytes) -> None:
    """Skips chunks of zeros, so that sparse files stay sparse."""
    if chunk == _ZEROS:
        os.lseek(descriptor, len(chunk), os.SEEK_CUR)
        return
    written = os.write(descriptor, chunk)
    while written < len(chunk):
        written += os.write(descriptor, memoryview(chunk)[written:])


def _read_all(descriptor: int, size: int) -> bytes:
    """Less at the end of a file."""
    content = os.read(descriptor, size)
    while len(content) < size and (more := os.read(descriptor, size - len(content))):
        content += more
    return content
