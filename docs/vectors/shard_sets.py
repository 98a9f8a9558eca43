"""Shards of one pack, some of which lie, and what a reader makes of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bad_case import flip, text
from storage_example import MEMBER, Space

from tessera_core.errors import NotEnoughShards
from tessera_core.packs import PackName
from tessera_core.shards import Coding, PackRecord, Shard, recover_pack, split_pack


def shard_sets(space: Space) -> list[dict[str, Any]]:
    shards = space.packs[2]  # k 3, n 5
    name, record = shards[0].trailer.name, PackRecord.of(shards)
    liars = [lying(shard) for shard in shards]

    def case(
        about: str, given: Sequence[Shard], against: PackRecord = record, *, is_read: bool = True
    ) -> dict[str, Any]:
        try:
            pack = recover_pack(given, name, against)
        except NotEnoughShards:
            pack = None
        assert is_read == (pack is not None), about
        return {
            "about": about,
            "space": str(name.space),
            "generation": name.generation,
            "record": against.encode().hex(),
            "shards": [text(each.encode()) for each in given],
            "pack": text(pack) if pack else None,
        }

    first, second, third, fourth, fifth = shards
    padded, padded_record = nonzero_padding(name)
    return [
        case("all of them", shards),
        case("in another order", shards[::-1]),
        case("the parities and one more", [fourth, fifth, second]),
        case("too few", shards[:2], is_read=False),
        case("one twice", [first, first, second], is_read=False),
        case("one lies with a right hash", [liars[0], *shards[1:]]),
        case("two lie with right hashes", [liars[0], second, third, liars[3], fifth]),
        case("three lie", [liars[0], liars[1], third, liars[3], fifth], is_read=False),
        case("a parity lies", [first, liars[4], third, fourth]),
        case("two of one index, one of which lies", [liars[0], first, second, third]),
        case("one lies, and there is none to spare", [liars[0], second, third], is_read=False),
        case("of another space", [of(each, space=MEMBER) for each in shards], is_read=False),
        case("of another generation", [of(each, generation=9) for each in shards], is_read=False),
        case("of another pack", [of(each, pack=bytes(16)) for each in shards], is_read=False),
        case("one of another pack", [of(first, pack=bytes(16)), *shards[1:]]),
        case("another digest", shards, replace(record, digest=bytes(32)), is_read=False),
        case("zeros missing behind the pack", padded, padded_record, is_read=False),
    ]


def lying(shard: Shard) -> Shard:
    trailer = shard.trailer
    return Shard.of(flip(bytes(shard.data), 0), trailer.name, trailer.coding, trailer.index)


def of(shard: Shard, **changes: object) -> Shard:
    name = replace(shard.trailer.name, **changes)  # type: ignore[arg-type]
    return replace(shard, trailer=replace(shard.trailer, name=name))


def nonzero_padding(name: PackName) -> tuple[list[Shard], PackRecord]:
    """A pack of 100 bytes whose last data shard ends with ones; hashes and digest are right."""
    coding = Coding(3, 5, 100)
    full = b"p" * 100 + b"\1\1"
    shards = [
        Shard.of(each.data, name, coding, each.trailer.index)
        for each in split_pack(full, name, Coding(3, 5, 102))
    ]
    return shards, PackRecord.of(shards)
