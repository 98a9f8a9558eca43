from datetime import timedelta

import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def newest(
    connection: Connection, user_id: int, purpose: str, session_id: int | None
) -> Row | None:
    return await connection.fetchrow(
        "SELECT *, ceil(extract(epoch FROM expires_at - now()))::int AS expires_in,"
        " extract(epoch FROM now() - sent_at) AS age"
        " FROM codes WHERE user_id = $1 AND purpose = $2 AND session_id IS NOT DISTINCT FROM $3"
        " ORDER BY id DESC LIMIT 1",
        user_id, purpose, session_id,
    )  # fmt: skip


async def lock_user(connection: Connection, user_id: int) -> None:
    """Serializes sends for one account, so that limits cannot be raced."""
    await connection.execute("SELECT 1 FROM users WHERE id = $1 FOR UPDATE", user_id)


async def unconsumed_today(connection: Connection, phone_number: str, purpose: str) -> int:
    count: int = await connection.fetchval(
        "SELECT count(*) FROM codes WHERE phone_number = $1 AND purpose = $2"
        " AND consumed_at IS NULL AND sent_at > now() - interval '1 day'",
        phone_number, purpose,
    )  # fmt: skip
    return count


async def add(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    session_id: int | None,
    purpose: str,
    phone_number: str,
    code_hash: bytes,
    lasting: timedelta,
) -> None:
    await connection.execute(
        "INSERT INTO codes (company_id, user_id, session_id, purpose, phone_number, code_hash,"
        " expires_at) VALUES ($1, $2, $3, $4, $5, $6, now() + $7)",
        company_id, user_id, session_id, purpose, phone_number, code_hash, lasting,
    )  # fmt: skip


async def take_try(connection: Connection, code_id: int, most: int) -> Row | None:
    """Takes one attempt; None if none is left. The row lock makes concurrent calls queue."""
    return await connection.fetchrow(
        "UPDATE codes SET tries = tries + 1"
        " WHERE id = $1 AND tries < $2 AND consumed_at IS NULL AND expires_at > now()"
        " RETURNING tries, code_hash",
        code_id, most,
    )  # fmt: skip


async def consume(connection: Connection, code_id: int) -> bool:
    """False if another call consumed it first: a code works once."""
    taken = await connection.fetchval(
        "UPDATE codes SET consumed_at = now() WHERE id = $1 AND consumed_at IS NULL RETURNING true",
        code_id,
    )
    return bool(taken)
