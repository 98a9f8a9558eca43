from datetime import datetime

import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def add(
    connection: Connection,
    *,
    event_id: str,
    kind: str,
    customer_id: str | None,
    happened_at: datetime,
) -> int | None:
    """None for an event that was received before."""
    number: int | None = await connection.fetchval(
        "INSERT INTO webhook_events (event_id, kind, customer_id, happened_at)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT (event_id) DO NOTHING RETURNING id",
        event_id, kind, customer_id, happened_at,
    )  # fmt: skip
    return number


async def find(connection: Connection, number: int) -> Row | None:
    return await connection.fetchrow("SELECT * FROM webhook_events WHERE id = $1", number)


async def mark(connection: Connection, number: int, outcome: str) -> None:
    await connection.execute(
        "UPDATE webhook_events SET processed_at = now(), outcome = $2"
        " WHERE id = $1 AND processed_at IS NULL",
        number, outcome,
    )  # fmt: skip


async def forget_old(connection: Connection) -> None:
    """For the platform role. The provider repeats an event for at most three days."""
    await connection.execute(
        "DELETE FROM webhook_events WHERE received_at < now() - interval '90 days'"
    )
