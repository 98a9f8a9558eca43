"""Workflows that delete packs, and what deleted companies stored."""

from tessera.kit.workflows import current_resources, step, workflow
from tessera.storage.deletion import queries, service


@step()
async def plan_deletions() -> None:
    await delete_packs.enqueue_for_companies(queries.due_companies, "delete-packs")


@step()
async def plan_share_deletions() -> None:
    await delete_packs.enqueue_for_companies(
        queries.companies_with_ended_shares, "delete-shares", period="%Y%m%d%H"
    )


@step()
async def plan_request_deletions() -> None:
    await delete_packs.enqueue_for_companies(
        queries.companies_with_ended_requests, "delete-arrivals", period="%Y%m%d%H"
    )


@workflow(queue="storage", concurrency=4, attempts=5)
async def delete_packs(company_id: int) -> None:
    await service.delete_due_packs(current_resources(), company_id)


@step(attempts=5)
async def delete_prefixes() -> None:
    await service.delete_prefixes(current_resources())
