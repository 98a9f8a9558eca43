from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.filters import Field, Kind, unindexed
from tessera.kit.pagination import Listing
from tessera.kit.rows import columns, fetch_row, fetch_rows

# The strongest one that the user has set up.
TwoFactorMethod = Literal["sms", "authenticator", "passkey"]


class Member(Struct, frozen=True):
    id: int
    uuid: UUID
    first_name: str
    last_name: str
    email: str
    phone_number: str
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    language: str
    created_at: datetime
    last_login_at: datetime | None
    two_factor: TwoFactorMethod
    pending_email: str | None
    pending_phone: str | None
    # Labels that the company's directory gives.
    groups: list[str]

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"


# Fields of `Member` that are no columns of the table.
_COMPUTED = {
    "two_factor": (
        "CASE WHEN EXISTS (SELECT FROM passkeys k WHERE k.company_id = u.company_id"
        " AND k.user_id = u.id) THEN 'passkey'"
        " WHEN EXISTS (SELECT FROM authenticators a WHERE a.company_id = u.company_id"
        " AND a.user_id = u.id AND a.confirmed_at IS NOT NULL) THEN 'authenticator'"
        " ELSE 'sms' END"
    ),
    "pending_email": (
        "(SELECT p.value FROM contact_changes p WHERE p.company_id = u.company_id"
        " AND p.user_id = u.id AND p.kind = 'email')"
    ),
    "pending_phone": (
        "(SELECT p.value FROM contact_changes p WHERE p.company_id = u.company_id"
        " AND p.user_id = u.id AND p.kind = 'phone')"
    ),
    "groups": (
        "ARRAY(SELECT g.display_name FROM directory_users d JOIN directory_group_members m"
        "  ON m.company_id = d.company_id AND m.user_number = d.number"
        " JOIN directory_groups g ON g.company_id = m.company_id AND g.number = m.group_number"
        " WHERE d.company_id = u.company_id AND d.user_id = u.id"
        " ORDER BY g.display_name_folded, g.number LIMIT 50)"
    ),
}

_COLUMNS = columns(Member, "u", **_COMPUTED)

MEMBERS = Listing(
    Member,
    source="users u",
    columns=_COLUMNS,
    key="u.id",
    where="u.company_id = $1",
    searched="u.search_text",
    counter=("$1", "members"),
    search_function="member_matches",
    fields={
        "firstName": Field("u.first_name_folded"),
        "lastName": Field("u.last_name_folded"),
        "email_address": Field("u.email_sorted"),
        "phoneNumber": Field("u.phone_number"),
        "role": unindexed("u.role"),
        "isActive": Field("u.is_active::text", sortable=False),
        "dateCreated": Field("u.created_at", Kind.TIME),
        "lastLogin": Field(
            "u.last_login_at", Kind.TIME, sort_by="COALESCE(u.last_login_at, '-infinity')"
        ),
    },
)


async def team_leader(connection: Connection) -> Member | None:
    return await fetch_row(
        connection,
        Member,
        f"SELECT {_COLUMNS} FROM users u WHERE u.role = 'teamLeader'"
        " AND u.company_id = NULLIF(current_setting('app.company', true), '')::int",
    )


async def member(connection: Connection, uuid: UUID) -> Member | None:
    """Locks the member, so that a decision about their role or state holds until the commit."""
    return await fetch_row(
        connection,
        Member,
        f"SELECT {_COLUMNS} FROM users u WHERE u.uuid = $1 FOR NO KEY UPDATE OF u",
        uuid,
    )


async def members_by_uuid(connection: Connection, uuids: Sequence[UUID]) -> list[Member]:
    """Locks the members, in the order of all such calls, so that two of them cannot deadlock."""
    return await fetch_rows(
        connection,
        Member,
        f"SELECT {_COLUMNS} FROM users u WHERE u.uuid = ANY($1)"
        " ORDER BY u.id FOR NO KEY UPDATE OF u",
        uuids,
    )


async def set_name(connection: Connection, user_id: int, first_name: str, last_name: str) -> None:
    await connection.execute(
        "UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1",
        user_id, first_name, last_name,
    )  # fmt: skip


async def set_active(connection: Connection, user_ids: Sequence[int], active: bool) -> None:
    await connection.execute("UPDATE users SET is_active = $2 WHERE id = ANY($1)", user_ids, active)


async def delete_members(connection: Connection, user_ids: Sequence[int]) -> None:
    await connection.execute("DELETE FROM users WHERE id = ANY($1)", user_ids)


async def set_role(connection: Connection, user_id: int, role: str) -> None:
    await connection.execute("UPDATE users SET role = $2 WHERE id = $1", user_id, role)
