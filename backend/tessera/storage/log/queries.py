from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row, fetch_rows
from tessera_core.log import LogState


class Space(Struct, frozen=True):
    id: UUID
    sequence: int
    head: bytes
    time: int
    generation: int
    awaiting_generation: bool
    leader: UUID
    recovery_keys: bytes
    is_member: bool
    created_at: datetime


class SpaceMember(Struct, frozen=True):
    member: UUID
    public_keys: bytes


class Grant(Struct, frozen=True):
    sequence: int
    member: UUID
    generation: int
    content: bytes
    digests: list[bytes]


class RefusedGrant(Struct, frozen=True):
    space_id: UUID
    member: UUID


_SPACE = (
    "s.id, s.sequence, s.head, s.time, s.generation, s.awaiting_generation, s.leader,"
    " s.recovery_keys, s.created_at, EXISTS (SELECT FROM space_members m"
    "  WHERE m.company_id = s.company_id AND m.space_id = s.id AND m.member = $2) AS is_member"
)


async def spaces(connection: Connection, company_id: int, user: UUID) -> list[Space]:
    return await fetch_rows(
        connection,
        Space,
        f"SELECT {_SPACE} FROM spaces s WHERE s.company_id = $1 ORDER BY s.created_at, s.id",
        company_id,
        user,
    )


async def space(
    connection: Connection, company_id: int, user: UUID, space_id: UUID, *, lock: bool = False
) -> Space | None:
    """With `lock`, appends to this space take turns."""
    return await fetch_row(
        connection,
        Space,
        f"SELECT {_SPACE} FROM spaces s WHERE s.company_id = $1 AND s.id = $3"
        + (" FOR NO KEY UPDATE OF s" if lock else ""),
        company_id,
        user,
        space_id,
    )


async def count_spaces(connection: Connection, company_id: int) -> int:
    counted: int = await connection.fetchval(
        "SELECT count(*) FROM spaces WHERE company_id = $1", company_id
    )
    return counted


async def add_space(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    *,
    head: bytes,
    time: int,
    leader: UUID,
    recovery_keys: bytes,
) -> bool:
    added = await connection.fetchval(
        "INSERT INTO spaces (company_id, id, sequence, head, time, generation,"
        " awaiting_generation, leader, recovery_keys) VALUES ($1, $2, 1, $3, $4, 0, true, $5, $6)"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, space_id, head, time, leader, recovery_keys,
    )  # fmt: skip
    return added is not None


async def move_on(connection: Connection, company_id: int, state: LogState) -> None:
    assert state.recovery_keys is not None
    await connection.execute(
        "UPDATE spaces SET sequence = $3, head = $4, time = $5, generation = $6,"
        " awaiting_generation = $7, leader = $8, recovery_keys = $9"
        " WHERE company_id = $1 AND id = $2",
        company_id, state.space, state.sequence, state.head, state.time, state.generation,
        state.awaiting_generation, state.leader, state.recovery_keys.encode(),
    )  # fmt: skip


async def members(
    connection: Connection, company_id: int, space_id: UUID, only: UUID | None = None
) -> list[SpaceMember]:
    return await fetch_rows(
        connection,
        SpaceMember,
        "SELECT member, public_keys FROM space_members WHERE company_id = $1 AND space_id = $2"
        " AND ($3::uuid IS NULL OR member = $3)",
        company_id,
        space_id,
        only,
    )


async def are_members(
    connection: Connection, company_id: int, space_id: UUID, members: Collection[UUID]
) -> bool:
    found: int = await connection.fetchval(
        "SELECT count(*) FROM space_members WHERE company_id = $1 AND space_id = $2"
        " AND member = ANY($3::uuid[])",
        company_id, space_id, list(members),
    )  # fmt: skip
    return found == len(members)


async def leads_a_space(connection: Connection, company_id: int, user: UUID) -> bool:
    found: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM spaces WHERE company_id = $1 AND leader = $2)", company_id, user
    )
    return found


async def set_member(
    connection: Connection, company_id: int, space_id: UUID, member: UUID, public_keys: bytes
) -> None:
    await connection.execute(
        "INSERT INTO space_members (company_id, space_id, member, public_keys)"
        " VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (company_id, space_id, member) DO UPDATE SET public_keys = $4",
        company_id, space_id, member, public_keys,
    )  # fmt: skip


async def remove_member(
    connection: Connection, company_id: int, space_id: UUID, member: UUID
) -> None:
    await connection.execute(
        "DELETE FROM space_members WHERE company_id = $1 AND space_id = $2 AND member = $3",
        company_id, space_id, member,
    )  # fmt: skip


async def removed_keys(
    connection: Connection, company_id: int, space_id: UUID, sign_keys: Collection[bytes]
) -> set[bytes]:
    """Returns those of these signing keys that lost access to the space."""
    rows = await connection.fetch(
        "SELECT sign_key FROM removed_space_keys WHERE company_id = $1 AND space_id = $2"
        " AND sign_key = ANY($3::bytea[])",
        company_id, space_id, list(sign_keys),
    )  # fmt: skip
    return {row["sign_key"] for row in rows}


async def add_removed_keys(
    connection: Connection, company_id: int, space_id: UUID, sign_keys: Collection[bytes]
) -> None:
    await connection.execute(
        "INSERT INTO removed_space_keys (company_id, space_id, sign_key)"
        " SELECT $1, $2, * FROM unnest($3::bytea[]) ON CONFLICT DO NOTHING",
        company_id, space_id, list(sign_keys),
    )  # fmt: skip


async def add_entry(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    *,
    sequence: int,
    entry_id: bytes,
    kind: int,
    author: UUID,
    content: bytes,
) -> bool:
    """False if the space has an entry of this id."""
    added = await connection.fetchval(
        "INSERT INTO log_entries (company_id, space_id, sequence, entry_id, kind, author, content)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)"
        " ON CONFLICT (company_id, space_id, entry_id) DO NOTHING RETURNING true",
        company_id, space_id, sequence, entry_id, kind, author, content,
    )  # fmt: skip
    return added is not None


async def has_entry(
    connection: Connection, company_id: int, space_id: UUID, entry_id: bytes
) -> bool:
    found: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM log_entries"
        " WHERE company_id = $1 AND space_id = $2 AND entry_id = $3)",
        company_id, space_id, entry_id,
    )  # fmt: skip
    return found


async def entries(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    *,
    after: int,
    limit: int,
    max_bytes: int,
    up_to: int | None = None,
) -> list[bytes]:
    """Returns entries up to both limits, and at least one."""
    rows = await connection.fetch(
        "SELECT content FROM (SELECT sequence, content,"
        "   sum(length(content)) OVER (ORDER BY sequence) AS bytes, row_number()"
        "   OVER (ORDER BY sequence) AS number FROM (SELECT sequence, content FROM log_entries"
        "     WHERE company_id = $1 AND space_id = $2 AND sequence > $3"
        "      AND ($4::bigint IS NULL OR sequence <= $4)"
        "     ORDER BY sequence LIMIT $5) AS page) AS counted"
        " WHERE bytes <= $6 OR number = 1 ORDER BY sequence",
        company_id, space_id, after, up_to, limit, max_bytes,
    )  # fmt: skip
    return [row["content"] for row in rows]


async def store_grants(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    entry_id: bytes,
    grants: Sequence[tuple[UUID, int, bytes]],
) -> None:
    """Stores grants for an entry to come; a repeated call replaces them."""
    await connection.execute(
        "INSERT INTO grants (company_id, space_id, entry_id, member, generation, content)"
        " SELECT $1, $2, $3, * FROM unnest($4::uuid[], $5::int[], $6::bytea[])"
        " ON CONFLICT (company_id, space_id, entry_id, member)"
        " DO UPDATE SET generation = excluded.generation, content = excluded.content",
        company_id,
        space_id,
        entry_id,
        *(list(column) for column in zip(*grants, strict=True)),
    )


async def commit_grants(
    connection: Connection, company_id: int, space_id: UUID, entry_id: bytes, sequence: int
) -> None:
    await connection.execute(
        "UPDATE grants SET sequence = $4"
        " WHERE company_id = $1 AND space_id = $2 AND entry_id = $3",
        company_id, space_id, entry_id, sequence,
    )  # fmt: skip


async def grants_of(
    connection: Connection, company_id: int, space_id: UUID, entry_id: bytes
) -> list[bytes]:
    rows = await connection.fetch(
        "SELECT content FROM grants WHERE company_id = $1 AND space_id = $2 AND entry_id = $3",
        company_id, space_id, entry_id,
    )  # fmt: skip
    return [row["content"] for row in rows]


async def newest_grants(
    connection: Connection, company_id: int, space_id: UUID, members: Collection[UUID]
) -> list[Grant]:
    """Returns each member's grant of the newest entry, with the digests of all its grants."""
    return await fetch_rows(
        connection,
        Grant,
        "SELECT n.sequence, n.member, n.generation, n.content,"
        " ARRAY(SELECT sha256(g.content) FROM grants g WHERE g.company_id = $1"
        "  AND g.space_id = $2 AND g.entry_id = n.entry_id ORDER BY g.member) AS digests"
        " FROM (SELECT DISTINCT ON (member) entry_id, sequence, member, generation, content"
        "  FROM grants WHERE company_id = $1 AND space_id = $2 AND member = ANY($3::uuid[])"
        "   AND sequence IS NOT NULL ORDER BY member, sequence DESC) n",
        company_id, space_id, list(members),
    )  # fmt: skip


async def refuse_grant(
    connection: Connection, company_id: int, space_id: UUID, member: UUID, sequence: int
) -> bool:
    """False if the member has no grant of this entry."""
    refused = await connection.execute(
        "UPDATE grants SET refused_at = COALESCE(refused_at, now()) WHERE company_id = $1"
        " AND space_id = $2 AND member = $3 AND sequence = $4",
        company_id, space_id, member, sequence,
    )  # fmt: skip
    return refused != "UPDATE 0"


async def refused_grants(connection: Connection, company_id: int) -> list[RefusedGrant]:
    """Returns the members whose newest grant is refused."""
    return await fetch_rows(
        connection,
        RefusedGrant,
        "SELECT g.space_id, g.member FROM grants g JOIN space_members m"
        "  ON m.company_id = g.company_id AND m.space_id = g.space_id AND m.member = g.member"
        " WHERE g.company_id = $1 AND g.refused_at IS NOT NULL AND NOT EXISTS ("
        "  SELECT FROM grants newer WHERE newer.company_id = g.company_id"
        "   AND newer.space_id = g.space_id AND newer.member = g.member"
        "   AND newer.sequence > g.sequence) ORDER BY g.member",
        company_id,
    )
