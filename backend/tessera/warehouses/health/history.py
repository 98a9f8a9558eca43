"""A warehouse's past: when it had which status, and why."""

from tessera.authz.context import Access
from tessera.kit.pagination import Page, PageRequest
from tessera.warehouses import queries as warehouse_queries
from tessera.warehouses.enums import explain
from tessera.warehouses.errors import WarehouseNotFound
from tessera.warehouses.health import queries
from tessera.warehouses.schemas import WarehouseChange


async def list_changes(
    access: Access, warehouse_id: int, request: PageRequest
) -> Page[WarehouseChange]:
    connection, company_id = access.connection, access.current_user.company_id
    if await warehouse_queries.find(connection, company_id, warehouse_id) is None:
        raise WarehouseNotFound
    page = await queries.PERIODS.page(connection, request, company_id, warehouse_id)
    language = access.context.language
    return page.read(
        lambda row: WarehouseChange.of(
            row,
            cause=explain(row.error, language) if row.error else None,
            cause_code=row.error,
        )
    )
