"""The conflict rule for everything that writes to a space: the later entry gets the name, and what
it replaces without its writer having seen it stays in the same entry, under a name that says so."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.disk_names import MAX_NAME_BYTES, disk_name, split_name
from tessera_core.changes import MAX_OPERATIONS, Move, NameSpace, Operation, Put, Remove, Version
from tessera_core.errors import Malformed
from tessera_core.files import MAX_PATH_BYTES, File, Folder, Item, Link, encode_path
from tessera_core.tree import MAX_MOVED, Tree

_MAX_PERSON_BYTES = 60

IsSeen: TypeAlias = Callable[[str, Version], bool]


class Conflict(msgspec.Struct, frozen=True, rename="camel"):
    """What was replaced unseen, and where it is now."""

    path: str
    kept_as: str

    def as_text(self) -> str:
        return translate("results.conflict", path=self.path, name=self.kept_as)


class Intent(NamedTuple):
    """An operation, and which versions its writer knew of."""

    operation: Operation
    is_seen: IsSeen


def settle(
    tree: Tree, intents: Sequence[Intent], person: Callable[[UUID], str]
) -> tuple[list[Operation], list[Conflict]]:
    """Returns what to write on top of the tree, so that nothing unseen is lost."""
    return _Settlement(tree, person).settle(intents)


class _Settlement:
    def __init__(self, tree: Tree, person: Callable[[UUID], str]) -> None:
        self._tree = tree
        self._person = person
        self._moves: list[Operation] = []
        self._copies: list[Operation] = []
        self._kept: dict[str, str] = {}
        self._moved = 0

    def settle(self, intents: Sequence[Intent]) -> tuple[list[Operation], list[Conflict]]:
        operations = []
        for intent in intents:
            if isinstance(intent.operation, Move):
                self._check_move(intent.operation)
            unseen = {
                path: version
                for path, version in displaced(self._tree, intent.operation)
                if not intent.is_seen(path, version)
            }
            operations.append(_with_base(self._tree, intent.operation, unseen))
            self._keep(intent.operation, unseen)
        conflicts = [Conflict(path, kept_as) for path, kept_as in self._kept.items()]
        # A folder gives way before a file takes its name; copies survive a removal of the folder.
        operations = [*self._moves, *operations, *self._copies]
        if len(operations) > MAX_OPERATIONS or self._moved > MAX_MOVED:
            raise ClientError.from_code("too_many_conflicts")
        return operations, conflicts

    def _check_move(self, move: Move) -> None:
        """An entry that moves too much or too deep would be set aside whole."""
        paths = [path for path, _ in self._tree.walk(move.source)]
        if not paths:
            raise ClientError(translate("errors.gone"), code="no_such_path")
        self._moved += len(paths)
        try:
            for path in paths:
                encode_path(move.target + path.removeprefix(move.source))
        except Malformed:
            raise ClientError(translate("errors.path_too_long"), code="bad_name") from None

    def _keep(self, operation: Operation, unseen: dict[str, Version]) -> None:
        path = operation.path if isinstance(operation, Put) else None
        below = {at: each for at, each in unseen.items() if path and at.startswith(f"{path}/")}
        if path and below and self._move(path, max(below.values(), key=_order)):
            unseen = {at: version for at, version in unseen.items() if at not in below}
        for at, version in unseen.items():
            if at not in self._kept:
                self._copy(at, version)

    def _move(self, path: str, newest: Version) -> bool:
        """Moves a folder aside; returns False if its paths would become too long."""
        inside = [at for at, _ in self._tree.walk(path)]
        target = self._free(path, newest, None)
        longest = max(len(at.encode()) for at in inside) - len(path.encode())
        if longest + len(target.encode()) > MAX_PATH_BYTES:
            return False
        self._moved += len(inside)
        self._moves.append(Move(path, target))
        self._kept[path] = target
        return True

    def _copy(self, path: str, version: Version) -> None:
        assert version.item
        target = self._free(path, version, version.item)
        if self._tree.current(target) is None:
            self._copies.append(Put(target, 0, version.item))
        self._kept[path] = target

    def _free(self, path: str, version: Version, item: Item | None) -> str:
        """A path with nothing at it, or with this very content from an earlier conflict."""
        folder, _, name = path.rpartition("/")
        number = 1
        while True:
            kept_as = conflict_name(name, self._person(version.author), version.time, number)
            target = f"{folder}/{kept_as}" if folder else kept_as
            if len(target.encode()) > MAX_PATH_BYTES:
                folder, target = "", kept_as
            current = self._tree.current(target)
            if target not in self._kept.values() and (
                next(self._tree.walk(target), None) is None
                or (item and current and is_same(current.item, item))
            ):
                return target
            number += 1


def displaced(tree: Tree, operation: Operation) -> Iterator[tuple[str, Version]]:
    """Yields the files and links that an operation takes from their paths without moving them."""
    match operation:
        case NameSpace():
            return
        case Put(path, _, item):
            yield from _replaced(tree, path, item)
        case Remove(path):
            for at, _ in tree.walk(path):
                yield from _files(tree, (at,))
        case Move(source, target):
            for path, item in tree.walk(source):
                for at, version in _replaced(tree, target + path.removeprefix(source), item):
                    if not f"{at}/".startswith(f"{source}/"):
                        yield at, version


def _replaced(tree: Tree, path: str, item: Item) -> Iterator[tuple[str, Version]]:
    parts = path.split("/")
    yield from _files(tree, ("/".join(parts[:end]) for end in range(1, len(parts))))
    for at, version in _files(tree, (path,)):
        if not is_same(version.item, item):
            yield at, version
    if not isinstance(item, Folder):
        yield from _files(tree, (at for at, _ in tree.walk(path) if at != path))


def _files(tree: Tree, paths: Iterable[str]) -> Iterator[tuple[str, Version]]:
    for path in paths:
        version = tree.current(path)
        if version and not isinstance(version.item, Folder):
            yield path, version


def is_same(one: Item | None, other: Item | None) -> bool:
    """Whether both have the same content, whatever their times and modes."""
    match one, other:
        case File(), File():
            return (one.size, one.chunks) == (other.size, other.chunks)
        case Link(), Link():
            return one.target == other.target
    return type(one) is type(other)


def conflict_name(name: str, person: str, time: int, number: int = 1) -> str:
    """report.pdf becomes report (conflict, Ada Lovelace, 2026-11-18 06.20).pdf."""
    # What the service calls a person must be a plain part of a name on every system.
    shown = _shorten(disk_name(person.strip() or "_", "win32"), _MAX_PERSON_BYTES)
    more = f", {number}" if number > 1 else ""
    stem, suffix = split_name(name)
    mark = f" (conflict, {shown}, {_moment(time)}{more}){suffix}"
    return _shorten(stem, MAX_NAME_BYTES - len(mark.encode())) + mark


def _moment(milliseconds: int) -> str:
    """A member can store any number as the time."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H.%M}"
    except (ValueError, OverflowError, OSError):
        return str(milliseconds)


def _shorten(text: str, limit: int) -> str:
    return text.encode()[:limit].decode(errors="ignore")


def _order(version: Version) -> tuple[int, int]:
    return version.sequence, version.operation


def _with_base(tree: Tree, operation: Operation, unseen: dict[str, Version]) -> Operation:
    """What was seen may have been written again with the same content since."""
    if isinstance(operation, Put | Remove) and operation.path not in unseen:
        current = tree.current(operation.path)
        base = current.sequence if current else 0
        return operation if operation.base == base else replace(operation, base=base)
    return operation
