"""What every reader does with the opened body of an entry, so that all of them agree.

Whatever is refused here is set aside, whole. The verdict depends only on the entry, on the stored
bytes and on what the log said before.
"""

from collections.abc import Mapping

from tessera_core.binary import Buffer
from tessera_core.bodies import StoredBody, join_body
from tessera_core.changes import ChangeBody, CheckpointBody, check_contents
from tessera_core.entries import BODY_KINDS, Change, Checkpoint, Entry
from tessera_core.errors import Malformed
from tessera_core.keyring import Keyring
from tessera_core.log import PackState
from tessera_core.packs import TAG_BYTES, ChunkRecord, PackName, open_chunk
from tessera_core.tree import Tree


def apply_change(tree: Tree, entry: Entry, content: bytes) -> None:
    """Takes in the content of a change; a refused one leaves the tree as it was."""
    if not isinstance(entry.clear, Change):
        raise Malformed("the entry is no change")
    body = ChangeBody.decode(content)
    body.check_packs(entry.clear.packs)
    tree.apply(entry.head, body)


def read_checkpoint(entry: Entry, content: bytes, packs: Mapping[bytes, PackState]) -> Tree:
    """Reads the state that a checkpoint describes; `packs` are those of the log."""
    if not isinstance(entry.clear, Checkpoint):
        raise Malformed("the entry is no checkpoint")
    body = CheckpointBody.decode(content)
    sequence = entry.head.sequence
    # What later entries add must not matter, whenever the checkpoint is read.
    before = (pack.record for pack in packs.values() if pack.sequence < sequence)
    check_contents(body.packs, before)
    if not all(0 < version.sequence < sequence for _, version in body.versions):
        raise Malformed("a version is not older than the checkpoint")
    tree = Tree.from_checkpoint(body)
    tree.check_folders()
    return tree


def open_stored(
    entry: Entry, stored: StoredBody, packs: Mapping[bytes, Buffer], keyring: Keyring
) -> bytes:
    """Reads a stored body from whole packs, each of which matches its record in the entry."""
    assert isinstance(entry.clear, BODY_KINDS)
    chunks = []
    for reference, length in zip(stored.chunks, stored.lengths(), strict=True):
        sealed = memoryview(packs[reference.pack])[reference.offset :][: length + TAG_BYTES]
        generation = entry.head.generation
        chunk = open_chunk(
            sealed,
            reference.position,
            ChunkRecord(reference.id, length, length),
            key=keyring.pack_key(generation, reference.pack),
            name=PackName(entry.head.space, generation, reference.pack),
            id_key=keyring.chunk_id_key,
        )
        chunks.append(chunk)
    return join_body(stored, chunks)
