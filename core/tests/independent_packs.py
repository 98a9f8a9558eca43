"""The independent reader's second part: packs, shards and the erasure code."""

import hmac
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import zstandard

from core.tests.independent_keys import MIB, Fields, Refused, need, number, sha256, unseal

PACK = 16_781_312


@dataclass(frozen=True)
class PackPlace:
    space: bytes
    generation: int
    pack: bytes

    def associated(self, position: int, chunk: bytes = b"") -> bytes:
        generation = self.generation.to_bytes(4, "big")
        return b"\x01" + self.space + generation + self.pack + position.to_bytes(4, "big") + chunk

    def unseal(self, key: bytes, position: int, sealed: bytes, chunk: bytes = b"") -> bytes:
        nonce = position.to_bytes(12, "big")
        return unseal(key, nonce, sealed, self.associated(position, chunk))


def read_pack(pack: bytes, place: PackPlace, key: bytes, id_key: bytes) -> dict[bytes, bytes]:
    """Returns the chunks by their ids."""
    need(40 <= len(pack) <= PACK, "the pack's size")
    footer = place.unseal(key, 2**32 - 2, pack[-20:])
    start = len(pack) - 20 - number(footer)
    need(start >= 0, "the index's length")
    index = Fields(place.unseal(key, 2**32 - 1, pack[start:-20]))
    count = index.number(4)
    need(count >= 1, "no chunks")
    records = [(index.take(32), index.number(4), index.number(4)) for _ in range(count)]
    need(not any(index.rest()), "padding")
    chunks, at = {}, 0
    for position, (identifier, size, stored) in enumerate(records):
        need(1 <= stored <= size <= MIB, "a chunk's length")
        sealed = pack[at : at + stored + 16]
        chunks[identifier] = read_chunk(sealed, place, (key, id_key), position, (identifier, size))
        at += stored + 16
    need(at == start, "the chunks do not reach the index")
    return chunks


def read_chunk(
    sealed: bytes,
    place: PackPlace,
    keys: tuple[bytes, bytes],
    position: int,
    described: tuple[bytes, int],
) -> bytes:
    (key, id_key), (identifier, size) = keys, described
    chunk = place.unseal(key, position, sealed, identifier)
    if len(chunk) < size:
        chunk = unpack_frame(chunk, size)
    need(len(chunk) == size, "a chunk's length")
    need(hmac.digest(id_key, chunk, "sha256") == identifier, "a chunk's id")
    return chunk


def unpack_frame(frame: bytes, size: int) -> bytes:
    """One Zstandard frame, by another library than the product's."""
    try:
        described = zstandard.get_frame_parameters(frame)
        need(described.content_size == size, "the frame's header")
        need(frame[4] & 3 == 0 and described.window_size <= 2**27, "dictionary and window")
        unpacked = zstandard.ZstdDecompressor().decompress(
            frame, max_output_size=size, allow_extra_data=False
        )
    except zstandard.ZstdError:
        raise Refused("not one frame of that size") from None
    return unpacked


# Shards


def gf_times(a: int, b: int) -> int:
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = (a << 1) ^ (0x11D * (a >> 7)), b >> 1
    return product


def gf_inverse(a: int) -> int:
    return next(b for b in range(1, 256) if gf_times(a, b) == 1)


def coefficients(k: int, index: int) -> list[int]:
    """How a shard is made of the data shards."""
    if index < k:
        return [int(at == index) for at in range(k)]
    if index == k:
        return [1] * k
    powers = [1]
    while len(powers) < k:
        powers.append(gf_times(powers[-1], 2))
    return powers


def combine(row: Sequence[int], parts: Sequence[bytes]) -> bytes:
    total = 0
    for factor, part in zip(row, parts, strict=True):
        table = bytes(gf_times(factor, value) for value in range(256))
        total ^= number(part.translate(table))
    return total.to_bytes(len(parts[0]), "big")


def solve(k: int, shards: Mapping[int, bytes]) -> list[bytes]:
    """Returns the data shards, by Gaussian elimination over any k shards."""
    rows = [coefficients(k, index) for index in sorted(shards)[:k]]
    parts = [shards[index] for index in sorted(shards)[:k]]
    for column in range(k):
        pivot = next(at for at in range(column, k) if rows[at][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        parts[column], parts[pivot] = parts[pivot], parts[column]
        factor = gf_inverse(rows[column][column])
        rows[column] = [gf_times(factor, value) for value in rows[column]]
        parts[column] = combine([factor], [parts[column]])
        for at in range(k):
            scale = rows[at][column]
            if at != column and scale:
                rows[at] = [
                    value ^ gf_times(scale, other)
                    for value, other in zip(rows[at], rows[column], strict=True)
                ]
                parts[at] = combine([1, scale], [parts[at], parts[column]])
    return parts


@dataclass(frozen=True)
class StoredShard:
    k: int
    n: int
    index: int
    generation: int
    space: bytes
    pack: bytes
    length: int
    data: bytes


def read_shard(shard: bytes) -> StoredShard:
    need(len(shard) >= 96, "the trailer")
    fields, data = Fields(shard[-96:]), shard[:-96]
    need(fields.take(8) == b"TSRSHARD" and fields.number(1) == 1, "not a shard")
    k, n, index, generation = (fields.number(size) for size in (1, 1, 1, 4))
    space, pack, length = fields.take(16), fields.take(16), fields.number(4)
    need(1 <= k < n <= 16 and n - k <= 2 and index < n, "the code")
    need(k <= length <= PACK and fields.take(12) == bytes(12), "the trailer")
    need(len(data) == -(-length // k) and sha256(data) == fields.take(32), "the data")
    return StoredShard(k, n, index, generation, space, pack, length, data)


@dataclass(frozen=True)
class PackRecord:
    pack: bytes
    k: int
    n: int
    length: int
    digest: bytes
    generation: int = 0

    @classmethod
    def read(cls, fields: Fields, generation: int = 0) -> "PackRecord":
        pack, k, n = fields.take(16), fields.number(1), fields.number(1)
        length, digest = fields.number(4), fields.take(32)
        need(1 <= k < n <= 16 and n - k <= 2 and k <= length <= PACK, "a record")
        return cls(pack, k, n, length, digest, generation)


def rebuild_pack(record: PackRecord, space: bytes, shards: Sequence[StoredShard]) -> bytes:
    """Tries combinations of shards; there may be several of one index."""
    fitting = [
        shard
        for shard in shards
        if (shard.space, shard.generation, shard.pack, shard.k, shard.n, shard.length)
        == (space, record.generation, record.pack, record.k, record.n, record.length)
    ]
    for chosen in itertools.islice(itertools.combinations(fitting, record.k), 1000):
        found = {shard.index: shard.data for shard in chosen}
        if len(found) < record.k:
            continue
        parts = solve(record.k, found)
        whole = b"".join(parts)
        matches = sha256(b"".join(map(sha256, parts))) == record.digest
        if matches and not any(whole[record.length :]):
            return whole[: record.length]
    raise Refused("not enough intact shards")
