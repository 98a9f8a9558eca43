from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tests.log_example import (
    COMPANY,
    LEADER,
    LEADER_KEYS,
    MEMBER,
    MEMBER_KEYS,
    RECOVERY_KEYS,
    SPACE,
    Log,
    keys_of,
)
from tessera_core import jwe
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.key_envelopes import (
    KeyBundle,
    LeaderPin,
    RecordPin,
    RewindPin,
    SpacePin,
    check_keys,
    open_keys,
    seal_keys,
)
from tessera_core.log import EntryRefused, Reason
from tessera_core.recovery_records import RecoveryRecord, sign_record
from tessera_core.user_keys import PrivateKeys

UID, CID, USER_KEY = str(MEMBER), str(COMPANY), b"u" * 32
LEADER_PIN = LeaderPin(LEADER, LEADER_KEYS.public.fingerprint)

hashes = st.binary(min_size=32, max_size=32)
pins = st.builds(SpacePin, hashes, st.integers(1, 2**63), hashes)


def rewound(sequence: int, head: bytes, count: int, abandoned: int) -> KeyBundle:
    pin = SpacePin(b"f" * 32, sequence, head * 32)
    return KeyBundle(MEMBER_KEYS, spaces={SPACE: pin}, rewinds={SPACE: RewindPin(count, abandoned)})


def seal(bundle: KeyBundle, revision: int = 3) -> str:
    return seal_keys(bundle, user_key=USER_KEY, uid=UID, cid=CID, revision=revision)


class TestEnvelope:
    @given(
        st.builds(
            KeyBundle,
            keys=st.just(MEMBER_KEYS),
            leader=st.sampled_from([None, LEADER_PIN]),
            record=st.none() | st.builds(RecordPin, st.integers(1, 4096), hashes),
            pairs=st.lists(st.sampled_from([LEADER_KEYS, RECOVERY_KEYS]), max_size=3).map(tuple),
            removed=st.lists(hashes, max_size=3).map(tuple),
            removes_on_request=st.booleans(),
            spaces=st.dictionaries(st.uuids(), pins, max_size=50),
        )
    )
    def test_key_envelope_is_opened_again(self, bundle: KeyBundle) -> None:
        text = seal(bundle)
        assert check_keys(text, uid=UID, cid=CID) == 3
        assert open_keys(text, user_key=USER_KEY, uid=UID, cid=CID) == (bundle, 3)

    def test_hides_the_number_of_spaces(self) -> None:
        pin = SpacePin(bytes(32), 1, bytes(32))
        assert len(seal(KeyBundle(MEMBER_KEYS))) == len(
            seal(KeyBundle(MEMBER_KEYS, spaces={SPACE: pin}))
        )

    def test_opens_for_this_user_and_company_only(self) -> None:
        text = seal(KeyBundle(MEMBER_KEYS))
        for uid, cid in ((str(LEADER), CID), (UID, str(SPACE))):
            with pytest.raises(Malformed):
                open_keys(text, user_key=USER_KEY, uid=uid, cid=cid)
        with pytest.raises(NotAuthentic):
            open_keys(text, user_key=b"x" * 32, uid=UID, cid=CID)

    def test_key_envelope_over_256_kib_is_refused(self) -> None:
        pin = SpacePin(bytes(32), 1, bytes(32))
        spaces = {UUID(int=number): pin for number in range(2978)}
        seal(KeyBundle(MEMBER_KEYS, spaces=spaces))
        with pytest.raises(Malformed):
            seal(KeyBundle(MEMBER_KEYS, spaces={**spaces, UUID(int=5000): pin}))
        header = jwe.header("tessera-kp+1", uid=UID, cid=CID, rev=1)
        too_long = jwe.seal(header, bytes(260 * 1024), USER_KEY)
        with pytest.raises(Malformed):
            check_keys(too_long, uid=UID, cid=CID)

    @pytest.mark.parametrize("revision", [0, -1, 2**31])
    def test_revisions_out_of_range_are_refused(self, revision: int) -> None:
        with pytest.raises(Malformed):
            seal(KeyBundle(MEMBER_KEYS), revision)

    @given(st.data())
    def test_key_envelope_with_another_character_is_refused(self, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(SEALED) - 1))
        other = data.draw(st.characters(codec="ascii").filter(lambda each: each != SEALED[at]))
        with pytest.raises((Malformed, NotAuthentic)):
            open_keys(SEALED[:at] + other + SEALED[at + 1 :], user_key=USER_KEY, uid=UID, cid=CID)

    @given(st.text())
    def test_arbitrary_text_is_refused(self, text: str) -> None:
        with pytest.raises(Malformed):
            check_keys(text, uid=UID, cid=CID)


SEALED = seal(KeyBundle(MEMBER_KEYS))


class TestPins:
    def test_a_log_that_extends_what_was_seen_is_accepted(self) -> None:
        log = Log().begin()
        log.add()
        pin = SpacePin(log.entries[0].hash, 2, log.entries[1].hash)
        for entry in log.entries:
            pin.check(entry)
        pin.check_end(log.state)

    def test_pins_refuse_another_beginning_another_history_and_an_older_state(self) -> None:
        log = Log().begin()
        first, second = (entry.hash for entry in log.entries)
        for pin, entry in (
            (SpacePin(b"x" * 32, 2, second), log.entries[0]),
            (SpacePin(first, 2, b"x" * 32), log.entries[1]),
        ):
            with pytest.raises(EntryRefused) as refusal:
                pin.check(entry)
            assert refusal.value.reason == Reason.HISTORY_CHANGED
        with pytest.raises(EntryRefused):
            SpacePin(first, 3, second).check_end(log.state)

    def test_the_record_that_was_seen_is_among_those_shown(self) -> None:
        first, second, other = records()
        RecordPin(1, first.hash).check([first, second])
        RecordPin(2, second.hash).check([first, second])
        for shown in ([], [first], [first, other]):
            with pytest.raises(NotAuthentic):
                RecordPin(2, second.hash).check(shown)

    def test_pins_of_two_envelopes_only_grow(self) -> None:
        first, second, _ = records()
        old = KeyBundle(
            MEMBER_KEYS,
            leader=LEADER_PIN,
            record=RecordPin(1, first.hash),
            pairs=(LEADER_KEYS,),
            removed=(b"a" * 32,),
            spaces={SPACE: SpacePin(b"f" * 32, 9, b"9" * 32)},
        )
        new = KeyBundle(
            MEMBER_KEYS,
            record=RecordPin(2, second.hash),
            pairs=(LEADER_KEYS, RECOVERY_KEYS),
            removed=(b"b" * 32,),
            spaces={
                SPACE: SpacePin(b"f" * 32, 7, b"7" * 32),
                LEADER: SpacePin(b"g" * 32, 1, b"g" * 32),
            },
        )
        merged = new.merge(old)
        assert merged.leader == LEADER_PIN
        assert merged.record == new.record == old.merge(new).record
        assert merged.pairs == (LEADER_KEYS, RECOVERY_KEYS)
        assert merged.removed == (b"a" * 32, b"b" * 32)
        assert merged.spaces == {**new.spaces, **old.spaces}

    def test_the_pin_of_a_log_that_was_rewound_is_the_newer_one(self) -> None:
        before = KeyBundle(MEMBER_KEYS, spaces={SPACE: SpacePin(b"f" * 32, 9, b"9" * 32)})
        after = rewound(7, b"7", 1, 9)
        assert before.merge(after) == after.merge(before) == after
        again = rewound(8, b"8", 1, 12)
        assert again.merge(after) == after.merge(again) == again
        twice = rewound(4, b"4", 2, 12)
        assert twice.merge(again) == again.merge(twice) == twice

    @pytest.mark.parametrize(
        "other",
        [
            KeyBundle(MEMBER_KEYS, spaces={SPACE: SpacePin(b"x" * 32, 9, b"9" * 32)}),
            KeyBundle(MEMBER_KEYS, spaces={SPACE: SpacePin(b"f" * 32, 9, b"x" * 32)}),
            KeyBundle(MEMBER_KEYS, record=RecordPin(3, b"x" * 32)),
        ],
        ids=["another beginning", "another history", "another record"],
    )
    def test_pins_that_contradict_each_other_are_refused(self, other: KeyBundle) -> None:
        pin = SpacePin(b"f" * 32, 9, b"9" * 32)
        own = KeyBundle(MEMBER_KEYS, record=RecordPin(3, b"3" * 32), spaces={SPACE: pin})
        for one, two in ((own, other), (other, own)):
            with pytest.raises(EntryRefused):
                one.merge(two)


def records() -> tuple[RecoveryRecord, RecoveryRecord, RecoveryRecord]:
    """The first record, and two that both want to follow it."""

    def named(pair: PrivateKeys, before: RecoveryRecord | None = None) -> RecoveryRecord:
        return sign_record(
            pair,
            LEADER_KEYS,
            company=COMPANY,
            leader=LEADER,
            time=1,
            before=before,
            pair_before=RECOVERY_KEYS if before else None,
        )

    first = named(RECOVERY_KEYS)
    return first, named(keys_of("second"), first), named(keys_of("other"), first)
