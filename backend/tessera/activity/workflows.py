from tessera.activity import queries
from tessera.kit.workflows import current_resources, schedule

AT_ONCE = 5_000


@schedule("41 3 * * *", attempts=8)
async def sweep_activity() -> None:
    """Deletes in batches, each in its own transaction, so that no lock is held for long."""
    resources = current_resources()
    deleted = AT_ONCE
    while deleted == AT_ONCE:
        async with resources.database.without_tenant() as connection:
            deleted = await queries.purge_expired(
                connection, resources.settings.activity_days, AT_ONCE
            )
