import hashlib
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.packs import PackName
from tessera_core.shards import (
    TRAILER_BYTES,
    Coding,
    PackRecord,
    Shard,
    ShardTrailer,
    coding_for,
    rebuild_shards,
    recover_pack,
    split_pack,
)

NAME = PackName(UUID(int=7), 3, b"p" * 16)
PACK = bytes((at * 7 + 3) % 251 for at in range(1000))


def forge(shard: Shard) -> Shard:
    """Changes the data and makes the trailer match, as a lying warehouse would."""
    data, trailer = bytes(shard.data[:-1]) + bytes([shard.data[-1] ^ 1]), shard.trailer
    return Shard.of(data, trailer.name, trailer.coding, trailer.index)


class TestCoding:
    @pytest.mark.parametrize(
        ("warehouses", "k", "n"),
        [(3, 2, 3), (4, 3, 4), (5, 3, 5), (6, 4, 6), (16, 14, 16), (40, 14, 16)],
    )
    def test_follows_the_number_of_warehouses(self, warehouses: int, k: int, n: int) -> None:
        assert coding_for(warehouses, 1000) == Coding(k, n, 1000)

    def test_coding_needs_three_warehouses(self) -> None:
        with pytest.raises(ValueError, match="three"):
            coding_for(2, 1000)

    @pytest.mark.parametrize(
        ("k", "n", "length"),
        [(0, 1, 9), (3, 3, 9), (2, 5, 9), (15, 17, 99), (4, 3, 9), (2, 3, 1), (2, 3, 17 << 20 | 1)],
    )
    def test_refuses_what_is_out_of_range(self, k: int, n: int, length: int) -> None:
        with pytest.raises(Malformed):
            Coding(k, n, length)


class TestRoundTrip:
    @given(data=st.data())
    def test_any_k_shards_give_the_pack(self, data: st.DataObject) -> None:
        n = data.draw(st.integers(3, 16))
        pack = data.draw(st.binary(min_size=16, max_size=400))
        coding = coding_for(n, len(pack))
        shards = [Shard.decode(each.encode()) for each in split_pack(pack, NAME, coding)]
        chosen = data.draw(st.permutations(shards))[: coding.k]
        assert recover_pack(chosen, NAME, PackRecord.of(shards)) == pack
        missing = [at for at in range(n) if at not in {each.trailer.index for each in chosen}]
        rebuilt = rebuild_shards(chosen, missing)
        assert [each.encode() for each in rebuilt] == [shards[at].encode() for at in missing]

    def test_pack_needs_k_shards(self) -> None:
        shards = split_pack(PACK, NAME, coding_for(3, len(PACK)))
        with pytest.raises(NotEnoughShards):
            rebuild_shards(shards[:1], [1])
        with pytest.raises(NotEnoughShards):
            rebuild_shards([], [1])

    def test_shards_of_different_packs_do_not_mix(self) -> None:
        coding = coding_for(3, len(PACK))
        other = PackName(NAME.space, NAME.generation, b"q" * 16)
        mixed = [split_pack(PACK, NAME, coding)[0], split_pack(PACK, other, coding)[1]]
        with pytest.raises(Malformed):
            rebuild_shards(mixed, [2])

    def test_refuses_a_pack_of_another_length(self) -> None:
        with pytest.raises(ValueError, match="length"):
            split_pack(PACK, NAME, coding_for(3, len(PACK) + 1))


class TestRecover:
    @pytest.mark.parametrize("warehouses", [3, 4, 5, 7])
    def test_forged_shards_are_found_without_a_key(self, warehouses: int) -> None:
        shards = split_pack(PACK, NAME, coding_for(warehouses, len(PACK)))
        record = PackRecord.of(shards)
        spare = record.coding.n - record.coding.k
        for first in range(warehouses - spare + 1):
            lying = range(first, first + spare)
            stored = [forge(each) if at in lying else each for at, each in enumerate(shards)]
            assert recover_pack(stored, NAME, record) == PACK

    def test_one_forged_shard_beyond_k_is_detected(self) -> None:
        shards = split_pack(PACK, NAME, coding_for(3, len(PACK)))
        stored = [forge(shards[0]), forge(shards[1]), shards[2]]
        with pytest.raises(NotEnoughShards):
            recover_pack(stored, NAME, PackRecord.of(shards))

    def test_shards_of_other_packs_and_codes_are_left_aside(self) -> None:
        shards = split_pack(PACK, NAME, coding_for(3, len(PACK)))
        others = split_pack(PACK, NAME, coding_for(4, len(PACK)))
        stranger = split_pack(PACK, PackName(NAME.space, 9, NAME.pack), coding_for(3, len(PACK)))
        stored = [*others, *stranger, *shards[1:]]
        assert recover_pack(stored, NAME, PackRecord.of(shards)) == PACK

    def test_recovery_from_too_few_shards_is_refused(self) -> None:
        shards = split_pack(PACK, NAME, coding_for(5, len(PACK)))
        with pytest.raises(NotEnoughShards):
            recover_pack(shards[:2], NAME, PackRecord.of(shards))


class TestTrailer:
    def test_shard_trailer_has_96_bytes_and_is_decoded_again(self) -> None:
        trailer = split_pack(PACK, NAME, coding_for(5, len(PACK)))[4].trailer
        assert len(trailer.encode()) == TRAILER_BYTES
        assert ShardTrailer.decode(trailer.encode()) == trailer

    def test_object_digest_is_that_of_the_whole_object(self) -> None:
        for shard in split_pack(PACK, NAME, coding_for(3, len(PACK))):
            assert shard.object_digest == hashlib.sha256(shard.encode()).digest()
            assert Shard.decode(shard.encode()) == shard

    @given(data=st.data())
    def test_any_flipped_bit_of_a_shard_is_refused_or_changes_what_it_claims(
        self, data: st.DataObject
    ) -> None:
        """The trailer is a hint: a changed name makes another shard of it, never this one."""
        shard = split_pack(PACK, NAME, coding_for(3, len(PACK)))[0]
        damaged = bytearray(shard.encode())
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at] ^= 1 << data.draw(st.integers(0, 7))
        try:
            read = Shard.decode(bytes(damaged))
        except (Malformed, NotAuthentic):
            return
        assert at >= len(damaged) - TRAILER_BYTES
        assert read.trailer != shard.trailer

    @given(st.binary(max_size=200))
    def test_arbitrary_bytes_are_no_shard(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            Shard.decode(data)

    @pytest.mark.parametrize(
        ("at", "value"), [(0, 0), (8, 2), (9, 0), (10, 17), (11, 3), (48, 255), (52, 1), (63, 1)]
    )
    def test_every_field_of_a_shard_trailer_is_checked(self, at: int, value: int) -> None:
        trailer = bytearray(split_pack(PACK, NAME, coding_for(3, len(PACK)))[0].trailer.encode())
        trailer[at] = value
        with pytest.raises(Malformed):
            ShardTrailer.decode(bytes(trailer))
