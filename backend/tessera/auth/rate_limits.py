"""Attempt limits for whatever `what` names: a client address, an email address, a link."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from tessera.auth import queries
from tessera.auth.errors import TooManyTries
from tessera.authz.context import RequestContext
from tessera.kit import rate_counters
from tessera.kit.workflows import current_resources, schedule, step

HOUR = timedelta(hours=1)
PURGED_AT_ONCE = 5_000


async def limit(
    context: RequestContext, what: str, maximum: int, window: timedelta = HOUR
) -> bytes:
    """Returns the counter's key, with which a successful attempt is taken back."""
    key = context.keys.mac("counters", what)
    tries = await rate_counters.increment(context.database, key, window)
    if tries.count > maximum:
        raise _too_many(tries.resets_in)
    return key


@dataclass(frozen=True)
class Limit:
    what: str
    maximum: int
    window: timedelta


async def limit_all(context: RequestContext, limits: Sequence[Limit]) -> list[bytes]:
    """Counts the attempt under every limit, or under none if one is reached."""
    keyed = [
        rate_counters.Limit(context.keys.mac("counters", each.what), each.maximum, each.window)
        for each in limits
    ]
    reached = await rate_counters.increment_all(context.database, keyed)
    if reached is not None:
        raise _too_many(reached.resets_in)
    return [each.key for each in keyed]


def _too_many(resets_in: int) -> TooManyTries:
    return TooManyTries(
        minutes=-(-resets_in // 60), extra={"retryAfter": resets_in}, retry_after=resets_in
    )


@schedule("17 * * * *")
async def sweep(*_: object) -> None:
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
