"""The workflow that reads the warehouses after a restore of the service."""

from tessera.kit.workflows import current_resources, step, workflow
from tessera.storage.restores import queries, segments


@step()
async def plan_restores() -> None:
    await read_logs.enqueue_for_companies(queries.companies_to_read, "restore", period="%Y%m%d%H%M")


@workflow(queue="restores", concurrency=2, attempts=3)
async def read_logs(company_id: int) -> None:
    await segments.read_company(current_resources(), company_id)
