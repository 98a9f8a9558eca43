"""Fetches a company's data from the provider and stores a copy. Webhook contents are never used:
any event, in any order, leads to reading the current objects."""

from dataclasses import dataclass
from datetime import timedelta

from tessera.activity.service import record_system
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.protocol import Account, Invoice
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.subscription import plans, queries, sync_queries
from tessera.subscription.dunning import mail_receipts, review
from tessera.subscription.schemas import Status
from tessera.subscription.sync_queries import BillingStatus

STATUSES: dict[str, Status] = {
    "trialing": "trialing",
    "active": "active",
    "past_due": "past_due",
    "unpaid": "past_due",
    "paused": "past_due",
    "canceled": "cancelled",
}

STATUS_ACTIONS = {
    "": "subscription.gone",
    "trialing": "subscription.trialBegan",
    "active": "subscription.active",
    "past_due": "subscription.pastDue",
    "cancelled": "subscription.ended",
}


@dataclass(frozen=True)
class Snapshot:
    number: int
    account: Account


def unpaid_invoices(account: Account) -> list[Invoice]:
    """Returns unpaid invoices, oldest first."""
    return sorted(
        (invoice for invoice in account.invoices if invoice.is_owed),
        key=lambda invoice: (invoice.created_at, invoice.id),
    )


def billing_status(account: Account, settings: Settings) -> BillingStatus:
    """Derives status, debt and the end of access from the provider's objects."""
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
    elif not subscription.renews:
        until = subscription.current_period_end
    else:
        # A failed renewal gets the grace days anyway, so a late webhook or an unreachable provider
        # locks nobody out.
        until = subscription.current_period_end + grace
    if since is not None:
        until = min(until, since + grace)
    return BillingStatus(status, since, until)


async def fetch_snapshot(resources: Resources, company_id: int) -> Snapshot | None:
    """None if the company is gone or the provider does not know it yet."""
    async with resources.database.tenant(company_id) as connection:
        company = await queries.customer(connection, company_id)
        if company is None or company.customer_id is None:
            return None
        number = await sync_queries.begin(connection, company_id)
    provider = card_provider(resources.settings, resources.database)
    return Snapshot(number, await provider.account(company.customer_id))


async def store_snapshot(
    connection: Connection, resources: Resources, company_id: int, seen: Snapshot
) -> list[str]:
    """Runs in the caller's transaction, with the tenant entered. Returns the changed columns."""
    before = await sync_queries.lock(connection, company_id)
    if before.sync_applied >= seen.number:
        return []
    current = billing_status(seen.account, resources.settings)
    await sync_queries.write_subscription(
        connection, company_id, seen.number, seen.account, current
    )
    await sync_queries.write_cards(connection, company_id, seen.account)
    paid = await sync_queries.newly_paid(connection, company_id, seen.account)
    await sync_queries.write_invoices(connection, company_id, seen.account)
    await sync_queries.write_access(connection, company_id, current)
    if before.status != current.status and before.sync_applied:
        await record_system(connection, company_id, STATUS_ACTIONS[current.status])
    await mail_receipts(connection, resources, company_id, paid)
    await review(connection, resources, company_id, previous_debt=before.past_due_since)
    after = await sync_queries.lock(connection, company_id)
    return after.columns_changed_since(before)


async def refresh(resources: Resources, company_id: int) -> list[str]:
    seen = await fetch_snapshot(resources, company_id)
    if seen is None:
        return []
    async with resources.database.tenant(company_id) as connection:
        return await store_snapshot(connection, resources, company_id, seen)


async def store_account(
    connection: Connection, resources: Resources, company_id: int, account: Account
) -> None:
    """Call in the transaction that creates the company, with the company entered."""
    await queries.set_customer(connection, company_id, account.customer_id)
    number = await sync_queries.begin(connection, company_id)
    await store_snapshot(connection, resources, company_id, Snapshot(number, account))
    subscription = account.subscription
    if subscription is not None and subscription.plan_id != plans.BASIC:
        await queries.set_warehouse_view(connection, company_id, True)
