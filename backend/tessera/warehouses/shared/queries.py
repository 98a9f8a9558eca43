"""Across all companies, for the platform role only."""

from datetime import datetime

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_row, fetch_rows
from tessera.warehouses.enums import ErrorCode, StatusCode


class PlatformWarehouse(Struct, frozen=True):
    id: int
    type: int
    nick_name: str | None
    status: StatusCode
    last_error: ErrorCode | None
    last_check_at: datetime | None
    is_default: bool
    companies: int


# Without the credentials, which the platform role cannot read.
_WAREHOUSES = (
    "SELECT w.id, w.type, w.nick_name, w.status, w.last_error, w.last_check_at, w.is_default,"
    " (SELECT count(*) FROM shared_warehouses s WHERE s.platform_company_id = 1"
    "  AND s.warehouse_id = w.id) AS companies"
    " FROM warehouses w WHERE w.company_id = 1"
)


async def list_all(connection: Connection) -> list[PlatformWarehouse]:
    return await fetch_rows(connection, PlatformWarehouse, f"{_WAREHOUSES} ORDER BY w.id")


async def find(connection: Connection, warehouse_id: int) -> PlatformWarehouse | None:
    return await fetch_row(
        connection, PlatformWarehouse, f"{_WAREHOUSES} AND w.id = $1 FOR UPDATE OF w", warehouse_id
    )


async def companies_lacking(connection: Connection, needed: int) -> list[int]:
    return await fetch_column(
        connection,
        "SELECT c.id FROM companies c WHERE c.id <> 1 AND NOT c.can_view_warehouse"
        " AND (SELECT count(*) FROM shared_warehouses s WHERE s.company_id = c.id)"
        "  < least($1, (SELECT count(*) FROM warehouses w WHERE w.company_id = 1))"
        " ORDER BY c.id",
        needed,
    )


async def choose_default(connection: Connection) -> None:
    await connection.execute(
        "UPDATE warehouses SET is_default = true"
        " WHERE company_id = 1 AND id = (SELECT min(id) FROM warehouses WHERE company_id = 1)"
    )
