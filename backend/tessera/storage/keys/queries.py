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
    id: int
    uuid: UUID
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    public_keys: bytes


class Colleague(Struct, frozen=True):
    """E-mail address and keys are None where the reader does not need them."""

    uuid: UUID
    first_name: str
    last_name: str
    email: str | None
    former_email: str | None
    email_set_by_directory_at: datetime | None
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    public_keys: bytes | None


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


async def colleagues(
    connection: Connection, company_id: int, reader: UUID | None, after: UUID | None, limit: int
) -> list[Colleague]:
    """Returns everybody who has keys. A reader who is given sees whole rows of themselves, the team
    leader and the leaders of their spaces, and names of those with whom they share a space."""
    return await fetch_rows(
        connection,
        Colleague,
        "SELECT u.uuid, u.first_name, u.last_name, u.role, u.is_active,"
        " CASE WHEN shown.whole THEN u.email END AS email,"
        " CASE WHEN shown.whole THEN u.former_email END AS former_email,"
        " CASE WHEN shown.whole THEN u.email_set_by_directory_at END AS email_set_by_directory_at,"
        " CASE WHEN shown.whole THEN k.public_keys END AS public_keys"
        " FROM member_keys k JOIN users u ON u.company_id = k.company_id AND u.id = k.user_id"
        " CROSS JOIN LATERAL (SELECT count(*) AS spaces, $4::uuid IS NULL OR u.uuid = $4"
        "   OR u.role = 'teamLeader' OR bool_or(s.leader = u.uuid) AS whole"
        "  FROM space_members own JOIN space_members other"
        "   ON other.company_id = own.company_id AND other.space_id = own.space_id"
        "  JOIN spaces s ON s.company_id = own.company_id AND s.id = own.space_id"
        "  WHERE own.company_id = $1 AND own.member = $4 AND other.member = u.uuid) shown"
        " WHERE k.company_id = $1 AND ($2::uuid IS NULL OR u.uuid > $2)"
        " AND (shown.whole OR shown.spaces > 0) ORDER BY u.uuid LIMIT $3",
        company_id, after, limit, reader,
    )  # fmt: skip


async def member_keys_of(
    connection: Connection, company_id: int, member: UUID
) -> MemberKeys | None:
    """Locks the member, so that they are not disabled or replaced before the commit."""
    return await fetch_row(
        connection,
        MemberKeys,
        "SELECT u.id, u.uuid, u.role, u.is_active, k.public_keys"
        " FROM member_keys k JOIN users u ON u.company_id = k.company_id AND u.id = k.user_id"
        " WHERE k.company_id = $1 AND u.uuid = $2 FOR SHARE OF u, k",
        company_id,
        member,
    )


async def leads_a_space(connection: Connection, company_id: int, user: UUID) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM spaces WHERE company_id = $1 AND leader = $2)", company_id, user
    )
