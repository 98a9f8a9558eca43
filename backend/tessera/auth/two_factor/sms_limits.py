"""Counts SMS under their daily limits. Login codes have separate counters, and a share of the
platform's limit is left to them: using up the others locks nobody out."""

from dataclasses import dataclass

from prometheus_client import Counter as Metric

from tessera import limits
from tessera.auth.errors import TooManyCodes
from tessera.authz.context import RequestContext
from tessera.kit import rate_counters
from tessera.kit.database import Connection
from tessera.kit.keys import Keys
from tessera.kit.rate_counters import Counter, LimitReached, counter_of

REFUSED = Metric("tessera_sms_refused_total", "SMS refused by a daily limit", ["limit"])


@dataclass(frozen=True)
class Recipient:
    """Who gets a code and why. Guests have no `user_id`, and with a ticket no `company_id`: their
    ticket or invite limits them."""

    purpose: str
    phone_number: str
    company_id: int | None
    user_id: int | None = None


async def count_send(context: RequestContext, recipient: Recipient) -> None:
    """Counts one SMS under every limit, or under none if one of them is reached."""
    try:
        await rate_counters.increment(context.database, _counters(context, recipient))
    except LimitReached as reached:
        REFUSED.labels(reached.limit.name).inc()
        raise TooManyCodes from None


async def refund_attempt(context: RequestContext, recipient: Recipient) -> None:
    """For an SMS that was counted and then not sent."""
    await rate_counters.decrement(context.database, *_counters(context, recipient))


async def refund_recipient(context: RequestContext, recipient: Recipient) -> None:
    """Who enters a code has asked for it, so it no longer counts against their number."""
    await rate_counters.decrement(context.database, _of_number(context, recipient))


def _counters(context: RequestContext, recipient: Recipient) -> list[Counter]:
    purpose, is_login = recipient.purpose, recipient.purpose == "login"
    counters = [_of_number(context, recipient), context.counter(limits.SMS)]
    if recipient.user_id is not None:
        # A number that is not confirmed yet may be anybody's, so few codes are sent because of it.
        limit = limits.SMS_UNCONFIRMED if purpose == "phone" else limits.SMS_PER_ACCOUNT
        counters.append(context.counter(limit, purpose, recipient.user_id))
    if recipient.company_id is not None:
        counters.append(context.counter(limits.SMS_PER_COMPANY, is_login, recipient.company_id))
    if not is_login:
        counters.append(context.counter(limits.SMS_PER_ORIGIN, context.site))
        counters.append(context.counter(limits.SMS_OTHER))
    return counters


def _of_number(context: RequestContext, recipient: Recipient) -> Counter:
    return context.counter(limits.SMS_PER_NUMBER, recipient.purpose, recipient.phone_number)


async def budget_used(connection: Connection, keys: Keys) -> dict[str, float]:
    """Returns how much of the platform's daily limits is used, from 0 to 1."""
    counters = {
        "all": counter_of(keys, limits.SMS),
        "other": counter_of(keys, limits.SMS_OTHER),
    }
    counts = await rate_counters.read(connection, [each.key for each in counters.values()])
    return {
        name: counts.get(counter.key, 0) / counter.limit.maximum
        for name, counter in counters.items()
    }
