from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_rows


class WaitingMember(Struct, frozen=True):
    uuid: UUID
    name: str
    since: datetime


class FormerMember(Struct, frozen=True):
    """A member of spaces whose account is deleted or disabled."""

    uuid: UUID
    name: str
    email: str | None
    reason: Literal["deleted", "disabled"]
    spaces: int


async def waiting_members(connection: Connection, company_id: int) -> list[WaitingMember]:
    """Returns active members who have no access to any space with their present keys, the longest
    first."""
    return await fetch_rows(
        connection,
        WaitingMember,
        "SELECT u.uuid, u.first_name || ' ' || u.last_name AS name, k.created_at AS since"
        " FROM member_keys k JOIN users u ON u.company_id = k.company_id AND u.id = k.user_id"
        " WHERE k.company_id = $1 AND u.is_active AND u.role = 'teamMember'"
        " AND NOT EXISTS (SELECT FROM space_members s"
        "  WHERE s.company_id = k.company_id AND s.member = u.uuid"
        "  AND s.public_keys = k.public_keys)"
        " ORDER BY k.created_at, u.id",
        company_id,
    )


async def former_members(connection: Connection, company_id: int) -> list[FormerMember]:
    return await fetch_rows(
        connection,
        FormerMember,
        "SELECT m.member AS uuid, COALESCE(u.email, max(m.former_email)) AS email,"
        " COALESCE(u.first_name || ' ' || u.last_name, max(m.former_name), '') AS name,"
        " CASE WHEN u.id IS NULL THEN 'deleted' ELSE 'disabled' END AS reason, count(*) AS spaces"
        " FROM space_members m LEFT JOIN users u"
        "  ON u.company_id = m.company_id AND u.uuid = m.member"
        " WHERE m.company_id = $1 AND u.is_active IS NOT TRUE"
        " GROUP BY m.member, u.id, u.email, u.first_name, u.last_name, u.is_active"
        " ORDER BY name, uuid",
        company_id,
    )
