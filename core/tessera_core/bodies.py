"""Sealed bodies of entries, and references to bodies too long for an entry."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core.binary import U32, Reader, Structure, raw, u8, u32, u64
from tessera_core.changes import MAX_CHANGE_BYTES
from tessera_core.chunks import CHUNK_ID_BYTES, chunk_count, chunk_length
from tessera_core.entries import BODY_KINDS, Change, Entry, Head, Kind
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.keyring import Keyring
from tessera_core.packs import PACK_ID_BYTES, padme

MAX_INLINE_BYTES = 64 * 1024

_VERSION = 1
_INLINE, _STORED = 0, 1
_PREFIX_BYTES = 1 + 4
_MIN_BYTES = 256
_NONCE = bytes(12)


@dataclass(frozen=True, slots=True)
class ChunkReference(Structure):
    """One chunk of a stored body, with all that is needed to read it without an index."""

    pack: Annotated[bytes, raw(PACK_ID_BYTES)]
    position: U32
    offset: U32
    id: Annotated[bytes, raw(CHUNK_ID_BYTES)]


@dataclass(frozen=True, slots=True)
class StoredBody:
    """A body that is stored as chunks in packs, because it is longer than 64 KiB."""

    size: int
    chunks: tuple[ChunkReference, ...]

    def __post_init__(self) -> None:
        if self.size <= MAX_INLINE_BYTES or len(self.chunks) != chunk_count(self.size):
            raise Malformed("the number of chunks does not match the body's size")

    def lengths(self) -> list[int]:
        return [chunk_length(self.size, number) for number in range(len(self.chunks))]

    def encode(self) -> bytes:
        return u64(self.size) + b"".join(chunk.encode() for chunk in self.chunks)

    @classmethod
    def decode(cls, data: bytes) -> "StoredBody":
        reader = Reader(data)
        size, chunks = reader.u64(), []
        while reader.left:
            chunks.append(ChunkReference.read(reader))
        return cls(size, tuple(chunks))


def seal_body(content: bytes | StoredBody, head: Head, kind: Kind, keyring: Keyring) -> bytes:
    """Seals a body for the entry with this head. An entry's id is used for one body only."""
    form = _STORED if isinstance(content, StoredBody) else _INLINE
    data = content.encode() if isinstance(content, StoredBody) else content
    if len(data) > MAX_INLINE_BYTES:
        raise Malformed("a body of more than 64 KiB has to be stored as chunks")
    plaintext = (u8(form) + u32(len(data)) + data).ljust(_padded(len(data)), b"\0")
    key = keyring.entry_key(head.generation, head.id)
    return AESGCM(key).encrypt(_NONCE, plaintext, _associated(head, kind))


def open_body(entry: Entry, keyring: Keyring) -> bytes | StoredBody:
    """Opens an entry's body; the caller has checked the entry against the log's rules."""
    if not entry.body or not isinstance(entry.clear, BODY_KINDS):
        raise Malformed("the entry has no body, or it was left out")
    key = keyring.entry_key(entry.head.generation, entry.head.id)
    try:
        plaintext = AESGCM(key).decrypt(
            _NONCE, entry.body, _associated(entry.head, entry.clear.kind)
        )
    except InvalidTag:
        raise NotAuthentic("another key, or a changed body") from None
    reader = Reader(plaintext)
    form, data = reader.u8(), reader.take(reader.u32())
    if len(data) > MAX_INLINE_BYTES or len(plaintext) != _padded(len(data)):
        raise Malformed("the body has another length than its content needs")
    if any(reader.take(reader.left)):
        raise Malformed("the padding of the body is not zero")
    if form == _INLINE:
        return data
    if form == _STORED:
        stored = StoredBody.decode(data)
        if isinstance(entry.clear, Change) and stored.size > MAX_CHANGE_BYTES:
            raise Malformed("a change has at most 64 MiB")
        added = {record.pack for record in entry.clear.packs}
        if not added.issuperset(chunk.pack for chunk in stored.chunks):
            raise Malformed("the body lies in packs that its entry does not add")
        return stored
    raise Malformed("the body's form is unknown")


def join_body(stored: StoredBody, chunks: Sequence[bytes]) -> bytes:
    """Puts a stored body together from its opened chunks."""
    if [len(chunk) for chunk in chunks] != stored.lengths():
        raise Malformed("the chunks' lengths do not match the body's size")
    return b"".join(chunks)


def _padded(size: int) -> int:
    return max(_MIN_BYTES, padme(_PREFIX_BYTES + size))


def _associated(head: Head, kind: Kind) -> bytes:
    return b"".join((u8(_VERSION), u8(kind), head.space.bytes, u32(head.generation), head.id))
