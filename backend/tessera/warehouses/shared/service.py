"""The platform's own warehouses, shared by companies on the basic plan. Managed on the command line
and checked by the same monitor as all others."""

from collections.abc import Mapping
from dataclasses import dataclass

from tessera.activity.service import record_system
from tessera.authz.queries import lock_company
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.integrations.clouds import STRATEGIES, WarehouseType
from tessera.kit.database import Connection, enter_tenant
from tessera.kit.workflows import Resources
from tessera.subscription.service import assign_shared_warehouses
from tessera.warehouses import queries as warehouse_queries
from tessera.warehouses.commands import checked_form
from tessera.warehouses.credentials import current_key, seal_form
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
    resources: Resources, type_: WarehouseType, nick_name: str | None, data: Mapping[str, str]
) -> Added:
    form = checked_form(resources.settings, type_, data)
    await require_free_account(resources, PLATFORM_COMPANY, type_, form)
    async with resources.database.tenant(PLATFORM_COMPANY) as connection:
        await lock_company(connection, PLATFORM_COMPANY)
        key = await current_key(connection, resources, PLATFORM_COMPANY)
        await require_free(connection, key, PLATFORM_COMPANY, type_, form)
        warehouse_id = await warehouse_queries.add(
            connection,
            company_id=PLATFORM_COMPANY,
            type_=type_,
            nick_name=nick_name,
            bucket=STRATEGIES[type_].bucket(form),
            path=form.get("path", ""),
            key_version=key.version,
        )
        await warehouse_queries.set_sealed(
            connection, PLATFORM_COMPANY, warehouse_id, seal_form(key, warehouse_id, form)
        )
        await record_system(
            connection,
            PLATFORM_COMPANY,
            "sharedWarehouse.added",
            target=shown_name(nick_name, type_),
        )
    await check_after_change(resources, PLATFORM_COMPANY, warehouse_id, 1)
    async with resources.database.platform.transaction() as connection:
        companies = await _fill(connection)
        row = await warehouse_queries.find(connection, PLATFORM_COMPANY, warehouse_id)
    assert row is not None
    return Added(warehouse_id, row.status, row.last_error, companies)


async def remove(resources: Resources, warehouse_id: int, *, force: bool) -> int | None:
    """Returns how many companies used it; None if it does not exist."""
    async with resources.database.platform.transaction() as connection:
        await lock_company(connection, PLATFORM_COMPANY)
        row = await warehouse_queries.lock(connection, PLATFORM_COMPANY, warehouse_id)
        if row is None:
            return None
        if await warehouse_queries.count(connection, PLATFORM_COMPANY) <= NEEDED and not force:
            raise SharedWarehousesNeeded(needed=NEEDED)
        held = await warehouse_queries.count_shards(connection, PLATFORM_COMPANY, warehouse_id)
        if held and not force:
            raise WarehouseHoldsData(pieces=held)
        companies = await queries.companies_of(connection, warehouse_id)
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
    return companies


async def _fill(connection: Connection) -> int:
    """Assigns platform warehouses to the companies that use them and have too few."""
    lacking = await queries.companies_lacking(connection, NEEDED)
    for company_id in lacking:
        await enter_tenant(connection, company_id)
        await assign_shared_warehouses(connection, NEEDED)
    await enter_tenant(connection, PLATFORM_COMPANY)
    return len(lacking)
