import json
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera_core.bip39_english import WORDS
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.user_keys import (
    KEM_KEY_BYTES,
    PRIVATE_KEYS_BYTES,
    PUBLIC_KEYS_BYTES,
    PrivateKeys,
    PublicKeys,
)
from tessera_core.words import normalize_words, words_for

OFFICIAL = json.loads(Path(__file__).with_name("xwing.json").read_text("ascii"))
ALICE = PrivateKeys(b"a" * 32, b"A" * 32)
BOB = PrivateKeys(b"b" * 32, b"B" * 32)
NO_POINT = b"\x02" + bytes(31)


class TestKeys:
    @pytest.mark.parametrize("vector", OFFICIAL["xwing"], ids=lambda vector: vector["seed"][:8])
    def test_receive_with_official_xwing_keys(self, vector: dict[str, str]) -> None:
        keys = PrivateKeys(bytes(32), bytes.fromhex(vector["seed"]))
        assert keys.public.kem.hex() == vector["pk"]

    def test_come_back_from_their_encoding(self) -> None:
        assert len(ALICE.encode()) == PRIVATE_KEYS_BYTES
        assert len(ALICE.public.encode()) == PUBLIC_KEYS_BYTES
        assert PrivateKeys.decode(ALICE.encode()) == ALICE
        assert PublicKeys.decode(ALICE.public.encode()) == ALICE.public

    def test_user_keys_are_new_each_time_and_not_printed(self) -> None:
        keys = PrivateKeys.generate()
        assert keys != PrivateKeys.generate()
        assert repr(keys) == "PrivateKeys()"

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\x02" + ALICE.public.encode()[1:],
            ALICE.public.encode()[:-1],
            ALICE.public.encode() + b"\0",
        ],
    )
    def test_malformed_public_keys_are_refused(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            PublicKeys.decode(data)

    @pytest.mark.parametrize(
        "kem",
        [
            b"\xff" * 1184 + ALICE.public.kem[1184:],
            ALICE.public.kem[:1184] + bytes(32),
            ALICE.public.kem[:1184] + b"\x01" + bytes(31),
            bytes(KEM_KEY_BYTES - 1),
        ],
        ids=["coefficients too large", "zero point", "point of small order", "too short"],
    )
    def test_keys_to_which_nothing_can_be_sealed_are_refused(self, kem: bytes) -> None:
        with pytest.raises(Malformed):
            PublicKeys(ALICE.public.sign, kem)

    @pytest.mark.parametrize("data", [b"", b"\x02" + bytes(64), bytes(65), b"\x01" + bytes(65)])
    def test_malformed_private_keys_are_refused(self, data: bytes) -> None:
        with pytest.raises(Malformed):
            PrivateKeys.decode(data)


class TestSignatures:
    def test_signature_of_the_same_keys_and_message_verifies(self) -> None:
        ALICE.public.verify(ALICE.sign(b"message"), b"message")

    @pytest.mark.parametrize(
        ("keys", "signature", "message"),
        [
            (BOB.public, ALICE.sign(b"message"), b"message"),
            (ALICE.public, ALICE.sign(b"message"), b"another"),
            (ALICE.public, b"", b"message"),
            (ALICE.public, bytes(64), b"message"),
            (PublicKeys(NO_POINT, ALICE.public.kem), bytes(64), b"message"),
        ],
    )
    def test_signatures_of_other_keys_or_messages_are_refused(
        self, keys: PublicKeys, signature: bytes, message: bytes
    ) -> None:
        with pytest.raises(NotAuthentic):
            keys.verify(signature, message)


class TestSealing:
    def test_opens_for_the_recipient_with_the_same_info_only(self) -> None:
        sealed = ALICE.public.seal(b"secret", b"info")
        assert ALICE.open(sealed, b"info") == b"secret"
        for keys, info in ((BOB, b"info"), (ALICE, b"other")):
            with pytest.raises(NotAuthentic):
                keys.open(sealed, info)

    @given(st.data())
    def test_sealed_message_with_a_flipped_bit_is_refused(self, data: st.DataObject) -> None:
        sealed = bytearray(SEALED)
        at = data.draw(st.integers(0, len(sealed) - 1))
        sealed[at] ^= 1 << data.draw(st.integers(0, 7))
        with pytest.raises(NotAuthentic):
            ALICE.open(bytes(sealed), b"info")

    @pytest.mark.parametrize("size", [0, 1, 1119, 1120, 1135])
    def test_short_ones_are_refused(self, size: int) -> None:
        with pytest.raises(NotAuthentic):
            ALICE.open(bytes(size), b"info")


SEALED = ALICE.public.seal(b"secret", b"info")


class TestWords:
    def test_six_words_depend_on_company_and_user(self) -> None:
        words = words_for(ALICE.public, UUID(int=1), UUID(int=2))
        assert words == normalize_words(words)
        assert words != words_for(ALICE.public, UUID(int=2), UUID(int=1))

    def test_come_from_the_official_list(self) -> None:
        assert len(WORDS) == 2048
        assert sorted(WORDS) == WORDS
        assert len({word[:4] for word in WORDS}) == 2048

    @pytest.mark.parametrize(
        "typed",
        [
            "abandon ability able zoo zone zero",
            "  Abandon ABILITY able\nzoo zone zero ",
            "aban abil able zoo zone zero",
            "abandon-ability-able-zoo-zone-zero",
        ],
    )
    def test_six_words_are_read_as_people_type_them(self, typed: str) -> None:
        assert normalize_words(typed) == "abandon ability able zoo zone zero"

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "abandon",
            "abandon ability able zoo zone zero zoo",
            "a b c d e f",
            "abb abil able zoo",
        ],
    )
    def test_other_words_are_refused(self, typed: str) -> None:
        with pytest.raises(Malformed):
            normalize_words(typed)
