"""What has to end outside the house before a company's rows go."""

import asyncpg

from tessera.kit.database import Connection


async def cancel_at_card_provider(connection: Connection, company: asyncpg.Record) -> None:
    """Called in the transaction that deletes the company, with its `id` and `customer_id`. The
    subscription feature enqueues the cancellation here; its work must not need rows of the
    company, which are gone by then."""
