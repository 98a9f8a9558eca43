"""Contents of change and checkpoint bodies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from struct import Struct
from typing import Annotated, ClassVar
from uuid import UUID

import msgspec

from tessera_core.binary import U64, Form, Reader, Structure, read_uuid, text, u8, u32, u64
from tessera_core.errors import Malformed
from tessera_core.files import Item, encode_item, encode_path, read_item, read_path
from tessera_core.packs import PACK_ID_BYTES, ChunkRecord, packed_bytes
from tessera_core.shards import PackRecord

MAX_SPACE_NAME_BYTES = 255
MAX_OPERATIONS = 20_000
MAX_CHANGE_BYTES = 64 * 1024 * 1024

_VERSION = 1
_CHUNK_BYTES = 40
_CONFLICT = 1
_VERSION_FIELDS = Struct(">QIQ16sB")
# A name of one byte for the space; a path of one byte at which nothing is.
_SMALLEST_OPERATION = 1 + 2 + 1
_SMALLEST_VERSION = 2 + 1 + _VERSION_FIELDS.size + 1


class PackContents(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Which chunks a pack holds, in their order. Packs of stored bodies are not listed."""

    pack: bytes
    chunks: tuple[ChunkRecord, ...]


def _read_present_item(reader: Reader) -> Item:
    item = read_item(reader)
    if item is None:
        raise Malformed("a removed item cannot be put")
    return item


Path = Annotated[str, Form(encode_path, read_path)]
_SPACE_NAME = Form[str](
    lambda name: text(name, MAX_SPACE_NAME_BYTES),
    lambda reader: reader.text(MAX_SPACE_NAME_BYTES),
)


@dataclass(frozen=True, slots=True)
class Put(Structure):
    code: ClassVar[int] = 1
    path: Path
    base: U64
    """The entry that made the version this one replaces; 0 if there was none."""
    item: Annotated[Item, Form(encode_item, _read_present_item)]


@dataclass(frozen=True, slots=True)
class Remove(Structure):
    """Removes what is at the path and below it."""

    code: ClassVar[int] = 2
    path: Path
    base: U64


@dataclass(frozen=True, slots=True)
class Move(Structure):
    """Moves what is at the path and below it."""

    code: ClassVar[int] = 3
    source: Path
    target: Path

    def __post_init__(self) -> None:
        if f"{self.target}/".startswith(f"{self.source}/"):
            raise Malformed("nothing can be moved into itself")


@dataclass(frozen=True, slots=True)
class NameSpace(Structure):
    """Names the space; its first change does."""

    code: ClassVar[int] = 4
    name: Annotated[str, _SPACE_NAME]

    def __post_init__(self) -> None:
        if "\0" in self.name:
            raise Malformed("the space's name holds a zero")


Operation = Put | Remove | Move | NameSpace
_OPERATIONS: dict[int, type[Operation]] = {
    operation.code: operation for operation in (Put, Remove, Move, NameSpace)
}


@dataclass(frozen=True, slots=True)
class ChangeBody:
    packs: tuple[PackContents, ...]
    operations: tuple[Operation, ...]

    def encode(self) -> bytes:
        operations = (u8(operation.code) + operation.encode() for operation in self.operations)
        return b"".join(
            (u8(_VERSION), encode_packs(self.packs), u32(len(self.operations)), *operations)
        )

    @classmethod
    def decode(cls, data: bytes) -> "ChangeBody":
        if len(data) > MAX_CHANGE_BYTES:
            raise Malformed("a change has at most 64 MiB")
        reader = _open(data)
        packs = read_packs(reader)
        count = reader.count(_SMALLEST_OPERATION)
        if count > MAX_OPERATIONS:
            raise Malformed("a change has at most 20,000 operations")
        operations = tuple(_read_operation(reader) for _ in range(count))
        reader.end()
        return cls(packs, operations)

    def check_packs(self, added: Sequence[PackRecord]) -> None:
        """Refuses contents of packs that the entry does not add, or that could not hold them."""
        check_contents(self.packs, added)


class Version(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What was at a path from one operation on; no item if it was removed."""

    sequence: int
    operation: int
    time: int
    author: UUID
    item: Item | None
    conflict: bool = False

    def encode(self) -> bytes:
        return b"".join(
            (
                u64(self.sequence),
                u32(self.operation),
                u64(self.time),
                self.author.bytes,
                u8(_CONFLICT if self.conflict else 0),
                encode_item(self.item),
            )
        )

    @classmethod
    def read(cls, reader: Reader) -> "Version":
        sequence, operation, time, author, flags = reader.fields(_VERSION_FIELDS)
        if flags > _CONFLICT:
            raise Malformed("a version has unknown flags")
        item = read_item(reader)
        return cls(sequence, operation, time, read_uuid(author), item, bool(flags))


@dataclass(frozen=True, slots=True)
class CheckpointBody:
    """A space's name, its packs with contents, and every kept version of every path."""

    name: str
    """Empty if no change has named the space."""
    packs: tuple[PackContents, ...]
    versions: tuple[tuple[str, Version], ...]
    """Sorted by the path's UTF-8; of one path, in the order in which they were made."""

    def __post_init__(self) -> None:
        if "\0" in self.name:
            raise Malformed("the space's name holds a zero")
        places = ((path.encode(), each.sequence, each.operation) for path, each in self.versions)
        if any(one > other for one, other in pairwise(places)):
            raise Malformed("the versions are not sorted by path and time")

    def encode(self) -> bytes:
        versions = (encode_path(path) + version.encode() for path, version in self.versions)
        return b"".join(
            (
                u8(_VERSION),
                text(self.name, MAX_SPACE_NAME_BYTES, at_least=0),
                encode_packs(self.packs),
                u32(len(self.versions)),
                *versions,
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> "CheckpointBody":
        reader = _open(data)
        name, packs = reader.text(MAX_SPACE_NAME_BYTES, at_least=0), read_packs(reader)
        versions = tuple(
            (read_path(reader), Version.read(reader))
            for _ in range(reader.count(_SMALLEST_VERSION))
        )
        reader.end()
        return cls(name, packs, versions)


def check_contents(packs: Sequence[PackContents], known: Iterable[PackRecord]) -> None:
    """Refuses contents of other packs than these, and of packs that could not hold them."""
    lengths = {record.pack: record.coding.length for record in known}
    if len({contents.pack for contents in packs}) != len(packs):
        raise Malformed("a pack is described twice")
    for contents in packs:
        length = lengths.get(contents.pack)
        if length is None:
            raise Malformed("a pack is described that is not the entry's to describe")
        if not contents.chunks or packed_bytes(contents.chunks) > length:
            raise Malformed("the pack is too small for what it is said to hold")


def _open(data: bytes) -> Reader:
    reader = Reader(data)
    if reader.u8() != _VERSION:
        raise Malformed("the body's version is unknown")
    return reader


def encode_packs(packs: Sequence[PackContents]) -> bytes:
    return u32(len(packs)) + b"".join(
        pack.pack + u32(len(pack.chunks)) + b"".join(chunk.encode() for chunk in pack.chunks)
        for pack in packs
    )


def read_packs(reader: Reader) -> tuple[PackContents, ...]:
    return tuple(_read_pack(reader) for _ in range(reader.count(PACK_ID_BYTES + 4)))


def _read_pack(reader: Reader) -> PackContents:
    pack, count = reader.take(PACK_ID_BYTES), reader.count(_CHUNK_BYTES)
    return PackContents(pack, tuple(ChunkRecord.read(reader) for _ in range(count)))


def _read_operation(reader: Reader) -> Operation:
    operation = _OPERATIONS.get(reader.u8())
    if not operation:
        raise Malformed("the operation is unknown")
    return operation.read(reader)
