"""Reading chunks out of packs."""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from tessera_client.transfer.download import ChunkPlace, ChunkReader, Damaged
from tessera_client.vault.restore import Restorer
from tessera_core.chunks import chunk_id
from tessera_core.files import File, Item
from tessera_core.keyring import Keyring
from tessera_core.packs import PACK_ID_BYTES, TAG_BYTES, PackBuilder, PackName
from tessera_core.shards import Coding


@dataclass
class MemorySource:
    """Packs in memory; counts how often each is fetched."""

    keyring: Keyring
    space: UUID = field(default_factory=uuid4)
    packs: dict[bytes, bytes] = field(default_factory=dict)
    fetched: Counter[bytes] = field(default_factory=Counter)

    def add(self, chunks: Sequence[bytes]) -> list[ChunkPlace]:
        pack = secrets.token_bytes(PACK_ID_BYTES)
        builder = PackBuilder(self.keyring.pack_key(1, pack), self.name(pack))
        places, offset = [], 0
        for position, chunk in enumerate(chunks):
            identifier = chunk_id(self.keyring.chunk_id_key, chunk)
            builder.add(identifier, chunk)
            places.append(ChunkPlace(pack, position, offset, builder.chunks[-1]))
            offset += len(chunk) + TAG_BYTES
        self.packs[pack] = bytes(builder.finish(last=True))
        return places

    def prepare(self, packs: Sequence[bytes]) -> None:
        pass

    def name(self, pack: bytes) -> PackName:
        return PackName(self.space, 1, pack)

    def coding(self, pack: bytes) -> Coding:
        return Coding(2, 3, len(self.packs[pack]))

    def fetch(self, pack: bytes, *, check: bool = True) -> bytes:
        self.fetched[pack] += 1
        if pack not in self.packs:
            raise Damaged(pack, 0, 2)
        return self.packs[pack]

    def fetch_range(self, pack: bytes, offset: int, size: int) -> bytes:
        self.fetched[pack] += 1
        return self.packs[pack][offset : offset + size]


def test_every_pack_is_fetched_once() -> None:
    source = MemorySource(Keyring.create())
    chunks = [[secrets.token_bytes(1000) for _ in range(4)] for _ in range(12)]
    places = [place for pack in chunks for place in source.add(pack)]
    reader = ChunkReader(source, source.keyring)
    reader.plan(places)
    assert [reader.read(place) for place in places] == [each for pack in chunks for each in pack]
    assert source.fetched == dict.fromkeys(source.packs, 1)


class TestChunksOfAFile:
    """They are opened ahead of their turn, in other threads."""

    def test_chunks_of_a_file_come_in_their_order(self) -> None:
        source = MemorySource(Keyring.create())
        chunks = [secrets.token_bytes(1000) for _ in range(40)]
        places = [place for at in range(0, 40, 4) for place in source.add(chunks[at : at + 4])]
        reader = ChunkReader(source, source.keyring)
        reader.plan(places)
        assert list(reader.read_each([[place] for place in places])) == chunks
        assert source.fetched == dict.fromkeys(source.packs, 1)

    def test_a_chunk_is_read_where_it_is_if_the_first_place_lies(self) -> None:
        source = MemorySource(Keyring.create())
        chunks = [secrets.token_bytes(1000) for _ in range(8)]
        lies = source.add([secrets.token_bytes(1000) for _ in chunks])
        places = source.add(chunks)
        compared = list[tuple[bytes, bytes]]()
        reader = ChunkReader(source, source.keyring, compared.extend)
        claimed = [
            [lie._replace(chunk=place.chunk), place]
            for lie, place in zip(lies, places, strict=True)
        ]
        assert list(reader.read_each(claimed)) == chunks
        reader.note_compared()
        assert compared == [(place.chunk.id, place.pack) for place in places]

    def test_chunks_before_a_damaged_one_are_read(self) -> None:
        source = MemorySource(Keyring.create())
        chunks = [secrets.token_bytes(1000) for _ in range(8)]
        places = source.add(chunks[:5]) + source.add(chunks[5:])
        del source.packs[places[5].pack]
        read = ChunkReader(source, source.keyring).read_each([[each] for each in places])
        assert [next(read) for _ in range(5)] == chunks[:5]
        with pytest.raises(Damaged):
            next(read)


def test_some_of_many_small_files_read_each_pack_once(tmp_path: Path) -> None:
    """However the files are named: 100 of 2,000, some in every pack."""
    source, places, items = MemorySource(Keyring.create()), {}, list[tuple[str, Item]]()
    for number in range(20):
        added = source.add([secrets.token_bytes(1000) for _ in range(100)])
        for at, place in enumerate(added):
            places[place.chunk.id] = [place]
            if at % 20 == number % 3:
                item = File(1000, 0, executable=False, chunks=(place.chunk.id,))
                items.append((f"{at:02}/{number:02}.bin", item))
    restored = Restorer(ChunkReader(source, source.keyring), places).restore(items, tmp_path)
    assert (restored.files, restored.failed) == (100, [])
    assert source.fetched == dict.fromkeys(source.packs, 1)
