from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tests.log_example import COMPANY, MEMBER, SPACE, STRANGER, Log
from tessera_core.entries import Change, Entry
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import Grant
from tessera_core.log import LogState
from tessera_core.objects import (
    RecoveryObject,
    SegmentObject,
    ShardObject,
    parse_object_name,
)
from tessera_core.segments import Segment, SegmentEntry


def segment() -> Segment:
    log = Log().begin()
    log.add(MEMBER)
    log.append(Change(()))
    return Segment(
        tuple(
            SegmentEntry(entry, tuple(log.grants.get(entry.head.sequence, ())))
            for entry in log.entries
        )
    )


SEGMENT = segment()
COMPANY_TEXT = "00000000-0000-0000-0000-0000000000c0"


class TestNames:
    @pytest.mark.parametrize(
        ("name", "parts"),
        [
            (
                f".tessera/v1/{COMPANY_TEXT}/packs/70/{'70' * 16}.15",
                ShardObject(COMPANY, b"p" * 16, 15),
            ),
            (
                f".tessera/v1/{COMPANY_TEXT}/log/{SPACE}/000000000001-000000000256-{'0f' * 8}",
                SegmentObject(COMPANY, SPACE, 1, 256, b"\x0f" * 8),
            ),
            (
                f".tessera/v1/{COMPANY_TEXT}/recovery/0000000003-{'0f' * 8}",
                RecoveryObject(COMPANY, 3, b"\x0f" * 8),
            ),
        ],
    )
    def test_object_names_are_written_and_read(
        self, name: str, parts: ShardObject | SegmentObject | RecoveryObject
    ) -> None:
        assert str(parts) == name
        assert parse_object_name(name) == parts

    @pytest.mark.parametrize(
        "name",
        [
            "",
            f"{COMPANY_TEXT}/packs/70/{'70' * 16}.1",
            f".tessera/v1/{COMPANY_TEXT}/packs/71/{'70' * 16}.1",
            f".tessera/v1/{COMPANY_TEXT}/packs/70/{'70' * 16}.16",
            f".tessera/v1/{COMPANY_TEXT}/packs/70/{'70' * 16}.01",
            f".tessera/v1/{COMPANY_TEXT}/packs/70/{'70' * 16}.1\n",
            f".tessera/v1/{COMPANY_TEXT.upper()}/packs/70/{'70' * 16}.1",
            f".tessera/v1/{COMPANY_TEXT}/recovery/3-{'0f' * 8}",
            f".tessera/v2/{COMPANY_TEXT}/recovery/0000000003-{'0f' * 8}",
        ],
    )
    def test_other_object_names_are_refused(self, name: str) -> None:
        with pytest.raises(Malformed):
            parse_object_name(name)


class TestSegment:
    def test_segment_is_decoded_with_grants_that_fit_its_entries(self) -> None:
        read = Segment.decode(SEGMENT.encode())
        assert read == SEGMENT
        assert (read.company, read.space, read.first, read.last) == (COMPANY, SPACE, 1, 4)
        state = LogState(COMPANY, SPACE)
        for each in read.entries:
            state.append(each.entry)
            state.check_grants(each.entry, each.grants)
        assert [len(each.grants) for each in read.entries] == [0, 2, 1, 0]

    def test_segment_may_begin_anywhere_in_the_log(self) -> None:
        part = Segment(SEGMENT.entries[2:])
        assert Segment.decode(part.encode()) == part
        assert (part.first, part.last) == (3, 4)

    @given(st.data())
    def test_segment_with_a_flipped_bit_is_refused(self, data: st.DataObject) -> None:
        raw = bytearray(SEGMENT.encode())
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at] ^= 1 << data.draw(st.integers(0, 7))
        with pytest.raises((Malformed, NotAuthentic)):
            Segment.decode(bytes(raw))

    @given(st.binary(max_size=200))
    def test_arbitrary_bytes_are_no_segment(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            Segment.decode(data)

    def test_gaps_and_other_spaces_are_refused(self) -> None:
        first, second, third = SEGMENT.entries[:3]
        foreign = replace(
            second, entry=replace(second.entry, head=replace(second.entry.head, space=STRANGER))
        )
        for entries in ((), (first, third), (second, first), (first, foreign)):
            with pytest.raises(Malformed):
                Segment(entries)

    def test_entries_without_their_body_are_refused(self) -> None:
        change = SEGMENT.entries[3]
        bare = Entry.decode(change.entry.encode(with_body=False))
        with pytest.raises(Malformed, match="whole"):
            Segment.decode(Segment((SegmentEntry(bare),)).encode())

    def test_grants_are_those_of_people(self) -> None:
        grants = SEGMENT.entries[1].grants
        assert {type(grant) for grant in grants} == {Grant}
        assert {grant.member for grant in grants} == {UUID(int=0), UUID(int=1)}
