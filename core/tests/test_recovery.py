from dataclasses import replace
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
    keys_of,
)
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.handovers import RecoveryHandover, seal_recovery_handover
from tessera_core.recovery import (
    SealedRecovery,
    code_from_text,
    code_to_text,
    new_code,
    seal_recovery,
)
from tessera_core.recovery_records import RecoveryRecord, check_records, sign_record
from tessera_core.user_keys import PrivateKeys

codes = st.binary(min_size=16, max_size=16)


class TestCode:
    @given(codes)
    def test_recovery_code_is_read_back_from_its_text(self, code: bytes) -> None:
        text = code_to_text(code)
        assert [len(group) for group in text.split("-")] == [4] * 7
        assert code_from_text(text) == code
        assert code_from_text(text.lower().replace("-", " ").replace("0", "o")) == code

    def test_most_mistyped_codes_are_noticed(self) -> None:
        letters = code_to_text(bytes(range(16))).replace("-", "")
        noticed = 0
        for at in range(24):
            other = "1" if letters[at] == "0" else "0"
            try:
                code_from_text(letters[:at] + other + letters[at + 1 :])
            except Malformed:
                noticed += 1
        assert noticed == 24

    @pytest.mark.parametrize("text", ["", "0000", "U" * 28, "0" * 27, "0" * 29, "٠" * 28])
    def test_malformed_recovery_codes_are_refused(self, text: str) -> None:
        with pytest.raises(Malformed):
            code_from_text(text)

    def test_recovery_code_is_new_each_time(self) -> None:
        assert new_code() != new_code()
        assert len(new_code()) == 16


class TestSealedHalf:
    def test_opens_with_passphrase_and_code_in_any_spelling(self) -> None:
        code = new_code()
        passphrase = "  Stra\u00dfe u\u0308ber Wolken "
        sealed = seal_recovery(
            RECOVERY_KEYS, passphrase, code, company=COMPANY, counter=3, record=2
        )
        read = SealedRecovery.decode(sealed.encode())
        assert read == sealed
        assert (read.counter, read.record) == (3, 2)
        assert read.open("Stra\u00dfe \u00fcber Wolken", code) == RECOVERY_KEYS

    def test_needs_both_and_its_own_header(self) -> None:
        sealed = seal_recovery(
            RECOVERY_KEYS, "passphrase", b"c" * 16, company=COMPANY, counter=1, record=1
        )
        for changed, passphrase, code in (
            (sealed, "Passphrase", b"c" * 16),
            (sealed, "passphrase", b"d" * 16),
            (replace(sealed, counter=2), "passphrase", b"c" * 16),
            (replace(sealed, record=2), "passphrase", b"c" * 16),
        ):
            with pytest.raises(NotAuthentic):
                changed.open(passphrase, code)

    def test_a_code_of_another_length_is_refused(self) -> None:
        with pytest.raises(Malformed):
            seal_recovery(
                RECOVERY_KEYS, "passphrase", b"short", company=COMPANY, counter=1, record=1
            )

    @given(st.binary(max_size=140))
    def test_arbitrary_bytes_are_no_sealed_recovery_half(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            SealedRecovery.decode(data)

    @pytest.mark.parametrize("at", [0, 8, 9, 10])
    def test_versions_and_the_record_are_checked(self, at: int) -> None:
        raw = bytearray(SealedRecovery(COMPANY, 1, 1, bytes(16), bytes(81)).encode())
        assert len(raw) == 129
        raw[at] ^= 0x80
        with pytest.raises(Malformed):
            SealedRecovery.decode(bytes(raw))


class TestHandover:
    def handover(self, signer: PrivateKeys = LEADER_KEYS) -> RecoveryHandover:
        return seal_recovery_handover(
            RECOVERY_KEYS,
            MEMBER_KEYS.public,
            signer,
            company=COMPANY,
            sender=LEADER,
            recipient=MEMBER,
            counter=3,
        )

    def test_opens_for_the_recipient_of_this_company(self) -> None:
        handover = RecoveryHandover.decode(self.handover().encode())
        opened = handover.open(LEADER_KEYS.public, MEMBER_KEYS, company=COMPANY)
        assert (opened, handover.counter) == (RECOVERY_KEYS, 3)
        for keys, company in ((LEADER_KEYS, COMPANY), (MEMBER_KEYS, UUID(int=9))):
            with pytest.raises(NotAuthentic):
                handover.open(LEADER_KEYS.public, keys, company=company)

    def test_recovery_handover_of_another_signer_is_refused(self) -> None:
        """Anyone can seal to the recipient's keys."""
        with pytest.raises(NotAuthentic):
            self.handover(RECOVERY_KEYS).open(LEADER_KEYS.public, MEMBER_KEYS, company=COMPANY)


class TestRecords:
    def test_recovery_records_follow_each_other(self) -> None:
        first = sign_record(RECOVERY_KEYS, LEADER_KEYS, company=COMPANY, leader=LEADER, time=9)
        second = sign_record(
            keys_of("second"),
            MEMBER_KEYS,
            company=COMPANY,
            leader=MEMBER,
            time=3,
            before=first,
            pair_before=RECOVERY_KEYS,
        )
        chain = [RecoveryRecord.decode(each.encode()) for each in (first, second)]
        check_records(chain, COMPANY)
        assert [(each.counter, each.time) for each in chain] == [(1, 9), (2, 9)]
        chain[1].verify_leader(MEMBER_KEYS.public)
        with pytest.raises(NotAuthentic):
            chain[1].verify_leader(LEADER_KEYS.public)

    def test_a_replacement_needs_the_pair_before(self) -> None:
        first = sign_record(RECOVERY_KEYS, LEADER_KEYS, company=COMPANY, leader=LEADER, time=9)
        with pytest.raises(ValueError, match="pair before"):
            sign_record(
                keys_of("second"),
                LEADER_KEYS,
                company=COMPANY,
                leader=LEADER,
                time=9,
                before=first,
            )
