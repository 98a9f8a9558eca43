"""Removed files of a space, as long as they are kept."""

from typing import NamedTuple
from uuid import UUID

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
        at: versions
        for at, versions in tree.versions.items()
        if versions[-1].item is None and (not path or f"{at}/".startswith(f"{path}/"))
    }
    operations = {(last.sequence, last.operation) for *_, last in gone.values()}
    moved = {
        (version.sequence, version.operation, version.item)
        for versions in tree.versions.values()
        for version in versions
        if version.item and (version.sequence, version.operation) in operations
    }
    found = []
    for at, versions in gone.items():
        last = versions[-1]
        item = next((version.item for version in reversed(versions) if version.item), None)
        if item and (last.sequence, last.operation, item) not in moved:
            found.append(Removed(at, item, last.time, last.author))
    return sorted(found, key=lambda removed: removed.path.encode())


def is_in_the_way(tree: Tree, path: str, item: Item) -> bool:
    """Whether putting an item at a path would remove what is there, above or below it."""
    if not isinstance(item, Folder) and next(tree.walk(path), None):
        return True
    parts = path.split("/")
    above = (tree.current("/".join(parts[:length])) for length in range(1, len(parts)))
    return any(version and not isinstance(version.item, Folder) for version in above)
