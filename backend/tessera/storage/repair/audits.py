"""Audits: every stored shard is looked for in its warehouse within 30 days, and at once when its
warehouse is reachable again. Existence, size and the provider's checksum are compared."""

from prometheus_client import Counter

from tessera.authz import queries as authz_queries
from tessera.kit.workflows import Resources
from tessera.storage.clouds import load_warehouses
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.shard_checks import ask_warehouses, checked_shards
from tessera.storage.repair import queries

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
    checked = checked_shards(await ask_warehouses(resources, warehouses, company, due))
    for each in checked:
        AUDITED.labels(each.state).inc()
    async with resources.database.tenant(company_id) as connection:
        await pack_queries.store_checks(connection, company_id, checked)
    # What did not answer stays due; the next round asks again.
    return len(checked) == BATCH
