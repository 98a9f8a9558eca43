from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tests.log_example import COMPANY, RECOVERY_KEYS
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.recovery import (
    SealedRecovery,
    code_from_text,
    code_to_text,
    new_code,
    seal_recovery,
)

codes = st.binary(min_size=16, max_size=16)


class TestCode:
    @given(codes)
    def test_is_read_back_from_its_text(self, code: bytes) -> None:
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
    def test_others_are_refused(self, text: str) -> None:
        with pytest.raises(Malformed):
            code_from_text(text)

    def test_is_new_each_time(self) -> None:
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
    def test_arbitrary_bytes_are_refused(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            SealedRecovery.decode(data)

    @pytest.mark.parametrize("at", [0, 8, 9, 10])
    def test_versions_and_the_record_are_checked(self, at: int) -> None:
        raw = bytearray(SealedRecovery(COMPANY, 1, 1, bytes(16), bytes(81)).encode())
        assert len(raw) == 129
        raw[at] ^= 0x80
        with pytest.raises(Malformed):
            SealedRecovery.decode(bytes(raw))
