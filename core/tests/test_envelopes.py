import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera_core import base64url, envelopes
from tessera_core.errors import Malformed, NotAuthentic

DOCS = Path(__file__).parents[2] / "docs/vectors"
VECTORS: dict[str, Any] = json.loads((DOCS / "crypto-v1.json").read_text("ascii"))
CASE = VECTORS["case"]
GOOD = VECTORS["good"]
BAD = VECTORS["mustFail"]

UID: str = CASE["uid"]
CID: str = CASE["cid"]
SALT = bytes.fromhex(CASE["saltHex"])
WRAP_KEY = bytes.fromhex(CASE["wrapKeyHex"])
USER_KEY = bytes.fromhex(CASE["userKeyHex"])
COMPANY_KEY = bytes.fromhex(CASE["companyKeyHex"])
PASSKEY_KEY = bytes.fromhex(CASE["passkeyWrapKeyHex"])
CREDENTIAL_ID = base64url.decode(CASE["credentialId"])
NEXT_KEY = bytes.fromhex(CASE["nextCompanyKeyHex"])

keys = st.binary(min_size=32, max_size=32)
uuids = st.uuids().map(str)
epochs = st.integers(1, envelopes.MAX_EPOCH)
# Python accepts lone surrogates as characters, but UTF-8 cannot encode them.
characters = st.characters(exclude_categories=["Cs"])


def check_user_key(text: str) -> None:
    envelopes.check_user_key(text, uid=UID, cid=CID, salt=SALT)


def check_passkey_key(text: str) -> None:
    envelopes.check_passkey_key(text, uid=UID, cid=CID, salt=SALT, credential_id=CREDENTIAL_ID)


def check_company_key(text: str) -> int:
    return envelopes.check_company_key(text, uid=UID, cid=CID)


def check_passphrase(text: str) -> int:
    return envelopes.check_passphrase(text, cid=CID)


def check_former_key(text: str) -> int:
    return envelopes.check_former_key(text, cid=CID)


def check_pair(text: str) -> int:
    return envelopes.check_passphrase_pair(text, uid=UID, cid=CID)


def open_user_key(text: str) -> bytes:
    return envelopes.open_user_key(text, wrap_key=WRAP_KEY, uid=UID, cid=CID, salt=SALT)


def open_passkey_key(text: str) -> bytes:
    return envelopes.open_passkey_key(
        text, wrap_key=PASSKEY_KEY, uid=UID, cid=CID, salt=SALT, credential_id=CREDENTIAL_ID
    )


def open_company_key(text: str) -> bytes:
    return envelopes.open_company_key(text, user_key=USER_KEY, uid=UID, cid=CID)


def open_passphrase(text: str) -> str:
    return envelopes.open_passphrase(text, company_key=COMPANY_KEY, cid=CID, epoch=1)


def open_former_key(text: str) -> bytes:
    return envelopes.open_former_key(text, company_key=NEXT_KEY, cid=CID, epoch=1)


def open_pair(text: str) -> str:
    return envelopes.open_passphrase_pair(text, user_key=USER_KEY, uid=UID, cid=CID)


CHECK = {
    "userKey": check_user_key,
    "passkeyKey": check_passkey_key,
    "companyKey": check_company_key,
    "formerKey": check_former_key,
    "passphrase": check_passphrase,
    "pair": check_pair,
}
OPEN = {
    "userKey": open_user_key,
    "passkeyKey": open_passkey_key,
    "companyKey": open_company_key,
    "formerKey": open_former_key,
    "passphrase": open_passphrase,
    "pair": open_pair,
}
BAD_ENVELOPES = [
    pytest.param(kind, bad, id=f"{kind}: {bad['reason']}") for kind in CHECK for bad in BAD[kind]
]


class TestVectors:
    def test_vectors_are_what_their_script_makes(self) -> None:
        subprocess.run(
            [sys.executable, DOCS / "make.py", "--check"],
            check=True,
            env={"PYTHONPATH": str(Path(__file__).parents[1])},
        )

    def test_user_key_of_the_vectors_opens(self) -> None:
        check_user_key(GOOD["userKey"])
        assert open_user_key(GOOD["userKey"]) == USER_KEY

    def test_passkey_key_opens_with_what_the_passkey_derives(self) -> None:
        assert envelopes.passkey_wrap_key(bytes.fromhex(CASE["prfOutputHex"])) == PASSKEY_KEY
        check_passkey_key(GOOD["passkeyKey"])
        assert open_passkey_key(GOOD["passkeyKey"]) == USER_KEY

    @pytest.mark.parametrize("good", GOOD["companyKeys"], ids=lambda good: f"epoch {good['epoch']}")
    def test_company_key_of_the_vectors_opens(self, good: dict[str, Any]) -> None:
        assert check_company_key(good["text"]) == good["epoch"]
        assert open_company_key(good["text"]) == COMPANY_KEY

    def test_former_key_opens_with_the_key_of_the_next_epoch(self) -> None:
        assert check_former_key(GOOD["formerKey"]) == 1
        assert open_former_key(GOOD["formerKey"]) == COMPANY_KEY
        with pytest.raises(Malformed):
            envelopes.open_former_key(GOOD["formerKey"], company_key=NEXT_KEY, cid=CID, epoch=2)

    @pytest.mark.parametrize("good", GOOD["passphrases"], ids=lambda good: good["name"])
    def test_passphrase_of_the_vectors_opens(self, good: dict[str, str]) -> None:
        assert check_passphrase(good["text"]) == 1
        assert open_passphrase(good["text"]) == good["stored"]

    @pytest.mark.parametrize("good", GOOD["passphrases"], ids=lambda good: good["name"])
    def test_passphrase_is_sealed_normalised_and_trimmed(self, good: dict[str, str]) -> None:
        sealed = envelopes.seal_passphrase(good["typed"], company_key=COMPANY_KEY, cid=CID, epoch=1)
        assert open_passphrase(sealed) == good["stored"]
        assert len(sealed) == len(good["text"])

    def test_key_pair_of_the_vectors_opens(self) -> None:
        pair = f"{GOOD['companyKeys'][0]['text']}~{GOOD['passphrases'][0]['text']}"
        assert check_pair(pair) == 1
        assert open_pair(pair) == GOOD["passphrases"][0]["stored"]

    @pytest.mark.parametrize(("kind", "bad"), BAD_ENVELOPES)
    def test_bad_envelope_is_refused(self, kind: str, bad: dict[str, str]) -> None:
        if bad["sees"] == "shape":
            with pytest.raises(Malformed):
                CHECK[kind](bad["text"])
            with pytest.raises(Malformed):
                OPEN[kind](bad["text"])
        else:
            CHECK[kind](bad["text"])
            with pytest.raises(NotAuthentic):
                OPEN[kind](bad["text"])

    @pytest.mark.parametrize("bad", BAD["sealPassphrase"], ids=lambda bad: bad["reason"])
    def test_passphrase_that_does_not_fit_is_not_sealed(self, bad: dict[str, str]) -> None:
        with pytest.raises(ValueError, match=r"510 bytes|surrogates"):
            envelopes.seal_passphrase(bad["text"], company_key=COMPANY_KEY, cid=CID, epoch=1)


class TestReasons:
    def test_hold_nothing_of_what_was_sent(self) -> None:
        for kind, check in CHECK.items():
            with pytest.raises(Malformed) as refusal:
                check("my secret passphrase")
            assert "secret" not in str(refusal.value), kind
            assert refusal.value.__cause__ is None
            assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


class TestIdentifiers:
    @pytest.mark.parametrize(
        "uid",
        [
            "",
            "AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA",
            "111111111111411181111111111111111111",
            "{11111111-1111-4111-8111-111111111111}",
            "11111111-1111-4111-8111-111111111111\n",
            '1","cid":"x',
        ],
    )
    def test_other_spellings_are_refused_before_sealing_and_checking(self, uid: str) -> None:
        with pytest.raises(Malformed):
            envelopes.seal_company_key(COMPANY_KEY, user_key=USER_KEY, uid=uid, cid=CID, epoch=1)
        with pytest.raises(Malformed):
            envelopes.check_user_key(GOOD["userKey"], uid=uid, cid=CID, salt=SALT)

    @pytest.mark.parametrize("epoch", [0, -1, envelopes.MAX_EPOCH + 1])
    def test_epochs_out_of_range_are_refused(self, epoch: int) -> None:
        with pytest.raises(Malformed):
            envelopes.seal_company_key(
                COMPANY_KEY, user_key=USER_KEY, uid=UID, cid=CID, epoch=epoch
            )

    def test_salts_and_keys_of_another_length_are_refused(self) -> None:
        with pytest.raises(Malformed):
            envelopes.check_user_key(GOOD["userKey"], uid=UID, cid=CID, salt=SALT[:15])
        with pytest.raises(ValueError, match="32 bytes"):
            envelopes.seal_company_key(bytes(31), user_key=USER_KEY, uid=UID, cid=CID, epoch=1)
        with pytest.raises(ValueError, match="32 bytes"):
            envelopes.seal_company_key(COMPANY_KEY, user_key=bytes(16), uid=UID, cid=CID, epoch=1)


class TestRoundTrips:
    @given(keys, keys, uuids, uuids, st.binary(min_size=16, max_size=16))
    def test_sealed_user_key_opens_again(
        self, key: bytes, wrap: bytes, uid: str, cid: str, salt: bytes
    ) -> None:
        text = envelopes.seal_user_key(key, wrap_key=wrap, uid=uid, cid=cid, salt=salt)
        envelopes.check_user_key(text, uid=uid, cid=cid, salt=salt)
        opened = envelopes.open_user_key(text, wrap_key=wrap, uid=uid, cid=cid, salt=salt)
        assert opened == key

    @given(keys, keys, uuids, uuids, st.binary(min_size=1, max_size=1023))
    def test_key_sealed_for_a_passkey_opens_again(
        self, key: bytes, wrap: bytes, uid: str, cid: str, crd: bytes
    ) -> None:
        text = envelopes.seal_passkey_key(
            key, wrap_key=wrap, uid=uid, cid=cid, salt=SALT, credential_id=crd
        )
        opened = envelopes.open_passkey_key(
            text, wrap_key=wrap, uid=uid, cid=cid, salt=SALT, credential_id=crd
        )
        assert opened == key

    @given(st.text(characters, min_size=1, max_size=120), keys, uuids, uuids, epochs)
    def test_sealed_key_pair_opens_again(
        self, typed: str, user_key: bytes, uid: str, cid: str, epoch: int
    ) -> None:
        def seal() -> str:
            return envelopes.seal_passphrase_pair(
                typed, user_key=user_key, uid=uid, cid=cid, epoch=epoch
            )

        try:
            pair = seal()
        except ValueError:
            return
        assert envelopes.check_passphrase_pair(pair, uid=uid, cid=cid) == epoch
        opened = envelopes.open_passphrase_pair(pair, user_key=user_key, uid=uid, cid=cid)
        # The stored passphrase is already normalized, so sealing it again changes nothing.
        again = envelopes.seal_passphrase_pair(
            opened, user_key=user_key, uid=uid, cid=cid, epoch=epoch
        )
        assert envelopes.open_passphrase_pair(again, user_key=user_key, uid=uid, cid=cid) == opened
        assert seal() != pair

    @given(keys, keys, uuids, epochs)
    def test_sealed_former_key_opens_again(
        self, former: bytes, key: bytes, cid: str, epoch: int
    ) -> None:
        text = envelopes.seal_former_key(former, company_key=key, cid=cid, epoch=epoch)
        assert envelopes.check_former_key(text, cid=cid) == epoch
        opened = envelopes.open_former_key(text, company_key=key, cid=cid, epoch=epoch)
        assert opened == former


TAMPERED = {
    "userKey": GOOD["userKey"],
    "companyKey": GOOD["companyKeys"][0]["text"],
    "passphrase": GOOD["passphrases"][0]["text"],
}
# Of the alphabet, beside it, of other scripts, and what looks like nothing.
OTHERS = "ABab019-_.+/= \n\0\u00e9\u0660\u200b\uff21\U0001f511"


class TestTampering:
    @pytest.mark.parametrize("kind", list(TAMPERED))
    def test_envelope_with_a_flipped_bit_is_refused(self, kind: str) -> None:
        parts = TAMPERED[kind].split(".")
        for index in (0, 2, 3, 4):
            raw = base64url.decode(parts[index])
            for at, bit in product(range(len(raw)), range(8)):
                other = raw[:at] + bytes([raw[at] ^ 1 << bit]) + raw[at + 1 :]
                tampered = [*parts[:index], base64url.encode(other), *parts[index + 1 :]]
                with pytest.raises((Malformed, NotAuthentic)):
                    OPEN[kind](".".join(tampered))

    @pytest.mark.parametrize("kind", list(TAMPERED))
    def test_envelope_with_another_character_is_refused(self, kind: str) -> None:
        good = TAMPERED[kind]
        for at, other in product(range(len(good)), OTHERS):
            if other != good[at]:
                with pytest.raises((Malformed, NotAuthentic)):
                    OPEN[kind](good[:at] + other + good[at + 1 :])

    @pytest.mark.parametrize("kind", list(CHECK))
    @given(text=st.text(st.characters()))
    def test_arbitrary_text_is_refused_and_nothing_worse(self, kind: str, text: str) -> None:
        with pytest.raises(Malformed):
            CHECK[kind](text)
