"""What the conflict rule has kept beside other files, and how somebody decides between the two."""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import count
from typing import NamedTuple
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.conflicts import is_same
from tessera_client.vault.disk_names import numbered_disk_name
from tessera_core.changes import Move, Put, Remove, Version
from tessera_core.files import File, Folder, Item
from tessera_core.tree import Tree

_COPY = re.compile(
    r"(.*) \(conflict, .+, (?:\d{4,}-\d\d-\d\d \d\d\.\d\d|-?\d+)(?:, \d+)?\)(\.[^.]*)?", re.DOTALL
)


class ConflictCopy(NamedTuple):
    """Two versions that are both in a space: one has the name, the other says what it is of."""

    path: str
    kept_as: str


class Side(NamedTuple):
    path: str
    item: Item
    size: int
    files: int
    """In a folder."""
    time: int
    author: UUID
    sequence: int
    """The newest entry that has changed it."""


class Keep(StrEnum):
    CURRENT = "current"
    OTHER = "other"
    BOTH = "both"


def original_name(name: str) -> str | None:
    """The name of which this one is a conflict copy; None if it is not one."""
    match = _COPY.fullmatch(name) if "(conflict, " in name else None
    return f"{match[1]}{match[2] or ''}" if match else None


def find_copies(tree: Tree) -> Iterator[ConflictCopy]:
    """Anybody can give such a name: both have to be there, and nothing is believed of it."""
    known = set[str]()
    for path, _ in tree.walk():
        # Not every folder is listed itself.
        while path and path not in known:
            known.add(path)
            folder, slash, name = path.rpartition("/")
            original = original_name(name)
            if original and _is_there(tree, f"{folder}{slash}{original}"):
                yield ConflictCopy(f"{folder}{slash}{original}", path)
            path = folder  # noqa: PLW2901


def sides(tree: Tree, copy: ConflictCopy) -> tuple[Side, Side]:
    """Who has written a copy is told by the version that it was, not by its name."""
    current, other = _side(tree, copy.path), _side(tree, copy.kept_as)
    for version in reversed(tree.versions.get(copy.path, [])):
        if isinstance(other.item, File) and is_same(version.item, other.item):
            return current, other._replace(time=version.time, author=version.author)
    return current, other


def decide(
    tree: Tree, copy: ConflictCopy, keep: Keep, seen: tuple[int, int]
) -> list[Put | Remove | Move]:
    """Returns what has to be done. `seen` are the sequences of the sides that were looked at."""
    current, other = sides(tree, copy)
    if (current.sequence, other.sequence) != seen:
        raise ClientError(translate("errors.space_changed"), code="space_busy")
    match keep:
        case Keep.CURRENT:
            return [_removal(tree, copy.kept_as)]
        case Keep.BOTH:
            return [Move(copy.kept_as, _free_path(tree, copy.path))]
        case Keep.OTHER:
            if isinstance(current.item, Folder) or isinstance(other.item, Folder):
                return [_removal(tree, copy.path), Move(copy.kept_as, copy.path)]
            # The version that gives way stays among the versions of its path.
            put = Put(copy.path, current.sequence, other.item)
            return [put, _removal(tree, copy.kept_as)]


def _is_there(tree: Tree, path: str) -> bool:
    return next(tree.walk(path), None) is not None


def _side(tree: Tree, path: str) -> Side:
    found = list(tree.walk(path))
    if not found:
        raise ClientError(translate("errors.gone"), code="no_such_path")
    files = [item for _, item in found if isinstance(item, File)]
    versions = [version for at, _ in found if (version := tree.current(at))]
    newest = max(versions, key=_order)
    item = found[0][1] if found[0][0] == path else Folder(0)
    is_folder = isinstance(item, Folder)
    return Side(
        path,
        item,
        size=sum(file.size for file in files),
        files=len(files) if is_folder else 0,
        time=newest.time,
        author=newest.author,
        sequence=newest.sequence,
    )


def _order(version: Version) -> tuple[int, int]:
    return version.sequence, version.operation


def _removal(tree: Tree, path: str) -> Remove:
    current = tree.current(path)
    return Remove(path, current.sequence if current else 0)


def _free_path(tree: Tree, path: str) -> str:
    folder, slash, name = path.rpartition("/")
    for number in count(2):
        free = f"{folder}{slash}{numbered_disk_name(name, number)}"
        if not _is_there(tree, free):
            return free
    raise AssertionError
