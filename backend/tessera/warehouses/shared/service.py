"""The platform's own warehouses, shared by companies on the basic plan. Managed on the command line
and checked by the same monitor as all others."""

from collections.abc import Mapping
from dataclasses import dataclass

from tessera.activity.service import record_system
from tessera.authz.queries import lock_company
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.kit.data_keys import current_key
from tessera.kit.database import Connection, enter_tenant
from tessera.kit.workflows import Resources
from tessera.subscription.service import assign_shared_warehouses
from tessera.warehouses import queries as warehouse_queries
from tessera.warehouses.commands import checked_credentials
from tessera.warehouses.credentials import add_warehouse
from tessera.warehouses.enums import NEEDED, shown_name
from tessera.warehouses.errors import SharedWarehousesNeeded, WarehouseHoldsData
from tessera.warehouses.health.service import check_after_change
from tessera.warehouses.locations import require_free, require_free_account
from tessera.warehouses.shared import queries
from tessera.warehouses.shared.queries import PlatformWarehouse


@dataclass(frozen=True)
class Added:
    id: int
    status: int
    error: str | None
    companies: int


async def list_all(resources: Resources) -> list[PlatformWarehouse]:
    async with resources.database.platform.transaction() as connection:
        return await queries.list_all(connection)


async def add(
    resources: Resources, warehouse_type: int, nick_name: str | None, data: Mapping[str, str]
) -> Added:
    credentials = checked_credentials(resources.settings, warehouse_type, data)
    await require_free_account(resources, PLATFORM_COMPANY, warehouse_type, credentials)
    async with resources.database.tenant(PLATFORM_COMPANY) as connection:
        await lock_company(connection, PLATFORM_COMPANY)
        key = await current_key(connection, resources, PLATFORM_COMPANY)
        await require_free(connection, key, PLATFORM_COMPANY, warehouse_type, credentials)
        warehouse_id = await add_warehouse(
            connection,
            key,
            PLATFORM_COMPANY,
            warehouse_type,
            nick_name=nick_name,
            credentials=credentials,
        )
        await record_system(
            connection,
            PLATFORM_COMPANY,
            "sharedWarehouse.added",
            target=shown_name(nick_name, warehouse_type),
        )
    await check_after_change(resources, PLATFORM_COMPANY, warehouse_id, 1)
    async with resources.database.platform.transaction() as connection:
        companies = await _fill(connection)
        row = await queries.find(connection, warehouse_id)
    assert row is not None
    return Added(warehouse_id, row.status, row.last_error, companies)


async def remove(resources: Resources, warehouse_id: int, *, force: bool) -> int | None:
    """Returns how many companies used it; None if it does not exist."""
    async with resources.database.platform.transaction() as connection:
        await lock_company(connection, PLATFORM_COMPANY)
        row = await queries.find(connection, warehouse_id)
        if row is None:
            return None
        if await warehouse_queries.count(connection, PLATFORM_COMPANY) <= NEEDED and not force:
            raise SharedWarehousesNeeded(needed=NEEDED)
        held = await warehouse_queries.count_shards(connection, PLATFORM_COMPANY, warehouse_id)
        if held and not force:
            raise WarehouseHoldsData(pieces=held)
        await warehouse_queries.delete(connection, PLATFORM_COMPANY, warehouse_id)
        if row.is_default:
            await queries.choose_default(connection)
        await _fill(connection)
        await record_system(
            connection,
            PLATFORM_COMPANY,
            "sharedWarehouse.removed",
            target=shown_name(row.nick_name, row.type),
        )
    return row.companies


async def _fill(connection: Connection) -> int:
    """Assigns platform warehouses to the companies that use them and have too few."""
    lacking = await queries.companies_lacking(connection, NEEDED)
    for company_id in lacking:
        await enter_tenant(connection, company_id)
        await assign_shared_warehouses(connection, NEEDED)
    await enter_tenant(connection, PLATFORM_COMPANY)
    return len(lacking)
