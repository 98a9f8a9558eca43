"""Finds stored objects in copies of warehouses, and remembers what was wrong with each copy."""

import os
import stat
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Lock
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_core.errors import Malformed
from tessera_core.objects import (
    ROOT,
    RecoveryObject,
    SegmentObject,
    ShardObject,
    parse_object_name,
)

_MAX_EXAMPLES = 3
_READ_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC")
)


class Fault(StrEnum):
    """What is wrong in a copy: damage, or a lie."""

    UNREADABLE = "unreadable"
    PIECE_DAMAGED = "pieceDamaged"
    PIECE_WRONG = "pieceWrong"
    SEGMENT_DAMAGED = "segmentDamaged"
    SEGMENT_MISPLACED = "segmentMisplaced"
    ENTRY_FORGED = "entryForged"
    LOG_FORGED = "logForged"
    GRANTS_WRONG = "grantsWrong"
    RECOVERY_DAMAGED = "recoveryDamaged"


@dataclass
class Cloud:
    """The copy of one warehouse."""

    number: int
    folder: Path
    root: Path
    objects: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)
    examples: dict[Fault, list[str]] = field(default_factory=lambda: defaultdict(list))
    _noted: set[tuple[Fault, str]] = field(default_factory=set, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def note(self, fault: Fault, where: str) -> None:
        """Counts a fault; one that several histories meet only once."""
        # Names in a copy may be anything, also no text.
        where = where.encode(errors="backslashreplace").decode()
        with self._lock:
            if (fault, where) in self._noted:
                return
            self._noted.add((fault, where))
            self.faults[fault] += 1
            if len(self.examples[fault]) < _MAX_EXAMPLES:
                self.examples[fault].append(where)


@dataclass(frozen=True)
class StoredFile:
    """One object in one copy."""

    path: Path
    cloud: Cloud

    @property
    def name(self) -> str:
        return self.path.relative_to(self.cloud.root).as_posix()

    def read(self, limit: int, size: int | None = None) -> bytes:
        """Reads the file, its first bytes, or with a negative size its last ones; refuses what is
        no file or larger than the limit."""
        descriptor = os.open(self.path, _READ_FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
                raise Malformed("no stored object is like this")
            if size and size < 0:
                file.seek(max(status.st_size + size, 0))
            return file.read(limit if size is None else abs(size))

    def has_size(self, size: int) -> bool:
        try:
            return self.path.lstat().st_size == size
        except OSError:
            return False

    def note(self, fault: Fault) -> None:
        self.cloud.note(fault, self.name)


@dataclass(frozen=True)
class CopiedShard(StoredFile):
    index: int


@dataclass(frozen=True)
class CopiedSegment(StoredFile):
    space: UUID
    first: int
    last: int


@dataclass
class CompanyCopies:
    """The objects of one company."""

    shards: dict[bytes, list[CopiedShard]] = field(default_factory=lambda: defaultdict(list))
    segments: list[CopiedSegment] = field(default_factory=list)
    recovery: list[StoredFile] = field(default_factory=list)
    corrected: set[Path] = field(default_factory=set)
    """Damaged or false pieces of packs that could be read all the same."""


@dataclass
class Copies:
    clouds: list[Cloud]
    companies: dict[UUID, CompanyCopies] = field(default_factory=lambda: defaultdict(CompanyCopies))


def find_copies(folders: Sequence[Path]) -> Copies:
    """Finds stored objects at any depth, by their names. Each folder is one cloud's word."""
    roots: dict[Path, Path] = {}
    for folder in folders:
        if not folder.is_dir():
            raise ClientError.from_code("no_such_folder", path=folder)
        roots.setdefault(folder.resolve(), folder)
    clouds = [Cloud(number, roots[root], root) for number, root in enumerate(roots)]
    copies = Copies(clouds)
    for cloud in clouds:
        for path, is_file in _walk(cloud, {*roots}):
            _, marker, rest = path.as_posix().rpartition(f"/{ROOT}/")
            try:
                name = parse_object_name(marker[1:] + rest)
            except Malformed:
                continue
            if not is_file:
                StoredFile(path, cloud).note(Fault.UNREADABLE)
                continue
            cloud.objects += 1
            _add(copies.companies[name.company], name, path, cloud)
    return copies


def _add(
    company: CompanyCopies,
    name: ShardObject | SegmentObject | RecoveryObject,
    path: Path,
    cloud: Cloud,
) -> None:
    if isinstance(name, ShardObject):
        company.shards[name.pack].append(CopiedShard(path, cloud, name.index))
    elif isinstance(name, SegmentObject):
        company.segments.append(CopiedSegment(path, cloud, name.space, name.first, name.last))
    else:
        company.recovery.append(StoredFile(path, cloud))


def _walk(cloud: Cloud, roots: set[Path]) -> Iterator[tuple[Path, bool]]:
    """Yields what is in a copy, and whether it is a plain file. Links are not followed."""
    waiting = [cloud.root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            cloud.note(Fault.UNREADABLE, folder.relative_to(cloud.root).as_posix())
            continue
        for entry in entries:
            path = Path(entry.path)
            is_file = entry.is_file(follow_symlinks=False)
            if not is_file and entry.is_dir(follow_symlinks=False) and path not in roots:
                waiting.append(path)
            yield path, is_file
