"""Checks what the warehouses hold against the signed log."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.transfer.download import PackSource
from tessera_client.vault.snapshot import Verdict
from tessera_client.vault.spaces import Space
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File
from tessera_core.packs import TAG_BYTES, ChunkRecord, chunk_offsets, open_chunk
from tessera_core.shards import recover_pack, split_pack

_SKIPPED = {
    Verdict.NOT_OPENED: "status.skipped_not_opened",
    Verdict.MALFORMED: "status.skipped_malformed",
    Verdict.BY_LEADER: "status.skipped_by_leader",
    Verdict.MISSING: "status.skipped_missing",
}


@dataclass
class Check:
    """A look at every pack of a space; a full one fetches every piece and opens every chunk."""

    space: Space
    is_full: bool
    packs: list[bytes] = field(init=False)
    lost: set[bytes] = field(default_factory=set)
    degraded: set[bytes] = field(default_factory=set)
    """Readable, but with missing or changed pieces."""
    false: set[bytes] = field(default_factory=set)
    """Packs that do not hold what the member who stored them says."""
    _readable: set[bytes] = field(default_factory=set)
    """Chunks that were found in a pack."""

    def __post_init__(self) -> None:
        known = self.space.state.packs
        self.packs = [pack for pack, state in known.items() if not state.retired]

    @property
    def size(self) -> int:
        known = self.space.state.packs
        return sum(known[pack].record.coding.length for pack in self.packs)

    def run(self, advance: Callable[[int], None]) -> None:
        """Tells `advance` how many bytes of packs were checked."""
        source = self.space.source()
        source.prepare(self.packs)
        for pack in self.packs:
            if self.is_full:
                self._check_pieces(source, pack)
            else:
                self._check_readable(source, pack)
            advance(source.coding(pack).length)

    def _check_readable(self, source: PackSource, pack: bytes) -> None:
        try:
            source.fetch(pack)
        except ClientError as error:
            if error.code != "not_enough_pieces":
                raise
            self.lost.add(pack)
        else:
            self._readable.update(chunk.id for chunk in self._chunks(pack))

    def _check_pieces(self, source: PackSource, pack: bytes) -> None:
        found, record = source.shards(pack), self.space.state.packs[pack].record
        name = source.name(pack)
        try:
            content = recover_pack([shard for shard in found.values() if shard], name, record)
        except NotEnoughShards:
            self.lost.add(pack)
            return
        for expected in split_pack(content, name, record.coding):
            shard = found[expected.trailer.index]
            if shard is None or shard.trailer != expected.trailer:
                self.degraded.add(pack)
        self._open_chunks(source, pack, content)

    def _open_chunks(self, source: PackSource, pack: bytes, content: bytes) -> None:
        keyring, name, chunks = self.space.keyring, source.name(pack), self._chunks(pack)
        key, view = keyring.pack_key(name.generation, pack), memoryview(content)
        for position, (chunk, offset) in enumerate(zip(chunks, chunk_offsets(chunks), strict=True)):
            sealed = view[offset : offset + chunk.stored + TAG_BYTES]
            try:
                open_chunk(sealed, position, chunk, key=key, name=name, id_key=keyring.chunk_id_key)
            except (Malformed, NotAuthentic):
                self.false.add(pack)
            else:
                self._readable.add(chunk.id)

    def _chunks(self, pack: bytes) -> tuple[ChunkRecord, ...]:
        contents = self.space.tree.packs.get(pack)
        return contents.chunks if contents else ()

    def unreadable_files(self) -> list[str]:
        """Paths of which the current version cannot be read back."""
        return [
            path
            for path, item in self.space.tree.walk()
            if isinstance(item, File) and not self._readable.issuperset(item.chunks)
        ]

    def unreadable_versions(self) -> int:
        """How many versions cannot be read back, earlier ones included."""
        return sum(
            isinstance(version.item, File) and not self._readable.issuperset(version.item.chunks)
            for versions in self.space.tree.versions.values()
            for version in versions
        )


def describe_skipped(space: Space) -> list[str]:
    """Bodies that do not count, with their authors and why."""
    lines = [
        translate(
            _SKIPPED[body.verdict],
            space=space.label, entry=body.sequence, author=body.author,
        )
        for body in space.snapshot.skipped
    ]  # fmt: skip
    lines += [
        translate("status.false_checkpoint", space=space.label, entry=sequence)
        for sequence in space.snapshot.false_checkpoints
    ]
    return lines
