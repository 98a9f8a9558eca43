"""Deletes the companies whose day has come. What they stored in shared warehouses follows, and then
the mail that says so."""

from tessera.companies.deletion import queries, service
from tessera.kit.workflows import current_resources, schedule, step, workflow
from tessera.storage.deletion.workflows import delete_prefixes


@schedule("37 * * * *")
async def deletion_round() -> None:
    await plan_reviews()
    # What a warehouse did not delete when it was asked first.
    await delete_prefixes()
    await send_proofs()


@step()
async def plan_reviews() -> None:
    await review_company.enqueue_for_companies(
        queries.companies_to_review, "leaving", period="%Y%m%d%H"
    )


@workflow(queue="storage", concurrency=4)
async def review_company(company_id: int) -> None:
    if await remind_or_delete(company_id):
        await delete_prefixes()
        await send_proofs()


@step(attempts=5)
async def remind_or_delete(company_id: int) -> bool:
    return await service.remind_or_delete(current_resources(), company_id)


@workflow(queue="storage", concurrency=4)
async def finish_deletion() -> None:
    await delete_prefixes()
    await send_proofs()


@step(attempts=5)
async def send_proofs() -> None:
    await service.send_proofs(current_resources())
