"""Chunks: pieces of a file of 1 MiB, the last one shorter, named by a keyed hash."""

import hmac
from functools import lru_cache

from tessera_core.binary import Buffer

CHUNK_BYTES = 1024 * 1024
CHUNK_ID_BYTES = 32


def chunk_count(size: int) -> int:
    """Returns how many chunks a file of this size has; an empty file has none."""
    return -(-size // CHUNK_BYTES)


def chunk_length(size: int, position: int) -> int:
    """Returns the length of one chunk of a file of this size."""
    return min(CHUNK_BYTES, size - position * CHUNK_BYTES)


def chunk_id(chunk_id_key: bytes, chunk: Buffer) -> bytes:
    keyed = _keyed(chunk_id_key).copy()
    keyed.update(chunk)
    return keyed.digest()


@lru_cache(maxsize=4)
def _keyed(chunk_id_key: bytes) -> hmac.HMAC:
    """Of a small chunk, setting the key takes as long as its content."""
    return hmac.new(chunk_id_key, digestmod="sha256")
