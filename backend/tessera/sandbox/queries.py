"""Inserts of the demo data."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_row, fetch_rows

Values = Sequence[tuple[object, ...]]


class DemoCompany(Struct, frozen=True):
    id: int
    uuid: UUID
    name: str
    email: str
    customer_id: str | None


class DemoUser(Struct, frozen=True):
    id: int
    uuid: UUID
    email: str
    role: str
    salt: bytes
    sealed_user_key: str


async def claim_demo_data(connection: Connection) -> bool:
    claimed = await connection.fetchval(
        "UPDATE installation SET demo_data_at = now()"
        " WHERE mode = 'sandbox' AND demo_data_at IS NULL RETURNING true"
    )
    return bool(claimed)


async def company_of(connection: Connection, email: str) -> DemoCompany | None:
    return await fetch_row(
        connection,
        DemoCompany,
        "SELECT c.id, c.uuid, c.name, c.email, c.customer_id FROM companies c"
        " JOIN users u ON u.company_id = c.id WHERE u.email = $1",
        email,
    )


async def add_companies(connection: Connection, rows: Values) -> list[int]:
    """Returns the ids in the given order."""
    return await fetch_column(
        connection,
        "INSERT INTO companies (uuid, name, email, phone_number, address_line1, city, state,"
        " zip_code, is_enabled, subscribed_until, created_at)"
        " SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[],"
        " $6::text[], $7::text[], $8::text[], $9::bool[], $10::timestamptz[], $11::timestamptz[])"
        " RETURNING id",
        *_columns(rows),
    )


async def add_people(connection: Connection, rows: Values) -> None:
    await connection.execute(
        "INSERT INTO users (uuid, company_id, first_name, last_name, email, email_folded,"
        " phone_number, role, is_active, salt, password_hash, sealed_user_key, created_at,"
        " email_confirmed_at)"
        " SELECT *, now() FROM unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[],"
        " $6::text[], $7::text[], $8::text[], $9::bool[], $10::bytea[], $11::text[], $12::text[],"
        " $13::timestamptz[])",
        *_columns(rows),
    )


async def add_invites(connection: Connection, rows: Values) -> None:
    await connection.execute(
        "INSERT INTO invites (company_id, email, email_folded, token_hash, created_at, posted_at,"
        " expires_at)"
        " SELECT company, email, folded, hash, sent, sent, ends"
        " FROM unnest($1::int[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[],"
        " $6::timestamptz[]) AS given (company, email, folded, hash, sent, ends)",
        *_columns(rows),
    )


async def add_activity(connection: Connection, rows: Values) -> None:
    await connection.execute(
        "INSERT INTO activity (company_id, at, actor_name, action, target, origin)"
        " SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::text[],"
        " $6::text[])",
        *_columns(rows),
    )


async def has_rows(
    connection: Connection,
    table: Literal["company_passphrases", "data_keys", "member_keys"],
    company_id: int,
) -> bool:
    return await connection.fetchval(
        f"SELECT EXISTS (SELECT FROM {table} WHERE company_id = $1)", company_id
    )


async def set_warehouse_history(
    connection: Connection,
    company_id: int,
    warehouse_id: int,
    *,
    created_at: datetime,
    status: int,
    error: str | None,
    health_version: int | None,
    has_been_active: bool,
) -> None:
    await connection.execute(
        "UPDATE warehouses SET created_at = $3, credentials_since = $3, status = $4,"
        " last_error = $5, health_version = $6,"
        " has_been_active = $7, last_check_at = now() WHERE company_id = $1 AND id = $2",
        company_id, warehouse_id, created_at, status, error, health_version, has_been_active,
    )  # fmt: skip


async def add_warehouse_transitions(
    connection: Connection,
    company_id: int,
    warehouse_id: int,
    past: Sequence[tuple[datetime, int, str | None]],
) -> None:
    times, states, causes = zip(*past, strict=True)
    await connection.execute(
        "INSERT INTO warehouse_transitions (company_id, warehouse_id, at, status, error)"
        " SELECT $1, $2, * FROM unnest($3::timestamptz[], $4::int[], $5::text[])",
        company_id, warehouse_id, list(times), list(states), list(causes),
    )  # fmt: skip


async def first_people(connection: Connection, company_id: int, count: int) -> list[DemoUser]:
    """Returns the active users who were added first."""
    return await fetch_rows(
        connection,
        DemoUser,
        "SELECT id, uuid, email, role, salt, sealed_user_key FROM users"
        " WHERE company_id = $1 AND is_active ORDER BY id LIMIT $2",
        company_id, count,
    )  # fmt: skip


async def set_log_times(
    connection: Connection, company_id: int, space_id: UUID, times: Sequence[tuple[int, datetime]]
) -> None:
    sequences, at = zip(*times, strict=True)
    await connection.execute(
        "UPDATE log_entries e SET created_at = g.at"
        " FROM unnest($3::bigint[], $4::timestamptz[]) AS g (sequence, at)"
        " WHERE e.company_id = $1 AND e.space_id = $2 AND e.sequence = g.sequence",
        company_id, space_id, list(sequences), list(at),
    )  # fmt: skip
    await connection.execute(
        "UPDATE spaces SET created_at = $3 WHERE company_id = $1 AND id = $2",
        company_id, space_id, at[0],
    )  # fmt: skip


async def set_pack_times(
    connection: Connection, company_id: int, times: Sequence[tuple[bytes, datetime]]
) -> None:
    ids, at = zip(*times, strict=True)
    await connection.execute(
        "UPDATE packs p SET created_at = g.at, booked_at = g.at"
        " FROM unnest($2::bytea[], $3::timestamptz[]) AS g (id, at)"
        " WHERE p.company_id = $1 AND p.id = g.id",
        company_id, list(ids), list(at),
    )  # fmt: skip


async def add_client_sessions(connection: Connection, rows: Values) -> None:
    await connection.execute(
        "INSERT INTO sessions (company_id, user_id, handle_hash, created_at, last_seen_at,"
        " expires_at, origin, kind, system, client_name, client_version)"
        " SELECT company, person, hash, started, seen, ends, '203.0.113.7', 'client', system, name,"
        " version FROM unnest($1::int[], $2::bigint[], $3::bytea[], $4::timestamptz[],"
        " $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[], $9::text[])"
        " AS given (company, person, hash, started, seen, ends, system, name, version)",
        *_columns(rows),
    )


def _columns(rows: Values) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]
