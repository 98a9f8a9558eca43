"""What is in a space, prepared for looking through it while the vault is at work."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple
from uuid import UUID

from tessera_client.ui.schemas import Row, RowPage, SpaceInfo, shown_time
from tessera_client.vault.conflict_copies import ConflictCopy, find_copies
from tessera_client.vault.history import state_after
from tessera_client.vault.spaces import Space
from tessera_client.vault.trash import list_removed
from tessera_core.changes import Version
from tessera_core.files import File, Folder, Item, Link

MAX_ROWS = 200

Rows = dict[str, list[Row]]
"""By folder; the root is ''."""


@dataclass(frozen=True)
class Listing:
    """One space at one moment; never changes."""

    space: SpaceInfo
    rows: Rows = field(repr=False)
    trash: Rows = field(repr=False)
    copies: list[ConflictCopy] = field(default_factory=list, repr=False)
    _ordered: dict[tuple[str, str, bool], list[Row]] = field(default_factory=dict, repr=False)
    """The rows that are being paged through. Sorting 100,000 takes a tenth of a second."""

    def ordered(self, folder: str, order: str, *, descending: bool) -> list[Row]:
        key = (folder, order, descending)
        rows = self._ordered.get(key)
        if rows is None:
            rows = _sorted(self.rows.get(folder, []), order, descending=descending)
            self._ordered.clear()
            self._ordered[key] = rows
        return rows

    def search(self, text: str) -> list[Row]:
        wanted = text.casefold()
        everything = chain.from_iterable(self.rows.values())
        matches = [row for row in everything if wanted in row.name.casefold()]
        return _sorted(matches, "name", descending=False)


def one_page(rows: list[Row], offset: int, limit: int = MAX_ROWS) -> RowPage:
    return RowPage(rows[offset : offset + limit], offset, len(rows))


def make_listing(space: Space, user: UUID) -> Listing:
    tree, state = space.tree, space.state
    rows = _arrange(
        _Found(path, item, item.modified // 10**6, tree.versions[path])
        for path, item in tree.walk()
    )
    info = SpaceInfo(
        id=space.id,
        name=space.name,
        revision=state.sequence,
        is_leader=state.leader == user,
        members=len(state.members),
        files=sum(row.files if row.type == "folder" else 1 for row in rows[""]),
        bytes=sum(row.size for row in rows[""]),
    )
    return Listing(info, rows, _trash(space), list(find_copies(tree)))


def make_moment_listing(space: Space, info: SpaceInfo, sequence: int) -> Listing:
    """The space as it was after a change."""
    then = state_after(space.tree, "", sequence)
    rows = _arrange(
        _Found(path, item, item.modified // 10**6, []) for path, item in then.items() if item
    )
    return Listing(info, rows, {})


def _trash(space: Space) -> Rows:
    """What was removed and can be restored, with the time of removal; at first whole folders that
    are gone and single files, the last one first."""
    tree = space.tree
    rows = _arrange(
        _Found(each.path, each.item, shown_time(each.time), tree.versions[each.path])
        for each in list_removed(tree)
    )

    def gone(folder: str) -> Iterable[Row]:
        for row in rows[folder]:
            if row.type == "folder" and next(tree.walk(row.path), None):
                yield from gone(row.path)
            else:
                yield row

    first = sorted(gone(""), key=lambda row: row.modified, reverse=True)
    below = {folder: _sorted(inside, "name", descending=False) for folder, inside in rows.items()}
    return below | {"": first}


class _Found(NamedTuple):
    path: str
    item: Item
    time: int
    versions: list[Version]


def _arrange(found: Iterable[_Found]) -> Rows:
    """Sorts items into their folders, which may not be listed themselves."""
    rows: Rows = {"": []}
    folders: dict[str, Row] = {}

    def folder(path: str) -> None:
        """Adds a folder and those above it, unless they are there."""
        if not path or path in folders:
            return
        parent = path.rpartition("/")[0]
        folder(parent)
        folders[path] = Row(path, _name(path), "folder", 0, 0)
        rows[path] = []
        rows[parent].append(folders[path])

    for path, item, time, versions in found:
        parent = path.rpartition("/")[0]
        if isinstance(item, Folder):
            folder(path)
            continue
        folder(parent)
        length = item.size if isinstance(item, File) else 0
        count = sum(version.item is not None for version in versions)
        row = Row(path, _name(path), "file", length, time, versions=count)
        if isinstance(item, Link):
            row.type = "link"
        rows[parent].append(row)
        while parent:
            above = folders[parent]
            above.files += 1
            above.size += length
            above.modified = max(above.modified, time)
            parent = parent.rpartition("/")[0]
    return rows


def _sorted(rows: list[Row], order: str, *, descending: bool) -> list[Row]:
    """Folders stay before files, as file managers do it."""
    ordered = sorted(rows, key=lambda row: row.name.casefold(), reverse=descending)
    if order == "size":
        ordered.sort(key=lambda row: row.size, reverse=descending)
    elif order == "modified":
        ordered.sort(key=lambda row: row.modified, reverse=descending)
    ordered.sort(key=lambda row: row.type != "folder")
    return ordered


def _name(path: str) -> str:
    return path.rpartition("/")[2]
