"""What became of the links that were handed out. When they have expired, the warehouses are asked:
what was sent counts against the quota, reported or not; what was never sent is released; and an
object that is not the announced one is deleted. Azure and Dropbox links do not bind the size."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from operator import methodcaller
from uuid import UUID

import structlog
from prometheus_client import Counter

from tessera.authz import queries as authz_queries
from tessera.authz.queries import lock_company
from tessera.integrations.clouds import CloudError, ObjectStat
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage import queries as storage_queries
from tessera.storage.clouds import StorageWarehouse, call_all, load_warehouses
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.queries import Shard
from tessera.storage.packs.shard_checks import (
    ask_warehouses,
    checked_shards,
    compare,
    object_path,
)
from tessera.storage.quota import queries as quota_queries
from tessera.storage.quota import service as quota
from tessera.storage.settlement import queries

log = structlog.get_logger()

SETTLED = Counter("tessera_storage_settled_packs_total", "Settled uploads, by outcome", ["outcome"])

BATCH = 32
RETRY_MINUTES = 15

Warehouses = Mapping[int, StorageWarehouse]


async def settle_batch(resources: Resources, company_id: int) -> bool:
    """Settles the packs that are due, the oldest first. Returns whether there may be more."""
    async with resources.database.tenant(company_id) as connection:
        if await storage_queries.is_restoring(connection, company_id):
            return False
        company = await authz_queries.company_uuid(connection, company_id)
        warehouses = await load_warehouses(connection, resources, company_id)
        ids = await queries.due_packs(connection, company_id, BATCH)
        by_pack = await pack_queries.shards(connection, company_id, ids)
    if company is None or not ids:
        return False
    shards = [
        shard
        for own in by_pack.values()
        for shard in own
        if not shard.is_stored and shard.warehouse_id is not None
    ]
    answers = await ask_warehouses(resources, warehouses, company, shards)
    present = [(shard, stat) for shard, stat in answers if isinstance(stat, ObjectStat)]
    wrong = [(shard, stat) for shard, stat in present if compare(shard, stat) == "different"]
    deleted, left = await _delete(resources, warehouses, company_id, company, wrong)
    # Packs of which something is not known yet.
    waiting = left | {shard.pack_id for shard, answer in answers if isinstance(answer, CloudError)}
    async with resources.database.tenant(company_id) as connection:
        await lock_company(connection, company_id)
        await pack_queries.store_checks(connection, company_id, checked_shards(present))
        await _settle(connection, company_id, ids, {each.pack_id for each, _ in wrong}, waiting)
        await _count_excess(connection, company_id, deleted)
    return len(ids) == BATCH


async def _delete(
    resources: Resources,
    warehouses: Warehouses,
    company_id: int,
    company: UUID,
    wrong: list[tuple[Shard, ObjectStat]],
) -> tuple[list[tuple[Shard, ObjectStat]], set[bytes]]:
    """Deletes wrong objects of packs that no entry names; a repair replaces the others. Returns
    those that are gone, and the packs of those that are not."""
    if not wrong:
        return [], set()
    async with resources.database.tenant(company_id) as connection:
        packs = {shard.pack_id for shard, _ in wrong}
        uncommitted = await queries.uncommitted(connection, company_id, packs)
    due = [each for each in wrong if each[0].pack_id in uncommitted]
    calls = [
        (shard.warehouse_id, methodcaller("delete", object_path(company, shard)))
        for shard, _ in due
    ]
    answers = await call_all(resources, warehouses, calls)
    gone, left = [], set()
    for (shard, stat), answer in zip(due, answers, strict=True):
        if isinstance(answer, CloudError):
            left.add(shard.pack_id)
        else:
            gone.append((shard, stat))
            log.warning(
                "wrong object deleted",
                warehouse_id=shard.warehouse_id, size=stat.size, announced=shard.size,
            )  # fmt: skip
    return gone, left


async def _settle(
    connection: Connection,
    company_id: int,
    ids: Collection[bytes],
    misused: Collection[bytes],
    waiting: Collection[bytes],
) -> None:
    """Books every pack of which anything was sent, with all its bytes: the rest may follow without
    being counted again."""
    packs = await pack_queries.packs(connection, company_id, ids)
    due = {
        pack.id: (pack.author, pack.length)
        for pack in packs.values()
        if pack.booked_at is None and pack.deleted_at is None
        if pack.stored > 0 or pack.id in misused
    }
    if due:
        month = await quota.current_month(connection, company_id)
        await quota.book_stored(connection, company_id, month, due)
    groups: dict[str, list[bytes]] = defaultdict(list)
    for each in await queries.reservations(connection, company_id, ids):
        pack = packs[each.pack_id]
        if pack.sequence is not None or pack.deleted_at is not None:
            groups["finished"].append(pack.id)
        elif pack.id in waiting:
            groups["waiting"].append(pack.id)
        elif each.is_open:
            groups["open"].append(pack.id)
        else:
            groups["finished" if each.is_final else "released"].append(pack.id)
    SETTLED.labels("booked").inc(len(due))
    for outcome, members in groups.items():
        SETTLED.labels(outcome).inc(len(members))
    unsettled = groups["waiting"] + groups["open"]
    await queries.postpone(connection, company_id, unsettled, RETRY_MINUTES)
    await queries.release(connection, company_id, groups["released"])
    await queries.remove(connection, company_id, groups["finished"])


async def _count_excess(
    connection: Connection, company_id: int, deleted: list[tuple[Shard, ObjectStat]]
) -> None:
    if not deleted:
        return
    await queries.reset_shards(connection, company_id, [shard for shard, _ in deleted])
    excess: dict[bytes, int] = defaultdict(int)
    for shard, stat in deleted:
        excess[shard.pack_id] += max(0, stat.size - shard.size)
    by_author = await queries.add_excess(connection, company_id, excess)
    month = await quota.current_month(connection, company_id)
    totals = {author: (size, 0) for author, size in by_author.items()}
    await quota_queries.add_usage(connection, company_id, month.starts_at, totals)
