"""Checks what the warehouses hold against the signed log."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.transfer.answers import ShardToRead
from tessera_client.transfer.download import MAX_LINK_PACKS, PackSource, ask_for_links
from tessera_client.transfer.links import WarehouseError
from tessera_client.vault.snapshot import Verdict
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File
from tessera_core.packs import TAG_BYTES, ChunkRecord, chunk_offsets, open_chunk
from tessera_core.shards import TRAILER_BYTES, ShardTrailer, recover_pack, split_pack

_ATTEMPTS = 3
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
    missing: Counter[int | None] = field(default_factory=Counter)
    """Pieces that are missing or changed, by warehouse; None for one that was removed."""
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
        for at in range(0, len(self.packs), MAX_LINK_PACKS):
            packs = self.packs[at : at + MAX_LINK_PACKS]
            rows = ask_for_links(self.space.account.api, self.space.id, packs)
            for pack in packs:
                shards = {shard.index: shard for shard in rows.get(pack, ())}
                if self.is_full:
                    self._check_pieces(source, pack, shards)
                else:
                    self._check_readable(source, pack, shards)
                advance(source.coding(pack).length)

    def _note_missing(self, pack: bytes, shard: ShardToRead | None) -> None:
        self.degraded.add(pack)
        self.missing[shard.warehouse_id if shard else None] += 1

    def _check_readable(
        self, source: PackSource, pack: bytes, shards: Mapping[int, ShardToRead]
    ) -> None:
        for index in range(source.coding(pack).n):
            shard = shards.get(index)
            if shard is None or shard.link is None:
                self._note_missing(pack, shard)
        try:
            source.fetch(pack)
        except ClientError as error:
            if error.code != "not_enough_pieces":
                raise
            self._note_lost(pack)
        else:
            self._readable.update(chunk.id for chunk in self._chunks(pack))

    def _note_lost(self, pack: bytes) -> None:
        self.lost.add(pack)
        self.degraded.discard(pack)

    def _check_pieces(
        self, source: PackSource, pack: bytes, shards: Mapping[int, ShardToRead]
    ) -> None:
        found, record = source.shards(pack), self.space.state.packs[pack].record
        name = source.name(pack)
        try:
            content = recover_pack([shard for shard in found.values() if shard], name, record)
        except NotEnoughShards:
            for index, shard in found.items():
                if shard is None:
                    self._note_missing(pack, shards.get(index))
            self._note_lost(pack)
            return
        for expected in split_pack(content, name, record.coding):
            index = expected.trailer.index
            shard = found[index]
            if shard is None or shard.trailer != expected.trailer:
                self._note_missing(pack, shards.get(index))
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


def try_warehouses(vault: Vault) -> dict[int, bool]:
    """Fetches the end of a piece from each warehouse that holds some, in a few attempts."""
    reached, attempts = dict[int, bool](), Counter[int]()
    for space in vault.spaces():
        known = [pack for pack, state in space.state.packs.items() if not state.retired]
        for pack, shards in _links_of(vault, space, known[-MAX_LINK_PACKS:]):
            for shard in shards:
                warehouse = shard.warehouse_id
                if warehouse is None or reached.get(warehouse) or attempts[warehouse] >= _ATTEMPTS:
                    continue
                attempts[warehouse] += 1
                end = space.state.packs[pack].record.coding.shard_length
                reached[warehouse] = _is_there(vault, pack, shard, end)
    return reached


def _links_of(
    vault: Vault, space: Space, packs: Sequence[bytes]
) -> Iterable[tuple[bytes, list[ShardToRead]]]:
    return ask_for_links(vault.account.api, space.id, packs).items() if packs else ()


def _is_there(vault: Vault, pack: bytes, shard: ShardToRead, end: int) -> bool:
    """Whether the description behind a piece's data is that of this piece."""
    if shard.link is None:
        return False
    try:
        content = vault.warehouses.download(shard.link, start=end, size=TRAILER_BYTES, attempts=1)
        trailer = ShardTrailer.decode(bytes(content))
    except (WarehouseError, Malformed):
        return False
    return (trailer.name.pack, trailer.index) == (pack, shard.index)


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
