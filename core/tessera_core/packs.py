"""Packs: sealed chunks one after another, then a sealed index, then a sealed footer.

The padding lies inside the index, so that every byte of a pack is authenticated and nothing in it
tells how much of it is used.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from struct import Struct
from uuid import UUID

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core.binary import Buffer, Reader, u8, u32
from tessera_core.chunks import CHUNK_BYTES, CHUNK_ID_BYTES, chunk_id
from tessera_core.compression import decompress
from tessera_core.errors import Malformed, NotAuthentic

# Sixteen whole chunks, their tags and the index fit; in 16 MiB alone only fifteen would.
PACK_BYTES = 16 * 1024 * 1024 + 4096
PACK_ID_BYTES = 16
TAG_BYTES = 16

_VERSION = 1
_INDEX_POSITION = 2**32 - 1
_FOOTER_POSITION = 2**32 - 2
_FOOTER_BYTES = 4 + TAG_BYTES
_RECORD = Struct(f">{CHUNK_ID_BYTES}sII")
_RECORD_BYTES = _RECORD.size
_EMPTY_INDEX_BYTES = 4 + TAG_BYTES


@dataclass(frozen=True)
class PackName:
    """Which pack it is; part of what every seal in it authenticates."""

    space: UUID
    generation: int
    pack: bytes

    def associated(self, position: int, identifier: bytes = b"") -> bytes:
        return self._begin + u32(position) + identifier

    @cached_property
    def _begin(self) -> bytes:
        return u8(_VERSION) + self.space.bytes + u32(self.generation) + self.pack


class ChunkRecord(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One chunk of a pack: its id, its length, and how many bytes of it are sealed: fewer if it is
    compressed."""

    id: bytes
    length: int
    stored: int

    def __post_init__(self) -> None:
        if len(self.id) != CHUNK_ID_BYTES or not 1 <= self.stored <= self.length <= CHUNK_BYTES:
            raise Malformed("a chunk has an id of 32 bytes and a length of up to 1 MiB")

    def encode(self) -> bytes:
        return self.id + u32(self.length) + u32(self.stored)

    @classmethod
    def read(cls, reader: Reader) -> "ChunkRecord":
        return cls(*reader.fields(_RECORD))


def chunk_offsets(chunks: Sequence[ChunkRecord]) -> list[int]:
    """Returns where each sealed chunk begins in the pack."""
    offsets, at = [], 0
    for chunk in chunks:
        offsets.append(at)
        at += chunk.stored + TAG_BYTES
    return offsets


def packed_bytes(chunks: Sequence[ChunkRecord]) -> int:
    """Returns the size of a pack with these chunks and no padding."""
    sealed = sum(chunk.stored + TAG_BYTES for chunk in chunks)
    return sealed + _EMPTY_INDEX_BYTES + _RECORD_BYTES * len(chunks) + _FOOTER_BYTES


def padme(length: int) -> int:
    """Rounds a length up so that it reveals only its magnitude (PURBs, at most 12 % more)."""
    if length < 2:
        return length
    exponent = length.bit_length() - 1
    mask = (1 << (exponent - exponent.bit_length())) - 1
    return (length + mask) & ~mask


class PackBuilder:
    """Seals chunks into a pack as they come. The key must not have been used before.

    Whoever makes many packs passes a `buffer` of `PACK_BYTES` bytes and uses it again once a pack
    is stored: getting new memory from the system costs half as much as encrypting.
    """

    def __init__(self, key: bytes, name: PackName, buffer: bytearray | None = None) -> None:
        self._cipher = AESGCM(key)
        self._name = name
        self._buffer = bytearray(PACK_BYTES) if buffer is None else buffer
        self._used = 0
        self.chunks: list[ChunkRecord] = []

    def fits(self, stored: int) -> bool:
        records = _RECORD_BYTES * (len(self.chunks) + 1)
        needed = self._used + stored + TAG_BYTES + _EMPTY_INDEX_BYTES + records + _FOOTER_BYTES
        return needed <= PACK_BYTES

    def add(self, identifier: bytes, content: Buffer, length: int | None = None) -> None:
        """Adds a chunk, or with its length the compressed form of one."""
        stored = len(content)
        if not self.fits(stored):
            raise ValueError("the pack is full")
        record = ChunkRecord(identifier, stored if length is None else length, stored)
        self._seal(len(self.chunks), content, identifier)
        self.chunks.append(record)

    def finish(self, *, last: bool) -> memoryview:
        """Returns the pack: of full size, or if it is the last of a batch, of a Padmé size."""
        if not self.chunks:
            raise ValueError("a pack holds at least one chunk")
        index = u32(len(self.chunks)) + b"".join(chunk.encode() for chunk in self.chunks)
        size = self._used + len(index) + TAG_BYTES + _FOOTER_BYTES
        padded = min(padme(size), PACK_BYTES) if last else PACK_BYTES
        index = index.ljust(len(index) + padded - size, b"\0")
        self._seal(_INDEX_POSITION, index)
        self._seal(_FOOTER_POSITION, u32(len(index) + TAG_BYTES))
        return memoryview(self._buffer)[:padded].toreadonly()

    def _seal(self, position: int, plaintext: Buffer, identifier: bytes = b"") -> None:
        end = self._used + len(plaintext) + TAG_BYTES
        target = memoryview(self._buffer)[self._used : end]
        associated = self._name.associated(position, identifier)
        self._cipher.encrypt_into(_nonce(position), plaintext, associated, target)
        self._used = end


def open_index(pack: Buffer, key: bytes, name: PackName) -> list[ChunkRecord]:
    """Reads which chunks a pack holds, in their order."""
    view = memoryview(pack)
    if not _EMPTY_INDEX_BYTES + _FOOTER_BYTES <= len(view) <= PACK_BYTES:
        raise Malformed("a pack has at most 16 MiB and 4 KiB")
    footer = _open(key, name, _FOOTER_POSITION, view[-_FOOTER_BYTES:])
    start = len(view) - _FOOTER_BYTES - int.from_bytes(footer, "big")
    if start < 0:
        raise Malformed("the index is longer than its pack")
    reader = Reader(_open(key, name, _INDEX_POSITION, view[start:-_FOOTER_BYTES]))
    chunks = [ChunkRecord.read(reader) for _ in range(reader.count(_RECORD_BYTES))]
    if any(reader.take(reader.left)):
        raise Malformed("the padding of the index is not zero")
    if not chunks or sum(chunk.stored + TAG_BYTES for chunk in chunks) != start:
        raise Malformed("the index does not describe its pack")
    return chunks


def open_chunk(
    sealed: Buffer, position: int, record: ChunkRecord, *, key: bytes, name: PackName, id_key: bytes
) -> bytes:
    """Opens one sealed chunk, cut out of its pack, and checks its content against its id."""
    if len(sealed) != record.stored + TAG_BYTES:
        raise Malformed("the sealed chunk has another length than its record says")
    chunk = _open(key, name, position, sealed, record.id)
    if record.stored < record.length:
        chunk = decompress(chunk, record.length)
    if not hmac.compare_digest(chunk_id(id_key, chunk), record.id):
        raise NotAuthentic("the chunk's content does not match its id")
    return chunk


def _open(
    key: bytes, name: PackName, position: int, sealed: Buffer, identifier: bytes = b""
) -> bytes:
    try:
        return _cipher(key).decrypt(_nonce(position), sealed, name.associated(position, identifier))
    except InvalidTag:
        raise NotAuthentic("another key, or a changed pack") from None


@lru_cache(maxsize=4)
def _cipher(key: bytes) -> AESGCM:
    """Small chunks of a pack are opened one after another: this is a fifth of the time of each."""
    return AESGCM(key)


def _nonce(position: int) -> bytes:
    return position.to_bytes(12, "big")
