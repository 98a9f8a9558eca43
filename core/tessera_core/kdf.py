"""Derives keys: from other secrets with HKDF, and from what people type with Argon2id.

A user's password becomes the login secret and the key that wraps the user's key. For users, the
browser and the client do this; the server never does it for a request. The parameters are fixed and
named by `KDF_VERSION`; nobody can ask for weaker ones.
"""

import secrets
import unicodedata
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tessera_core import base64url

KDF_VERSION = 1
SALT_BYTES = 16
KEY_BYTES = 32

_MEMORY_KIB = 64 * 1024
_PASSES = 3
_LANES = 1
_AUTH_PREFIX = "a1."
_AUTH_CHARACTERS = 46


def derive_key(secret: bytes, label: str, context: bytes = b"") -> bytes:
    """The context of a label has a fixed length, and no label is the beginning of another."""
    info = label.encode("ascii") + context
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(secret)


def stretch(secret: bytes, salt: bytes) -> bytes:
    """Slow and using 64 MiB on purpose: keep it off the event loop."""
    return Argon2id(
        salt=salt, length=KEY_BYTES, iterations=_PASSES, lanes=_LANES, memory_cost=_MEMORY_KIB
    ).derive(secret)


@dataclass(frozen=True, slots=True)
class Derived:
    # Excluded from repr, so that a stray log line or traceback cannot print them.
    auth: str = field(repr=False)
    wrap_key: bytes = field(repr=False)


def new_salt() -> bytes:
    return secrets.token_bytes(SALT_BYTES)


def salt_to_text(salt: bytes) -> str:
    """Encodes the salt as in the API and in the user key's envelope."""
    if len(salt) != SALT_BYTES:
        raise ValueError("a salt has 16 bytes")
    return base64url.encode(salt)


def salt_from_text(text: str) -> bytes:
    salt = base64url.decode(text)
    if len(salt) != SALT_BYTES:
        raise ValueError("a salt has 16 bytes")
    return salt


def derive(password: str, salt: bytes) -> Derived:
    master_key = derive_master_key(password, salt)
    return Derived(
        auth=_AUTH_PREFIX + base64url.encode(derive_key(master_key, "tessera/v1/auth")),
        wrap_key=derive_key(master_key, "tessera/v1/wrap"),
    )


def derive_master_key(password: str, salt: bytes) -> bytes:
    if not password:
        raise ValueError("the password is empty")
    if len(salt) != SALT_BYTES:
        raise ValueError("a salt has 16 bytes")
    # NFKC: the same password typed on another keyboard or system gives the same bytes.
    return stretch(unicodedata.normalize("NFKC", password).encode("utf-8"), salt)


def is_auth_secret(text: str) -> bool:
    """Returns whether the value is a derived secret and not a plain password."""
    if not text.startswith(_AUTH_PREFIX) or len(text) != _AUTH_CHARACTERS:
        return False
    try:
        return len(base64url.decode(text.removeprefix(_AUTH_PREFIX))) == KEY_BYTES
    except ValueError:
        return False
