"""Files that two people have changed at the same time: both versions, and which one stays."""

from io import BytesIO
from typing import Literal
from uuid import UUID

import msgspec

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.ui.pictures import MAX_PICTURE_BYTES, is_picture
from tessera_client.ui.schemas import (
    ConflictInfo,
    ConflictPage,
    ConflictPreview,
    ConflictSide,
    shown_time,
)
from tessera_client.vault.conflict_copies import (
    ConflictCopy,
    Keep,
    Side,
    decide,
    find_copies,
    sides,
)
from tessera_client.vault.connected_folders import ConnectedFolder
from tessera_client.vault.history import apply_changes
from tessera_client.vault.members import list_members
from tessera_client.vault.restore import Restorer
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.files import File, Folder, Item, Link

MAX_CONFLICTS = 50
MAX_TEXT = 20_000

_TYPES: dict[type[Item], Literal["file", "folder", "link"]] = {
    File: "file",
    Folder: "folder",
    Link: "link",
}


def is_inside(connected: ConnectedFolder, space: UUID, path: str) -> bool:
    """Whether a connected folder holds a path of a space."""
    folder = connected.path.strip("/")
    is_below = not folder or path.startswith(f"{folder}/")
    return connected.space in {None, space} and is_below


def list_conflicts(vault: Vault, connected: ConnectedFolder, offset: int) -> ConflictPage:
    names = {member.user: member.name for member in list_members(vault.account)}
    spaces = vault.spaces() if connected.space is None else [vault.find(str(connected.space))]
    found = [
        (space, copy)
        for space in spaces
        for copy in find_copies(space.tree)
        if is_inside(connected, space.id, copy.path)
    ]
    rows = []
    for space, copy in found[offset : offset + MAX_CONFLICTS]:
        current, other = sides(space.tree, copy)
        rows.append(ConflictInfo(space.id, _info(current, names), _info(other, names)))
    return ConflictPage(rows, len(found))


def _info(side: Side, names: dict[UUID, str]) -> ConflictSide:
    return ConflictSide(
        path=side.path,
        type=_TYPES[type(side.item)],
        size=side.size,
        files=side.files,
        time=shown_time(side.time),
        author=names.get(side.author),
        sequence=side.sequence,
    )


class Choice(msgspec.Struct, rename="camel"):
    """What somebody has decided, and about which versions."""

    space: UUID
    path: str
    kept_as: str
    keep: Keep
    sequence: int
    other_sequence: int


def resolve(vault: Vault, connected: ConnectedFolder, choice: Choice) -> None:
    """What gives way goes to the trash, or stays as an earlier version."""
    space, copy = _find(vault, connected, choice.space, choice.path, choice.kept_as)
    seen = choice.sequence, choice.other_sequence
    apply_changes(vault, space, decide(space.tree, copy, choice.keep, seen))


def preview(
    vault: Vault, connected: ConnectedFolder, space: UUID, path: str, kept_as: str, *, other: bool
) -> ConflictPreview:
    """One of the two, if it is a picture; its beginning, if it is text."""
    found, copy = _find(vault, connected, space, path, kept_as)
    item = sides(found.tree, copy)[other].item
    if not isinstance(item, File):
        return ConflictPreview()
    content = _read(found, item, CHUNK_BYTES)
    if is_picture(content) and item.size <= MAX_PICTURE_BYTES:
        return ConflictPreview(picture=_read(found, item, MAX_PICTURE_BYTES))
    text = _text(content, is_whole=len(content) == item.size)
    if text is None:
        return ConflictPreview()
    is_cut = len(text) > MAX_TEXT or len(content) < item.size
    return ConflictPreview(text[:MAX_TEXT], is_cut=is_cut)


def _read(space: Space, item: File, limit: int) -> bytes:
    """A file, or its first chunks."""
    if item.size > limit:
        chunks = item.chunks[: limit // CHUNK_BYTES]
        item = File(limit, item.modified, item.executable, chunks)
    content = BytesIO()
    Restorer(space.reader(), space.chunk_places()).write_to(item, content)
    return content.getvalue()


def _text(content: bytes, *, is_whole: bool) -> str | None:
    if b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        # The last character may have been cut in two.
        if is_whole or error.start < len(content) - 3:
            return None
        return content[: error.start].decode()


def _find(
    vault: Vault, connected: ConnectedFolder, space: UUID, path: str, kept_as: str
) -> tuple[Space, ConflictCopy]:
    """Only what is a conflict of this folder now."""
    copy = ConflictCopy(path, kept_as)
    if is_inside(connected, space, path):
        found = vault.find(str(space))
        if copy in find_copies(found.tree):
            return found, copy
    raise ClientError(translate("errors.gone"), code="no_such_path")
