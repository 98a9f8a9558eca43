"""Fetches a company's data from the provider and stores a copy. Webhook contents are never used:
any event, in any order, leads to reading the current objects."""

from dataclasses import dataclass

from tessera.activity.service import record_system
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.protocol import Account
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.subscription import plans, queries, sync_queries
from tessera.subscription.dunning import mail_receipts, review
from tessera.subscription.status import billing_status

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
    if before.look_applied >= seen.number:
        return []
    current = billing_status(seen.account, resources.settings)
    await sync_queries.write_subscription(
        connection, company_id, seen.number, seen.account, current
    )
    await sync_queries.write_cards(connection, company_id, seen.account)
    paid = await sync_queries.newly_paid(connection, company_id, seen.account)
    await sync_queries.write_invoices(connection, company_id, seen.account)
    await sync_queries.write_access(connection, company_id, current)
    if before.status != current.status and before.look_applied:
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
