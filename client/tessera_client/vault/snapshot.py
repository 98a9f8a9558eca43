"""A space's log as far as it was read and checked, and the files that it describes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, partial
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.transfer.download import ChunkPlace, PackProvider
from tessera_client.vault.contents import Contents
from tessera_core.bodies import StoredBody, open_body
from tessera_core.entries import BODY_KINDS, Change, Checkpoint, Entry
from tessera_core.errors import Malformed, NoSeed, NotAuthentic, NotEnoughShards
from tessera_core.files import File
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.packs import chunk_offsets
from tessera_core.replay import apply_change, open_stored, read_checkpoint
from tessera_core.tree import Tree

ChunkPlaces = dict[bytes, list[ChunkPlace]]


class Verdict(StrEnum):
    """Why the body of an entry does not count."""

    NOT_OPENED = "not_opened"
    MALFORMED = "malformed"
    BY_LEADER = "by_leader"
    MISSING = "missing"
    """It could not be fetched: what follows is provisional."""


@dataclass(frozen=True)
class SkippedBody:
    sequence: int
    author: UUID
    time: int
    verdict: Verdict
    packs: tuple[bytes, ...]
    """What the entry adds. Nobody knows what is in them."""
    reason: str


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
    former_body_packs: frozenset[bytes] = frozenset()
    """Packs that held bodies before it, which nobody needs any more."""
    checkpoint: int = 0
    """Sequence of the last checkpoint."""
    skipped: tuple[SkippedBody, ...] = ()
    """Bodies that were set aside or are missing."""
    false_checkpoints: tuple[int, ...] = ()
    """Checkpoints that said something else than the entries before them."""

    @property
    def tree(self) -> Tree:
        return self.load_tree()

    @property
    def contents(self) -> Contents:
        if self.load_contents is None:
            self.load_contents = cache(partial(Contents.from_tree, self.tree))
        return self.load_contents()

    @property
    def is_provisional(self) -> bool:
        return any(body.verdict == Verdict.MISSING for body in self.skipped)

    def copy(self) -> "Snapshot":
        """The log's state changes only if all new entries are accepted."""
        return replace(self, state=self.state.copy())

    def replay(self, bodies: Sequence[Entry], packs: PackProvider) -> None:
        """Opens bodies and takes them in. None of them can stop the others."""
        for entry in bodies:
            if entry.head.sequence in self.state.set_aside:
                self._skip(entry, Verdict.BY_LEADER)
                continue
            try:
                self.apply(entry, self._open(entry, packs))
            except (NoSeed, NotEnoughShards) as error:
                self._skip(entry, Verdict.MISSING, error)
            except NotAuthentic as error:
                self._skip(entry, Verdict.NOT_OPENED, error)
            except Malformed as error:
                self._skip(entry, Verdict.MALFORMED, error)
            except ClientError as error:
                if error.exit_code != 1:
                    raise
                self._skip(entry, Verdict.MISSING, error)

    def replay_from_checkpoint(
        self,
        entries: Sequence[Entry],
        packs: PackProvider,
        load_bodies: Callable[[Sequence[Entry]], Sequence[Entry]] = lambda bodies: bodies,
    ) -> "Snapshot":
        """Begins at the last checkpoint that makes sense."""
        bodies = list(all_bodies(entries))
        for at, entry in reversed([*enumerate(bodies)]):
            if isinstance(entry.clear, Checkpoint):
                trial = replace(self)
                trial.replay(load_bodies([entry]), packs)
                if trial.skipped == self.skipped:
                    trial.replay(load_bodies(bodies[at + 1 :]), packs)
                    return trial
        trial = replace(self)
        trial.replay(load_bodies(bodies), packs)
        return trial

    def _open(self, entry: Entry, packs: PackProvider) -> bytes:
        assert self.keyring is not None
        content = open_body(entry, self.keyring)
        if not isinstance(content, StoredBody):
            return content
        names = list(dict.fromkeys(chunk.pack for chunk in content.chunks))
        packs.prepare(names)
        fetched = {name: packs.fetch(name) for name in names}
        return open_stored(entry, content, fetched, self.keyring)

    def _skip(self, entry: Entry, verdict: Verdict, error: Exception | None = None) -> None:
        head, reason = entry.head, str(error or "")
        packs = _added_packs(entry)
        body = SkippedBody(head.sequence, head.author, head.time, verdict, packs, reason)
        self.skipped = (*self.skipped, body)

    def apply(self, entry: Entry, content: bytes) -> None:
        """Takes in an opened body; one that is refused changes nothing."""
        packs = frozenset(_added_packs(entry))
        if isinstance(entry.clear, Checkpoint):
            self._take_checkpoint(entry, content, packs)
        elif isinstance(entry.clear, Change):
            apply_change(self.tree, entry, content)
            self.body_packs |= packs - self.tree.packs.keys()
        self.name, self.load_contents = self.tree.name, None

    def _take_checkpoint(self, entry: Entry, content: bytes, packs: frozenset[bytes]) -> None:
        known, sequence = self.tree, entry.head.sequence
        tree = read_checkpoint(entry, content, self.state.packs)
        if self._has_replayed_all() and known.differs_from(tree):
            self.false_checkpoints = (*self.false_checkpoints, sequence)
        self.load_tree = lambda: tree
        self.former_body_packs |= self.body_packs
        self.body_packs, self.checkpoint = packs, sequence

    def _has_replayed_all(self) -> bool:
        """Whether the tree is this reader's own work, and not empty because it starts here."""
        return bool(self.name) and not self.is_provisional

    def chunk_places(self) -> ChunkPlaces:
        """Where each chunk may lie. A member can claim others' chunks: the places are tried in
        turn, first in packs of those who put the file there, retired packs last."""
        found: dict[bytes, list[ChunkPlace]] = {}
        for pack in self.tree.packs:
            if pack in self.state.packs:
                for place in self.places_in(pack):
                    found.setdefault(place.chunk.id, []).append(place)
        claimed = {chunk for chunk, places in found.items() if len(places) > 1}
        authors = self._authors(claimed) if claimed else {}

        def order(place: ChunkPlace) -> tuple[bool, bool]:
            pack = self.state.packs[place.pack]
            return pack.retired, pack.author not in authors.get(place.chunk.id, ())

        return {
            chunk: sorted(places, key=order) if chunk in claimed else places
            for chunk, places in found.items()
        }

    def places_in(self, pack: bytes) -> Iterator[ChunkPlace]:
        chunks = self.tree.packs[pack].chunks
        for position, (chunk, offset) in enumerate(zip(chunks, chunk_offsets(chunks), strict=True)):
            yield ChunkPlace(pack, position, offset, chunk)

    def _authors(self, chunks: set[bytes]) -> dict[bytes, set[UUID]]:
        """Who put files with these chunks."""
        authors: dict[bytes, set[UUID]] = {}
        for versions in self.tree.versions.values():
            for version in versions:
                if isinstance(version.item, File):
                    for chunk in chunks.intersection(version.item.chunks):
                        authors.setdefault(chunk, set()).add(version.author)
        return authors


def all_bodies(entries: Iterable[Entry]) -> Iterator[Entry]:
    return (entry for entry in entries if isinstance(entry.clear, BODY_KINDS))


def _added_packs(entry: Entry) -> tuple[bytes, ...]:
    if isinstance(entry.clear, BODY_KINDS):
        return tuple(record.pack for record in entry.clear.packs)
    return ()
