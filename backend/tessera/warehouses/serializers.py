"""Converts rows to API models."""

from typing import Any

from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.warehouses import queries
from tessera.warehouses.enums import explain
from tessera.warehouses.errors import WarehouseNotFound
from tessera.warehouses.queries import Warehouse
from tessera.warehouses.schemas import WarehouseRead
from tessera_core.providers import find_provider


def other_fields(row: Warehouse, language: Language, days: list[int | None]) -> dict[str, Any]:
    """The fields that are not columns of the same name."""
    error = row.last_error
    return {
        "warehouse_type": row.type,
        "type_name": find_provider(row.type).name,
        "last_check": row.last_check_at,
        "last_error": explain(error, language) if error else None,
        "last_error_code": error,
        "checking": row.checking_since is not None,
        "days": days,
        "date_created": row.created_at,
    }


async def read_one(
    connection: Connection, company_id: int, warehouse_id: int, language: Language
) -> WarehouseRead:
    row = await queries.find(connection, company_id, warehouse_id)
    if row is None:
        raise WarehouseNotFound
    days = await queries.days(connection, company_id, [warehouse_id])
    return WarehouseRead.of(row, **other_fields(row, language, days[warehouse_id]))
