"""What is in a space now, without earlier versions and chunks. Much faster to read than a tree."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from tessera_core.files import File, Item, Link
from tessera_core.tree import Tree


class Entry(NamedTuple):
    path: str
    type: str
    """file, folder or link"""
    size: int | None
    """Only files have one."""
    modified: int
    """Nanoseconds since 1970."""
    executable: bool
    private: bool
    target: str | None
    """Where a link leads."""
    sequence: int
    """The entry that put it there."""


@dataclass(frozen=True)
class Contents:
    columns: Sequence[Sequence[Any]]
    """The fields of all entries, field by field, in the order of a tree's walk."""
    packs: frozenset[bytes]
    """Those with the chunks of all versions."""

    @classmethod
    def from_tree(cls, tree: Tree) -> "Contents":
        versions = tree.versions
        entries = [
            make_entry(path, item, versions[path][-1].sequence) for path, item in tree.walk()
        ]
        columns = list(zip(*entries, strict=True)) or [()] * len(Entry._fields)
        return cls(columns, frozenset(tree.packs))

    def encode(self) -> bytes:
        return msgspec.msgpack.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> "Contents":
        return msgspec.msgpack.decode(data, type=cls)

    def walk(self, path: str = "") -> Iterator[Entry]:
        """Yields what is at the path and below it, folders first."""
        paths = self.columns[0]
        begin, end = 0, len(paths)
        if path:
            # No name holds a zero: this is the first path that may follow those below.
            begin, end = (bisect_left(paths, _order(at), key=_order) for at in (path, f"{path}\0"))
        return map(Entry._make, zip(*(column[begin:end] for column in self.columns), strict=True))

    def current(self, path: str) -> Entry | None:
        position = self._positions.get(path)
        return None if position is None else Entry(*[each[position] for each in self.columns])

    @cached_property
    def _positions(self) -> dict[str, int]:
        paths = self.columns[0]
        return dict(zip(paths, range(len(paths)), strict=True))


def make_entry(path: str, item: Item, sequence: int) -> Entry:
    if isinstance(item, File):
        flags = item.executable, item.private
        return Entry(path, "file", item.size, item.modified, *flags, None, sequence)
    if isinstance(item, Link):
        return Entry(path, "link", None, item.modified, False, False, item.target, sequence)
    return Entry(path, "folder", None, item.modified, False, item.private, None, sequence)


def _order(path: str) -> list[str]:
    """What is in a folder comes right after it, whatever sorts before the slash."""
    return path.split("/")
