"""Workflows that settle uploads whose links have expired."""

from tessera.kit.workflows import current_resources, step, workflow
from tessera.storage.settlement import queries, service

# A company has at most this many batches settled in one run; the next minute goes on.
BATCHES = 8


@step()
async def plan_settlements() -> None:
    await settle_company.enqueue_for_companies(queries.due_companies, "settle", period="%Y%m%d%H%M")


@workflow(queue="audits", concurrency=2)
async def settle_company(company_id: int) -> None:
    for _ in range(BATCHES):
        if not await settle_batch(company_id):
            return


@step(attempts=3)
async def settle_batch(company_id: int) -> bool:
    return await service.settle_batch(current_resources(), company_id)
