"""Derives a company's status, debt and access from the provider's objects."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from tessera.integrations.cards.protocol import Account, Invoice
from tessera.settings import Settings

Status = Literal["", "trialing", "active", "past_due", "cancelled"]

STATUSES: dict[str, Status] = {
    "trialing": "trialing",
    "active": "active",
    "past_due": "past_due",
    "unpaid": "past_due",
    "paused": "past_due",
    "canceled": "cancelled",
}


@dataclass(frozen=True)
class BillingStatus:
    status: Status
    past_due_since: datetime | None
    # The end of access, by the billing clock.
    access_until: datetime | None


def unpaid_invoices(account: Account) -> list[Invoice]:
    """Returns unpaid invoices, oldest first."""
    return sorted(
        (invoice for invoice in account.invoices if invoice.is_owed),
        key=lambda invoice: (invoice.created_at, invoice.id),
    )


def billing_status(account: Account, settings: Settings) -> BillingStatus:
    subscription = account.subscription
    debts = unpaid_invoices(account)
    since = debts[0].created_at if debts else None
    if subscription is None:
        return BillingStatus("", since, None)
    status: Status = STATUSES.get(subscription.status, "")
    if status == "past_due" and since is None:
        since = subscription.current_period_start
    grace = timedelta(days=settings.grace_days)
    if not subscription.runs:
        until = subscription.ended_at or subscription.current_period_end
    elif subscription.cancel_at_period_end:
        until = subscription.current_period_end
    else:
        # A failed renewal gets the grace days anyway, so a late webhook or an unreachable provider
        # locks nobody out.
        until = subscription.current_period_end + grace
    if since is not None:
        until = min(until, since + grace)
    return BillingStatus(status, since, until)
