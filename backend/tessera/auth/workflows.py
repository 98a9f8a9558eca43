"""Deletes what has expired."""

from tessera.auth import queries
from tessera.kit import rate_counters
from tessera.kit.workflows import current_resources, schedule, step

PURGED_AT_ONCE = 5_000


@schedule("17 * * * *")
async def sweep() -> None:
    await purge_expired_counters()
    await purge_expired_logins()


@step()
async def purge_expired_counters() -> None:
    await rate_counters.purge_expired(current_resources().database)


@step()
async def purge_expired_logins() -> None:
    """Deletes old sessions, codes, links, sent messages, remembered devices and finished workflows,
    in batches, each in its own transaction."""
    database = current_resources().database
    deleted = PURGED_AT_ONCE
    while deleted == PURGED_AT_ONCE:
        async with database.without_tenant() as connection:
            deleted = await queries.purge_expired_logins(connection, PURGED_AT_ONCE)
    deleted = PURGED_AT_ONCE
    while deleted == PURGED_AT_ONCE:
        async with database.without_tenant() as connection:
            deleted = await queries.purge_finished_workflows(connection, PURGED_AT_ONCE)
