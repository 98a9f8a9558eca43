"""Mails about overdue backups."""

from tessera.kit.workflows import current_resources, step, workflow
from tessera.storage.backups import queries, service


@step()
async def plan_reminders() -> None:
    await remind_company.enqueue_for_companies(
        queries.companies_to_remind, "backups", period="%Y%m%d%H"
    )


@workflow(queue="storage", concurrency=4, attempts=5)
async def remind_company(company_id: int) -> None:
    await service.remind(current_resources(), company_id)
