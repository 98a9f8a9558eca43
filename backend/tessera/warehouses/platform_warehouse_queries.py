"""Across all companies, for the platform role only."""

import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def listed(connection: Connection) -> list[Row]:
    return await connection.fetch(
        "SELECT w.id, w.type, w.nick_name, w.status, w.last_error, w.last_check_at,"
        " (SELECT count(*) FROM shared_warehouses s WHERE s.platform_company_id = 1"
        "  AND s.warehouse_id = w.id) AS companies"
        " FROM warehouses w WHERE w.company_id = 1 ORDER BY w.id"
    )


async def companies_of(connection: Connection, warehouse_id: int) -> int:
    counted: int = await connection.fetchval(
        "SELECT count(*) FROM shared_warehouses"
        " WHERE platform_company_id = 1 AND warehouse_id = $1",
        warehouse_id,
    )
    return counted


async def lacking(connection: Connection, needed: int) -> list[int]:
    rows = await connection.fetch(
        "SELECT c.id FROM companies c WHERE c.id <> 1 AND NOT c.can_view_warehouse"
        " AND (SELECT count(*) FROM shared_warehouses s WHERE s.company_id = c.id)"
        "  < least($1, (SELECT count(*) FROM warehouses w WHERE w.company_id = 1))"
        " ORDER BY c.id",
        needed,
    )
    return [row["id"] for row in rows]


async def choose_default(connection: Connection) -> None:
    await connection.execute(
        "UPDATE warehouses SET is_default = true"
        " WHERE id = (SELECT min(id) FROM warehouses WHERE company_id = 1)"
    )
