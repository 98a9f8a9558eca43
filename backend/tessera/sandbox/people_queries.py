"""Bulk inserts for the demo data."""

from collections.abc import Sequence

from tessera.kit.database import Connection

Values = Sequence[tuple[object, ...]]


async def add_companies(connection: Connection, rows: Values) -> list[int]:
    """Returns the ids in the given order."""
    added = await connection.fetch(
        "INSERT INTO companies (uuid, name, email, phone_number, address_line1, city, state,"
        " zip_code, is_enabled, subscribed_until, created_at)"
        " SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[],"
        " $6::text[], $7::text[], $8::text[], $9::bool[], $10::timestamptz[], $11::timestamptz[])"
        " RETURNING id",
        *_columns(rows),
    )
    return [row["id"] for row in added]


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


async def add_deeds(connection: Connection, rows: Values) -> None:
    await connection.execute(
        "INSERT INTO activity (company_id, at, actor_name, action, target, origin)"
        " SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::text[], $4::text[], $5::text[],"
        " $6::text[])",
        *_columns(rows),
    )


def _columns(rows: Values) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]
