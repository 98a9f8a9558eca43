from datetime import timedelta

import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def add(connection: Connection, token_hash: bytes, origin: str, lasting: timedelta) -> None:
    await connection.execute(
        "INSERT INTO signup_tickets (token_hash, origin, expires_at) VALUES ($1, $2, now() + $3)",
        token_hash, origin, lasting,
    )  # fmt: skip


async def find(connection: Connection, token_hash: bytes) -> Row | None:
    return await connection.fetchrow(
        "SELECT id, used_at, expires_at <= now() AS expired FROM signup_tickets"
        " WHERE token_hash = $1",
        token_hash,
    )


async def lock(connection: Connection, ticket_id: int) -> Row | None:
    """Serializes the calls that use one ticket."""
    return await connection.fetchrow(
        "SELECT id, used_at, expires_at <= now() AS expired FROM signup_tickets"
        " WHERE id = $1 FOR UPDATE",
        ticket_id,
    )


async def use(connection: Connection, ticket_id: int) -> None:
    await connection.execute("UPDATE signup_tickets SET used_at = now() WHERE id = $1", ticket_id)


async def forget_old(connection: Connection) -> None:
    """Deletes tickets with their registrations and codes a day after they expire, and invite codes
    once they no longer count towards limits or can lead to an account."""
    await connection.execute(
        "DELETE FROM signup_tickets t WHERE expires_at < now() - interval '1 day'"
        " AND NOT EXISTS (SELECT FROM registrations r"
        "  WHERE r.ticket_id = t.id AND r.state = 'pending')"
    )
    await connection.execute("DELETE FROM guest_codes WHERE sent_at < now() - interval '30 days'")
