"""Checks what the warehouses hold against the signed log."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tessera_client.errors import ClientError
from tessera_client.transfer.download import PackSource
from tessera_client.vault.spaces import Space
from tessera_core.errors import NotEnoughShards
from tessera_core.files import File
from tessera_core.shards import recover_pack, split_pack


@dataclass
class Check:
    """A look at every pack of a space; a full one fetches every piece."""

    space: Space
    is_full: bool
    packs: list[bytes] = field(init=False)
    lost: set[bytes] = field(default_factory=set)
    degraded: set[bytes] = field(default_factory=set)
    """Readable, but with missing or changed pieces."""

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

    def _check_pieces(self, source: PackSource, pack: bytes) -> None:
        found, record = source.shards(pack), self.space.state.packs[pack].record
        name = source.name(pack)
        try:
            content = recover_pack([shard for shard in found.values() if shard], name, record)
        except NotEnoughShards:
            self.lost.add(pack)
            return
        for expected in split_pack(content, name, record.coding):
            shard = found[expected.header.index]
            if shard is None or shard.header != expected.header:
                self.degraded.add(pack)

    def unreadable_files(self) -> list[str]:
        places = self.space.chunk_places()
        chunks = {identifier for identifier, place in places.items() if place.pack in self.lost}
        return [
            path
            for path, item in self.space.tree.walk()
            if isinstance(item, File) and not chunks.isdisjoint(item.chunks)
        ]
