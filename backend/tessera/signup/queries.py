import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_column, fetch_row


class Ticket(Struct, frozen=True):
    id: int
    used_at: datetime | None
    expired: bool


class Registration(Struct, frozen=True):
    id: int
    ticket_id: int
    state: Literal["pending", "done", "failed"]
    company_uuid: UUID
    user_uuid: UUID
    sealed: bytes | None
    customer_id: str | None
    subscription_id: str | None
    error_code: str | None
    # JSON.
    error_details: str
    company_id: int | None
    user_id: int | None
    origin: str
    request_id: str
    language: str
    # Not finished, or finished within the last hour.
    recent: bool


_TICKET = "id, used_at, expires_at <= now() AS expired"
_REGISTRATION_COLUMNS = columns(
    Registration,
    "registrations",
    recent="COALESCE(finished_at > now() - interval '1 hour', true)",
)
_REGISTRATION = f"SELECT {_REGISTRATION_COLUMNS} FROM registrations WHERE id = $1"


async def enter_ticket(connection: Connection, ticket_id: int) -> None:
    """Makes the ticket's codes and registration visible until the transaction ends."""
    await connection.execute("SELECT set_config('app.ticket', $1, true)", str(ticket_id))


async def enter_registration(connection: Connection, registration_id: int) -> None:
    """Makes the registration visible until the transaction ends."""
    await connection.execute(
        "SELECT set_config('app.registration', $1, true)", str(registration_id)
    )


async def add_ticket(
    connection: Connection,
    token_hash: bytes,
    origin: str,
    lasting: timedelta,
    access_request_id: int | None,
) -> None:
    await connection.execute(
        "INSERT INTO signup_tickets (token_hash, origin, expires_at, access_request_id)"
        " VALUES ($1, $2, now() + $3, $4)",
        token_hash, origin, lasting, access_request_id,
    )  # fmt: skip


async def find_ticket(connection: Connection, token_hash: bytes) -> Ticket | None:
    return await fetch_row(
        connection,
        Ticket,
        f"SELECT {_TICKET} FROM signup_tickets WHERE token_hash = $1",
        token_hash,
    )


async def lock_ticket(connection: Connection, ticket_id: int) -> Ticket | None:
    """Serializes the calls that use one ticket."""
    return await fetch_row(
        connection,
        Ticket,
        f"SELECT {_TICKET} FROM signup_tickets WHERE id = $1 FOR UPDATE",
        ticket_id,
    )


async def use_ticket(connection: Connection, ticket_id: int) -> None:
    """Also uses the access request that the ticket was issued for."""
    await connection.execute("UPDATE signup_tickets SET used_at = now() WHERE id = $1", ticket_id)
    await connection.execute("SELECT use_access_request($1)", ticket_id)


async def purge_expired_guests(connection: Connection) -> None:
    """Deletes old tickets with their registrations and codes, and old codes of invites."""
    await connection.execute("SELECT purge_expired_guests()")


async def begin_registration(
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
    return await connection.fetchval(
        "INSERT INTO registrations (ticket_id, company_uuid, user_uuid, address_hash, origin,"
        " request_id, language) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        ticket_id, company_uuid, user_uuid, address_hash, origin, request_id, language,
    )  # fmt: skip


async def set_registration_sealed(
    connection: Connection, registration_id: int, sealed: bytes
) -> None:
    await connection.execute(
        "UPDATE registrations SET sealed = $2 WHERE id = $1", registration_id, sealed
    )


async def uuid_taken(connection: Connection, company_uuid: UUID | None, user_uuid: UUID) -> bool:
    return bool(await connection.fetchval("SELECT uuid_taken($1, $2)", company_uuid, user_uuid))


async def find_registration(connection: Connection, registration_id: int) -> Registration | None:
    return await fetch_row(connection, Registration, _REGISTRATION, registration_id)


async def lock_registration(connection: Connection, registration_id: int) -> Registration | None:
    return await fetch_row(connection, Registration, f"{_REGISTRATION} FOR UPDATE", registration_id)


async def registration_of_ticket(connection: Connection, ticket_id: int) -> int | None:
    """Returns the pending or successful registration; failed ones are ignored."""
    return await connection.fetchval(
        "SELECT id FROM registrations WHERE ticket_id = $1 AND state <> 'failed'", ticket_id
    )


async def set_created(
    connection: Connection,
    registration_id: int,
    column: Literal["customer_id", "card_id", "subscription_id"],
    created: str,
) -> None:
    """Stores the id of what the card provider created."""
    await connection.execute(
        f"UPDATE registrations SET {column} = $2 WHERE id = $1", registration_id, created
    )


async def set_error(
    connection: Connection, registration_id: int, code: str, details: Mapping[str, object]
) -> None:
    await connection.execute(
        "UPDATE registrations SET error_code = $2, error_details = $3"
        " WHERE id = $1 AND state = 'pending' AND error_code IS NULL",
        registration_id, code, json.dumps(dict(details)),
    )  # fmt: skip


async def finish_registration(
    connection: Connection, registration_id: int, company_id: int, user_id: int
) -> None:
    await connection.execute(
        "UPDATE registrations SET state = 'done', company_id = $2, user_id = $3, sealed = NULL,"
        " finished_at = now() WHERE id = $1",
        registration_id, company_id, user_id,
    )  # fmt: skip


async def fail_registration(connection: Connection, registration_id: int) -> None:
    await connection.execute(
        "UPDATE registrations SET state = 'failed', sealed = NULL, finished_at = now()"
        " WHERE id = $1 AND state = 'pending'",
        registration_id,
    )


async def lost_registrations(connection: Connection) -> list[int]:
    return await fetch_column(connection, "SELECT lost_registrations(interval '3 hours') AS id")


async def next_company_id(connection: Connection) -> int:
    return await connection.fetchval("SELECT next_company_id()")
