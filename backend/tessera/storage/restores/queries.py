from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_column, fetch_row, fetch_rows
from tessera.storage.packs.queries import NewShard
from tessera_core.grants import RECOVERY


class Restore(Struct, frozen=True):
    began_at: datetime
    read_at: datetime | None
    closed_at: datetime | None
    entries: int


class Waiting(Struct, frozen=True):
    id: UUID
    sequence: int
    seen: int
    members: int
    is_in_warehouses: bool


class CompanyRestore(Struct, frozen=True):
    uuid: UUID
    name: str
    read_at: datetime | None
    closed_at: datetime | None
    entries: int


async def companies(connection: Connection) -> list[int]:
    """All but the platform's own, for the platform role only."""
    return await fetch_column(connection, "SELECT id FROM companies WHERE id <> 1 ORDER BY id")


async def begin(connection: Connection, company_id: int) -> None:
    """Begins anew where a restore is under way or was closed."""
    await connection.execute(
        "DELETE FROM storage_restore_claims WHERE company_id = $1", company_id
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO storage_restores (company_id) VALUES ($1) ON CONFLICT (company_id) DO UPDATE"
        " SET began_at = now(), read_at = NULL, closed_at = NULL, entries = 0",
        company_id,
    )


async def list_restores(connection: Connection) -> list[CompanyRestore]:
    """Of all companies, for the platform role only."""
    return await fetch_rows(
        connection,
        CompanyRestore,
        "SELECT c.uuid, c.name, r.read_at, r.closed_at, r.entries FROM storage_restores r"
        " JOIN companies c ON c.id = r.company_id ORDER BY r.closed_at IS NOT NULL, c.id",
    )


async def restore(connection: Connection, company_id: int, *, lock: bool = False) -> Restore | None:
    """With `lock`, it is not closed before the commit."""
    return await fetch_row(
        connection,
        Restore,
        f"SELECT {columns(Restore, 'r')} FROM storage_restores r WHERE r.company_id = $1"
        + (" FOR NO KEY UPDATE" if lock else ""),
        company_id,
    )


async def companies_to_read(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only. Warehouses may come back, so that they are
    read again every hour."""
    return await fetch_column(
        connection,
        "SELECT company_id FROM storage_restores WHERE closed_at IS NULL"
        " AND (read_at IS NULL OR read_at < now() - interval '1 hour')",
    )


async def set_read(connection: Connection, company_id: int, began_at: datetime) -> None:
    """Unless another restore has begun meanwhile."""
    await connection.execute(
        "UPDATE storage_restores SET read_at = now() WHERE company_id = $1 AND began_at = $2",
        company_id, began_at,
    )  # fmt: skip


async def close(connection: Connection, company_id: int) -> None:
    await connection.execute(
        "UPDATE storage_restores SET closed_at = now() WHERE company_id = $1", company_id
    )


async def count_entries(connection: Connection, company_id: int, number: int) -> None:
    await connection.execute(
        "UPDATE storage_restores SET entries = entries + $2 WHERE company_id = $1",
        company_id, number,
    )  # fmt: skip


async def claim(
    connection: Connection, company_id: int, space_id: UUID, member: UUID, sequence: int
) -> None:
    """Remembers how far a member, or with the id of zeros a warehouse, has seen a log."""
    await connection.execute(
        "INSERT INTO storage_restore_claims AS c (company_id, space_id, member, sequence)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT (company_id, space_id, member)"
        " DO UPDATE SET sequence = greatest(c.sequence, excluded.sequence)",
        company_id, space_id, member, sequence,
    )  # fmt: skip


async def count_claims(connection: Connection, company_id: int, member: UUID) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM storage_restore_claims WHERE company_id = $1 AND member = $2",
        company_id, member,
    )  # fmt: skip


async def waiting(connection: Connection, company_id: int) -> list[Waiting]:
    """Spaces of which active members or a warehouse have seen more than there is."""
    return await fetch_rows(
        connection,
        Waiting,
        "SELECT c.space_id AS id, COALESCE(max(s.sequence), 0) AS sequence,"
        " max(c.sequence) AS seen, count(u.id) AS members,"
        " bool_or(c.member = $2) AS is_in_warehouses"
        " FROM storage_restore_claims c"
        " LEFT JOIN spaces s ON s.company_id = c.company_id AND s.id = c.space_id"
        " LEFT JOIN users u ON u.company_id = c.company_id AND u.uuid = c.member AND u.is_active"
        " WHERE c.company_id = $1 AND c.sequence > COALESCE(s.sequence, 0)"
        " AND (u.id IS NOT NULL OR c.member = $2)"
        " GROUP BY c.space_id ORDER BY c.space_id",
        company_id, RECOVERY,
    )  # fmt: skip


async def add_pack(
    connection: Connection,
    company_id: int,
    *,
    space_id: UUID,
    pack_id: bytes,
    generation: int,
    k: int,
    n: int,
    length: int,
    author: UUID,
) -> bool:
    """False if there is a pack of this id."""
    added = await connection.fetchval(
        "INSERT INTO packs (company_id, space_id, id, generation, k, n, length, author)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING true",
        company_id, space_id, pack_id, generation, k, n, length, author,
    )  # fmt: skip
    return added is not None


async def add_found_shards(
    connection: Connection, company_id: int, shards: Sequence[tuple[NewShard, str | None]]
) -> None:
    """Adds shards that were read in their warehouses, with the checksums stated there."""
    await connection.execute(
        "INSERT INTO pack_shards (company_id, pack_id, index, warehouse_company_id, warehouse_id,"
        " size, sha256, checksum, state, checked_at) SELECT $1, g.*, 'stored', now()"
        " FROM unnest($2::bytea[], $3::int[], $4::int[], $5::bigint[], $6::int[], $7::bytea[],"
        "  $8::text[]) AS g",
        company_id,
        [shard.pack_id for shard, _ in shards],
        [shard.index for shard, _ in shards],
        [shard.warehouse_company_id for shard, _ in shards],
        [shard.warehouse_id for shard, _ in shards],
        [shard.size for shard, _ in shards],
        [shard.sha256 for shard, _ in shards],
        [checksum for _, checksum in shards],
    )


async def add_lost_shards(
    connection: Connection,
    company_id: int,
    pack_id: bytes,
    shards: Sequence[tuple[int, int, bytes]],
) -> None:
    """Adds (index, size, sha256) of shards that no warehouse has; a repair rebuilds them."""
    await connection.execute(
        "INSERT INTO pack_shards (company_id, pack_id, index, size, sha256)"
        " SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::bytea[])",
        company_id,
        pack_id,
        *(list(column) for column in zip(*shards, strict=True)),
    )
