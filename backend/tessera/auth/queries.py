from datetime import timedelta

import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def find_login(connection: Connection, folded: str) -> tuple[int, int]:
    """Returns company and user of an address; zeros, which match nothing, for an unknown one."""
    row = await connection.fetchrow("SELECT * FROM find_login($1)", folded)
    return (row["company_id"], row["user_id"]) if row else (0, 0)


async def account(connection: Connection, user_id: int) -> Row | None:
    return await connection.fetchrow(
        "SELECT u.*, c.uuid AS company_uuid, c.name AS company_name, c.is_enabled,"
        " c.deactivated_for_debt_at, c.can_view_warehouse,"
        " COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL"
        " AS is_subscribed"
        " FROM users u JOIN companies c ON c.id = u.company_id WHERE u.id = $1",
        user_id,
    )


async def address_taken(connection: Connection, folded: str) -> bool:
    return (await find_login(connection, folded)) != (0, 0)


async def add_session(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    handle_hash: bytes,
    lifetime: timedelta,
    verified_for: timedelta,
    origin: str,
    browser: str,
    system: str,
) -> Row:
    row = await connection.fetchrow(
        "INSERT INTO sessions (company_id, user_id, handle_hash, expires_at, verified_until,"
        " origin, browser, system) VALUES ($1, $2, $3, now() + $4, now() + $5, $6, $7, $8)"
        " RETURNING id, expires_at",
        company_id, user_id, handle_hash, lifetime, verified_for, origin, browser,
        system,
    )  # fmt: skip
    assert row is not None
    return row


async def end_session(connection: Connection, session_id: int) -> None:
    await connection.execute("UPDATE sessions SET ended_at = now() WHERE id = $1", session_id)


async def end_sessions_of(connection: Connection, user_id: int, *, but: int | None = None) -> None:
    await connection.execute(
        "UPDATE sessions SET ended_at = now()"
        " WHERE user_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $2",
        user_id, but,
    )  # fmt: skip


async def end_sessions_of_company(connection: Connection, company_id: int) -> None:
    await connection.execute(
        "UPDATE sessions SET ended_at = now() WHERE company_id = $1 AND ended_at IS NULL",
        company_id,
    )


async def set_verified(connection: Connection, session_id: int, lasting: timedelta) -> None:
    await connection.execute(
        "UPDATE sessions SET verified_until = now() + $2 WHERE id = $1", session_id, lasting
    )


async def set_password(
    connection: Connection, user_id: int, *, salt: bytes, password_hash: str, sealed_user_key: str
) -> None:
    await connection.execute(
        "UPDATE users SET salt = $2, password_hash = $3, sealed_user_key = $4 WHERE id = $1",
        user_id, salt, password_hash, sealed_user_key,
    )  # fmt: skip


async def drop_company_key(connection: Connection, user_id: int) -> None:
    await connection.execute("DELETE FROM company_keys WHERE user_id = $1", user_id)


async def set_profile(
    connection: Connection, user_id: int, *, first_name: str, last_name: str, language: str
) -> None:
    await connection.execute(
        "UPDATE users SET first_name = $2, last_name = $3, language = $4 WHERE id = $1",
        user_id, first_name, last_name, language,
    )  # fmt: skip


async def set_address(connection: Connection, user_id: int, email: str, folded: str) -> None:
    await connection.execute(
        "UPDATE users SET email = $2, email_folded = $3, email_confirmed_at = now() WHERE id = $1",
        user_id, email, folded,
    )  # fmt: skip


async def set_phone(connection: Connection, user_id: int, phone_number: str) -> None:
    await connection.execute(
        "UPDATE users SET phone_number = $2 WHERE id = $1", user_id, phone_number
    )


async def add_link(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    purpose: str,
    token_hash: bytes,
    email: str,
    lasting: timedelta,
) -> None:
    """A new link replaces older ones of the same purpose."""
    await connection.execute(
        "DELETE FROM links WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL",
        user_id, purpose,
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO links (company_id, user_id, purpose, token_hash, email, expires_at)"
        " VALUES ($1, $2, $3, $4, $5, now() + $6)",
        company_id, user_id, purpose, token_hash, email, lasting,
    )  # fmt: skip


async def find_link(connection: Connection, token_hash: bytes) -> tuple[int, int] | None:
    row = await connection.fetchrow("SELECT * FROM find_link($1)", token_hash)
    return (row["company_id"], row["link_id"]) if row else None


async def link(connection: Connection, link_id: int, purpose: str) -> Row | None:
    """Locks the link, so that of two simultaneous uses the second waits and finds it used."""
    return await connection.fetchrow(
        "SELECT l.*, u.uuid AS user_uuid, c.uuid AS company_uuid, l.expires_at <= now() AS expired"
        " FROM links l JOIN users u ON u.id = l.user_id JOIN companies c ON c.id = l.company_id"
        " WHERE l.id = $1 AND l.purpose = $2 FOR UPDATE OF l",
        link_id, purpose,
    )  # fmt: skip


async def use_link(connection: Connection, link_id: int) -> None:
    await connection.execute("UPDATE links SET used_at = now() WHERE id = $1", link_id)


async def add_reset_request(connection: Connection, sealed: bytes, language: str) -> int:
    request_id: int = await connection.fetchval(
        "INSERT INTO reset_requests (sealed_address, language) VALUES ($1, $2) RETURNING id",
        sealed, language,
    )  # fmt: skip
    return request_id


async def take_reset_request(connection: Connection, request_id: int) -> Row | None:
    return await connection.fetchrow(
        "DELETE FROM reset_requests WHERE id = $1 RETURNING sealed_address", request_id
    )
