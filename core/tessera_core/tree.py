"""Replays operations in the order of the log: what is at each path, and what was there before."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from tessera_core.changes import (
    ChangeBody,
    CheckpointBody,
    Move,
    NameSpace,
    Operation,
    PackContents,
    Put,
    Remove,
    Version,
)
from tessera_core.entries import Head
from tessera_core.errors import Malformed
from tessera_core.files import MAX_PATH_BYTES, Folder, Item, check_path

MAX_MOVED = 200_000
"""Items that the moves of one entry may touch."""

Keeps = Callable[[int, float], bool]
"""Whether a version stays that was current from one time to another, in milliseconds."""


@dataclass(slots=True)
class Tree:
    """The later operation wins; what it replaces stays as an earlier version."""

    name: str = ""
    packs: dict[bytes, PackContents] = field(default_factory=dict)
    versions: dict[str, list[Version]] = field(default_factory=dict)
    _below: dict[str, set[str]] = field(default_factory=dict)
    """For each folder that holds something: the paths right below it ("" is the root)."""
    changed: set[str] | None = field(default=None, compare=False)
    """Paths that got a version, for whoever puts a set here to follow them."""
    _moved: int = 0
    """Items that the present entry has moved."""

    @classmethod
    def from_checkpoint(cls, body: CheckpointBody) -> "Tree":
        versions: dict[str, list[Version]] = {}
        for path, version in body.versions:
            versions.setdefault(path, []).append(version)
        return cls.from_versions(body.name, body.packs, versions)

    @classmethod
    def from_versions(
        cls, name: str, packs: Iterable[PackContents], versions: dict[str, list[Version]]
    ) -> "Tree":
        tree = cls(name, {pack.pack: pack for pack in packs}, versions)
        for path in versions:
            if tree.current(path):
                tree._show(path)
        return tree

    def to_checkpoint(self, packs: Collection[bytes]) -> CheckpointBody:
        """Describes the current state; `packs` are those that are still needed."""
        return CheckpointBody(
            self.name,
            tuple(contents for pack, contents in self.packs.items() if pack in packs),
            tuple(
                (path, version)
                for path in sorted(self.versions, key=str.encode)
                for version in self.versions[path]
            ),
        )

    def apply(self, head: Head, body: ChangeBody) -> None:
        """Takes in one change; the caller has checked its entry. A refused one changes nothing."""
        name, self._moved = self.name, 0
        added: list[str] = []
        try:
            for number, operation in enumerate(body.operations):
                self._apply(operation, _Change(head, number, added))
        except Malformed:
            self.name = name
            for path in reversed(added):
                self.versions[path].pop()
                if not self.versions[path]:
                    del self.versions[path]
                self._update_folders(path)
            raise
        self.packs.update((pack.pack, pack) for pack in body.packs)

    def current(self, path: str) -> Version | None:
        """Returns the version that is at the path now; None if nothing is."""
        versions = self.versions.get(path)
        return versions[-1] if versions and versions[-1].item else None

    def walk(self, path: str = "") -> Iterator[tuple[str, Item]]:
        """Yields what is at the path and below it, sorted by UTF-8, folders first."""
        waiting = [path]
        while waiting:
            path = waiting.pop()
            version = self.current(path)
            if version and version.item:
                yield path, version.item
            waiting += sorted(self._below.get(path, ()), key=str.encode, reverse=True)

    def check_folders(self) -> None:
        """Refuses a state that no operations could have made: something below a file."""
        for path in self._below:
            version = self.current(path)
            if self._below[path] and version and not isinstance(version.item, Folder):
                raise Malformed("something lies below a file")

    def differs_from(self, other: "Tree") -> bool:
        """Whether a checkpoint's tree says anything but this one, old versions left out."""
        if self.name != other.name:
            return True
        for path, versions in other.versions.items():
            known = self.versions.get(path, [])
            if known[-1:] != versions[-1:] or not _is_part(versions, known):
                return True
        if any(self.current(path) and path not in other.versions for path in self.versions):
            return True
        return any(
            self.packs.get(pack, contents) != contents for pack, contents in other.packs.items()
        )

    def expire(self, keeps: Keeps) -> None:
        """Forgets earlier versions. A removal stays as long as what it removed."""
        for path, versions in list(self.versions.items()):
            ends = [version.time for version in versions[1:]]
            kept, is_kept = [], False
            for version, end in zip(versions, [*ends, float("inf")], strict=True):
                if version.item:
                    is_kept = end == float("inf") or keeps(version.time, end)
                if is_kept:
                    kept.append(version)
            if kept:
                self.versions[path] = kept
            else:
                del self.versions[path]

    def _apply(self, operation: Operation, change: "_Change") -> None:
        match operation:
            case NameSpace(name):
                self.name = name
            case Put(path, base, item):
                self._put(path, item, change, conflict=self._sequence(path) != base)
            case Remove(path, base):
                conflict = self._sequence(path) != base
                for each, _ in list(self.walk(path)):
                    self._add(each, None, change, conflict=conflict and each == path)
            case Move(source, target):
                moved = list(self.walk(source))
                self._moved += len(moved)
                if self._moved > MAX_MOVED:
                    raise Malformed("the entry moves too many items")
                for path, _ in moved:
                    self._add(path, None, change)
                for path, item in moved:
                    self._put(_check_moved(target + path.removeprefix(source)), item, change)

    def _put(self, path: str, item: Item, change: "_Change", *, conflict: bool = False) -> None:
        """A file cannot lie below a file: the later of the two stays."""
        for parent in _parents(path):
            above = self.current(parent)
            if above and not isinstance(above.item, Folder):
                self._add(parent, None, change)
        if not isinstance(item, Folder):
            for each, _ in list(self.walk(path)):
                if each != path:
                    self._add(each, None, change)
        self._add(path, item, change, conflict=conflict)

    def _sequence(self, path: str) -> int:
        version = self.current(path)
        return version.sequence if version else 0

    def _show(self, path: str) -> None:
        """Enters a path into the folders above it, up to one that is entered already."""
        for parent in _parents(path):
            below = self._below.setdefault(parent, set())
            if path in below:
                return
            below.add(path)
            path = parent

    def _add(
        self, path: str, item: Item | None, change: "_Change", *, conflict: bool = False
    ) -> None:
        head = change.head
        version = Version(head.sequence, change.operation, head.time, head.author, item, conflict)
        self.versions.setdefault(path, []).append(version)
        change.added.append(path)
        if self.changed is not None:
            self.changed.add(path)
        self._update_folders(path)

    def _update_folders(self, path: str) -> None:
        """Enters a path into the folders above it, or takes it out, as far as that changes any."""
        child = path
        for parent in _parents(path):
            below = self._below.setdefault(parent, set())
            is_shown = bool(self.current(child) or self._below.get(child))
            if is_shown == (child in below):
                return
            (below.add if is_shown else below.discard)(child)
            child = parent


@dataclass(frozen=True, slots=True)
class _Change:
    """One operation of the entry that is being applied."""

    head: Head
    operation: int
    added: list[str]
    """The paths that got a version so far, in order."""


def _is_part(some: list[Version], all_: list[Version]) -> bool:
    """Whether versions are among others, in the same order."""
    left = iter(all_)
    return all(version in left for version in some)


def _check_moved(path: str) -> str:
    """A move may make paths longer and deeper."""
    if len(path.encode()) > MAX_PATH_BYTES:
        raise Malformed("a moved path is too long")
    return check_path(path)


def _parents(path: str) -> Iterator[str]:
    """Yields the folders above a path, the nearest first, the root ("") last."""
    while path:
        path = path.rpartition("/")[0]
        yield path
