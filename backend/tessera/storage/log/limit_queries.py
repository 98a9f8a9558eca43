from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row

_NO_ENTRY = (
    "NOT EXISTS (SELECT FROM log_entries e WHERE e.company_id = w.company_id"
    " AND e.space_id = w.space_id AND e.entry_id = w.entry_id)"
)


class WaitingGrants(Struct, frozen=True):
    # A member's grants for other entries that have not followed.
    others: int
    space_members: int


async def waiting_grants(
    connection: Connection, company_id: int, author: UUID, space_id: UUID, entry_id: bytes
) -> WaitingGrants:
    row = await fetch_row(
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
    assert row is not None
    return row


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
