"""The three kinds of sealed envelopes, and the checks a server without keys can make.

An envelope is a compact JWE (`dir`, `A256GCM`) whose protected header is known byte for byte once
the user, the company and the epoch are known. So the header is never interpreted: the expected
header is built and compared. Anything else, down to the encoding, is rejected, which leaves no
room for other algorithms, `zip`, `crit`, extra members or a plaintext.
"""

import json
import re
import secrets
import unicodedata

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from tessera_core import base64url
from tessera_core.kdf import KDF_VERSION, KEY_BYTES, SALT_BYTES

MAX_EPOCH = 2**31 - 1
MAX_PASSPHRASE_BYTES = 510

_Header = dict[str, str | int]

_USER_KEY_PLAINTEXT_BYTES = 141
_PASSPHRASE_PLAINTEXT_BYTES = 512
_IV_BYTES = 12
_TAG_BYTES = 16

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_EPOCH = re.compile(rb'"ep":([1-9][0-9]{0,9})\}')
# What the browser's trim() removes. Python's strip() removes a different set.
_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# The library would reject `kdf`, `slt`, `uid`, `cid` and `ep` as unknown; they are checked here.
_REGISTRY = jwe.JWERegistry(algorithms=["dir", "A256GCM"], strict_check_header=False)


class MalformedEnvelope(ValueError):
    """Not an envelope of the expected form. Needs no key; the message holds no secret."""


class EnvelopeNotOpened(ValueError):
    """Well-formed, but not sealed with this key for this purpose. Only key holders see this."""


# Checks by the server, without keys


def check_user_key(text: str, *, uid: str, cid: str, salt: bytes) -> None:
    _check(text, _user_key_header(uid, cid, salt), _USER_KEY_PLAINTEXT_BYTES)


def check_company_key(text: str, *, uid: str, cid: str) -> int:
    epoch = _read_epoch(text)
    _check(text, _company_key_header(uid, cid, epoch), KEY_BYTES)
    return epoch


def check_passphrase(text: str, *, cid: str) -> int:
    epoch = _read_epoch(text)
    _check(text, _passphrase_header(cid, epoch), _PASSPHRASE_PLAINTEXT_BYTES)
    return epoch


def check_passphrase_pair(text: str, *, uid: str, cid: str) -> int:
    company_key, passphrase = split_passphrase_pair(text)
    epoch = check_company_key(company_key, uid=uid, cid=cid)
    if check_passphrase(passphrase, cid=cid) != epoch:
        raise MalformedEnvelope("the company key and the passphrase are of different epochs")
    return epoch


def split_passphrase_pair(text: str) -> tuple[str, str]:
    parts = text.split("~")
    if len(parts) != 2:
        raise MalformedEnvelope("expected a sealed company key, '~' and a sealed passphrase")
    return parts[0], parts[1]


# Operations of key holders


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def seal_user_key(user_key: bytes, *, wrap_key: bytes, uid: str, cid: str, salt: bytes) -> str:
    header = _user_key_header(uid, cid, salt)
    pinned = {"k": base64url.encode(_key(user_key)), "uid": uid, "cid": cid}
    return _seal(header, _compact_json(pinned), wrap_key)


def open_user_key(text: str, *, wrap_key: bytes, uid: str, cid: str, salt: bytes) -> bytes:
    check_user_key(text, uid=uid, cid=cid, salt=salt)
    plaintext = _open(text, wrap_key)
    # 43 characters hold 258 bits: the canonical decoder rejects the two stray ones.
    expected = rb'\{"k":"([A-Za-z0-9_-]{43})","uid":"%b","cid":"%b"\}'
    match = re.fullmatch(expected % (uid.encode(), cid.encode()), plaintext)
    if not match:
        raise EnvelopeNotOpened("the user key is not pinned to this user and company")
    try:
        return base64url.decode(match[1].decode("ascii"))
    except ValueError:
        raise EnvelopeNotOpened("the user key inside is not canonical base64url") from None


def seal_company_key(company_key: bytes, *, user_key: bytes, uid: str, cid: str, epoch: int) -> str:
    return _seal(_company_key_header(uid, cid, epoch), _key(company_key), user_key)


def open_company_key(text: str, *, user_key: bytes, uid: str, cid: str) -> bytes:
    check_company_key(text, uid=uid, cid=cid)
    return _open(text, user_key)


def seal_passphrase(passphrase: str, *, company_key: bytes, cid: str, epoch: int) -> str:
    return _seal(_passphrase_header(cid, epoch), _pad(passphrase), company_key)


def open_passphrase(text: str, *, company_key: bytes, cid: str, epoch: int) -> str:
    if check_passphrase(text, cid=cid) != epoch:
        raise MalformedEnvelope("the company key and the passphrase are of different epochs")
    return _unpad(_open(text, company_key))


def seal_passphrase_pair(
    passphrase: str, *, user_key: bytes, uid: str, cid: str, epoch: int
) -> str:
    """Creates a new company key for the epoch and seals the passphrase with it: `CK~PP`."""
    company_key = new_key()
    sealed_key = seal_company_key(company_key, user_key=user_key, uid=uid, cid=cid, epoch=epoch)
    sealed = seal_passphrase(passphrase, company_key=company_key, cid=cid, epoch=epoch)
    return f"{sealed_key}~{sealed}"


def open_passphrase_pair(text: str, *, user_key: bytes, uid: str, cid: str) -> str:
    epoch = check_passphrase_pair(text, uid=uid, cid=cid)
    sealed_key, sealed_passphrase = split_passphrase_pair(text)
    company_key = open_company_key(sealed_key, user_key=user_key, uid=uid, cid=cid)
    return open_passphrase(sealed_passphrase, company_key=company_key, cid=cid, epoch=epoch)


# Headers, in the order fixed by the format


def _user_key_header(uid: str, cid: str, salt: bytes) -> _Header:
    return {
        "alg": "dir",
        "enc": "A256GCM",
        "typ": "tessera-uk+1",
        "kdf": KDF_VERSION,
        "slt": _salt(salt),
        "uid": _uuid(uid),
        "cid": _uuid(cid),
    }


def _company_key_header(uid: str, cid: str, epoch: int) -> _Header:
    return {
        "alg": "dir",
        "enc": "A256GCM",
        "typ": "tessera-ck+1",
        "uid": _uuid(uid),
        "cid": _uuid(cid),
        "ep": _epoch(epoch),
    }


def _passphrase_header(cid: str, epoch: int) -> _Header:
    return {
        "alg": "dir",
        "enc": "A256GCM",
        "typ": "tessera-pp+1",
        "cid": _uuid(cid),
        "ep": _epoch(epoch),
    }


def _uuid(text: str) -> str:
    if not _UUID.fullmatch(text):
        raise MalformedEnvelope("expected a UUID in lower case")
    return text


def _salt(data: bytes) -> str:
    if len(data) != SALT_BYTES:
        raise MalformedEnvelope("a salt has 16 bytes")
    return base64url.encode(data)


def _epoch(number: int) -> int:
    if not 1 <= number <= MAX_EPOCH:
        raise MalformedEnvelope("the epoch is out of range")
    return number


def _key(data: bytes) -> bytes:
    if len(data) != KEY_BYTES:
        raise ValueError("a key has 32 bytes")
    return data


def _compact_json(members: dict[str, str] | _Header) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode("ascii")


# Envelope structure


def _read_epoch(text: str) -> int:
    """Reads the epoch the header claims; the header is then compared as a whole."""
    match = _EPOCH.search(_segment(text.partition(".")[0], "header"))
    if not match:
        raise MalformedEnvelope("the header names no epoch")
    return int(match[1])


def _check(text: str, header: _Header, plaintext_bytes: int) -> None:
    segments = text.split(".")
    if len(segments) != 5:
        raise MalformedEnvelope("expected five segments: this is not a sealed envelope")
    head, encrypted_key, iv, ciphertext, tag = segments
    if head != base64url.encode(_compact_json(header)):
        raise MalformedEnvelope(
            f"the header must hold exactly {', '.join(header)}, in this order, "
            "and name this user, company and salt"
        )
    if encrypted_key:
        raise MalformedEnvelope("the encrypted key must be empty")
    if len(_segment(iv, "IV")) != _IV_BYTES:
        raise MalformedEnvelope("the IV must have 12 bytes")
    if len(_segment(ciphertext, "ciphertext")) != plaintext_bytes:
        raise MalformedEnvelope(f"the ciphertext must have {plaintext_bytes} bytes")
    if len(_segment(tag, "tag")) != _TAG_BYTES:
        raise MalformedEnvelope("the tag must have 16 bytes")


def _segment(text: str, name: str) -> bytes:
    try:
        return base64url.decode(text)
    except ValueError:
        raise MalformedEnvelope(f"the {name} is not canonical base64url") from None


def _seal(header: _Header, plaintext: bytes, key: bytes) -> str:
    return jwe.encrypt_compact(
        dict(header), plaintext, OctKey.import_key(_key(key)), registry=_REGISTRY
    )


def _open(text: str, key: bytes) -> bytes:
    try:
        opened = jwe.decrypt_compact(text, OctKey.import_key(_key(key)), registry=_REGISTRY)
    except JoseError:
        raise EnvelopeNotOpened("another key, or a changed envelope") from None
    return opened.plaintext or b""


# Passphrase padding, so that the ciphertext does not reveal the length


def _pad(passphrase: str) -> bytes:
    data = unicodedata.normalize("NFC", passphrase).strip(_BLANKS).encode("utf-8")
    if not 1 <= len(data) <= MAX_PASSPHRASE_BYTES:
        raise ValueError("a passphrase has 1 to 510 bytes")
    return (len(data).to_bytes(2, "big") + data).ljust(_PASSPHRASE_PLAINTEXT_BYTES, b"\0")


def _unpad(plaintext: bytes) -> str:
    length = int.from_bytes(plaintext[:2], "big")
    data, padding = plaintext[2 : 2 + length], plaintext[2 + length :]
    if not 1 <= length <= MAX_PASSPHRASE_BYTES or any(padding):
        raise EnvelopeNotOpened("the passphrase inside is not padded as it must be")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise EnvelopeNotOpened("the passphrase inside is not UTF-8") from None
