"""Daily limits of SMS: per account, recipient, origin and company, and for the whole platform, of
which a share is reserved for login codes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from prometheus_client import Counter

from tessera.auth.errors import TooManyCodes
from tessera.authz.context import RequestContext
from tessera.kit import rate_counters
from tessera.kit.database import Connection
from tessera.kit.keys import Keys
from tessera.settings import Settings

DAY = timedelta(days=1)
REFUSED = Counter("tessera_sms_refused_total", "SMS refused by a daily limit", ["limit"])


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
    limits = _limits(context, recipient)
    reached = await rate_counters.increment_all(
        context.database, [rate_counters.Limit(key, maximum, DAY) for key, _, maximum in limits]
    )
    if reached is not None:
        REFUSED.labels(next(name for key, name, _ in limits if key == reached.key)).inc()
        raise TooManyCodes


async def take_back_send(context: RequestContext, recipient: Recipient) -> None:
    """For an SMS that was counted and then not sent."""
    await rate_counters.decrement(
        context.database, *(key for key, _, _ in _limits(context, recipient))
    )


async def forgive_recipient(context: RequestContext, recipient: Recipient) -> None:
    """Who enters a code has asked for it, so it no longer counts against their number."""
    await rate_counters.decrement(context.database, _recipient_key(context.keys, recipient))


def _limits(context: RequestContext, recipient: Recipient) -> list[tuple[bytes, str, int]]:
    """A number that is not confirmed yet may be anybody's, so few codes are sent because of it.
    Login codes have separate counters: using up the others locks nobody out."""
    settings, mac = context.settings, context.keys.mac
    purpose = recipient.purpose
    share = "login" if purpose == "login" else "other"
    limits = [(_recipient_key(context.keys, recipient), "recipient", settings.code_sends_per_day)]
    if recipient.user_id is not None:
        unconfirmed = purpose == "phone"
        maximum = settings.code_sends_per_day if unconfirmed else settings.sms_per_account_per_day
        key = mac("counters", f"sms-account|{purpose}|{recipient.user_id}")
        limits.append((key, "account", maximum))
    if recipient.company_id is not None:
        key = mac("counters", f"sms-company|{share}|{recipient.company_id}")
        limits.append((key, "company", settings.sms_per_company_per_day))
    if share == "other":
        key = mac("counters", f"sms-origin|{context.site}")
        limits.append((key, "origin", settings.sms_per_origin_per_day))
    limits += [
        (key, "platform", maximum)
        for counted, (key, maximum) in _platform_limits(context.keys, settings).items()
        if counted in {share, "all"}
    ]
    return limits


def _recipient_key(keys: Keys, recipient: Recipient) -> bytes:
    return keys.mac("counters", f"sms-recipient|{recipient.purpose}|{recipient.phone_number}")


def _platform_limits(keys: Keys, settings: Settings) -> Mapping[str, tuple[bytes, int]]:
    others = settings.sms_per_day * (100 - settings.sms_login_reserve_percent) // 100
    return {
        "all": (keys.mac("counters", "sms-all"), settings.sms_per_day),
        "other": (keys.mac("counters", "sms-other"), others),
    }


async def budget_used(connection: Connection, keys: Keys, settings: Settings) -> dict[str, float]:
    """Returns how much of the platform's daily limits is used, from 0 to 1."""
    limits = _platform_limits(keys, settings)
    counts = await rate_counters.read(connection, [key for key, _ in limits.values()])
    return {name: counts.get(key, 0) / max(maximum, 1) for name, (key, maximum) in limits.items()}
