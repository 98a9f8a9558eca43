"""Starts repairs where shards are not where they belong, moves shards out of a warehouse that is to
be removed, and sends alerts while files are at risk."""

from tessera.activity.service import record, record_system
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.storage import queries as storage_queries
from tessera.storage.access import check_read
from tessera.storage.clouds import load_warehouses
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.placement import usable
from tessera.storage.repair import queries
from tessera.storage.repair.errors import RelocationImpossible, StorageWarehouseNotFound
from tessera.storage.repair.pack_repair import Warehouses, left_warehouses, plan
from tessera.storage.repair.queries import Repair
from tessera.storage.repair.schemas import RelocationRead, RepairRead, RepairsRead
from tessera.warehouses.alerts.publish import mail_alert, publish_event
from tessera.warehouses.alerts.schemas import Event
from tessera.warehouses.enums import NEEDED

SHOWN = 20
# How many packs are looked at to see whether any can be repaired now.
SAMPLE = 64
# After a repair that achieved nothing, unless a warehouse changed meanwhile.
RETRY_SECONDS = 15 * 60


async def begin_repair(connection: Connection, resources: Resources, company_id: int) -> int | None:
    """Adds a repair if one is needed, possible and not under way. Returns its id."""
    if await storage_queries.is_restoring(connection, company_id):
        # Whoever moves a piece deletes it where it was.
        return None
    await lock_company(connection, company_id)
    await _report_risk(connection, resources, company_id)
    warehouses = await load_warehouses(connection, resources, company_id)
    left = left_warehouses(warehouses)
    ids = await queries.packs_in_need(connection, company_id, left, limit=SAMPLE)
    packs = await pack_queries.packs(connection, company_id, ids)
    shards = await pack_queries.shards(connection, company_id, ids)
    if not any(plan(packs[pack_id], own, warehouses) for pack_id, own in shards.items()):
        return None
    last = await queries.latest_repairs(connection, company_id, 1)
    if last and _tried_lately(last[0], warehouses):
        return None
    count = await queries.count_in_need(connection, company_id, left)
    return await queries.add_repair(connection, company_id, count)


async def finish_repair(resources: Resources, company_id: int, repair_id: int) -> None:
    async with resources.database.tenant(company_id) as connection:
        await lock_company(connection, company_id)
        repair = await queries.finish(connection, company_id, repair_id)
        if repair is None:
            return
        details = {"packs": repair.repaired, "failed": repair.failed}
        await record_system(connection, company_id, "storage.repaired", details=details)
        data = {"repairId": repair_id, **details}
        await publish_event(connection, company_id, Event.REPAIR_FINISHED, data)
        await _report_risk(connection, resources, company_id)


async def read_repairs(access: Access) -> RepairsRead:
    await check_read(access)
    rows = await queries.latest_repairs(access.connection, access.current_user.company_id, SHOWN)
    return RepairsRead(repairs=[RepairRead.of(row) for row in rows])


async def read_relocation(access: Access, warehouse_id: int) -> RelocationRead:
    """What moving the shards out of a warehouse would cost."""
    _, relocation = await _relocation(access, warehouse_id)
    return relocation


async def start_relocation(access: Access, warehouse_id: int) -> RelocationRead:
    """Takes the warehouse out of use; repairs then move its shards to the others."""
    connection, company_id = access.connection, access.current_user.company_id
    await lock_company(connection, company_id)
    name, relocation = await _relocation(access, warehouse_id)
    if not relocation.is_possible:
        raise RelocationImpossible(needed=NEEDED)
    await queries.set_leaving(connection, company_id, warehouse_id)
    details = {"warehouseId": warehouse_id, "pieces": relocation.shards}
    await record(access, "storage.relocationStarted", target=name, details=details)
    return relocation.model_copy(update={"is_under_way": True})


async def _relocation(access: Access, warehouse_id: int) -> tuple[str, RelocationRead]:
    connection, company_id = access.connection, access.current_user.company_id
    warehouses = await load_warehouses(connection, access.context.resources, company_id)
    warehouse = warehouses.get(warehouse_id)
    if warehouse is None or warehouse.is_shared:
        raise StorageWarehouseNotFound
    held = await queries.held_in(connection, company_id, warehouse_id)
    widest = await queries.widest_pack(connection, company_id, warehouse_id)
    others = [each for each in usable(warehouses.values()) if each.id != warehouse_id]
    return warehouse.name, RelocationRead(
        shards=held.shards,
        bytes=held.bytes,
        # A pack of n shards needs n warehouses, this one not counted.
        is_possible=len(others) >= max(NEEDED, widest),
        is_under_way=warehouse.leaving_since is not None,
    )


def _tried_lately(last: Repair, warehouses: Warehouses) -> bool:
    if last.finished_at is None:
        return True
    if last.repaired:
        return False
    finished = last.finished_at
    if any(each.status_since > finished for each in warehouses.values()):
        return False
    return (clock.now() - finished).total_seconds() < RETRY_SECONDS


async def _report_risk(connection: Connection, resources: Resources, company_id: int) -> None:
    """Sends an alert once when files are at risk, and once when they are safe again."""
    packs = await queries.count_at_risk(connection, company_id)
    if not await queries.set_at_risk(connection, company_id, at_risk=packs > 0):
        return
    link = f"{resources.settings.public_url}/storage"
    mail = mails.StorageAtRisk(link=link) if packs else mails.StorageRepaired(link=link)
    await mail_alert(connection, resources, company_id, mail)
    event = Event.STORAGE_AT_RISK if packs else Event.STORAGE_SAFE
    await publish_event(connection, company_id, event, {"packs": packs} if packs else {})
