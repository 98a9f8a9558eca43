"""Attempt limits for whatever `what` names: a client address, an email address, a link."""

from datetime import timedelta

from tessera.auth.errors import TooManyTries
from tessera.authz.context import RequestContext
from tessera.kit import rate_counters
from tessera.kit.workflows import current_resources, schedule, step

HOUR = timedelta(hours=1)


async def limit(context: RequestContext, what: str, most: int, window: timedelta = HOUR) -> bytes:
    """Returns the counter's key, with which a successful attempt is taken back."""
    key = context.keys.mac("counters", what)
    tries = await rate_counters.increment(context.database, key, window)
    if tries.count > most:
        raise TooManyTries(
            minutes=-(-tries.resets_in // 60),
            extra={"retryAfter": tries.resets_in},
            retry_after=tries.resets_in,
        )
    return key


@schedule("17 * * * *", name="tessera.auth.workflows.sweep")
async def sweep(*_: object) -> None:
    await delete_old_counters()


@step(name="tessera.auth.workflows.forget_old_counters")
async def delete_old_counters() -> None:
    await rate_counters.forget_old(current_resources().database)
