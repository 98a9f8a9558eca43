"""What has to end at external providers before a company's rows are deleted."""

import asyncpg

from tessera.kit.database import Connection
from tessera.subscription.workflows import close_account


async def cancel_at_card_provider(connection: Connection, company: asyncpg.Record) -> None:
    """Call in the transaction that deletes the company, with its `id` and `customer_id`. The
    enqueued work needs no row of the company, because they are gone by then."""
    await close_account(connection, company["id"], company["customer_id"])
