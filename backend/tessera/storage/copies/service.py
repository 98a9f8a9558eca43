"""Copies of the log and of recovery kits in every warehouse, so that files can be rescued without
this service."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta
from operator import methodcaller
from uuid import UUID

import structlog
from prometheus_client import Counter

from tessera.authz import queries as authz_queries
from tessera.authz.context import Identity
from tessera.integrations.clouds import CloudError
from tessera.kit import leases
from tessera.kit.concurrency import for_each
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage import queries as storage_queries
from tessera.storage.access import check_read, find_space
from tessera.storage.clouds import StorageWarehouse, call_all, load_warehouses
from tessera.storage.copies import queries
from tessera.storage.copies.queries import SpaceLog
from tessera.storage.copies.schemas import LogCopiesRead, LogCopy
from tessera.storage.packs.placement import usable
from tessera_core.entries import Entry
from tessera_core.grants import Grant
from tessera_core.objects import RecoveryObject, SegmentObject
from tessera_core.segments import Segment, SegmentEntry

log = structlog.get_logger()

SEGMENTS = Counter("tessera_storage_log_segments_total", "Log segments written to warehouses")

SEGMENT_ENTRIES = 256
SEGMENT_BYTES = 4 * 1024 * 1024
RANDOM_BYTES = 8
COMPANIES_AT_ONCE = 4
LEASE = timedelta(minutes=5)

Warehouses = Mapping[int, StorageWarehouse]


async def flush_log(identity: Identity, space_id: UUID) -> LogCopiesRead:
    """Writes what the warehouses lack of this log. One that cannot be reached gets it later."""
    resources, company_id = identity.context.resources, identity.current_user.company_id
    async with identity.access() as access:
        await check_read(access)
        space = await find_space(access, space_id)
        warehouses = await load_warehouses(access.connection, resources, company_id)
    company = identity.current_user.company_uuid
    await _copy_kits(resources, company_id, company, warehouses)
    await _copy_log(resources, company_id, company, warehouses, SpaceLog(space.id, space.sequence))
    async with identity.access() as access:
        copied = await queries.log_copies(access.connection, company_id, space_id)
    copies = [
        LogCopy(warehouse_id=each.id, warehouse_name=each.name, sequence=copied.get(each.id, 0))
        for each in usable(warehouses.values())
    ]
    return LogCopiesRead(sequence=min((copy.sequence for copy in copies), default=0), copies=copies)


async def copy_company(resources: Resources, company_id: int, *, everything: bool = False) -> None:
    """Copies the logs that have new entries, or all of them for warehouses that are new."""
    async with resources.database.tenant(company_id) as connection:
        company = await authz_queries.company_uuid(connection, company_id)
        query = queries.space_logs if everything else queries.logs_behind
        logs = await query(connection, company_id)
        warehouses = await load_warehouses(connection, resources, company_id)
    if company is None:
        return
    await _copy_kits(resources, company_id, company, warehouses)
    for each in logs:
        await _copy_log(resources, company_id, company, warehouses, each)


async def copy_all(resources: Resources, *, everything: bool = False) -> None:
    """Copies the logs of all companies. One that another round still works on is skipped."""
    async with resources.database.platform.transaction() as connection:
        query = queries.companies_with_spaces if everything else queries.companies_behind
        companies = await query(connection)

    async def one(company_id: int) -> None:
        lease = await leases.take(resources.database, company_id, "storage-copies", LEASE)
        if lease is None:
            return
        try:
            await copy_company(resources, company_id, everything=everything)
        except Exception:
            # Must not affect the others; the next round tries again.
            log.exception("logs could not be copied", company_id=company_id)
        finally:
            await leases.release(resources.database, lease)

    await for_each(companies, one, at_once=COMPANIES_AT_ONCE)


async def _copy_log(
    resources: Resources, company_id: int, company: UUID, warehouses: Warehouses, space: SpaceLog
) -> None:
    placed = usable(warehouses.values())
    async with resources.database.tenant(company_id) as connection:
        copied = await queries.log_copies(connection, company_id, space.id)
    behind = {
        warehouse.id: copied.get(warehouse.id, 0)
        for warehouse in placed
        if warehouse.is_connected and copied.get(warehouse.id, 0) < space.sequence
    }
    while behind:
        after = min(behind.values())
        receivers = [warehouse_id for warehouse_id, last in behind.items() if last == after]
        async with resources.database.tenant(company_id) as connection:
            segment = await read_segment(connection, company_id, space.id, after)
        name = SegmentObject(
            company, space.id, segment.first, segment.last, secrets.token_bytes(RANDOM_BYTES)
        )
        done = await _write(resources, warehouses, receivers, str(name), segment.encode())
        SEGMENTS.inc(len(done))
        async with resources.database.tenant(company_id) as connection:
            pairs = [(warehouses[warehouse_id].company_id, warehouse_id) for warehouse_id in done]
            await queries.store_log_copies(connection, company_id, space.id, segment.last, pairs)
        for warehouse_id in receivers:
            behind.pop(warehouse_id)
            if warehouse_id in done and segment.last < space.sequence:
                behind[warehouse_id] = segment.last
    async with resources.database.tenant(company_id) as connection:
        await queries.set_copied(
            connection, company_id, space.id, [warehouse.id for warehouse in placed]
        )


async def read_segment(
    connection: Connection, company_id: int, space_id: UUID, after: int
) -> Segment:
    """Returns the next entries, up to the limits of a segment."""
    contents = await storage_queries.entries(
        connection,
        company_id,
        space_id,
        after=after,
        limit=SEGMENT_ENTRIES,
        max_bytes=SEGMENT_BYTES,
    )
    entries = [Entry.decode(content) for content in contents]
    grants: dict[bytes, list[Grant]] = {entry.head.id: [] for entry in entries}
    for row in await queries.grants_of_entries(connection, company_id, space_id, grants):
        grants[row.entry_id].append(Grant.decode(row.content))
    return Segment(tuple(SegmentEntry(entry, tuple(grants[entry.head.id])) for entry in entries))


async def _copy_kits(
    resources: Resources, company_id: int, company: UUID, warehouses: Warehouses
) -> None:
    placed = [each.id for each in usable(warehouses.values()) if each.is_connected]
    async with resources.database.tenant(company_id) as connection:
        missing = await queries.missing_kits(connection, company_id, placed)
    copies: list[tuple[int, int, int]] = []
    for kit in {kit.counter: kit for kit in missing}.values():
        receivers = [each.warehouse_id for each in missing if each.counter == kit.counter]
        name = RecoveryObject(company, kit.counter, secrets.token_bytes(RANDOM_BYTES))
        done = await _write(resources, warehouses, receivers, str(name), kit.sealed)
        copies += [(kit.counter, warehouses[each].company_id, each) for each in done]
    if copies:
        async with resources.database.tenant(company_id) as connection:
            await queries.store_kit_copies(connection, company_id, copies)


async def _write(
    resources: Resources,
    warehouses: Warehouses,
    receivers: Iterable[int],
    name: str,
    content: bytes,
) -> list[int]:
    """Returns the warehouses that have it now."""
    # Warehouses are locked in this order everywhere.
    asked = sorted(receivers)
    calls = [(warehouse_id, methodcaller("write", name, content)) for warehouse_id in asked]
    answers = await call_all(resources, warehouses, calls)
    return [
        warehouse_id
        for warehouse_id, answer in zip(asked, answers, strict=True)
        if not isinstance(answer, CloudError)
    ]
