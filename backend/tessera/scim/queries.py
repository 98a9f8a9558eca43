"""The directory's users."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row, fetch_rows
from tessera.scim.filters import Column, Kind


class DirectoryUser(Struct, frozen=True):
    number: int
    id: UUID
    # Of the account; None while the person has not joined.
    user_id: int | None
    uuid: UUID | None
    user_name: str
    external_id: str | None
    display_name: str | None
    given_name: str | None
    family_name: str | None
    emails: str
    # Whom `emails` stands for; the account's own address may be another.
    listed_email: str
    email: str
    is_active: bool
    deletion_requested_at: datetime | None
    created_at: datetime
    changed_at: datetime
    groups: str


_COMPUTED = {
    "uuid": "u.uuid",
    "given_name": "COALESCE(u.first_name, d.given_name)",
    "family_name": "COALESCE(u.last_name, d.family_name)",
    "listed_email": "d.email_folded",
    "email": "COALESCE(u.email, d.email)",
    "is_active": "COALESCE(u.is_active, d.is_active)",
    "groups": (
        "(SELECT COALESCE(json_agg(json_build_array(g.id, g.display_name) ORDER BY g.number), '[]')"
        " FROM directory_group_members m JOIN directory_groups g"
        "  ON g.company_id = m.company_id AND g.number = m.group_number"
        " WHERE m.company_id = d.company_id AND m.user_number = d.number)::text"
    ),
}
_COLUMNS = columns(DirectoryUser, "d", **_COMPUTED)
_SOURCE = "directory_users d LEFT JOIN users u ON u.company_id = d.company_id AND u.id = d.user_id"
_LISTED = "d.company_id = $1 AND d.deletion_requested_at IS NULL"

FILTERED = {
    "id": Column("d.id::text", Kind.EXACT),
    "externalid": Column("d.external_id", Kind.EXACT),
    "username": Column("d.user_name_folded", Kind.FOLDED),
    "displayname": Column("d.display_name", Kind.TEXT),
    "name.givenname": Column("COALESCE(u.first_name, d.given_name)", Kind.TEXT),
    "name.familyname": Column("COALESCE(u.last_name, d.family_name)", Kind.TEXT),
    "emails": Column("COALESCE(u.email_folded, d.email_folded)", Kind.FOLDED),
    "emails.value": Column("COALESCE(u.email_folded, d.email_folded)", Kind.FOLDED),
    "active": Column("COALESCE(u.is_active, d.is_active)", Kind.BOOL),
    "meta.created": Column("d.created_at", Kind.TIME),
    "meta.lastmodified": Column("d.changed_at", Kind.TIME),
}


async def users(
    connection: Connection,
    company_id: int,
    condition: str,
    values: list[object],
    *,
    skip: int,
    count: int,
) -> list[DirectoryUser]:
    """Finds the page first, in the index alone if there is no filter."""
    source = "directory_users d" if condition == "true" else _SOURCE
    return await fetch_rows(
        connection,
        DirectoryUser,
        f"WITH page AS (SELECT d.number FROM {source} WHERE {_LISTED} AND {condition}"
        f"  ORDER BY d.number OFFSET $2 LIMIT $3)"
        f" SELECT {_COLUMNS} FROM page JOIN {_SOURCE} ON d.number = page.number"
        " WHERE d.company_id = $1 ORDER BY d.number",
        company_id, skip, count, *values,
    )  # fmt: skip


async def count_users(
    connection: Connection,
    company_id: int,
    condition: str = "true",
    values: Sequence[object] = (),
) -> int:
    source = "directory_users d" if condition == "true" else _SOURCE
    return await connection.fetchval(
        f"SELECT count(*) FROM {source} WHERE {_LISTED} AND {condition}", company_id, *values
    )


async def user(
    connection: Connection, company_id: int, user_id: UUID, *, lock: bool = False
) -> DirectoryUser | None:
    return await fetch_row(
        connection,
        DirectoryUser,
        f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE {_LISTED} AND d.id = $2"
        f"{' FOR NO KEY UPDATE OF d' if lock else ''}",
        company_id, user_id,
    )  # fmt: skip


async def taken(
    connection: Connection, company_id: int, *, name: str, address: str, number: int | None
) -> datetime | bool | None:
    """Whether somebody else of the company has this user name or address: True, or when the
    directory asked for the deletion of that person."""
    row = await connection.fetchrow(
        "SELECT d.deletion_requested_at"
        " FROM directory_users d LEFT JOIN users u"
        "  ON u.company_id = d.company_id AND u.id = d.user_id"
        " WHERE d.company_id = $1 AND d.number IS DISTINCT FROM $4 AND (d.user_name_folded = $2"
        "  OR COALESCE(u.email_folded, d.email_folded) = $3) LIMIT 1",
        company_id, name, address, number,
    )  # fmt: skip
    return None if row is None else row["deletion_requested_at"] or True


async def add_user(
    connection: Connection,
    company_id: int,
    *,
    user_name: str,
    user_name_folded: str,
    external_id: str | None,
    display_name: str | None,
    given_name: str | None,
    family_name: str | None,
    emails: list[dict[str, Any]],
    email: str,
    email_folded: str,
    is_active: bool,
) -> UUID:
    return await connection.fetchval(
        "INSERT INTO directory_users (company_id, user_name, user_name_folded, external_id,"
        " display_name, given_name, family_name, emails, email, email_folded, is_active)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id",
        company_id, user_name, user_name_folded, external_id, display_name, given_name,
        family_name, json.dumps(emails), email, email_folded, is_active,
    )  # fmt: skip


async def set_user(
    connection: Connection,
    company_id: int,
    number: int,
    *,
    user_name: str,
    user_name_folded: str,
    external_id: str | None,
    display_name: str | None,
    given_name: str | None,
    family_name: str | None,
    emails: list[dict[str, Any]],
    email: str,
    email_folded: str,
    is_active: bool,
) -> None:
    await connection.execute(
        "UPDATE directory_users SET user_name = $3, user_name_folded = $4, external_id = $5,"
        " display_name = $6, given_name = $7, family_name = $8, emails = $9, email = $10,"
        " email_folded = $11, is_active = $12, changed_at = now()"
        " WHERE company_id = $1 AND number = $2",
        company_id, number, user_name, user_name_folded, external_id, display_name, given_name,
        family_name, json.dumps(emails), email, email_folded, is_active,
    )  # fmt: skip


async def delete_user(connection: Connection, company_id: int, number: int) -> None:
    await connection.execute(
        "DELETE FROM directory_users WHERE company_id = $1 AND number = $2", company_id, number
    )


async def request_deletion(connection: Connection, company_id: int, number: int) -> None:
    """The directory no longer sees the member."""
    await connection.execute(
        "UPDATE directory_users SET deletion_requested_at = now()"
        " WHERE company_id = $1 AND number = $2",
        company_id, number,
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM directory_group_members WHERE company_id = $1 AND user_number = $2",
        company_id, number,
    )  # fmt: skip
