"""The directory's groups, and whom they label."""

from collections.abc import Collection
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row, fetch_rows
from tessera.scim.filters import Column, Kind


class DirectoryGroup(Struct, frozen=True):
    number: int
    id: UUID
    display_name: str
    external_id: str | None
    version: int
    created_at: datetime
    changed_at: datetime


# Which attributes of members are shown.
MemberFields = frozenset[Literal["value", "$ref"]]

_COLUMNS = columns(DirectoryGroup, "g")

FILTERED = {
    "id": Column("g.id::text", Kind.EXACT),
    "externalid": Column("g.external_id", Kind.EXACT),
    "displayname": Column("g.display_name_folded", Kind.FOLDED),
    "meta.created": Column("g.created_at", Kind.TIME),
    "meta.lastmodified": Column("g.changed_at", Kind.TIME),
}


async def groups(
    connection: Connection,
    company_id: int,
    condition: str,
    values: list[object],
    *,
    skip: int,
    count: int,
) -> list[DirectoryGroup]:
    return await fetch_rows(
        connection,
        DirectoryGroup,
        f"SELECT {_COLUMNS} FROM directory_groups g WHERE g.company_id = $1 AND {condition}"
        " ORDER BY g.number OFFSET $2 LIMIT $3",
        company_id, skip, count, *values,
    )  # fmt: skip


async def count_groups(
    connection: Connection, company_id: int, condition: str, values: list[object]
) -> int:
    total: int = await connection.fetchval(
        f"SELECT count(*) FROM directory_groups g WHERE g.company_id = $1 AND {condition}",
        company_id, *values,
    )  # fmt: skip
    return total


async def group(
    connection: Connection, company_id: int, group_id: UUID, *, lock: bool = False
) -> DirectoryGroup | None:
    return await fetch_row(
        connection,
        DirectoryGroup,
        f"SELECT {_COLUMNS} FROM directory_groups g WHERE g.company_id = $1 AND g.id = $2"
        f"{' FOR NO KEY UPDATE' if lock else ''}",
        company_id, group_id,
    )  # fmt: skip


async def sizes(
    connection: Connection, company_id: int, numbers: Collection[int]
) -> dict[int, int]:
    """How many members the groups have; those without any are left out."""
    rows = await connection.fetch(
        "SELECT group_number, count(*) AS size FROM directory_group_members"
        " WHERE company_id = $1 AND group_number = ANY($2) GROUP BY group_number",
        company_id, list(numbers),
    )  # fmt: skip
    return {row["group_number"]: row["size"] for row in rows}


async def members(
    connection: Connection,
    company_id: int,
    numbers: Collection[int],
    fields: MemberFields,
    base: str,
) -> dict[int, str]:
    """The members of each group as a JSON list; groups without any are left out."""
    parts = {"value": "'value', d.id", "$ref": "'$ref', $3::text || d.id"}
    shown = ", ".join(parts[name] for name in sorted(fields))
    rows = await connection.fetch(
        "SELECT m.group_number,"
        f" json_agg(json_build_object({shown}) ORDER BY d.number)::text AS listed"
        " FROM directory_group_members m JOIN directory_users d"
        "  ON d.company_id = m.company_id AND d.number = m.user_number"
        " WHERE m.company_id = $1 AND m.group_number = ANY($2) AND $3::text IS NOT NULL"
        " GROUP BY m.group_number",
        company_id, list(numbers), base,
    )  # fmt: skip
    return {row["group_number"]: row["listed"] for row in rows}


async def member_ids(connection: Connection, company_id: int, number: int) -> list[UUID]:
    ids: list[UUID] = await connection.fetchval(
        "SELECT COALESCE(array_agg(d.id), '{}') FROM directory_group_members m"
        " JOIN directory_users d ON d.company_id = m.company_id AND d.number = m.user_number"
        " WHERE m.company_id = $1 AND m.group_number = $2",
        company_id, number,
    )  # fmt: skip
    return ids


async def add_group(
    connection: Connection,
    company_id: int,
    *,
    display_name: str,
    display_name_folded: str,
    external_id: str | None,
) -> DirectoryGroup:
    row = await fetch_row(
        connection,
        DirectoryGroup,
        "INSERT INTO directory_groups AS g"
        " (company_id, display_name, display_name_folded, external_id)"
        f" VALUES ($1, $2, $3, $4) RETURNING {_COLUMNS}",
        company_id, display_name, display_name_folded, external_id,
    )  # fmt: skip
    assert row is not None
    return row


async def set_group(
    connection: Connection,
    company_id: int,
    number: int,
    *,
    display_name: str,
    display_name_folded: str,
    external_id: str | None,
) -> None:
    await connection.execute(
        "UPDATE directory_groups SET display_name = $3, display_name_folded = $4,"
        " external_id = $5, version = version + 1, changed_at = now()"
        " WHERE company_id = $1 AND number = $2",
        company_id, number, display_name, display_name_folded, external_id,
    )  # fmt: skip


async def users_among(
    connection: Connection, company_id: int, ids: Collection[UUID]
) -> dict[UUID, int]:
    """Returns their numbers."""
    rows = await connection.fetch(
        "SELECT id, number FROM directory_users WHERE company_id = $1 AND id = ANY($2)"
        " AND deletion_requested_at IS NULL",
        company_id, list(ids),
    )  # fmt: skip
    return {row["id"]: row["number"] for row in rows}


async def add_members(
    connection: Connection, company_id: int, number: int, users: Collection[int]
) -> None:
    await connection.execute(
        "INSERT INTO directory_group_members (company_id, group_number, user_number)"
        " SELECT $1, $2, given FROM unnest($3::bigint[]) AS given ON CONFLICT DO NOTHING",
        company_id, number, sorted(users),
    )  # fmt: skip


async def remove_members(
    connection: Connection, company_id: int, number: int, ids: Collection[UUID]
) -> None:
    await connection.execute(
        "DELETE FROM directory_group_members m USING directory_users d"
        " WHERE m.company_id = $1 AND m.group_number = $2 AND d.company_id = m.company_id"
        " AND d.number = m.user_number AND d.id = ANY($3)",
        company_id, number, list(ids),
    )  # fmt: skip


async def delete_group(connection: Connection, company_id: int, number: int) -> None:
    await connection.execute(
        "DELETE FROM directory_groups WHERE company_id = $1 AND number = $2", company_id, number
    )
