"""What every reader does with the opened body of an entry, so that all of them agree.

Whatever is refused here is set aside, whole. The verdict depends only on the entry, on the stored
bytes and on what the log said before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tessera_core.binary import Buffer
from tessera_core.bodies import StoredBody, join_body
from tessera_core.changes import ChangeBody, CheckpointBody, check_contents
from tessera_core.entries import BODY_KINDS, Change, Checkpoint, Entry
from tessera_core.errors import Malformed, NoSeed, NotAuthentic
from tessera_core.keyring import Keyring
from tessera_core.log import LogState, PackState
from tessera_core.packs import TAG_BYTES, PackName, open_chunk
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


@dataclass
class Replay:
    """The files that a log describes, and what had to be left out."""

    tree: Tree = field(default_factory=Tree)
    set_aside: dict[int, str] = field(default_factory=dict)
    """Why each of these entries has no effect, by its sequence."""
    missing: list[int] = field(default_factory=list)
    """Entries whose bodies could not be fetched: the state is provisional."""


def replay(
    entries: Sequence[Entry], state: LogState, read: Callable[[Entry], bytes | None]
) -> Replay:
    """Replays a whole log whose entries make up `state`, from its last good checkpoint on.

    `read` opens a body, returns None if it cannot be fetched, and refuses as `open_body` does.
    """
    result = Replay()
    bodies = [
        entry
        for entry in entries
        if isinstance(entry.clear, BODY_KINDS) and entry.head.sequence not in state.set_aside
    ]

    def take(entry: Entry) -> bool:
        try:
            content = read(entry)
            if content is None:
                result.missing.append(entry.head.sequence)
            elif isinstance(entry.clear, Checkpoint):
                result.tree = read_checkpoint(entry, content, state.packs)
            else:
                apply_change(result.tree, entry, content)
        except NoSeed:
            raise
        except (Malformed, NotAuthentic) as error:
            result.set_aside[entry.head.sequence] = str(error)
            return False
        return content is not None

    first = 0
    for at in range(len(bodies) - 1, -1, -1):
        if isinstance(bodies[at].clear, Checkpoint) and take(bodies[at]):
            first = at
            break
    for entry in bodies[first:]:
        if isinstance(entry.clear, Change):
            take(entry)
    return result


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
            reference.id,
            key=keyring.pack_key(generation, reference.pack),
            name=PackName(entry.head.space, generation, reference.pack),
            id_key=keyring.chunk_id_key,
        )
        chunks.append(chunk)
    return join_body(stored, chunks)
