"""Short texts and lists, sealed once under a key of their own, padded to hide their length."""

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core.binary import Reader, u8, u32
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.packs import TAG_BYTES, padme

_VERSION = 1
_NONCE = bytes(12)
_PREFIX_BYTES = 1 + 4
_MIN_BYTES = 256


def seal_padded(key: bytes, data: bytes, associated: bytes) -> bytes:
    """Once for a key: it has no second nonce."""
    plaintext = (u8(_VERSION) + u32(len(data)) + data).ljust(_padded(len(data)), b"\0")
    return AESGCM(key).encrypt(_NONCE, plaintext, associated)


def open_padded(key: bytes, sealed: bytes, associated: bytes, limit: int) -> bytes:
    if len(sealed) > sealed_bytes(limit):
        raise Malformed("this is longer than its limit")
    try:
        plaintext = AESGCM(key).decrypt(_NONCE, sealed, associated)
    except (InvalidTag, ValueError):
        raise NotAuthentic("another key, or changed bytes") from None
    reader = Reader(plaintext)
    if reader.u8() != _VERSION:
        raise Malformed("the version is unknown")
    data = reader.take(reader.u32())
    if len(data) > limit or len(plaintext) != _padded(len(data)):
        raise Malformed("the length is another than the content needs")
    if any(reader.take(reader.left)):
        raise Malformed("the padding is not zero")
    return data


def sealed_bytes(size: int) -> int:
    return _padded(size) + TAG_BYTES


def _padded(size: int) -> int:
    return max(_MIN_BYTES, padme(_PREFIX_BYTES + size))
