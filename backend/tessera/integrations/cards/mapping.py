"""Maps the provider's objects to ours."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tessera.integrations.cards.protocol import Card, Invoice, Subscription, Upcoming

Raw = Mapping[str, Any]

CANCELED_MARK = "canceled_by_leader"
SUSPENDED_MARK = "suspended_for_debt"


def cards(newest_first: Sequence[Raw]) -> list[Card]:
    """Returns the oldest first. The provider's times are in seconds, so ties get extra microseconds
    to keep their order."""
    return [
        _card(raw, timedelta(microseconds=place))
        for place, raw in enumerate(reversed(newest_first))
    ]


def _card(raw: Raw, later: timedelta) -> Card:
    details = raw["card"]
    return Card(
        id=raw["id"],
        brand=details["brand"],
        last4=details["last4"],
        exp_month=details["exp_month"],
        exp_year=details["exp_year"],
        added_at=_time(raw["created"]) + later,
    )


def subscription(raw: Raw) -> Subscription:
    item = raw["items"]["data"][0]
    price = item["price"]
    return Subscription(
        id=raw["id"],
        item_id=item["id"],
        status=raw["status"],
        plan_id=int((price.get("metadata") or {}).get("plan_id", 0)),
        amount=price["unit_amount"] or 0,
        currency=price["currency"],
        interval=price["recurring"]["interval"],
        created_at=_time(raw["created"]),
        current_period_start=_time(item["current_period_start"]),
        current_period_end=_time(item["current_period_end"]),
        trial_end=_maybe_time(raw.get("trial_end")),
        cancel_at=_maybe_time(raw.get("cancel_at")),
        is_canceled=(raw.get("metadata") or {}).get(CANCELED_MARK) == "yes",
        is_suspended=(raw.get("metadata") or {}).get(SUSPENDED_MARK) == "yes",
        cancel_reason=(raw.get("cancellation_details") or {}).get("comment") or "",
        ended_at=_maybe_time(raw.get("ended_at")),
    )


def current_subscription(subscriptions: Iterable[Subscription]) -> Subscription | None:
    """Returns the active one, or the last that was. One that never started does not count."""
    began = [each for each in subscriptions if not each.status.startswith("incomplete")]
    return max(began, key=lambda each: (each.runs, each.created_at, each.id), default=None)


def upcoming(raw: Raw) -> Upcoming:
    """Returns the period from the lines, because the invoice's own is the one before."""
    return Upcoming(
        amount=int(raw["amount_due"]),
        period_end=_time(max(line["period"]["end"] for line in raw["lines"]["data"])),
    )


def invoice(raw: Raw) -> Invoice:
    moments = raw.get("status_transitions") or {}
    periods = [line["period"] for line in raw["lines"]["data"]]
    return Invoice(
        id=raw["id"],
        number=raw.get("number") or "",
        status=raw.get("status") or "draft",
        amount_due=raw["amount_due"],
        amount_paid=raw["amount_paid"],
        amount_remaining=raw["amount_remaining"],
        currency=raw["currency"],
        created_at=_time(raw["created"]),
        # The invoice's own period is the one before: its lines say what it pays for.
        period_start=_time(min(each["start"] for each in periods)),
        period_end=_time(max(each["end"] for each in periods)),
        paid_at=_maybe_time(moments.get("paid_at")),
        next_attempt_at=_maybe_time(raw.get("next_payment_attempt")),
        attempts=raw.get("attempt_count") or 0,
        page_url=raw.get("hosted_invoice_url"),
        pdf_url=raw.get("invoice_pdf"),
    )


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _maybe_time(seconds: int | None) -> datetime | None:
    return None if seconds is None else _time(seconds)
