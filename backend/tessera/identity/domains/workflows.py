from tessera.identity.domains import checks, queries
from tessera.kit.workflows import current_resources, purge_expired_workflows, schedule, workflow


@workflow(queue="domains", concurrency=4, attempts=5)
async def check_domains(company_id: int) -> None:
    """Safe to repeat: what was checked already is not due."""
    await checks.check_proved(current_resources(), company_id)


@schedule("29 4 * * *", attempts=8)
async def check_all_domains() -> None:
    await check_domains.enqueue_for_companies(queries.companies_with_proved, "domains")
    async with current_resources().database.without_tenant() as connection:
        await purge_expired_workflows(connection, [check_domains.name])
