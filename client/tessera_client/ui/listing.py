"""What is in a space, prepared for looking through it while the vault is at work."""

from dataclasses import dataclass, field
from itertools import chain
from uuid import UUID

from tessera_client.ui.schemas import Row, RowPage, SpaceInfo
from tessera_client.vault.spaces import Space
from tessera_client.vault.trash import list_removed
from tessera_core.files import File, Folder, Link

MAX_ROWS = 200


@dataclass(frozen=True)
class Listing:
    """One space at one moment; never changes."""

    space: SpaceInfo
    rows: dict[str, list[Row]] = field(repr=False)
    """By folder; the root is ''."""
    trash: list[Row] = field(repr=False)
    _ordered: dict[tuple[str, str, bool], list[Row]] = field(default_factory=dict, repr=False)
    """The rows that are being paged through. Sorting 100,000 takes a tenth of a second."""

    def page(self, folder: str, order: str, offset: int, *, descending: bool) -> RowPage:
        key = (folder, order, descending)
        rows = self._ordered.get(key)
        if rows is None:
            rows = _sorted(self.rows.get(folder, []), order, descending=descending)
            self._ordered.clear()
            self._ordered[key] = rows
        return _page(rows, offset)

    def search(self, text: str, offset: int) -> RowPage:
        wanted = text.casefold()
        everything = chain.from_iterable(self.rows.values())
        matches = [row for row in everything if wanted in row.name.casefold()]
        return _page(_sorted(matches, "name", descending=False), offset)

    def trash_page(self, offset: int) -> RowPage:
        return _page(self.trash, offset)


def make_listing(space: Space, user: UUID) -> Listing:
    rows: dict[str, list[Row]] = {"": []}
    folders: dict[str, Row] = {}
    files = size = 0

    def folder(path: str) -> None:
        """Adds a folder and those above it, unless they are there."""
        if not path or path in folders:
            return
        parent = path.rpartition("/")[0]
        folder(parent)
        folders[path] = Row(path, _name(path), "folder", 0, 0)
        rows[path] = []
        rows[parent].append(folders[path])

    for path, item in space.tree.walk():
        parent = path.rpartition("/")[0]
        if isinstance(item, Folder):
            folder(path)
            continue
        folder(parent)
        length = item.size if isinstance(item, File) else 0
        modified = item.modified // 10**6
        versions = sum(version.item is not None for version in space.tree.versions[path])
        row = Row(path, _name(path), "file", length, modified, versions=versions)
        if isinstance(item, Link):
            row.type = "link"
        rows[parent].append(row)
        files, size = files + 1, size + length
        while parent:
            above = folders[parent]
            above.files += 1
            above.size += length
            above.modified = max(above.modified, modified)
            parent = parent.rpartition("/")[0]
    state = space.state
    info = SpaceInfo(
        id=space.id,
        name=space.name,
        revision=state.sequence,
        is_leader=state.leader == user,
        members=len(state.members),
        files=files,
        bytes=size,
    )
    return Listing(info, rows, _trash(space))


def _trash(space: Space) -> list[Row]:
    """Files that were removed and can be restored, the last one first; with the time of removal."""
    versions = space.tree.versions
    rows = [
        Row(
            each.path,
            _name(each.path),
            "file",
            each.item.size,
            each.time,
            versions=sum(isinstance(version.item, File) for version in versions[each.path]),
        )
        for each in list_removed(space.tree)
        if isinstance(each.item, File)
    ]
    return sorted(rows, key=lambda row: row.modified, reverse=True)


def _sorted(rows: list[Row], order: str, *, descending: bool) -> list[Row]:
    """Folders stay before files, as file managers do it."""
    ordered = sorted(rows, key=lambda row: row.name.casefold(), reverse=descending)
    if order == "size":
        ordered.sort(key=lambda row: row.size, reverse=descending)
    elif order == "modified":
        ordered.sort(key=lambda row: row.modified, reverse=descending)
    ordered.sort(key=lambda row: row.type != "folder")
    return ordered


def _page(rows: list[Row], offset: int) -> RowPage:
    return RowPage(rows[offset : offset + MAX_ROWS], offset, len(rows))


def _name(path: str) -> str:
    return path.rpartition("/")[2]
