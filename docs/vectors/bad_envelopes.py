"""The envelopes that must be refused, a list a type."""

from collections.abc import Callable
from dataclasses import replace

from by_hand import (
    CASE,
    COMPANY_KEY_IV,
    FORMER_KEY_IV,
    PASSKEY_IV,
    PASSPHRASE_IV,
    STRANGER,
    USER_KEY_IV,
    company_key_envelope,
    company_key_header,
    former_key_envelope,
    former_key_header,
    padded,
    passkey_envelope,
    passkey_header,
    passphrase_envelope,
    passphrase_header,
    seal,
    user_key_envelope,
    user_key_header,
    user_key_plaintext,
)
from tampered_headers import bad_headers
from tampering import Bad, bad, bad_segments

from tessera_core import base64url

OTHER_KEY = bytes([0x7A] * 32)
PHRASE = "Straße zum 7. Mosaik"


def bad_user_keys() -> list[Bad]:
    header, plaintext = user_key_header(), user_key_plaintext()
    other_salt = replace(CASE, salt=bytes(range(1, 17)))

    def holding(inside: bytes) -> str:
        return seal(header, inside, CASE.wrap_key, USER_KEY_IV)

    def headed(changed: str) -> str:
        return user_key_envelope(header=changed)

    def pinned(old: str, new: str) -> str:
        return holding(plaintext.replace(old.encode(), new.encode()))

    salt = base64url.encode(CASE.salt)
    key = base64url.encode(CASE.user_key)
    # 43 characters carry two bits more than 32 bytes; a careless decoder drops them.
    stray = key[:-1] + chr(ord(key[-1]) + 1)
    swapped = f'{{"uid":"{CASE.uid}","cid":"{CASE.cid}","k":"{key}"}}'
    spaced = f'{{"k": "{key[:42]}","uid":"{CASE.uid}","cid":"{CASE.cid}"}}'
    twice = f'{{"k":"{key}","uid":"{CASE.uid}","uid":"{CASE.uid}"}}'
    return [
        *bad_headers(header, headed),
        bad("shape", "kdf 0", headed(header.replace('"kdf":1', '"kdf":0'))),
        bad("shape", "kdf 2", headed(header.replace('"kdf":1', '"kdf":2'))),
        bad("shape", "kdf a text", headed(header.replace('"kdf":1', '"kdf":"1"'))),
        bad("shape", "kdf 1.0", headed(header.replace('"kdf":1', '"kdf":1.0'))),
        bad("shape", "another salt", user_key_envelope(other_salt)),
        bad("shape", "salt padded", headed(header.replace('ODw"', 'ODw=="'))),
        bad("shape", "salt with stray bits", headed(header.replace('ODw"', 'ODx"'))),
        bad("shape", "salt of 15 bytes", headed(header.replace(salt, base64url.encode(bytes(15))))),
        *bad_segments(user_key_envelope()),
        bad("shape", "a company key's envelope", company_key_envelope()),
        bad("shape", "a passphrase's envelope", passphrase_envelope()),
        bad("shape", "the key in the clear", key),
        bad("shape", "the plaintext in the clear", plaintext.decode()),
        bad(
            "shape",
            "the plaintext in place of the ciphertext, shorter",
            seal(header, CASE.user_key, CASE.wrap_key, USER_KEY_IV),
        ),
        bad("open", "sealed by another key", seal(header, plaintext, OTHER_KEY, USER_KEY_IV)),
        bad(
            "open",
            "the header not authenticated",
            seal(header, plaintext, CASE.wrap_key, USER_KEY_IV, aad=b""),
        ),
        bad(
            "open",
            "the header authenticated undecoded",
            seal(header, plaintext, CASE.wrap_key, USER_KEY_IV, aad=header.encode()),
        ),
        bad(
            "open",
            "the header of another salt put in front",
            _put_header(header, user_key_envelope(other_salt)),
        ),
        bad(
            "open", "another uid pinned inside", pinned(f'"uid":"{CASE.uid}', f'"uid":"{STRANGER}')
        ),
        bad(
            "open", "another cid pinned inside", pinned(f'"cid":"{CASE.cid}', f'"cid":"{STRANGER}')
        ),
        bad(
            "open",
            "uid and cid exchanged inside",
            holding(f'{{"k":"{key}","uid":"{CASE.cid}","cid":"{CASE.uid}"}}'.encode()),
        ),
        bad(
            "open",
            "the header of another user put on our own pins",
            _put_header(
                header,
                seal(
                    user_key_header(replace(CASE, uid=STRANGER)),
                    plaintext,
                    CASE.wrap_key,
                    USER_KEY_IV,
                ),
            ),
        ),
        bad("open", "members inside in another order", holding(swapped.encode())),
        bad("open", "a space inside, the key shorter", holding(spaced.encode())),
        bad("open", "uid twice inside, no cid", holding(twice.encode())),
        bad("open", "the key inside with stray bits", pinned(key, stray)),
        bad("open", "the key inside with a +", pinned(key, "+" + key[1:])),
        bad("open", "the key inside padded", pinned(key, key[:42] + "=")),
        bad("open", "the key under another name", pinned('"k"', '"K"')),
        bad("open", "bytes that are not text inside", holding(b"\xff" * len(plaintext))),
        bad("open", "zeros inside", holding(bytes(len(plaintext)))),
    ]


def bad_passkey_keys() -> list[Bad]:
    header, plaintext = passkey_header(), user_key_plaintext()
    other_salt = replace(CASE, salt=bytes(range(1, 17)))
    other_passkey = replace(CASE, credential_id=bytes(16))

    def sealed(inside: bytes, key: bytes = CASE.passkey_wrap_key, aad: bytes | None = None) -> str:
        return seal(header, inside, key, PASSKEY_IV, aad)

    return [
        *bad_headers(header, lambda changed: passkey_envelope(header=changed)),
        bad("shape", "another salt", passkey_envelope(other_salt)),
        bad("shape", "another passkey", passkey_envelope(other_passkey)),
        *bad_segments(passkey_envelope()),
        bad("shape", "a user key's envelope", user_key_envelope()),
        bad("shape", "a company key's envelope", company_key_envelope()),
        bad("shape", "the plaintext in the clear", plaintext.decode()),
        bad("shape", "the bare key sealed", sealed(CASE.user_key)),
        bad("open", "sealed by another key", sealed(plaintext, OTHER_KEY)),
        bad("open", "sealed by the wrap key of the password", sealed(plaintext, CASE.wrap_key)),
        bad("open", "sealed by the PRF's output itself", sealed(plaintext, CASE.prf_output)),
        bad("open", "the header not authenticated", sealed(plaintext, aad=b"")),
        bad(
            "open",
            "the header of another salt put in front",
            _put_header(header, passkey_envelope(other_salt)),
        ),
        bad(
            "open",
            "the key of another passkey under our header",
            _put_header(header, passkey_envelope(other_passkey)),
        ),
        bad(
            "open",
            "another uid pinned inside",
            sealed(plaintext.replace(CASE.uid.encode(), STRANGER.encode())),
        ),
        bad(
            "open",
            "another cid pinned inside",
            sealed(plaintext.replace(CASE.cid.encode(), STRANGER.encode())),
        ),
        bad("open", "zeros inside", sealed(bytes(len(plaintext)))),
    ]


def bad_company_keys() -> list[Bad]:
    header = company_key_header()
    next_epoch = replace(CASE, epoch=2)

    def sealed(inside: bytes, key: bytes = CASE.user_key, aad: bytes | None = None) -> str:
        return seal(header, inside, key, COMPANY_KEY_IV, aad)

    return [
        *bad_headers(header, lambda changed: company_key_envelope(header=changed)),
        *bad_segments(company_key_envelope()),
        bad("shape", "a user key's envelope", user_key_envelope()),
        bad("shape", "a passphrase's envelope", passphrase_envelope()),
        bad("shape", "a former key's envelope", former_key_envelope()),
        bad("shape", "the whole pair", f"{company_key_envelope()}~{passphrase_envelope()}"),
        *_bad_sealed_keys(header, sealed),
        bad("open", "sealed by the wrap key", sealed(CASE.company_key, CASE.wrap_key)),
        bad(
            "open",
            "the key of epoch 2 under a header of epoch 1",
            _put_header(header, company_key_envelope(next_epoch)),
        ),
        bad(
            "open",
            "another user's copy under our header",
            _put_header(header, company_key_envelope(replace(CASE, uid=STRANGER))),
        ),
        bad(
            "open",
            "another company's key under our header",
            _put_header(header, company_key_envelope(replace(CASE, cid=STRANGER))),
        ),
    ]


def bad_former_keys() -> list[Bad]:
    header = former_key_header()

    def sealed(inside: bytes, key: bytes = CASE.next_company_key, aad: bytes | None = None) -> str:
        return seal(header, inside, key, FORMER_KEY_IV, aad)

    return [
        *bad_headers(header, lambda changed: former_key_envelope(header=changed)),
        *bad_segments(former_key_envelope()),
        bad("shape", "a company key's envelope", company_key_envelope()),
        bad("shape", "a passphrase's envelope", passphrase_envelope()),
        *_bad_sealed_keys(header, sealed),
        bad("open", "sealed by the user key", sealed(CASE.company_key, CASE.user_key)),
        bad("open", "sealed by itself", sealed(CASE.company_key, CASE.company_key)),
        bad(
            "open",
            "the key of epoch 2 under a header of epoch 1",
            _put_header(header, former_key_envelope(replace(CASE, epoch=2))),
        ),
        bad(
            "open",
            "another company's key under our header",
            _put_header(header, former_key_envelope(replace(CASE, cid=STRANGER))),
        ),
    ]


def bad_passphrases() -> list[Bad]:
    header = passphrase_header()
    phrase = PHRASE.encode()

    def sealed(inside: bytes, key: bytes = CASE.company_key, aad: bytes | None = None) -> str:
        return seal(header, inside, key, PASSPHRASE_IV, aad)

    def claiming(length: int, text: bytes = phrase) -> bytes:
        return (length.to_bytes(2, "big") + text).ljust(512, b"\0")

    return [
        *bad_headers(header, lambda changed: passphrase_envelope(header=changed)),
        bad(
            "shape",
            "uid where it does not belong",
            passphrase_envelope(header=header.replace('"cid"', f'"uid":"{CASE.uid}","cid"')),
        ),
        *bad_segments(passphrase_envelope()),
        bad("shape", "a user key's envelope", user_key_envelope()),
        bad("shape", "a company key's envelope", company_key_envelope()),
        bad("shape", "a former key's envelope", former_key_envelope()),
        bad("shape", "the passphrase in the clear", PHRASE),
        bad("shape", "the passphrase in base64url", base64url.encode(phrase)),
        bad("shape", "not padded", sealed(phrase)),
        bad("shape", "padded to 256 bytes", sealed(padded(phrase)[:256])),
        bad("shape", "padded to 1024 bytes", sealed(padded(phrase).ljust(1024, b"\0"))),
        bad("shape", "a passphrase of 511 bytes", sealed(padded(b"x" * 511))),
        bad("open", "sealed by another key", sealed(padded(phrase), OTHER_KEY)),
        bad("open", "sealed by the user key", sealed(padded(phrase), CASE.user_key)),
        bad("open", "the header not authenticated", sealed(padded(phrase), aad=b"")),
        bad(
            "open",
            "the header authenticated undecoded",
            sealed(padded(phrase), aad=header.encode()),
        ),
        bad(
            "open",
            "the passphrase of epoch 2 under a header of epoch 1",
            _put_header(header, passphrase_envelope(phrase, replace(CASE, epoch=2))),
        ),
        bad(
            "open",
            "another company's passphrase under our header",
            _put_header(header, passphrase_envelope(phrase, replace(CASE, cid=STRANGER))),
        ),
        bad("open", "length 0", sealed(claiming(0))),
        bad("open", "zeros only", sealed(bytes(512))),
        bad("open", "length one too small", sealed(claiming(len(phrase) - 1))),
        bad("open", "length 511", sealed(claiming(511, b"x" * 510))),
        bad("open", "length 65535", sealed(claiming(65535))),
        bad(
            "open",
            "length in little-endian order",
            sealed((len(phrase).to_bytes(2, "little") + phrase).ljust(512, b"\0")),
        ),
        bad("open", "padding not zero at the end", sealed(padded(phrase)[:-1] + b"\1")),
        bad(
            "open",
            "padding not zero at its start",
            sealed((len(phrase).to_bytes(2, "big") + phrase + b"\x80").ljust(512, b"\0")),
        ),
        bad(
            "open",
            "padded with blanks",
            sealed((len(phrase).to_bytes(2, "big") + phrase).ljust(512, b" ")),
        ),
        bad("open", "invalid UTF-8: a lone continuation", sealed(padded(b"mosaic\x80tile"))),
        bad("open", "invalid UTF-8: cut in a character", sealed(padded("Straß".encode()[:-1]))),
        bad("open", "invalid UTF-8: overlong", sealed(padded(b"mosaic\xc0\xaftile"))),
        bad("open", "invalid UTF-8: a surrogate", sealed(padded(b"mosaic\xed\xa0\x80tile"))),
        bad("open", "Latin-1 bytes", sealed(padded(PHRASE.encode("latin-1")))),
    ]


def bad_pairs() -> list[Bad]:
    key, phrase = company_key_envelope(), passphrase_envelope()
    second = replace(CASE, epoch=2)
    next_key = company_key_envelope(second)
    next_phrase = passphrase_envelope(PHRASE.encode(), second)
    other = replace(CASE, company_key=OTHER_KEY)
    return [
        bad("shape", "epochs differ, the passphrase newer", f"{key}~{next_phrase}"),
        bad("shape", "epochs differ, the key newer", f"{next_key}~{phrase}"),
        bad("shape", "the wrong way round", f"{phrase}~{key}"),
        bad("shape", "no passphrase", key),
        bad("shape", "an empty passphrase", f"{key}~"),
        bad("shape", "an empty key", f"~{phrase}"),
        bad("shape", "three parts", f"{key}~{phrase}~{phrase}"),
        bad("shape", "two separators", f"{key}~~{phrase}"),
        bad("shape", "another separator", f"{key}.{phrase}"),
        bad("shape", "a blank around the separator", f"{key} ~ {phrase}"),
        bad("shape", "the key twice", f"{key}~{key}"),
        bad("shape", "the passphrase twice", f"{phrase}~{phrase}"),
        bad("shape", "a plaintext passphrase", PHRASE),
        bad("shape", "a plaintext passphrase with the separator in it", "one tile~another tile"),
        bad("shape", "a sealed key and a plaintext passphrase", f"{key}~{PHRASE}"),
        bad("shape", "empty", ""),
        bad(
            "shape",
            "another user's key",
            f"{company_key_envelope(replace(CASE, uid=STRANGER))}~{phrase}",
        ),
        bad(
            "shape",
            "another company's passphrase",
            f"{key}~{passphrase_envelope(PHRASE.encode(), replace(CASE, cid=STRANGER))}",
        ),
        bad(
            "open",
            "a key that does not fit the passphrase",
            f"{company_key_envelope(other)}~{phrase}",
        ),
        bad(
            "open",
            "a passphrase that does not fit the key",
            f"{key}~{passphrase_envelope(PHRASE.encode(), other)}",
        ),
        bad(
            "open",
            "the key sealed for another holder",
            f"{company_key_envelope(replace(CASE, user_key=OTHER_KEY))}~{phrase}",
        ),
    ]


def _bad_sealed_keys(header: str, sealed: Callable[..., str]) -> list[Bad]:
    """What can be wrong with any envelope that holds a company key."""
    return [
        bad("shape", "a key of 16 bytes", sealed(CASE.company_key[:16])),
        bad("shape", "a key of 33 bytes", sealed(CASE.company_key + b"\0")),
        bad("shape", "the key in the clear", base64url.encode(CASE.company_key)),
        bad("open", "sealed by another key", sealed(CASE.company_key, OTHER_KEY)),
        bad("open", "the header not authenticated", sealed(CASE.company_key, aad=b"")),
        bad(
            "open",
            "the header authenticated undecoded",
            sealed(CASE.company_key, aad=header.encode()),
        ),
    ]


def _put_header(header: str, envelope: str) -> str:
    return ".".join([base64url.encode(header.encode()), *envelope.split(".")[1:]])
