"""Shards: the coded parts of a pack, each with a trailer that needs no key to be checked."""

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from tessera_core import erasure
from tessera_core.binary import U8, U32, Buffer, Reader, Structure, raw, u8, u32
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.packs import PACK_BYTES, PACK_ID_BYTES, PackName

TRAILER_BYTES = 96
MAX_SHARD_BYTES = PACK_BYTES

_MAGIC = b"TSRSHARD"
_VERSION = 1
_RESERVED = bytes(12)
_MAX_COMBINATIONS = 1000


@dataclass(frozen=True, slots=True)
class Coding(Structure):
    """How a pack was cut: k data shards of n, over a pack of `length` bytes."""

    k: U8
    n: U8
    length: U32

    def __post_init__(self) -> None:
        if not (1 <= self.k < self.n <= erasure.MAX_SHARDS and self.n - self.k <= 2):
            raise Malformed("a pack has at most 16 shards, one or two of them parities")
        if not self.k <= self.length <= PACK_BYTES:
            raise Malformed("a pack has at most 16 MiB and 4 KiB")

    @property
    def shard_length(self) -> int:
        return -(-self.length // self.k)


def coding_for(warehouses: int, length: int) -> Coding:
    """Chooses the code for a number of warehouses: one spare for three or four, then two."""
    if warehouses < 3:
        raise ValueError("at least three warehouses are needed")
    n = min(warehouses, erasure.MAX_SHARDS)
    return Coding(n - 1 if n < 5 else n - 2, n, length)


@dataclass(frozen=True, slots=True)
class ShardTrailer:
    """The last 96 bytes of a shard. A hint: nothing signs it."""

    name: PackName
    coding: Coding
    index: int
    digest: bytes

    def encode(self) -> bytes:
        return b"".join(
            (
                _MAGIC,
                u8(_VERSION),
                u8(self.coding.k),
                u8(self.coding.n),
                u8(self.index),
                u32(self.name.generation),
                self.name.space.bytes,
                self.name.pack,
                u32(self.coding.length),
                _RESERVED,
                self.digest,
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> "ShardTrailer":
        reader = Reader(data)
        if reader.take(8) != _MAGIC:
            raise Malformed("this is not a shard")
        if reader.u8() != _VERSION:
            raise Malformed("the shard's version is unknown")
        k, n, index, generation = reader.u8(), reader.u8(), reader.u8(), reader.u32()
        space, pack = UUID(bytes=reader.take(16)), reader.take(PACK_ID_BYTES)
        coding = Coding(k, n, reader.u32())
        if reader.take(12) != _RESERVED:
            raise Malformed("reserved bytes are not zero")
        if index >= n:
            raise Malformed("the shard's index is out of range")
        trailer = cls(PackName(space, generation, pack), coding, index, reader.take(32))
        reader.end()
        return trailer


@dataclass(frozen=True, slots=True)
class Shard:
    data: Buffer
    trailer: ShardTrailer
    object_digest: bytes
    """SHA-256 of the whole object. The trailer comes last so that it costs no second pass."""

    @classmethod
    def of(cls, data: Buffer, name: PackName, coding: Coding, index: int) -> "Shard":
        digest = hashlib.sha256(data)
        trailer = ShardTrailer(name, coding, index, digest.digest())
        digest.update(trailer.encode())
        return cls(data, trailer, digest.digest())

    @classmethod
    def decode(cls, data: Buffer, *, check: bool = True) -> "Shard":
        """Reads a whole shard and checks its data against its trailer, unless the caller checks
        what is in it."""
        view = memoryview(data)
        trailer = ShardTrailer.decode(bytes(view[-TRAILER_BYTES:]))
        body = view[:-TRAILER_BYTES]
        if len(body) != trailer.coding.shard_length:
            raise Malformed("the shard's length does not match its trailer")
        if not check:
            return cls(body, trailer, b"")
        shard = cls.of(body, trailer.name, trailer.coding, trailer.index)
        if shard.trailer != trailer:
            raise NotAuthentic("the shard's data does not match its trailer")
        return shard

    def encode(self) -> bytes:
        return b"".join((self.data, self.trailer.encode()))


def split_pack(pack: Buffer, name: PackName, coding: Coding) -> list[Shard]:
    """Codes a pack into its n shards. Data shards refer to the pack's memory."""
    data = _cut(pack, coding)
    data += erasure.parities(data, coding.n - coding.k)
    return [Shard.of(part, name, coding, index) for index, part in enumerate(data)]


@dataclass(frozen=True, slots=True)
class PackRecord(Structure):
    """What the log says of a pack. Signed there, so that it can be trusted without a key."""

    pack: Annotated[bytes, raw(PACK_ID_BYTES)]
    coding: Coding
    digest: Annotated[bytes, raw(32)]

    @classmethod
    def of(cls, shards: Sequence[Shard]) -> "PackRecord":
        first = shards[0].trailer
        digests = [shard.trailer.digest for shard in shards[: first.coding.k]]
        return cls(first.name.pack, first.coding, _digest(digests))

    def matches(self, pack: Buffer) -> bool:
        parts = _cut(pack, self.coding)
        return self.digest == _digest([hashlib.sha256(part).digest() for part in parts])


def rebuild_shards(shards: Sequence[Shard], wanted: Sequence[int]) -> list[Shard]:
    """Computes missing shards from any k intact ones that agree. Needs no key."""
    first = _agreeing(shards)
    k, n = first.coding.k, first.coding.n
    parts = erasure.rebuild({shard.trailer.index: shard.data for shard in shards}, k, n, wanted)
    return [Shard.of(part, first.name, first.coding, index) for index, part in parts.items()]


def recover_pack(shards: Sequence[Shard], name: PackName, record: PackRecord) -> bytes:
    """Tries combinations of shards until one gives the pack that the log describes.

    Up to n - k warehouses may hold forged shards with correct checksums.
    """
    group: dict[int, dict[bytes, Shard]] = {}
    for shard in shards:
        if (shard.trailer.name, shard.trailer.coding) == (name, record.coding):
            group.setdefault(shard.trailer.index, {})[shard.trailer.digest] = shard
    choices = (
        chosen
        for indexes in itertools.combinations(sorted(group), record.coding.k)
        for chosen in itertools.product(*(group[index].values() for index in indexes))
    )
    for chosen in itertools.islice(choices, _MAX_COMBINATIONS):
        data = _data_shards(chosen)
        # A shard's data was compared with its digest when it was decoded or rebuilt.
        if record.digest == _digest([shard.trailer.digest for shard in data]):
            pack = b"".join(shard.data for shard in data)
            # Whoever cuts the pack again fills it up with zeros.
            if not any(pack[record.coding.length :]):
                return pack[: record.coding.length]
    raise NotEnoughShards(f"{record.coding.k} intact shards are needed")


def _data_shards(shards: Sequence[Shard]) -> list[Shard]:
    k = _agreeing(shards).coding.k
    found = {shard.trailer.index: shard for shard in shards}
    missing = [index for index in range(k) if index not in found]
    if missing:
        found.update(zip(missing, rebuild_shards(shards, missing), strict=True))
    return [found[index] for index in range(k)]


def _agreeing(shards: Sequence[Shard]) -> ShardTrailer:
    if not shards:
        raise NotEnoughShards("there are no shards")
    first = shards[0].trailer
    for shard in shards:
        if (shard.trailer.name, shard.trailer.coding) != (first.name, first.coding):
            raise Malformed("the shards are not of one pack")
    return first


def _cut(pack: Buffer, coding: Coding) -> list[Buffer]:
    """Cuts a pack into its data shards, the last ones filled up with zeros."""
    view, size = memoryview(pack), coding.shard_length
    if len(view) != coding.length:
        raise ValueError("the pack's length is not the code's")
    parts = [view[size * index : size * (index + 1)] for index in range(coding.k)]
    return [part if len(part) == size else bytes(part).ljust(size, b"\0") for part in parts]


def _digest(digests: Sequence[bytes]) -> bytes:
    return hashlib.sha256(b"".join(digests)).digest()
