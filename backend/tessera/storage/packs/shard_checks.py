"""Compares shards with what their warehouses say of the objects."""

from collections.abc import Iterable, Mapping
from operator import methodcaller
from uuid import UUID

from tessera.integrations.clouds import CloudError, ObjectStat
from tessera.kit.workflows import Resources
from tessera.storage.clouds import Call, StorageWarehouse, call_all
from tessera.storage.packs.queries import CheckedShard, Shard, ShardState
from tessera.storage.packs.schemas import ShardReport
from tessera_core.objects import ShardObject

# None if there is no object.
Answer = ObjectStat | CloudError | None


def object_path(company: UUID, shard: Shard) -> str:
    return str(ShardObject(company, shard.pack_id, shard.index))


async def ask_warehouses(
    resources: Resources,
    warehouses: Mapping[int, StorageWarehouse],
    company: UUID,
    shards: list[Shard],
) -> list[tuple[Shard, Answer]]:
    calls: list[Call[ObjectStat | None]] = [
        (shard.warehouse_id, methodcaller("stat", object_path(company, shard))) for shard in shards
    ]
    return list(zip(shards, await call_all(resources, warehouses, calls), strict=True))


def compare(shard: Shard, answer: Answer) -> ShardReport:
    """A provider's own checksum is comparable only with the one it gave before."""
    if isinstance(answer, CloudError):
        return "stored" if shard.is_stored else "unknown"
    if answer is None:
        return "absent"
    if answer.size != shard.size or answer.sha256 not in {None, shard.sha256.hex()}:
        return "different"
    if shard.is_stored and shard.checksum != answer.checksum:
        return "different"
    return "stored"


def checked_shards(answers: Iterable[tuple[Shard, Answer]]) -> list[CheckedShard]:
    """What to store of the warehouses that answered."""
    return [
        CheckedShard(
            pack_id=shard.pack_id,
            index=shard.index,
            warehouse_id=shard.warehouse_id,
            state=_state(shard, compare(shard, answer)),
            checksum=answer.checksum if answer else shard.checksum,
        )
        for shard, answer in answers
        if shard.warehouse_id is not None and not isinstance(answer, CloudError)
    ]


def _state(shard: Shard, report: ShardReport) -> ShardState:
    match report:
        case "stored":
            return "stored"
        case "different":
            return "wrong"
        case _:
            return "missing" if shard.state == "stored" else shard.state
