"""Workflows that delete packs, grants without an entry, what deleted companies stored, and finished
rounds."""

from tessera.kit.database import Connection
from tessera.kit.workflows import current_resources, schedule, step, workflow
from tessera.storage.copies import workflows as copy_workflows
from tessera.storage.deletion import queries, service
from tessera.storage.log import limits
from tessera.storage.repair import workflows
from tessera.warehouses.monitor_queries import purge_expired_workflows


@schedule("23 3 * * *")
async def sweep_storage(*_: object) -> None:
    await plan_deletions()
    await delete_prefixes()
    await delete_orphan_grants()
    await purge_rounds()


@step()
async def plan_deletions() -> None:
    resources = current_resources()
    async with resources.database.platform.transaction() as connection:
        companies = await queries.due_companies(connection)
    async with resources.database.without_tenant() as connection:
        await delete_packs.enqueue_daily(connection, "delete-packs", companies)


@workflow(queue="storage", concurrency=4)
async def delete_packs(company_id: int) -> None:
    await delete_packs_now(company_id)


@step(attempts=5)
async def delete_packs_now(company_id: int) -> None:
    await service.delete_due_packs(current_resources(), company_id)


@workflow(queue="storage", concurrency=4)
async def delete_company_prefixes() -> None:
    await delete_prefixes()


@step(attempts=5)
async def delete_prefixes() -> None:
    await service.delete_prefixes(current_resources())


@step(attempts=5)
async def delete_orphan_grants() -> None:
    await limits.delete_orphan_grants(current_resources())


@step()
async def purge_rounds() -> None:
    rounds = [
        f"{copy_workflows.__name__}.copy_round",
        f"{workflows.__name__}.storage_round",
        workflows.audit_company.name,
        workflows.settle_company.name,
    ]
    async with current_resources().database.without_tenant() as connection:
        await purge_expired_workflows(connection, rounds)


async def forget_company(connection: Connection, company_id: int) -> None:
    """Call in the transaction that deletes the company, with the company entered: what it stored in
    shared warehouses is deleted afterwards."""
    await queries.add_prefix_deletions(connection, company_id)
    await delete_company_prefixes.enqueue(connection, key=f"delete-prefixes-{company_id}")
