"""Workflows that copy logs and recovery kits to the warehouses, and merge small segments there."""

from tessera.kit.workflows import current_resources, schedule, step, workflow
from tessera.storage.copies import merging, queries, service


@workflow(queue="storage", concurrency=4)
async def copy_logs(company_id: int) -> None:
    await copy_logs_now(company_id)


@step(attempts=5)
async def copy_logs_now(company_id: int) -> None:
    await service.copy_company(current_resources(), company_id)


@schedule("* * * * *")
async def copy_round(*_: object) -> None:
    await copy_new_entries()


@step(attempts=1)
async def copy_new_entries() -> None:
    await service.copy_all(current_resources())


@schedule("23 4 * * *")
async def copy_to_new_warehouses(*_: object) -> None:
    await copy_everything()
    await plan_merges()


@step(attempts=1)
async def copy_everything() -> None:
    await service.copy_all(current_resources(), everything=True)


@step()
async def plan_merges() -> None:
    resources = current_resources()
    async with resources.database.platform.transaction() as connection:
        companies = await queries.companies_with_spaces(connection)
    async with resources.database.without_tenant() as connection:
        await merge_logs.enqueue_daily(connection, "merge-logs", companies)


@workflow(queue="storage", concurrency=4)
async def merge_logs(company_id: int) -> None:
    await merge_logs_now(company_id)


@step(attempts=3)
async def merge_logs_now(company_id: int) -> None:
    await merging.merge_company(current_resources(), company_id)
