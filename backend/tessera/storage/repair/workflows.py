"""Workflows of audits and repairs."""

from tessera.kit.workflows import current_resources, step, workflow
from tessera.storage.repair import audits, pack_repair, queries, service

# A company has at most this many batches audited in one run; the next minute goes on.
AUDIT_BATCHES = 8


@step()
async def plan_audits() -> None:
    await audit_company.enqueue_for_companies(
        queries.companies_to_audit, "audit", period="%Y%m%d%H%M"
    )


@workflow(queue="audits", concurrency=2)
async def audit_company(company_id: int) -> None:
    for _ in range(AUDIT_BATCHES):
        if not await audit_batch(company_id):
            return


@step(attempts=3)
async def audit_batch(company_id: int) -> bool:
    return await audits.audit_batch(current_resources(), company_id)


@step()
async def plan_repairs() -> None:
    resources = current_resources()
    async with resources.database.platform.transaction() as connection:
        companies = await queries.companies_to_inspect(connection)
    for company_id in companies:
        async with resources.database.tenant(company_id) as connection:
            repair_id = await service.begin_repair(connection, resources, company_id)
            if repair_id is not None:
                key = f"repair-{repair_id}"
                await repair_company.enqueue(connection, company_id, repair_id, key=key)


@workflow(queue="repairs", concurrency=2)
async def repair_company(company_id: int, repair_id: int) -> None:
    while await repair_batch(company_id, repair_id):
        pass
    await finish_repair(company_id, repair_id)


@step(attempts=10)
async def repair_batch(company_id: int, repair_id: int) -> bool:
    return await pack_repair.repair_batch(current_resources(), company_id, repair_id)


@step(attempts=10)
async def finish_repair(company_id: int, repair_id: int) -> None:
    await service.finish_repair(current_resources(), company_id, repair_id)
