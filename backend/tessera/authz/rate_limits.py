"""Counts a caller's attempts under limits."""

from tessera.authz.context import RequestContext
from tessera.authz.errors import TooManyTries
from tessera.kit import rate_counters
from tessera.kit.rate_counters import Counter, LimitReached
from tessera.limits import Limit


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
