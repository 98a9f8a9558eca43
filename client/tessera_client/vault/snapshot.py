"""A space's log as far as it was read and checked, and the files that it describes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from tessera_client.transfer.download import ChunkPlace, ChunkReader
from tessera_client.vault.contents import Contents
from tessera_core.bodies import StoredBody, join_body, open_body
from tessera_core.changes import ChangeBody, CheckpointBody
from tessera_core.entries import Change, Checkpoint, Entry
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.packs import chunk_offsets
from tessera_core.tree import Tree


@dataclass
class Snapshot:
    state: LogState
    load_tree: Callable[[], Tree] = field(default_factory=lambda: cache(Tree))
    """Returns the same tree at every call."""
    load_contents: Callable[[], Contents] | None = None
    """None if they have to be made from the tree."""
    name: str = ""
    first: bytes = b""
    """Hash of the first entry."""
    keyring: Keyring | None = None
    is_vouched: bool = False
    """The pinned leader has signed an entry of this log."""
    body_packs: frozenset[bytes] = frozenset()
    """Packs that hold bodies since the last checkpoint, which readers need."""
    checkpoint: int = 0
    """Sequence of the last checkpoint."""

    @property
    def tree(self) -> Tree:
        return self.load_tree()

    @property
    def contents(self) -> Contents:
        if self.load_contents is None:
            self.load_contents = cache(partial(Contents.from_tree, self.tree))
        return self.load_contents()

    def copy(self) -> "Snapshot":
        """The log's state changes only if all new entries are accepted."""
        state = self.state
        copied = replace(
            state,
            members={**state.members},
            commitments=[*state.commitments],
            packs={pack: replace(each) for pack, each in state.packs.items()},
        )
        return replace(self, state=copied)

    def replay(self, bodies: Sequence[Entry], new_reader: Callable[[], ChunkReader]) -> None:
        """Opens bodies and takes them in; long ones are read from packs."""
        assert self.keyring or not bodies
        for entry in bodies:
            assert self.keyring is not None
            content = open_body(entry, self.keyring)
            if isinstance(content, StoredBody):
                content = _load(content, new_reader())
            self.apply(entry, content)

    def apply(self, entry: Entry, content: bytes) -> None:
        if isinstance(entry.clear, Checkpoint):
            tree = Tree.from_checkpoint(CheckpointBody.decode(content))
            self.load_tree = lambda: tree
            self.body_packs = frozenset(record.pack for record in entry.clear.packs)
            self.checkpoint = entry.head.sequence
        elif isinstance(entry.clear, Change):
            body = ChangeBody.decode(content)
            self.tree.apply(entry.head, body)
            added = {record.pack for record in entry.clear.packs}
            self.body_packs |= added - {contents.pack for contents in body.packs}
        self.name, self.load_contents = self.tree.name, None

    def chunk_places(self) -> dict[bytes, ChunkPlace]:
        """Where each chunk lies; packs that are not retired come first."""
        places: dict[bytes, ChunkPlace] = {}
        known = [pack for pack in self.tree.packs if pack in self.state.packs]
        for pack in sorted(known, key=lambda pack: self.state.packs[pack].retired):
            chunks = self.tree.packs[pack].chunks
            offsets = chunk_offsets(chunks)
            for position, (chunk, offset) in enumerate(zip(chunks, offsets, strict=True)):
                place = ChunkPlace(pack, position, offset, chunk.length, chunk.id)
                places.setdefault(chunk.id, place)
        return places


def bodies_to_replay(entries: Sequence[Entry]) -> list[Entry]:
    """Returns the entries with bodies, from the last checkpoint on."""
    bodies: list[Entry] = []
    for entry in entries:
        if isinstance(entry.clear, Checkpoint):
            bodies = [entry]
        elif isinstance(entry.clear, Change):
            bodies.append(entry)
    return bodies


def _load(stored: StoredBody, reader: ChunkReader) -> bytes:
    places = [
        ChunkPlace(chunk.pack, chunk.position, chunk.offset, length, chunk.id)
        for chunk, length in zip(stored.chunks, stored.lengths(), strict=True)
    ]
    reader.plan(places)
    return join_body(stored, [reader.read(place) for place in places])
