from collections.abc import Collection, Sequence
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_one, fetch_rows


class Grant(Struct, frozen=True):
    sequence: int
    member: UUID
    generation: int
    content: bytes
    digests: list[bytes]


class RefusedGrant(Struct, frozen=True):
    space_id: UUID
    member: UUID


class WaitingGrants(Struct, frozen=True):
    # A member's grants for other entries that have not followed.
    others: int
    space_members: int


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
    return await fetch_column(
        connection,
        "SELECT content FROM grants WHERE company_id = $1 AND space_id = $2 AND entry_id = $3",
        company_id, space_id, entry_id,
    )  # fmt: skip


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


_NO_ENTRY = (
    "NOT EXISTS (SELECT FROM log_entries e WHERE e.company_id = w.company_id"
    " AND e.space_id = w.space_id AND e.entry_id = w.entry_id)"
)


async def waiting_grants(
    connection: Connection, company_id: int, author: UUID, space_id: UUID, entry_id: bytes
) -> WaitingGrants:
    return await fetch_one(
        connection,
        WaitingGrants,
        "SELECT (SELECT count(*) FROM waiting_grants w JOIN grants g ON g.company_id = w.company_id"
        "   AND g.space_id = w.space_id AND g.entry_id = w.entry_id"
        "  WHERE w.company_id = $1 AND w.author = $2 AND (w.space_id, w.entry_id) <> ($3, $4)"
        f"  AND {_NO_ENTRY}) AS others, (SELECT count(*) FROM space_members"
        "  WHERE company_id = $1 AND space_id = $3) AS space_members",
        company_id,
        author,
        space_id,
        entry_id,
    )


async def add_waiting(
    connection: Connection, company_id: int, author: UUID, space_id: UUID, entry_id: bytes
) -> None:
    await connection.execute(
        "INSERT INTO waiting_grants (company_id, author, space_id, entry_id)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        company_id, author, space_id, entry_id,
    )  # fmt: skip


async def spaces_with_old_grants(connection: Connection) -> list[tuple[int, UUID]]:
    """Across all companies, for the platform role only."""
    rows = await connection.fetch(
        "SELECT DISTINCT company_id, space_id FROM waiting_grants"
        " WHERE created_at < now() - interval '1 day'"
    )
    return [(row["company_id"], row["space_id"]) for row in rows]


async def lock_space(connection: Connection, company_id: int, space_id: UUID) -> None:
    """No entry is appended until the commit, so that none loses its grants."""
    await connection.execute(
        "SELECT FROM spaces WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE",
        company_id, space_id,
    )  # fmt: skip


async def delete_old_grants(connection: Connection, company_id: int, space_id: UUID) -> None:
    await connection.execute(
        "DELETE FROM grants g USING waiting_grants w WHERE w.company_id = $1 AND w.space_id = $2"
        " AND w.created_at < now() - interval '1 day' AND g.company_id = w.company_id"
        f" AND g.space_id = w.space_id AND g.entry_id = w.entry_id AND {_NO_ENTRY}",
        company_id, space_id,
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM waiting_grants WHERE company_id = $1 AND space_id = $2"
        " AND created_at < now() - interval '1 day'",
        company_id, space_id,
    )  # fmt: skip
