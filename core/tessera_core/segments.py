"""Log segments: runs of entries with their grants, stored as objects in every warehouse."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tessera_core.binary import Reader, u8, u32, u64
from tessera_core.entries import MAX_ENTRY_BYTES, Entry
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import Grant

_MAGIC = b"TSRLOGSG"
_VERSION = 1
_RESERVED = bytes(3)
_DIGEST_BYTES = 32
_SPACE_AT = 32

HEADER_BYTES = 64


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """An entry, and the grants whose hash it carries."""

    entry: Entry
    grants: tuple[Grant, ...] = ()


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive entries of one space."""

    entries: tuple[SegmentEntry, ...]

    def __post_init__(self) -> None:
        if not self.entries:
            raise Malformed("a segment holds at least one entry")
        heads = [each.entry.head for each in self.entries]
        if len({(head.company, head.space) for head in heads}) != 1:
            raise Malformed("a segment holds entries of one space")
        if [head.sequence for head in heads] != list(range(self.first, self.first + len(heads))):
            raise Malformed("a segment holds consecutive entries")

    @property
    def company(self) -> UUID:
        return self.entries[0].entry.head.company

    @property
    def space(self) -> UUID:
        return self.entries[0].entry.head.space

    @property
    def first(self) -> int:
        return self.entries[0].entry.head.sequence

    @property
    def last(self) -> int:
        return self.first + len(self.entries) - 1

    def encode(self) -> bytes:
        head = b"".join(
            (
                _MAGIC,
                u8(_VERSION),
                _RESERVED,
                u32(len(self.entries)),
                self.company.bytes,
                self.space.bytes,
                u64(self.first),
                u64(self.last),
            )
        )
        data = head + b"".join(_encode_entry(each) for each in self.entries)
        return data + hashlib.sha256(data).digest()

    @classmethod
    def decode(cls, data: bytes) -> "Segment":
        """Reads a segment. Its checksum finds damage; the entries' signatures find forgery."""
        content, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
        reader = Reader(content)
        if reader.take(8) != _MAGIC:
            raise Malformed("this is not a log segment")
        if reader.u8() != _VERSION or reader.take(3) != _RESERVED:
            raise Malformed("the segment's version is unknown")
        if hashlib.sha256(content).digest() != digest:
            raise NotAuthentic("the segment's checksum does not match")
        count = reader.u32()
        company, space, first, last = reader.uuid(), reader.uuid(), reader.u64(), reader.u64()
        if count * 8 > reader.left:
            raise Malformed("more entries are announced than there are bytes")
        segment = cls(tuple(_read_entry(reader) for _ in range(count)))
        reader.end()
        if (company, space, first, last) != (
            segment.company,
            segment.space,
            segment.first,
            segment.last,
        ):
            raise Malformed("the segment's header does not match its entries")
        return segment


def announced_space(header: bytes) -> UUID:
    """Returns the space that a segment's first bytes name; nothing proves it yet."""
    if len(header) < HEADER_BYTES or not header.startswith(_MAGIC):
        raise Malformed("this is not a log segment")
    return UUID(bytes=header[_SPACE_AT : _SPACE_AT + 16])


def _encode_entry(each: SegmentEntry) -> bytes:
    return _blob(each.entry.encode()) + u32(len(each.grants)) + _blobs(each.grants)


def _blobs(grants: Sequence[Grant]) -> bytes:
    return b"".join(_blob(grant.encode()) for grant in grants)


def _blob(data: bytes) -> bytes:
    return u32(len(data)) + data


def _read_entry(reader: Reader) -> SegmentEntry:
    size = reader.u32()
    if size > MAX_ENTRY_BYTES:
        raise Malformed("an entry has at most 128 KiB")
    entry = Entry.decode(reader.take(size))
    if entry.body is None:
        raise Malformed("a segment holds whole entries")
    grants = (Grant.decode(reader.take(reader.u32())) for _ in range(reader.count(4)))
    return SegmentEntry(entry, tuple(grants))
