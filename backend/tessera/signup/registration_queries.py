import json
from collections.abc import Mapping
from uuid import UUID

import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def begin(
    connection: Connection,
    *,
    ticket_id: int,
    company_uuid: UUID,
    user_uuid: UUID,
    address_hash: bytes,
    origin: str,
    request_id: str,
    language: str,
) -> int:
    """Raises UniqueViolationError if one with the same ids or address is in progress."""
    registration_id: int = await connection.fetchval(
        "INSERT INTO registrations (ticket_id, company_uuid, user_uuid, address_hash, origin,"
        " request_id, language) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        ticket_id, company_uuid, user_uuid, address_hash, origin, request_id, language,
    )  # fmt: skip
    return registration_id


async def set_sealed(connection: Connection, registration_id: int, sealed: bytes) -> None:
    await connection.execute(
        "UPDATE registrations SET sealed = $2 WHERE id = $1", registration_id, sealed
    )


async def uuid_taken(connection: Connection, company_uuid: UUID | None, user_uuid: UUID) -> bool:
    return bool(await connection.fetchval("SELECT uuid_taken($1, $2)", company_uuid, user_uuid))


async def find(connection: Connection, registration_id: int) -> Row | None:
    return await connection.fetchrow(
        "SELECT *, COALESCE(finished_at > now() - interval '1 hour', true) AS recent"
        " FROM registrations WHERE id = $1",
        registration_id,
    )


async def lock(connection: Connection, registration_id: int) -> Row | None:
    return await connection.fetchrow(
        "SELECT * FROM registrations WHERE id = $1 FOR UPDATE", registration_id
    )


async def of_ticket(connection: Connection, ticket_id: int) -> Row | None:
    """Returns the pending or successful registration; failed ones are ignored."""
    return await connection.fetchrow(
        "SELECT id FROM registrations WHERE ticket_id = $1 AND state <> 'failed'", ticket_id
    )


async def note_customer(connection: Connection, registration_id: int, customer_id: str) -> None:
    await connection.execute(
        "UPDATE registrations SET customer_id = $2 WHERE id = $1", registration_id, customer_id
    )


async def note_card(connection: Connection, registration_id: int, card_id: str) -> None:
    await connection.execute(
        "UPDATE registrations SET card_id = $2 WHERE id = $1", registration_id, card_id
    )


async def note_subscription(connection: Connection, registration_id: int, name: str) -> None:
    await connection.execute(
        "UPDATE registrations SET subscription_id = $2 WHERE id = $1", registration_id, name
    )


async def note_error(
    connection: Connection, registration_id: int, code: str, details: Mapping[str, object]
) -> None:
    await connection.execute(
        "UPDATE registrations SET error_code = $2, error_details = $3"
        " WHERE id = $1 AND state = 'pending' AND error_code IS NULL",
        registration_id, code, json.dumps(dict(details)),
    )  # fmt: skip


async def succeed(
    connection: Connection, registration_id: int, company_id: int, user_id: int
) -> None:
    await connection.execute(
        "UPDATE registrations SET state = 'done', company_id = $2, user_id = $3, sealed = NULL,"
        " finished_at = now() WHERE id = $1",
        registration_id, company_id, user_id,
    )  # fmt: skip


async def fail(connection: Connection, registration_id: int) -> None:
    await connection.execute(
        "UPDATE registrations SET state = 'failed', sealed = NULL, finished_at = now()"
        " WHERE id = $1 AND state = 'pending'",
        registration_id,
    )


async def lost(connection: Connection) -> list[int]:
    rows = await connection.fetch(
        "SELECT id FROM registrations WHERE state = 'pending'"
        " AND created_at < now() - interval '3 hours'"
    )
    return [row["id"] for row in rows]


async def next_company_id(connection: Connection) -> int:
    number: int = await connection.fetchval("SELECT next_company_id()")
    return number


async def add_company(
    connection: Connection,
    company_id: int,
    *,
    uuid: UUID,
    name: str,
    email: str,
    phone_number: str,
    address_line1: str,
    address_line2: str,
    city: str,
    state: str,
    zip_code: str,
) -> None:
    await connection.execute(
        "INSERT INTO companies (id, uuid, name, email, phone_number, address_line1, address_line2,"
        " city, state, zip_code) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        company_id, uuid, name, email, phone_number, address_line1, address_line2, city, state,
        zip_code,
    )  # fmt: skip
