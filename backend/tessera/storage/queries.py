from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row, fetch_rows


class Keys(Struct, frozen=True):
    public_keys: bytes
    envelope: str | None
    revision: int


class MemberKeys(Struct, frozen=True):
    uuid: UUID
    first_name: str
    last_name: str
    email: str
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    public_keys: bytes


class Recovery(Struct, frozen=True):
    counter: int
    public_keys: bytes
    leader_uuid: UUID
    leader_grant: bytes
    sealed: bytes | None


class WaitingMember(Struct, frozen=True):
    uuid: UUID
    name: str
    since: datetime


async def keys(connection: Connection, company_id: int, user_id: int) -> Keys | None:
    return await fetch_row(
        connection,
        Keys,
        "SELECT public_keys, envelope, revision FROM member_keys"
        " WHERE company_id = $1 AND user_id = $2",
        company_id,
        user_id,
    )


async def store_keys(connection: Connection, company_id: int, user_id: int, keys: Keys) -> bool:
    """Stores revision 1 where there are no keys, and each following one over the one before it. The
    keys themselves are replaced only where the envelope was deleted."""
    stored = await connection.fetchval(
        "INSERT INTO member_keys AS k (company_id, user_id, public_keys, envelope, revision)"
        " SELECT $1, $2, $3, $4, $5 WHERE $5 = 1"
        " OR EXISTS (SELECT FROM member_keys WHERE company_id = $1 AND user_id = $2)"
        " ON CONFLICT (company_id, user_id) DO UPDATE"
        " SET public_keys = $3, envelope = $4, revision = $5"
        " WHERE k.revision = $5 - 1 AND (k.envelope IS NULL OR k.public_keys = $3)"
        " RETURNING true",
        company_id, user_id, keys.public_keys, keys.envelope, keys.revision,
    )  # fmt: skip
    return stored is not None


async def replace_keys(connection: Connection, company_id: int, user_id: int, keys: Keys) -> bool:
    """Stores other keys as the next revision."""
    replaced = await connection.execute(
        "UPDATE member_keys SET public_keys = $3, envelope = $4, revision = $5, created_at = now()"
        " WHERE company_id = $1 AND user_id = $2 AND revision = $5 - 1 AND public_keys <> $3",
        company_id, user_id, keys.public_keys, keys.envelope, keys.revision,
    )  # fmt: skip
    return replaced != "UPDATE 0"


async def member_keys(
    connection: Connection, company_id: int, after: UUID | None, limit: int
) -> list[MemberKeys]:
    return await fetch_rows(
        connection,
        MemberKeys,
        "SELECT u.uuid, u.first_name, u.last_name, u.email, u.role, u.is_active, k.public_keys"
        " FROM member_keys k JOIN users u ON u.company_id = k.company_id AND u.id = k.user_id"
        " WHERE k.company_id = $1 AND ($2::uuid IS NULL OR u.uuid > $2)"
        " ORDER BY u.uuid LIMIT $3",
        company_id,
        after,
        limit,
    )


async def member_keys_of(
    connection: Connection, company_id: int, member: UUID
) -> MemberKeys | None:
    """Locks the member, so that they are not disabled or replaced before the commit."""
    return await fetch_row(
        connection,
        MemberKeys,
        "SELECT u.uuid, u.first_name, u.last_name, u.email, u.role, u.is_active, k.public_keys"
        " FROM member_keys k JOIN users u ON u.company_id = k.company_id AND u.id = k.user_id"
        " WHERE k.company_id = $1 AND u.uuid = $2 FOR SHARE OF u, k",
        company_id,
        member,
    )


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


async def recovery(connection: Connection, company_id: int) -> Recovery | None:
    """Returns the current pair; its newest kit may be of an earlier counter."""
    return await fetch_row(
        connection,
        Recovery,
        "SELECT r.counter, r.public_keys, r.leader_uuid, r.leader_grant,"
        " (SELECT kit.sealed FROM recovery_keys kit WHERE kit.company_id = r.company_id"
        "   AND kit.public_keys = r.public_keys AND kit.sealed IS NOT NULL"
        "   ORDER BY kit.counter DESC LIMIT 1) AS sealed"
        " FROM recovery_keys r WHERE r.company_id = $1 ORDER BY r.counter DESC LIMIT 1",
        company_id,
    )


async def add_recovery(connection: Connection, company_id: int, state: Recovery) -> bool:
    """Adds the state if its counter is the next one."""
    added = await connection.fetchval(
        "INSERT INTO recovery_keys"
        " (company_id, counter, public_keys, leader_uuid, leader_grant, sealed)"
        " SELECT $1, $2, $3, $4, $5, $6 WHERE $2 = 1 +"
        " COALESCE((SELECT max(counter) FROM recovery_keys WHERE company_id = $1), 0)"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id,
        state.counter,
        state.public_keys,
        state.leader_uuid,
        state.leader_grant,
        state.sealed,
    )
    return added is not None


async def unsubscribed_days(connection: Connection, company_id: int) -> float | None:
    """Returns for how many days the subscription has been over; None if it never began."""
    days: float | None = await connection.fetchval(
        "SELECT (extract(epoch FROM now() - subscribed_until) / 86400)::float8"
        " FROM companies WHERE id = $1",
        company_id,
    )
    return days
