"""Removed files of a space, as long as they are kept."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from tessera_core.changes import Version
from tessera_core.files import Folder, Item
from tessera_core.tree import Tree


class Removed(NamedTuple):
    path: str
    item: Item
    """What was there last."""
    time: int
    """Of the removal, in milliseconds."""
    author: UUID


def list_removed(tree: Tree, path: str = "") -> list[Removed]:
    """What was removed at and below a path, in the order of names. A rename removes nothing: the
    same operation puts the very item elsewhere."""
    gone = {
        at: removal
        for at, versions in tree.versions.items()
        if (not path or f"{at}/".startswith(f"{path}/")) and (removal := _removal(versions))
    }
    operations = {(last.sequence, last.operation) for _, last in gone.values()}
    moved = {
        (version.sequence, version.operation, version.item)
        for versions in tree.versions.values()
        for version in versions
        if version.item and (version.sequence, version.operation) in operations
    }
    found = []
    for at, (item, last) in gone.items():
        if (last.sequence, last.operation, item) not in moved:
            found.append(Removed(at, item, last.time, last.author))
    return sorted(found, key=lambda removed: removed.path.encode())


def _removal(versions: Sequence[Version]) -> tuple[Item, Version] | None:
    """What is gone from a path, and with which version; a folder may be in a file's place."""
    now = versions[-1].item
    if now is None or isinstance(now, Folder):
        for before, after in reversed([*pairwise(versions)]):
            if before.item and type(before.item) is not type(now):
                return before.item, after
    return None


def is_in_the_way(tree: Tree, path: str, item: Item) -> bool:
    """Whether putting an item at a path would remove what is there, above or below it."""
    if not isinstance(item, Folder) and next(tree.walk(path), None):
        return True
    parts = path.split("/")
    above = (tree.current("/".join(parts[:length])) for length in range(1, len(parts)))
    return any(version and not isinstance(version.item, Folder) for version in above)
