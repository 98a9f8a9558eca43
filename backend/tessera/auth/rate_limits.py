"""Counts attempts under limits, and deletes what has expired."""

from tessera.auth import queries
from tessera.auth.errors import TooManyTries
from tessera.authz.context import RequestContext
from tessera.kit import rate_counters
from tessera.kit.rate_counters import Counter, LimitReached
from tessera.kit.workflows import current_resources, schedule, step
from tessera.limits import Limit

PURGED_AT_ONCE = 5_000


async def limit(context: RequestContext, of: Limit, *subject: object) -> Counter:
    """Returns the counter, with which a successful attempt is taken back."""
    counter = context.counter(of, *subject)
    await limit_all(context, counter)
    return counter


async def limit_all(context: RequestContext, *counters: Counter) -> None:
    """Counts the attempt under every limit, or under none if one is reached."""
    try:
        await rate_counters.increment(context.database, counters)
    except LimitReached as reached:
        raise TooManyTries(reached.resets_in) from None


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
