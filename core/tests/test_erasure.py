import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera_core import erasure
from tessera_core.errors import NotEnoughShards

CODES = [(k, n) for n in range(2, 17) for k in (n - 1, n - 2) if k >= 1]


def slow_times(a: int, b: int) -> int:
    """Multiplies in GF(256) bit by bit, as the polynomial's definition says."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = (a << 1) ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def slow_parities(data: list[bytes]) -> list[bytes]:
    first, second, weight = bytearray(len(data[0])), bytearray(len(data[0])), 1
    for part in data:
        for at, value in enumerate(part):
            first[at] ^= value
            second[at] ^= slow_times(value, weight)
        weight = slow_times(weight, 2)
    return [bytes(first), bytes(second)]


@st.composite
def data_shards(draw: st.DrawFn) -> list[bytes]:
    k, size = draw(st.integers(1, 14)), draw(st.integers(1, 40))
    return draw(st.lists(st.binary(min_size=size, max_size=size), min_size=k, max_size=k))


class TestParities:
    def test_parities_of_one_byte_are_the_known_ones(self) -> None:
        """0x01 + 2 · 0x80 + 4 · 0x80 = 0x01 + 0x1d + 0x3a."""
        assert erasure.parities([b"\x01", b"\x80", b"\x80"], 2) == [b"\x01", b"\x26"]

    @given(data_shards())
    def test_parities_are_those_of_the_definition(self, data: list[bytes]) -> None:
        assert erasure.parities(data, 2) == slow_parities(data)
        assert erasure.parities(data, 1) == slow_parities(data)[:1]

    @pytest.mark.parametrize(("data", "count"), [(1, 3), (15, 2), (16, 1), (0, 1), (3, 0)])
    def test_parities_of_other_codes_are_refused(self, data: int, count: int) -> None:
        with pytest.raises(ValueError, match="one or two parities"):
            erasure.parities([b"x"] * data, count)

    def test_parities_of_shards_of_different_lengths_are_refused(self) -> None:
        with pytest.raises(ValueError, match="length"):
            erasure.parities([b"xy", b"x"], 1)

    @pytest.mark.parametrize("size", [262_143, 262_144, 262_145, 600_001])
    def test_parities_of_long_shards_are_those_of_their_pieces(self, size: int) -> None:
        """They are computed block by block, with edges that a short shard does not reach."""
        data = [bytes([seed]) * (size - 3) + b"\xff\x80\x01" for seed in (3, 0x8E, 0xFF)]
        ends = slow_parities([part[-4:] for part in data])
        assert erasure.parities(data, 2) == [end[:1] * (size - 4) + end for end in ends]


class TestRebuild:
    @pytest.mark.parametrize(("k", "n"), CODES)
    def test_any_k_shards_give_all_others(self, k: int, n: int) -> None:
        data = [bytes((index * 37 + at * 11 + 5) % 256 for at in range(7)) for index in range(k)]
        shards: list[bytes] = [*data, *(bytes(each) for each in erasure.parities(data, n - k))]
        for used in itertools.combinations(range(n), k):
            missing = [index for index in range(n) if index not in used]
            rebuilt = erasure.rebuild({index: shards[index] for index in used}, k, n, missing)
            assert rebuilt == {index: shards[index] for index in missing}

    def test_more_than_k_shards_rebuild_the_pack_too(self) -> None:
        shards = {0: b"a", 1: b"b", 2: bytes(erasure.parities([b"a", b"b"], 1)[0])}
        assert erasure.rebuild(shards, 2, 3, [1]) == {1: b"b"}

    def test_fewer_than_k_shards_are_not_enough(self) -> None:
        with pytest.raises(NotEnoughShards):
            erasure.rebuild({0: b"a"}, 2, 3, [1])
