from collections.abc import Collection, Sequence
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_rows


class SpaceLog(Struct, frozen=True):
    id: UUID
    sequence: int


class LogCopy(Struct, frozen=True):
    warehouse_id: int
    sequence: int


class EntryGrant(Struct, frozen=True):
    entry_id: bytes
    content: bytes


class MissingKit(Struct, frozen=True):
    counter: int
    sealed: bytes
    warehouse_id: int


async def companies_behind(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only."""
    return await fetch_column(
        connection, "SELECT DISTINCT company_id FROM spaces WHERE sequence > copied_sequence"
    )


async def companies_with_spaces(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only."""
    return await fetch_column(connection, "SELECT DISTINCT company_id FROM spaces")


async def space_logs(connection: Connection, company_id: int) -> list[SpaceLog]:
    return await fetch_rows(
        connection,
        SpaceLog,
        "SELECT id, sequence FROM spaces WHERE company_id = $1 ORDER BY id",
        company_id,
    )


async def logs_behind(connection: Connection, company_id: int) -> list[SpaceLog]:
    return await fetch_rows(
        connection,
        SpaceLog,
        "SELECT id, sequence FROM spaces WHERE company_id = $1 AND sequence > copied_sequence"
        " ORDER BY id",
        company_id,
    )


async def log_copies(connection: Connection, company_id: int, space_id: UUID) -> dict[int, int]:
    """Maps warehouses to the last entry that they have."""
    rows = await fetch_rows(
        connection,
        LogCopy,
        "SELECT warehouse_id, sequence FROM log_copies WHERE company_id = $1 AND space_id = $2",
        company_id, space_id,
    )  # fmt: skip
    return {row.warehouse_id: row.sequence for row in rows}


async def grants_of_entries(
    connection: Connection, company_id: int, space_id: UUID, entry_ids: Collection[bytes]
) -> list[EntryGrant]:
    return await fetch_rows(
        connection,
        EntryGrant,
        "SELECT entry_id, content FROM grants"
        " WHERE company_id = $1 AND space_id = $2 AND entry_id = ANY($3::bytea[])"
        " ORDER BY entry_id, member",
        company_id, space_id, list(entry_ids),
    )  # fmt: skip


async def store_log_copies(
    connection: Connection,
    company_id: int,
    space_id: UUID,
    sequence: int,
    warehouses: Sequence[tuple[int, int]],
) -> None:
    """Takes the warehouses as (company, id). Skips those that were removed meanwhile."""
    await connection.execute(
        "INSERT INTO log_copies AS c"
        " (company_id, space_id, warehouse_company_id, warehouse_id, sequence)"
        " SELECT $1, s.id, g.company_id, g.id, $3"
        " FROM unnest($4::int[], $5::bigint[]) AS g (company_id, id)"
        " JOIN spaces s ON s.company_id = $1 AND s.id = $2"
        " WHERE EXISTS (SELECT FROM storage_warehouses() w WHERE w.id = g.id)"
        " ON CONFLICT (company_id, space_id, warehouse_id)"
        " DO UPDATE SET sequence = greatest(c.sequence, excluded.sequence)",
        company_id,
        space_id,
        sequence,
        [company for company, _ in warehouses],
        [warehouse_id for _, warehouse_id in warehouses],
    )


async def set_copied(
    connection: Connection, company_id: int, space_id: UUID, warehouses: Sequence[int]
) -> None:
    """Stores up to which entry all of these warehouses have the log."""
    await connection.execute(
        "UPDATE spaces SET copied_sequence = COALESCE((SELECT min(COALESCE(c.sequence, 0))"
        "  FROM unnest($3::bigint[]) AS g (id) LEFT JOIN log_copies c"
        "   ON c.company_id = $1 AND c.space_id = $2 AND c.warehouse_id = g.id), 0)"
        " WHERE company_id = $1 AND id = $2",
        company_id, space_id, list(warehouses),
    )  # fmt: skip


async def missing_kits(
    connection: Connection, company_id: int, warehouses: Sequence[int]
) -> list[MissingKit]:
    return await fetch_rows(
        connection,
        MissingKit,
        "SELECT r.counter, r.sealed, g.id AS warehouse_id"
        " FROM recovery_kits r CROSS JOIN unnest($2::bigint[]) AS g (id)"
        " WHERE r.company_id = $1 AND NOT EXISTS ("
        "  SELECT FROM recovery_copies c WHERE c.company_id = $1 AND c.counter = r.counter"
        "   AND c.warehouse_id = g.id) ORDER BY r.counter",
        company_id, list(warehouses),
    )  # fmt: skip


async def store_kit_copies(
    connection: Connection, company_id: int, copies: Sequence[tuple[int, int, int]]
) -> None:
    """Takes (counter, company and id of the warehouse)."""
    await connection.execute(
        "INSERT INTO recovery_copies (company_id, counter, warehouse_company_id, warehouse_id)"
        " SELECT $1, g.* FROM unnest($2::int[], $3::int[], $4::bigint[]) AS g (counter, owner, id)"
        " WHERE EXISTS (SELECT FROM storage_warehouses() w WHERE w.id = g.id)"
        " ON CONFLICT DO NOTHING",
        company_id,
        *(list(column) for column in zip(*copies, strict=True)),
    )
