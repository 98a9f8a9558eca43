from uuid import UUID

import asyncpg

from tessera.kit.database import Connection
from tessera.kit.pagination import Field, Kind, Listing, PageRequest, fetch_page, unindexed

Row = asyncpg.Record

_COLUMNS = (
    "u.id, u.uuid, u.first_name, u.last_name, u.email, u.phone_number, u.role, u.is_active,"
    " u.language, u.created_at,"
    " (SELECT p.value FROM contact_changes p WHERE p.company_id = u.company_id"
    "   AND p.user_id = u.id AND p.kind = 'email') AS pending_email,"
    " (SELECT p.value FROM contact_changes p WHERE p.company_id = u.company_id"
    "   AND p.user_id = u.id AND p.kind = 'phone') AS pending_phone"
)

_MEMBERS = Listing(
    source="users u",
    columns=_COLUMNS,
    key="u.id",
    where="u.company_id = $1",
    searched="u.search_text",
    search_function="search_members",
    fields={
        "firstName": Field("u.first_name_folded"),
        "lastName": Field("u.last_name_folded"),
        "email_address": Field("u.email_sorted"),
        "phoneNumber": Field("u.phone_number"),
        "role": unindexed("u.role"),
        "isActive": Field("u.is_active::text", sortable=False),
        "dateCreated": Field("u.created_at", Kind.TIME),
    },
)


async def members(
    connection: Connection, company_id: int, request: PageRequest
) -> tuple[list[Row], int]:
    return await fetch_page(connection, _MEMBERS, request, company_id)


async def team_leader(connection: Connection) -> Row | None:
    return await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM users u WHERE u.role = 'teamLeader'"
        " AND u.company_id = NULLIF(current_setting('app.company', true), '')::int"
    )


async def member(connection: Connection, uuid: UUID) -> Row | None:
    """Locks the member, so that a decision about their role or state holds until the commit."""
    return await connection.fetchrow(
        f"SELECT {_COLUMNS}, u.company_id, u.email_folded FROM users u"
        " WHERE u.uuid = $1 FOR NO KEY UPDATE OF u",
        uuid,
    )


async def lock_company(connection: Connection, company_id: int) -> None:
    """Serializes leadership changes. Not FOR UPDATE: rows that only refer to the company, such as
    an activity record, would wait for it, and two changes could deadlock."""
    await connection.execute("SELECT 1 FROM companies WHERE id = $1 FOR NO KEY UPDATE", company_id)


async def set_name(connection: Connection, user_id: int, first_name: str, last_name: str) -> None:
    await connection.execute(
        "UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1",
        user_id, first_name, last_name,
    )  # fmt: skip


async def set_active(connection: Connection, user_id: int, active: bool) -> None:
    await connection.execute("UPDATE users SET is_active = $2 WHERE id = $1", user_id, active)


async def delete_member(connection: Connection, user_id: int) -> None:
    await connection.execute("DELETE FROM users WHERE id = $1", user_id)


async def set_role(connection: Connection, user_id: int, role: str) -> None:
    await connection.execute("UPDATE users SET role = $2 WHERE id = $1", user_id, role)
