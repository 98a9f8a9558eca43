"""Derives keys from secrets (HKDF-SHA256) and from what people type (Argon2id)."""

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32
# Names the parameters below in every format that depends on them.
KDF_VERSION = 1

_MEMORY_KIB = 64 * 1024
_PASSES = 3
_LANES = 1


def derive_key(secret: bytes, label: str, context: bytes = b"") -> bytes:
    """The context of a label has a fixed length, and no label is the beginning of another."""
    info = label.encode("ascii") + context
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(secret)


def stretch(secret: bytes, salt: bytes) -> bytes:
    """Argon2id as named by `KDF_VERSION`: takes a good part of a second and 64 MiB."""
    return Argon2id(
        salt=salt, length=KEY_BYTES, iterations=_PASSES, lanes=_LANES, memory_cost=_MEMORY_KIB
    ).derive(secret)
