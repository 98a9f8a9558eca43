from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tests.log_example import COMPANY, LEADER, LEADER_KEYS, MEMBER, MEMBER_KEYS, SPACE, Log
from tessera_core import jwe
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.key_envelopes import (
    KeyBundle,
    LeaderPin,
    SpacePin,
    check_keys,
    open_keys,
    seal_keys,
)
from tessera_core.log import EntryRefused, Reason

UID, CID, USER_KEY = str(MEMBER), str(COMPANY), b"u" * 32
LEADER_PIN = LeaderPin(LEADER, LEADER_KEYS.public.fingerprint)

pins = st.builds(
    SpacePin,
    st.binary(min_size=32, max_size=32),
    st.integers(1, 2**63),
    st.binary(min_size=32, max_size=32),
)


def seal(bundle: KeyBundle, revision: int = 3) -> str:
    return seal_keys(bundle, user_key=USER_KEY, uid=UID, cid=CID, revision=revision)


class TestEnvelope:
    @given(st.dictionaries(st.uuids(), pins, max_size=50), st.sampled_from([None, LEADER_PIN]))
    def test_is_opened_again(
        self, spaces: dict[object, SpacePin], leader: LeaderPin | None
    ) -> None:
        bundle = KeyBundle(MEMBER_KEYS, leader, spaces)  # type: ignore[arg-type]
        text = seal(bundle)
        assert check_keys(text, uid=UID, cid=CID) == 3
        assert open_keys(text, user_key=USER_KEY, uid=UID, cid=CID) == bundle

    def test_hides_the_number_of_spaces(self) -> None:
        pin = SpacePin(bytes(32), 1, bytes(32))
        assert len(seal(KeyBundle(MEMBER_KEYS))) == len(
            seal(KeyBundle(MEMBER_KEYS, None, {SPACE: pin}))
        )

    def test_opens_for_this_user_and_company_only(self) -> None:
        text = seal(KeyBundle(MEMBER_KEYS))
        for uid, cid in ((str(LEADER), CID), (UID, str(SPACE))):
            with pytest.raises(Malformed):
                open_keys(text, user_key=USER_KEY, uid=uid, cid=cid)
        with pytest.raises(NotAuthentic):
            open_keys(text, user_key=b"x" * 32, uid=UID, cid=CID)

    def test_more_than_256_kib_are_refused(self) -> None:
        pin = SpacePin(bytes(32), 1, bytes(32))
        spaces = {UUID(int=number): pin for number in range(2978)}
        seal(KeyBundle(MEMBER_KEYS, None, spaces))
        with pytest.raises(Malformed):
            seal(KeyBundle(MEMBER_KEYS, None, {**spaces, UUID(int=5000): pin}))
        header = jwe.header("tessera-kp+1", uid=UID, cid=CID, rev=1)
        too_long = jwe.seal(header, bytes(260 * 1024), USER_KEY)
        with pytest.raises(Malformed):
            check_keys(too_long, uid=UID, cid=CID)

    @pytest.mark.parametrize("revision", [0, -1, 2**31])
    def test_revisions_out_of_range_are_refused(self, revision: int) -> None:
        with pytest.raises(Malformed):
            seal(KeyBundle(MEMBER_KEYS), revision)

    @given(st.data())
    def test_any_other_character_is_refused(self, data: st.DataObject) -> None:
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

    def test_another_beginning_another_history_and_an_older_state_are_refused(self) -> None:
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
