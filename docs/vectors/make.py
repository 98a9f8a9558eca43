"""Writes crypto-v1.json, the vectors that the browser's and the server's tests both run.

    PYTHONPATH=core python docs/vectors/make.py           writes the file
    PYTHONPATH=core python docs/vectors/make.py --check   fails when the file is stale

Everything is fixed (keys, salts, IVs), so the file comes out the same each time. Envelopes are
put together by hand here, on bare AES-GCM: the product's own sealing refuses to make bad ones and
draws its IVs at random. The product's opening then has to agree on the good ones.
"""

import json
import sys
import unicodedata
from pathlib import Path

from bad_envelopes import (
    bad_company_keys,
    bad_former_keys,
    bad_pairs,
    bad_passkey_keys,
    bad_passphrases,
    bad_user_keys,
)
from bad_texts import bad_auth_secrets, bad_salts, unsealable_passphrases
from by_hand import (
    CASE,
    Case,
    company_key_envelope,
    former_key_envelope,
    passkey_envelope,
    passphrase_envelope,
    user_key_envelope,
)

from tessera_core import base64url, envelopes
from tessera_core.kdf import derive, derive_master_key

TARGET = Path(__file__).with_name("crypto-v1.json")

PASSWORDS = [
    ("the plain one", "correct horse battery staple", CASE.salt),
    # Full-width letters, a ligature, a Roman numeral, a ring above: NFKC makes
    # "Mosaic five IV Ångström" of it.
    ("compatibility forms", "Ｍｏｓａｉｃ ﬁve Ⅳ A\u030angstro\u0308m", bytes(range(16, 32))),
]

# What the browser's trim() removes, and nothing else.
BLANKS = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
BLANKS += "\u2028\u2029\u202f\u205f\u3000\ufeff"

PASSPHRASES = [
    ("German", "Straße zum 7. Mosaik"),
    (
        "Turkish, letters in parts",
        "Gu\u0308nes\u0327li I\u0307stanbul\u2019da yedi renkli c\u0327ini",
    ),
    ("Arabic, hamza in parts", "فسيفساء من سبعة ا\u0654لوان"),
    ("every blank around it", f"{BLANKS}three clouds, one mosaic{BLANKS}"),
    ("control characters that are no blanks", "\x1cthree clouds, one mosaic\x85\u200b"),
    ("other scripts", "七色の寄木細工 🧩 семь"),
    ("510 bytes of UTF-8", "é" * 255),
    ("510 bytes after composing, 765 before", "e\u0301" * 255),
    ("one character", "x"),
    ("inner line break and NUL", "one\ntwo\0three"),
]


def derivations() -> list[dict[str, str]]:
    made = []
    for name, password, salt in PASSWORDS:
        derived = derive(password, salt)
        made.append(
            {
                "name": name,
                "password": password,
                "normalised": unicodedata.normalize("NFKC", password),
                "saltHex": salt.hex(),
                "masterKeyHex": derive_master_key(password, salt).hex(),
                "authSecret": derived.auth,
                "wrapKeyHex": derived.wrap_key.hex(),
            }
        )
    return made


def good_envelopes() -> dict[str, object]:
    user_key = user_key_envelope()
    company_key = company_key_envelope()
    rotated = Case(epoch=2_147_483_647)
    return {
        "userKey": user_key,
        "passkeyKey": passkey_envelope(),
        "companyKeys": [
            {"epoch": 1, "text": company_key},
            {"epoch": rotated.epoch, "text": company_key_envelope(rotated)},
        ],
        "formerKey": former_key_envelope(),
        "passphrases": [good_passphrase(name, typed) for name, typed in PASSPHRASES],
    }


def good_passphrase(name: str, typed: str) -> dict[str, str]:
    stored = unicodedata.normalize("NFC", typed).strip(BLANKS)
    text = passphrase_envelope(stored.encode())
    opened = envelopes.open_passphrase(text, company_key=CASE.company_key, cid=CASE.cid, epoch=1)
    assert opened == stored
    return {"name": name, "typed": typed, "stored": stored, "text": text}


def build() -> dict[str, object]:
    return {
        "about": "Made by make.py. `shape`: refused without any key, by the server with 422. "
        "`open`: well-formed; only a key holder can refuse it.",
        "kdf": 1,
        "argon2id": {"memoryKiB": 65536, "passes": 3, "lanes": 1, "outputBytes": 32},
        "case": {
            "uid": CASE.uid,
            "cid": CASE.cid,
            "epoch": CASE.epoch,
            "saltHex": CASE.salt.hex(),
            "salt": base64url.encode(CASE.salt),
            "wrapKeyHex": CASE.wrap_key.hex(),
            "userKeyHex": CASE.user_key.hex(),
            "companyKeyHex": CASE.company_key.hex(),
            "nextCompanyKeyHex": CASE.next_company_key.hex(),
            "credentialId": base64url.encode(CASE.credential_id),
            "prfOutputHex": CASE.prf_output.hex(),
            "passkeyWrapKeyHex": CASE.passkey_wrap_key.hex(),
        },
        "derivations": derivations(),
        "good": good_envelopes(),
        "mustFail": {
            "userKey": bad_user_keys(),
            "passkeyKey": bad_passkey_keys(),
            "companyKey": bad_company_keys(),
            "formerKey": bad_former_keys(),
            "passphrase": bad_passphrases(),
            "pair": bad_pairs(),
            "authSecret": bad_auth_secrets(),
            "salt": bad_salts(),
            "sealPassphrase": unsealable_passphrases(),
        },
    }


def main() -> None:
    text = json.dumps(build(), indent=1, ensure_ascii=True) + "\n"
    if "--check" in sys.argv:
        if TARGET.read_text("ascii") != text:
            sys.exit("crypto-v1.json is stale: run make.py")
        return
    TARGET.write_text(text, "ascii")


if __name__ == "__main__":
    main()
