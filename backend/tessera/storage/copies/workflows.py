"""Workflows that copy logs and recovery kits to the warehouses, and merge small segments there."""

from tessera.kit.workflows import current_resources, schedule, step, workflow
from tessera.storage.copies import merging, queries, service


@workflow(queue="storage", concurrency=4, attempts=5)
async def copy_logs(company_id: int) -> None:
    await service.copy_company(current_resources(), company_id)


@schedule("* * * * *", attempts=1)
async def copy_round() -> None:
    await service.copy_all(current_resources())


@schedule("23 4 * * *")
async def copy_to_new_warehouses() -> None:
    await copy_everything()
    await plan_merges()


@step(attempts=1)
async def copy_everything() -> None:
    await service.copy_all(current_resources(), everything=True)


@step()
async def plan_merges() -> None:
    await merge_logs.enqueue_for_companies(queries.companies_with_spaces, "merge-logs")


@workflow(queue="storage", concurrency=4, attempts=3)
async def merge_logs(company_id: int) -> None:
    await merging.merge_company(current_resources(), company_id)
