"""Deletes from the warehouses: packs that were retired or never committed, those of shares and
requests that are over, and what a deleted company stored in shared warehouses."""

from collections.abc import Sequence
from operator import methodcaller

import structlog

from tessera.authz import queries as authz_queries
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.integrations.clouds import CloudError
from tessera.kit.workflows import Resources
from tessera.storage.clouds import StorageWarehouse, call_all, load_warehouses
from tessera.storage.deletion import queries
from tessera.storage.deletion.queries import (
    PrefixDeletion,
    add_prefix_deletions,
    stored_totals,
)
from tessera.storage.queries import is_restoring
from tessera_core.objects import ROOT, ShardObject

# Queries that other features call.
__all__ = ["add_prefix_deletions", "is_restoring", "stored_totals"]

log = structlog.get_logger()

OBJECTS_AT_ONCE = 200


async def delete_due_packs(resources: Resources, company_id: int) -> None:
    """Safe to repeat: a shard's row goes after its object. What a warehouse does not delete now is
    left for the next day."""
    async with resources.database.tenant(company_id) as connection:
        if await is_restoring(connection, company_id):
            # An entry that comes back may name what seems to be of no use.
            return
        await queries.mark_due(connection, company_id)
        company = await authz_queries.company_uuid(connection, company_id)
        warehouses = await load_warehouses(connection, resources, company_id)
    after = (b"", -1)
    while company is not None:
        async with resources.database.tenant(company_id) as connection:
            shards = await queries.shards_to_delete(connection, company_id, after, OBJECTS_AT_ONCE)
        if not shards:
            break
        after = shards[-1].pack_id, shards[-1].index
        calls = [
            (
                shard.warehouse_id,
                methodcaller("delete", str(ShardObject(company, shard.pack_id, shard.index))),
            )
            for shard in shards
        ]
        answers = await call_all(resources, warehouses, calls)
        gone = [
            shard
            for shard, answer in zip(shards, answers, strict=True)
            if shard.warehouse_id is None or not isinstance(answer, CloudError)
        ]
        async with resources.database.tenant(company_id) as connection:
            await queries.remove_shards(connection, company_id, gone)
    async with resources.database.tenant(company_id) as connection:
        await queries.remove_uncommitted(connection, company_id)
        await queries.forget_shares(connection, company_id)
        await queries.forget_requests(connection, company_id)


async def delete_prefixes(resources: Resources) -> None:
    """Safe to repeat; what a warehouse does not delete now is left for the next day."""
    async with resources.database.platform.transaction() as connection:
        waiting = await queries.prefix_deletions(connection)
    async with resources.database.tenant(PLATFORM_COMPANY) as connection:
        warehouses = await load_warehouses(connection, resources, PLATFORM_COMPANY)
    for each in waiting:
        if await _delete_prefix(resources, warehouses[each.warehouse_id], each):
            async with resources.database.platform.transaction() as connection:
                await queries.finish_prefix_deletion(connection, each.id)


async def _delete_prefix(
    resources: Resources, warehouse: StorageWarehouse, prefix: PrefixDeletion
) -> bool:
    """True if nothing is left of it, as the warehouse itself says afterwards."""
    folder = f"{ROOT}/{prefix.company_uuid}"
    try:
        cloud = warehouse.open(resources)
        names = await cloud.list_objects(folder)
        async with resources.database.platform.transaction() as connection:
            await queries.note_objects(connection, prefix.id, len(names))
        for first in range(0, len(names), OBJECTS_AT_ONCE):
            part: Sequence[str] = names[first : first + OBJECTS_AT_ONCE]
            calls = [(warehouse.id, methodcaller("delete", name)) for name in part]
            answers = await call_all(resources, {warehouse.id: warehouse}, calls)
            if any(isinstance(answer, CloudError) for answer in answers):
                return False
        return not (names and await cloud.list_objects(folder))
    except CloudError as error:
        log.warning("prefix not deleted", warehouse_id=warehouse.id, error=str(error))
        return False
