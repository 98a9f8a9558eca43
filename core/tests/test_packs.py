import hashlib
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera_core.chunks import CHUNK_BYTES, chunk_count, chunk_id, chunk_length
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.packs import (
    PACK_BYTES,
    TAG_BYTES,
    ChunkRecord,
    PackBuilder,
    PackName,
    chunk_offsets,
    open_chunk,
    open_index,
    padme,
)

KEY, ID_KEY = b"k" * 32, b"i" * 32
NAME = PackName(UUID(int=7), 3, b"p" * 16)

chunk_lists = st.lists(st.binary(min_size=1, max_size=300), min_size=1, max_size=12)


def build(chunks: list[bytes], *, last: bool = True, name: PackName = NAME) -> bytes:
    builder = PackBuilder(KEY, name)
    for chunk in chunks:
        builder.add(chunk_id(ID_KEY, chunk), chunk)
    return bytes(builder.finish(last=last))


def read(pack: bytes, *, key: bytes = KEY, name: PackName = NAME) -> list[bytes]:
    records = open_index(pack, key, name)
    return [
        open_chunk(
            pack[offset : offset + record.stored + TAG_BYTES],
            position,
            record,
            key=key,
            name=name,
            id_key=ID_KEY,
        )
        for position, (offset, record) in enumerate(
            zip(chunk_offsets(records), records, strict=True)
        )
    ]


SMALL_PACK = build([b"first", b"second" * 9, b"third"])


class TestChunks:
    @given(st.integers(0, 2**50))
    def test_cover_a_file_exactly(self, size: int) -> None:
        count = chunk_count(size)
        whole, last = divmod(size, CHUNK_BYTES)
        assert count == whole + bool(last)
        if count:
            assert (count - 1) * CHUNK_BYTES + chunk_length(size, count - 1) == size
            assert 1 <= chunk_length(size, count - 1) <= CHUNK_BYTES
        if count > 1:
            assert chunk_length(size, 0) == CHUNK_BYTES

    def test_appending_leaves_the_chunks_before_alone(self) -> None:
        before, after = 3 * CHUNK_BYTES + 5, 9 * CHUNK_BYTES
        assert [chunk_length(before, at) for at in range(3)] == [
            chunk_length(after, at) for at in range(3)
        ]

    def test_ids_depend_on_content_and_key(self) -> None:
        ids = {chunk_id(ID_KEY, b"a"), chunk_id(ID_KEY, b"b"), chunk_id(KEY, b"a")}
        assert len(ids) == 3
        assert chunk_id(ID_KEY, b"a") == chunk_id(ID_KEY, memoryview(b"a"))


class TestPadme:
    def test_gives_the_known_lengths(self) -> None:
        assert [padme(length) for length in (1, 2, 9, 100, 1000, 10**6, 2**24)] == [
            *(1, 2, 10, 104, 1024, 1_015_808, 2**24)
        ]

    @given(st.integers(1, 2**40))
    def test_adds_at_most_an_eighth_and_is_stable(self, length: int) -> None:
        padded = padme(length)
        assert length <= padded <= length * 1.12 + 1
        assert padme(padded) == padded


class TestRoundTrip:
    @given(chunk_lists)
    def test_pack_of_any_chunks_opens_again(self, chunks: list[bytes]) -> None:
        pack = build(chunks)
        assert read(pack) == chunks
        assert padme(len(pack)) == len(pack)

    def test_pack_of_sixteen_whole_chunks_opens_again(self) -> None:
        chunks = [bytes([at]) * CHUNK_BYTES for at in range(16)]
        pack = build(chunks, last=False)
        assert len(pack) == PACK_BYTES
        assert read(pack) == chunks

    def test_pack_of_one_byte_that_is_not_the_last_opens_again(self) -> None:
        pack = build([b"x"], last=False)
        assert len(pack) == PACK_BYTES
        assert read(pack) == [b"x"]

    def test_nearly_full_last_pack_stays_within_the_limit(self) -> None:
        chunks = [bytes(CHUNK_BYTES)] * 16
        assert len(build(chunks)) == PACK_BYTES


class TestBuilder:
    def test_takes_sixteen_whole_chunks_and_no_seventeenth(self) -> None:
        builder = PackBuilder(KEY, NAME)
        for _ in range(16):
            assert builder.fits(CHUNK_BYTES)
            builder.add(bytes(32), bytes(CHUNK_BYTES))
        assert not builder.fits(CHUNK_BYTES)
        with pytest.raises(ValueError, match="full"):
            builder.add(bytes(32), bytes(CHUNK_BYTES))

    @pytest.mark.parametrize("size", [0, CHUNK_BYTES + 1])
    def test_refuses_chunks_of_other_lengths(self, size: int) -> None:
        with pytest.raises(Malformed):
            PackBuilder(KEY, NAME).add(bytes(32), bytes(size))

    def test_gives_the_same_pack_in_memory_that_was_used_before(self) -> None:
        buffer = bytearray(b"x" * PACK_BYTES)
        builder = PackBuilder(KEY, NAME, buffer)
        builder.add(chunk_id(ID_KEY, b"chunk"), b"chunk")
        assert bytes(builder.finish(last=True)) == build([b"chunk"])

    def test_makes_no_empty_pack(self) -> None:
        with pytest.raises(ValueError, match="at least one"):
            PackBuilder(KEY, NAME).finish(last=True)

    def test_hides_how_much_is_used(self) -> None:
        """Packs of the same size differ in every part, and hold no run of zeros."""
        pack = build([b"x"], last=False)
        blocks = {pack[at : at + 64] for at in range(0, len(pack) - 64, 64)}
        assert len(blocks) == len(pack) // 64 - (len(pack) % 64 == 0)


class TestRefusals:
    @settings(max_examples=200)
    @given(data=st.data())
    def test_pack_with_a_flipped_bit_is_refused(self, data: st.DataObject) -> None:
        pack = bytearray(SMALL_PACK)
        at = data.draw(st.integers(0, len(pack) - 1))
        pack[at] ^= 1 << data.draw(st.integers(0, 7))
        with pytest.raises((Malformed, NotAuthentic)):
            read(bytes(pack))

    @pytest.mark.parametrize(
        "name",
        [
            PackName(UUID(int=8), 3, b"p" * 16),
            PackName(UUID(int=7), 4, b"p" * 16),
            PackName(UUID(int=7), 3, b"q" * 16),
        ],
    )
    def test_pack_does_not_open_under_another_name(self, name: PackName) -> None:
        with pytest.raises(NotAuthentic):
            read(build([b"x"]), name=name)

    def test_pack_does_not_open_with_another_key(self) -> None:
        with pytest.raises(NotAuthentic):
            read(build([b"x"]), key=b"z" * 32)

    def test_exchanged_chunks_do_not_open(self) -> None:
        pack = build([b"aaaa", b"bbbb"])
        with pytest.raises(NotAuthentic):
            read(pack[20:40] + pack[:20] + pack[40:])

    def test_a_chunk_that_does_not_match_its_id_is_refused(self) -> None:
        """A member with the keys cannot store one content under the id of another."""
        builder = PackBuilder(KEY, NAME)
        builder.add(chunk_id(ID_KEY, b"promised"), b"delivered")
        with pytest.raises(NotAuthentic, match="content"):
            read(bytes(builder.finish(last=True)))

    @given(st.binary(max_size=200))
    def test_arbitrary_bytes_are_no_pack(self, data: bytes) -> None:
        with pytest.raises((Malformed, NotAuthentic)):
            open_index(data, KEY, NAME)

    def test_too_large_a_pack_is_refused(self) -> None:
        with pytest.raises(Malformed):
            open_index(bytes(PACK_BYTES + 1), KEY, NAME)

    @pytest.mark.parametrize(
        "index",
        [
            b"",
            b"\0\0\0\0",
            b"\0\0\0\2" + bytes(32) + b"\0\0\0\1",
            b"\0\0\0\1" + bytes(32) + b"\0\0\0\0",
            b"\0\0\0\1" + bytes(32) + b"\0\x10\0\1",
            b"\0\0\0\1" + bytes(32) + b"\0\0\0\2",
            b"\0\0\0\1" + bytes(32) + b"\0\0\0\1" + b"\0\0\1",
        ],
    )
    def test_an_index_that_does_not_describe_the_pack_is_refused(self, index: bytes) -> None:
        builder = PackBuilder(KEY, NAME)
        builder.add(bytes(32), b"x")
        builder._seal(2**32 - 1, index)
        builder._seal(2**32 - 2, (len(index) + TAG_BYTES).to_bytes(4, "big"))
        with pytest.raises(Malformed):
            open_index(memoryview(builder._buffer)[: builder._used], KEY, NAME)

    def test_a_footer_that_points_before_the_pack_is_refused(self) -> None:
        builder = PackBuilder(KEY, NAME)
        builder.add(bytes(32), b"x" * 60)
        builder._seal(2**32 - 2, (1000).to_bytes(4, "big"))
        with pytest.raises(Malformed):
            open_index(memoryview(builder._buffer)[: builder._used], KEY, NAME)


class TestRecords:
    def test_know_where_chunks_begin(self) -> None:
        digest = hashlib.sha256(b"").digest()
        records = [ChunkRecord(digest, length, length) for length in (1, 100, 7)]
        assert chunk_offsets(records) == [0, 17, 133]
