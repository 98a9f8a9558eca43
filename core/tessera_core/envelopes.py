"""Envelopes of the user's key, the company's key and the passphrase.

The server checks them without keys; the browser, the client and the command line open them.
"""

import re
import secrets

from tessera_core import base64url, jwe
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.kdf import KDF_VERSION, KEY_BYTES, SALT_BYTES, derive_key
from tessera_core.passphrases import MAX_PASSPHRASE_BYTES, normalize_passphrase

MAX_EPOCH = jwe.MAX_NUMBER
MAX_CREDENTIAL_ID_BYTES = 1023

_COMPANY_KEY, _PASSPHRASE, _FORMER_KEY = "tessera-ck+1", "tessera-pp+1", "tessera-fk+1"
_USER_KEY_PLAINTEXT_BYTES = 141
_PASSPHRASE_PLAINTEXT_BYTES = 512


# Checks by the server, without keys


def check_user_key(text: str, *, uid: str, cid: str, salt: bytes) -> None:
    _check(text, _user_key_header(uid, cid, salt), _USER_KEY_PLAINTEXT_BYTES)


def check_passkey_key(text: str, *, uid: str, cid: str, salt: bytes, credential_id: bytes) -> None:
    header = _passkey_header(uid, cid, salt, credential_id)
    _check(text, header, _USER_KEY_PLAINTEXT_BYTES)


def check_company_key(text: str, *, uid: str, cid: str) -> int:
    return _check_epoch(text, _COMPANY_KEY, KEY_BYTES, uid=uid, cid=cid)


def check_passphrase(text: str, *, cid: str) -> int:
    return _check_epoch(text, _PASSPHRASE, _PASSPHRASE_PLAINTEXT_BYTES, cid=cid)


def check_former_key(text: str, *, cid: str) -> int:
    return _check_epoch(text, _FORMER_KEY, KEY_BYTES, cid=cid)


def check_passphrase_pair(text: str, *, uid: str, cid: str) -> int:
    company_key, passphrase = split_passphrase_pair(text)
    epoch = check_company_key(company_key, uid=uid, cid=cid)
    if check_passphrase(passphrase, cid=cid) != epoch:
        raise Malformed("the company key and the passphrase are of different epochs")
    return epoch


def split_passphrase_pair(text: str) -> tuple[str, str]:
    parts = text.split("~")
    if len(parts) != 2:
        raise Malformed("expected a sealed company key, '~' and a sealed passphrase")
    return parts[0], parts[1]


# Operations of key holders


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def seal_user_key(user_key: bytes, *, wrap_key: bytes, uid: str, cid: str, salt: bytes) -> str:
    return jwe.seal(_user_key_header(uid, cid, salt), _pin(user_key, uid, cid), wrap_key)


def open_user_key(text: str, *, wrap_key: bytes, uid: str, cid: str, salt: bytes) -> bytes:
    check_user_key(text, uid=uid, cid=cid, salt=salt)
    return _unpin(jwe.unseal(text, wrap_key), uid, cid)


def passkey_wrap_key(prf_output: bytes) -> bytes:
    """Derives what seals the user key from the passkey's PRF output for this user."""
    return derive_key(jwe.check_key(prf_output), "tessera/v1/passkey")


def seal_passkey_key(
    user_key: bytes, *, wrap_key: bytes, uid: str, cid: str, salt: bytes, credential_id: bytes
) -> str:
    """Seals the user key for a passkey. The salt is the password's: both belong to one key."""
    header = _passkey_header(uid, cid, salt, credential_id)
    return jwe.seal(header, _pin(user_key, uid, cid), wrap_key)


def open_passkey_key(
    text: str, *, wrap_key: bytes, uid: str, cid: str, salt: bytes, credential_id: bytes
) -> bytes:
    check_passkey_key(text, uid=uid, cid=cid, salt=salt, credential_id=credential_id)
    return _unpin(jwe.unseal(text, wrap_key), uid, cid)


def _pin(user_key: bytes, uid: str, cid: str) -> bytes:
    encoded = base64url.encode(jwe.check_key(user_key))
    return jwe.compact_json({"k": encoded, "uid": uid, "cid": cid})


def _unpin(plaintext: bytes, uid: str, cid: str) -> bytes:
    # 43 characters hold 258 bits: the canonical decoder rejects the two stray ones.
    expected = rb'\{"k":"([A-Za-z0-9_-]{43})","uid":"%b","cid":"%b"\}'
    match = re.fullmatch(expected % (uid.encode(), cid.encode()), plaintext)
    if not match:
        raise NotAuthentic("the user key is not pinned to this user and company")
    try:
        return base64url.decode(match[1].decode("ascii"))
    except ValueError:
        raise NotAuthentic("the user key inside is not canonical base64url") from None


def seal_company_key(company_key: bytes, *, user_key: bytes, uid: str, cid: str, epoch: int) -> str:
    header = _epoch_header(_COMPANY_KEY, epoch, uid=uid, cid=cid)
    return jwe.seal(header, jwe.check_key(company_key), user_key)


def open_company_key(text: str, *, user_key: bytes, uid: str, cid: str) -> bytes:
    check_company_key(text, uid=uid, cid=cid)
    return jwe.unseal(text, user_key)


def seal_former_key(former_key: bytes, *, company_key: bytes, cid: str, epoch: int) -> str:
    """Seals the key of the epoch with the company key of the next one."""
    header = _epoch_header(_FORMER_KEY, epoch, cid=cid)
    return jwe.seal(header, jwe.check_key(former_key), company_key)


def open_former_key(text: str, *, company_key: bytes, cid: str, epoch: int) -> bytes:
    if check_former_key(text, cid=cid) != epoch:
        raise Malformed("the former key is of another epoch")
    return jwe.unseal(text, company_key)


def seal_passphrase(passphrase: str, *, company_key: bytes, cid: str, epoch: int) -> str:
    return jwe.seal(_epoch_header(_PASSPHRASE, epoch, cid=cid), _pad(passphrase), company_key)


def open_passphrase(text: str, *, company_key: bytes, cid: str, epoch: int) -> str:
    if check_passphrase(text, cid=cid) != epoch:
        raise Malformed("the company key and the passphrase are of different epochs")
    return _unpad(jwe.unseal(text, company_key))


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


def _user_key_header(uid: str, cid: str, salt: bytes) -> jwe.Header:
    if len(salt) != SALT_BYTES:
        raise Malformed("a salt has 16 bytes")
    return jwe.header(
        "tessera-uk+1",
        kdf=KDF_VERSION,
        slt=base64url.encode(salt),
        uid=jwe.check_uuid(uid),
        cid=jwe.check_uuid(cid),
    )


def _passkey_header(uid: str, cid: str, salt: bytes, credential_id: bytes) -> jwe.Header:
    if len(salt) != SALT_BYTES:
        raise Malformed("a salt has 16 bytes")
    if not 1 <= len(credential_id) <= MAX_CREDENTIAL_ID_BYTES:
        raise Malformed("a credential id has 1 to 1023 bytes")
    return jwe.header(
        "tessera-pk+1",
        slt=base64url.encode(salt),
        uid=jwe.check_uuid(uid),
        cid=jwe.check_uuid(cid),
        crd=base64url.encode(credential_id),
    )


def _epoch_header(type_: str, epoch: int, **ids: str) -> jwe.Header:
    checked = {name: jwe.check_uuid(value) for name, value in ids.items()}
    return jwe.header(type_, **checked, ep=jwe.check_number(epoch))


def _check_epoch(text: str, type_: str, plaintext_bytes: int, **ids: str) -> int:
    """Returns the epoch, which the header names."""
    epoch = jwe.read_number(text, "ep")
    _check(text, _epoch_header(type_, epoch, **ids), plaintext_bytes)
    return epoch


def _check(text: str, header: jwe.Header, plaintext_bytes: int) -> None:
    if jwe.check(text, header) != plaintext_bytes:
        raise Malformed(f"the ciphertext must have {plaintext_bytes} bytes")


# Passphrase padding, so that the ciphertext does not reveal the length


def _pad(passphrase: str) -> bytes:
    data = normalize_passphrase(passphrase)
    return (len(data).to_bytes(2, "big") + data).ljust(_PASSPHRASE_PLAINTEXT_BYTES, b"\0")


def _unpad(plaintext: bytes) -> str:
    length = int.from_bytes(plaintext[:2], "big")
    data, padding = plaintext[2 : 2 + length], plaintext[2 + length :]
    if not 1 <= length <= MAX_PASSPHRASE_BYTES or any(padding):
        raise NotAuthentic("the passphrase inside is not padded as it must be")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotAuthentic("the passphrase inside is not UTF-8") from None
