"""Workflows that settle uploads whose links have expired."""

from tessera.kit import clock
from tessera.kit.workflows import current_resources, step, workflow
from tessera.storage.settlement import queries, service

# A company has at most this many batches settled in one run; the next minute goes on.
BATCHES = 8


@step()
async def plan_settlements() -> None:
    resources = current_resources()
    async with resources.database.platform.transaction() as connection:
        companies = await queries.due_companies(connection)
    minute = int(clock.now().timestamp()) // 60
    async with resources.database.without_tenant() as connection:
        for company_id in companies:
            key = f"settle-{company_id}-{minute}"
            await settle_company.enqueue(connection, company_id, key=key)


@workflow(queue="audits", concurrency=2)
async def settle_company(company_id: int) -> None:
    for _ in range(BATCHES):
        if not await settle_batch(company_id):
            return


@step(attempts=3)
async def settle_batch(company_id: int) -> bool:
    return await service.settle_batch(current_resources(), company_id)
