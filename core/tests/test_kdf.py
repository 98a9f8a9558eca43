import json
from pathlib import Path
from typing import Any

import pytest

from tessera_core import base64url
from tessera_core.kdf import (
    derive,
    is_auth_secret,
    new_salt,
    salt_from_text,
    salt_to_text,
)

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs/vectors/crypto-v1.json").read_text("ascii")
)


class TestDerive:
    @pytest.mark.parametrize("vector", VECTORS["derivations"], ids=lambda vector: vector["name"])
    def test_gives_the_known_answer(self, vector: dict[str, str]) -> None:
        derived = derive(vector["password"], bytes.fromhex(vector["saltHex"]))
        assert derived.auth == vector["authSecret"]
        assert derived.wrap_key.hex() == vector["wrapKeyHex"]

    def test_composed_and_compatibility_forms_are_one_password(self) -> None:
        vector = VECTORS["derivations"][1]
        assert vector["normalised"] != vector["password"]
        derived = derive(vector["normalised"], bytes.fromhex(vector["saltHex"]))
        assert derived.auth == vector["authSecret"]
        assert vector["authSecret"] not in repr(derived)

    def test_refuses_an_empty_password_and_a_short_salt(self) -> None:
        with pytest.raises(ValueError, match="empty"):
            derive("", bytes(16))
        with pytest.raises(ValueError, match="16 bytes"):
            derive("correct horse battery staple", bytes(15))


class TestIsAuthSecret:
    def test_accepts_what_derive_gives(self) -> None:
        for vector in VECTORS["derivations"]:
            assert is_auth_secret(vector["authSecret"])

    @pytest.mark.parametrize(
        "bad", VECTORS["mustFail"]["authSecret"], ids=lambda bad: bad["reason"]
    )
    def test_malformed_auth_secrets_are_refused(self, bad: dict[str, str]) -> None:
        assert not is_auth_secret(bad["text"])


class TestSalt:
    def test_salt_is_read_back_from_its_text(self) -> None:
        salt = new_salt()
        assert len(salt) == 16
        assert salt != new_salt()
        assert salt_from_text(salt_to_text(salt)) == salt

    @pytest.mark.parametrize("bad", VECTORS["mustFail"]["salt"], ids=lambda bad: bad["reason"])
    def test_malformed_salts_are_refused(self, bad: dict[str, str]) -> None:
        with pytest.raises(ValueError, match=r"base64url|16 bytes"):
            salt_from_text(bad["text"])

    def test_refuses_to_spell_a_salt_of_another_length(self) -> None:
        with pytest.raises(ValueError, match="16 bytes"):
            salt_to_text(bytes(15))


class TestBase64url:
    def test_base64url_has_one_spelling_for_each_byte_string(self) -> None:
        spellings = [first + second for first in _ALPHABET for second in _ALPHABET]
        decoded = [text for text in spellings if _decodes(text)]
        assert len(decoded) == 256


_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/="


def _decodes(text: str) -> bool:
    try:
        base64url.decode(text)
    except ValueError:
        return False
    return True
