"""Who stores a file here knows that version: what is done to the file next, also before the service
has answered and after a kill, is no conflict with it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from tessera_client.drive.pending import PendingChange, PendingMove, PendingPut
from tessera_client.drive.staging import StagedFile
from tessera_client.drive.view import Content
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.files import File, Item
from tessera_core.tree import Tree


def find_arrived(
    changes: Sequence[PendingChange], tree: Tree, user: UUID, id_key: bytes
) -> dict[str, int]:
    """The entries of files that a program has stored just before it was killed: they still wait."""
    arrived = dict[str, int]()
    for change in changes:
        version = tree.current(change.path) if isinstance(change, PendingPut) else None
        if (
            isinstance(change, PendingPut)
            and version
            and version.author == user
            and version.sequence > change.seen
            and _is_stored_as(change.content, version.item, id_key)
        ):
            arrived[change.path] = version.sequence
    return arrived


def knowing(change: PendingChange, stored: Mapping[str, int]) -> PendingChange:
    """`stored` has the entries that have stored these paths."""
    path = change.target if isinstance(change, PendingMove) else change.path
    return replace(change, seen=max(change.seen, stored.get(path, 0)))


def _is_stored_as(content: Content, item: Item | None, id_key: bytes) -> bool:
    if not isinstance(content, StagedFile):
        return content == item
    if not isinstance(item, File) or content.size != item.size:
        return False
    # What cannot be read now is told when it is sent.
    with suppress(OSError):
        return all(
            (content.known_chunk(number) or chunk_id(id_key, _chunk(content, number))) == chunk
            for number, chunk in enumerate(item.chunks)
        )
    return False


def _chunk(content: StagedFile, number: int) -> bytes:
    return content.read(number * CHUNK_BYTES, CHUNK_BYTES)
