"""What is in a space, prepared for looking through it while the vault is at work."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from tessera_client.vault.spaces import Space
from tessera_core.changes import Version
from tessera_core.files import File, Folder, Link

MAX_ROWS = 200


@dataclass(slots=True)
class Row:
    path: str
    type: str
    size: int
    modified: int
    """Nanoseconds since 1970; of a folder, of the newest file in it."""
    files: int = 0
    """Of a folder: how many files are in it."""
    versions: int = 1

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def as_json(self) -> dict[str, object]:
        return {
            "path": self.path,
            "name": self.name,
            "type": self.type,
            "size": self.size,
            "modified": self.modified // 10**6,
            "files": self.files,
            "versions": self.versions,
        }


@dataclass(frozen=True)
class Listing:
    """One space at one moment; never changes."""

    id: UUID
    name: str
    revision: int
    is_leader: bool
    members: int
    rows: dict[str, list[Row]] = field(repr=False)
    """By folder; the root is ''."""
    trash: list[Row] = field(repr=False)
    files: int = 0
    bytes: int = 0
    _ordered: dict[tuple[str, str, bool], list[Row]] = field(default_factory=dict, repr=False)
    """The rows that are being paged through. Sorting 100,000 takes a tenth of a second."""

    def as_json(self) -> dict[str, object]:
        return {
            "id": str(self.id),
            "name": self.name,
            "revision": self.revision,
            "isLeader": self.is_leader,
            "members": self.members,
            "files": self.files,
            "bytes": self.bytes,
        }

    def page(self, folder: str, order: str, offset: int, *, descending: bool) -> dict[str, object]:
        key = (folder, order, descending)
        rows = self._ordered.get(key)
        if rows is None:
            rows = _sorted(self.rows.get(folder, []), order, descending=descending)
            self._ordered.clear()
            self._ordered[key] = rows
        return _page(rows, offset)

    def search(self, text: str, offset: int) -> dict[str, object]:
        wanted = text.casefold()
        found = [row for row in self._all() if wanted in row.name.casefold()]
        return _page(_sorted(found, "name", descending=False), offset)

    def trash_page(self, offset: int) -> dict[str, object]:
        return _page(self.trash, offset)

    def has_folder(self, path: str) -> bool:
        return not path or path in self.rows

    def _all(self) -> Iterator[Row]:
        for rows in self.rows.values():
            yield from rows


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
        folders[path] = Row(path, "folder", 0, 0)
        rows[path] = []
        rows[parent].append(folders[path])

    for path, item in space.tree.walk():
        parent = path.rpartition("/")[0]
        if isinstance(item, Folder):
            folder(path)
            continue
        folder(parent)
        length = item.size if isinstance(item, File) else 0
        kind = "link" if isinstance(item, Link) else "file"
        versions = sum(version.item is not None for version in space.tree.versions[path])
        rows[parent].append(Row(path, kind, length, item.modified, versions=versions))
        files, size = files + 1, size + length
        while parent:
            above = folders[parent]
            above.files += 1
            above.size += length
            above.modified = max(above.modified, item.modified)
            parent = parent.rpartition("/")[0]
    return Listing(
        id=space.id,
        name=space.name,
        revision=space.state.sequence,
        is_leader=space.state.leader == user,
        members=len(space.state.members),
        rows=rows,
        trash=_trash(space),
        files=files,
        bytes=size,
    )


def _trash(space: Space) -> list[Row]:
    """The last removed first."""
    rows = [_removed(path, known) for path, known in space.tree.versions.items()]
    return sorted((row for row in rows if row), key=lambda row: row.modified, reverse=True)


def _removed(path: str, versions: list[Version]) -> Row | None:
    """A file that was removed and can be restored; the time is that of its removal."""
    if versions[-1].item is not None:
        return None
    kept = [version.item for version in versions if isinstance(version.item, File)]
    if not kept:
        return None
    return Row(path, "file", kept[-1].size, versions[-1].time * 10**6, versions=len(kept))


def _sorted(rows: list[Row], order: str, *, descending: bool) -> list[Row]:
    """Folders stay before files, as file managers do it."""
    ordered = sorted(rows, key=lambda row: row.name.casefold(), reverse=descending)
    if order == "size":
        ordered.sort(key=lambda row: row.size, reverse=descending)
    elif order == "modified":
        ordered.sort(key=lambda row: row.modified, reverse=descending)
    ordered.sort(key=lambda row: row.type != "folder")
    return ordered


def _page(rows: list[Row], offset: int) -> dict[str, object]:
    shown = [row.as_json() for row in rows[offset : offset + MAX_ROWS]]
    return {"rows": shown, "offset": offset, "total": len(rows)}
