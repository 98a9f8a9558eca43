"""Fetches a company's data from the provider and stores a copy. Webhook contents are never used:
any event, in any order, leads to reading the current objects."""

from dataclasses import dataclass

from tessera.activity.service import record_system
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.protocol import Account
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.subscription import queries, sync_queries
from tessera.subscription.dunning import review
from tessera.subscription.status import standing

NEWS = {
    "": "subscription.gone",
    "trialing": "subscription.trialBegan",
    "active": "subscription.active",
    "past_due": "subscription.pastDue",
    "cancelled": "subscription.ended",
}


@dataclass(frozen=True)
class Look:
    number: int
    account: Account


async def look(resources: Resources, company_id: int) -> Look | None:
    """None if the company is gone or the provider does not know it yet."""
    async with resources.database.tenant(company_id) as connection:
        company = await queries.find_company(connection, company_id)
        if company is None or company["customer_id"] is None:
            return None
        number = await sync_queries.begin(connection, company_id)
    provider = card_provider(resources.settings, resources.database)
    return Look(number, await provider.account(company["customer_id"]))


async def write_down(
    connection: Connection, resources: Resources, company_id: int, seen: Look
) -> list[str]:
    """Runs in the caller's transaction, with the tenant entered. Returns the changed columns."""
    before = await sync_queries.lock(connection, company_id)
    if before["look_applied"] >= seen.number:
        return []
    meaning = standing(seen.account, resources.settings)
    await sync_queries.write_subscription(
        connection, company_id, seen.number, seen.account, meaning
    )
    await sync_queries.write_cards(connection, company_id, seen.account)
    await sync_queries.write_invoices(connection, company_id, seen.account)
    await sync_queries.write_access(connection, company_id, meaning)
    if before["status"] != meaning.status and before["look_applied"]:
        await record_system(connection, company_id, NEWS[meaning.status])
    await review(connection, resources, company_id, before)
    after = await sync_queries.lock(connection, company_id)
    ignored = {"looks_begun", "look_applied", "looked_at"}
    return [name for name, value in after.items() if name not in ignored and value != before[name]]


async def refresh(resources: Resources, company_id: int) -> list[str]:
    seen = await look(resources, company_id)
    if seen is None:
        return []
    async with resources.database.tenant(company_id) as connection:
        return await write_down(connection, resources, company_id, seen)
