"""Audits: every stored shard is looked for in its warehouse within 30 days, and at once when its
warehouse is reachable again. Existence, size and the provider's checksum are compared."""

from functools import partial

from prometheus_client import Counter

from tessera.authz import queries as authz_queries
from tessera.integrations.clouds import CloudError, ObjectStat
from tessera.kit.workflows import Resources
from tessera.storage.clouds import Call, call_all, load_warehouses
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.queries import CheckedShard
from tessera.storage.packs.shard_checks import compare, shard_state, stat_object
from tessera.storage.repair import queries
from tessera_core.objects import ShardObject

AUDITED = Counter("tessera_storage_audited_shards_total", "Audited shards, by finding", ["state"])

BATCH = 256


async def audit_batch(resources: Resources, company_id: int) -> bool:
    """Audits the shards that are due, the oldest first. Returns whether there may be more."""
    async with resources.database.tenant(company_id) as connection:
        company = await authz_queries.company_uuid(connection, company_id)
        warehouses = await load_warehouses(connection, resources, company_id)
        since = [(each.id, each.status_since) for each in warehouses.values() if each.is_connected]
        due = await queries.shards_to_audit(connection, company_id, since, BATCH)
    if company is None or not due:
        return False
    calls: list[Call[ObjectStat | None]] = [
        (
            shard.warehouse_id,
            partial(stat_object, str(ShardObject(company, shard.pack_id, shard.index))),
        )
        for shard in due
    ]
    answers = await call_all(resources, warehouses, calls)
    checked = [
        CheckedShard(
            pack_id=shard.pack_id,
            index=shard.index,
            warehouse_id=shard.warehouse_id,
            state=shard_state(shard, compare(shard, answer)),
            checksum=answer.checksum if answer else shard.checksum,
        )
        for shard, answer in zip(due, answers, strict=True)
        if shard.warehouse_id is not None and not isinstance(answer, CloudError)
    ]
    for each in checked:
        AUDITED.labels(each.state).inc()
    async with resources.database.tenant(company_id) as connection:
        await pack_queries.store_checks(connection, company_id, checked)
    # What did not answer stays due; the next round asks again.
    return len(checked) == BATCH
