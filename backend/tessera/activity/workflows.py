from tessera.activity import queries
from tessera.kit.workflows import current_resources, schedule, step

AT_ONCE = 5_000


@schedule("41 3 * * *")
async def sweep_activity(*_: object) -> None:
    await forget_old_activity()


@step()
async def forget_old_activity() -> None:
    """Deletes in batches, each in its own transaction, so that no lock is held for long."""
    resources = current_resources()
    gone = AT_ONCE
    while gone == AT_ONCE:
        async with resources.database.without_tenant() as connection:
            gone = await queries.forget_old(connection, resources.settings.activity_days, AT_ONCE)
