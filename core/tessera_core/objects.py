"""Names of stored objects, below a warehouse's path."""

import re
from dataclasses import dataclass
from uuid import UUID

from tessera_core.erasure import MAX_SHARDS
from tessera_core.errors import Malformed

ROOT = ".tessera/v1"

_ROOT = re.escape(ROOT)
_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_SHARD = re.compile(rf"{_ROOT}/({_UUID})/packs/([0-9a-f]{{2}})/([0-9a-f]{{32}})\.(0|[1-9][0-9]?)")
_SEGMENT = re.compile(
    rf"{_ROOT}/({_UUID})/log/({_UUID})/([0-9]{{12}})-([0-9]{{12}})-([0-9a-f]{{16}})"
)
_RECOVERY = re.compile(rf"{_ROOT}/({_UUID})/recovery/([0-9]{{10}})-([0-9a-f]{{16}})")


@dataclass(frozen=True, slots=True)
class ShardObject:
    company: UUID
    pack: bytes
    index: int

    def __str__(self) -> str:
        pack = self.pack.hex()
        return f"{ROOT}/{self.company}/packs/{pack[:2]}/{pack}.{self.index}"


@dataclass(frozen=True, slots=True)
class SegmentObject:
    company: UUID
    space: UUID
    first: int
    last: int
    random: bytes
    """Eight bytes, so that no segment is ever written over another."""

    def __str__(self) -> str:
        name = f"{self.first:012}-{self.last:012}-{self.random.hex()}"
        return f"{ROOT}/{self.company}/log/{self.space}/{name}"


@dataclass(frozen=True, slots=True)
class RecoveryObject:
    company: UUID
    counter: int
    random: bytes

    def __str__(self) -> str:
        return f"{ROOT}/{self.company}/recovery/{self.counter:010}-{self.random.hex()}"


def parse_object_name(name: str) -> ShardObject | SegmentObject | RecoveryObject:
    """Reads a name below a warehouse's path."""
    if found := _SHARD.fullmatch(name):
        company, prefix, pack, index = found.groups()
        if pack.startswith(prefix) and int(index) < MAX_SHARDS:
            return ShardObject(UUID(company), bytes.fromhex(pack), int(index))
    if found := _SEGMENT.fullmatch(name):
        company, space, first, last, random = found.groups()
        return SegmentObject(
            UUID(company), UUID(space), int(first), int(last), bytes.fromhex(random)
        )
    if found := _RECOVERY.fullmatch(name):
        company, counter, random = found.groups()
        return RecoveryObject(UUID(company), int(counter), bytes.fromhex(random))
    raise Malformed("this is not the name of a stored object")
