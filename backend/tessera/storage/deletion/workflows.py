"""Workflows that delete packs, and what deleted companies stored."""

from tessera.kit.database import Connection
from tessera.kit.workflows import current_resources, step, workflow
from tessera.storage.deletion import queries, service


@step()
async def plan_deletions() -> None:
    await delete_packs.enqueue_for_companies(queries.due_companies, "delete-packs")


@workflow(queue="storage", concurrency=4, attempts=5)
async def delete_packs(company_id: int) -> None:
    await service.delete_due_packs(current_resources(), company_id)


@workflow(queue="storage", concurrency=4)
async def delete_company_prefixes() -> None:
    await delete_prefixes()


@step(attempts=5)
async def delete_prefixes() -> None:
    await service.delete_prefixes(current_resources())


async def forget_company(connection: Connection, company_id: int) -> None:
    """Call in the transaction that deletes the company, with the company entered: what it stored in
    shared warehouses is deleted afterwards."""
    await queries.add_prefix_deletions(connection, company_id)
    await delete_company_prefixes.enqueue(connection, key=f"delete-prefixes-{company_id}")
