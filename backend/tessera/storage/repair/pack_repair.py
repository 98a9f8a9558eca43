"""Repair and relocation: shards that are missing, wrong, or in a warehouse that the company leaves
are rebuilt from any k others, written, read back and compared. Needs no key.

Clouds are called with no transaction open. Every step is safe to repeat: a shard counts as stored
only once it was read back, and what is stored is no longer in need.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from prometheus_client import Counter

from tessera.authz import queries as authz_queries
from tessera.integrations.clouds import Cloud, CloudError, ObjectTooLarge
from tessera.kit.workflows import Resources
from tessera.storage import queries as storage_queries
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.placement import usable
from tessera.storage.packs.queries import CheckedShard, Pack, Shard, ShardState
from tessera.storage.packs.shard_checks import object_path
from tessera.storage.repair import queries
from tessera_core.shards import Shard as ShardContent
from tessera_core.shards import rebuild_shards

log = structlog.get_logger()

PACKS = Counter("tessera_storage_repaired_packs_total", "Packs repaired, by outcome", ["outcome"])

BATCH = 16
# A pack and its rebuilt and read-back shards take up to three times its 16 MiB.
PACKS_AT_ONCE = 2
CALL_SECONDS = 120

Warehouses = dict[int, StorageWarehouse]


@dataclass(frozen=True)
class Move:
    """A shard that has to be stored, and where."""

    shard: Shard
    target: StorageWarehouse


@dataclass(frozen=True)
class Batch:
    resources: Resources
    repair_id: int
    company_id: int
    company: UUID
    warehouses: Warehouses


@dataclass
class Work:
    """What was done for one pack."""

    failed: int = 0
    bytes_read: int = 0
    bytes_written: int = 0


def left_warehouses(warehouses: Warehouses) -> list[int]:
    """Returns the warehouses whose shards belong elsewhere."""
    kept = {warehouse.id for warehouse in usable(warehouses.values())}
    return [warehouse_id for warehouse_id in warehouses if warehouse_id not in kept]


def plan(pack: Pack, shards: Sequence[Shard], warehouses: Warehouses) -> list[Move]:
    """Returns the shards that can be stored now. Never two shards of a pack in one warehouse: a
    shard without a free warehouse stays where it is. Of a pack that no entry names, only what is
    stored moves, so that nobody keeps a warehouse from being left by uploads alone."""
    is_committed = pack.sequence is not None
    places = {warehouse.id: warehouse for warehouse in usable(warehouses.values())}
    taken = {shard.warehouse_id for shard in shards}
    free = [
        warehouse
        for warehouse in places.values()
        if warehouse.is_connected and warehouse.id not in taken
    ]
    moves = []
    for shard in shards:
        home = places.get(shard.warehouse_id) if shard.warehouse_id is not None else None
        if (home is not None and shard.is_stored) or not (shard.is_stored or is_committed):
            continue
        if home is not None and home.is_connected:
            moves.append(Move(shard, home))
        elif home is None and free:
            moves.append(Move(shard, free.pop(0)))
    return moves


async def repair_batch(resources: Resources, company_id: int, repair_id: int) -> bool:
    """Repairs the next packs. Returns whether there were any."""
    async with resources.database.tenant(company_id) as connection:
        repair = await queries.repair(connection, company_id, repair_id)
        company = await authz_queries.company_uuid(connection, company_id)
        if repair is None or repair.finished_at is not None or company is None:
            return False
        if await storage_queries.is_restoring(connection, company_id):
            return False
        warehouses = await load_warehouses(connection, resources, company_id)
        ids = await queries.packs_in_need(
            connection, company_id, left_warehouses(warehouses), after=repair.last_pack, limit=BATCH
        )
        packs = await pack_queries.packs(connection, company_id, ids)
        shards = await pack_queries.shards(connection, company_id, ids)
    if not ids:
        return False
    batch = Batch(resources, repair_id, company_id, company, warehouses)
    gate = asyncio.Semaphore(PACKS_AT_ONCE)

    async def one(pack: Pack) -> Work:
        async with gate:
            return await PackRepair(batch, pack, shards[pack.id]).run()

    works = await asyncio.gather(*(one(packs[pack_id]) for pack_id in ids))
    async with resources.database.tenant(company_id) as connection:
        await queries.advance(
            connection,
            company_id,
            repair_id,
            last_pack=ids[-1],
            failed=sum(1 for work in works if work.failed),
            bytes_read=sum(work.bytes_read for work in works),
            bytes_written=sum(work.bytes_written for work in works),
        )
    return True


@dataclass
class PackRepair:
    batch: Batch
    pack: Pack
    shards: list[Shard]
    _read: dict[int, ShardContent] = field(default_factory=dict)
    _work: Work = field(default_factory=Work)

    async def run(self) -> Work:
        moves = plan(self.pack, self.shards, self.batch.warehouses)
        for move in moves:
            content = await self._content(move.shard.index)
            if move is moves[-1]:
                # Their memory is needed for reading back.
                self._read.clear()
            completes = move is moves[-1] and not self._work.failed
            if content is None or not await self._store(move, content, completes=completes):
                self._work.failed += 1
        if moves:
            PACKS.labels("failed" if self._work.failed else "repaired").inc()
        return self._work

    async def _content(self, index: int) -> bytes | None:
        """Returns the bytes of a shard: its own if they can be read, else rebuilt from k others.
        None if fewer are intact, or if they do not give the bytes announced at the upload."""
        shard = next(each for each in self.shards if each.index == index)
        own = await self._load(shard)
        if own is None:
            others = [other for other in self.shards if other.index not in self._read]
            while others and (needed := self.pack.k - len(self._read)) > 0:
                await asyncio.gather(*map(self._load, others[:needed]))
                others = others[needed:]
            own = await asyncio.to_thread(self._rebuild, index)
        if own is None:
            return None
        if own.object_digest != shard.sha256:
            log.error("rebuilt shard differs", pack=self.pack.id.hex(), index=index)
            return None
        return own.encode()

    def _rebuild(self, index: int) -> ShardContent | None:
        if len(self._read) < self.pack.k:
            return None
        intact = [self._read[number] for number in sorted(self._read)[: self.pack.k]]
        try:
            return rebuild_shards(intact, [index])[0]
        except ValueError:
            return None

    async def _load(self, shard: Shard) -> ShardContent | None:
        """Reads a stored shard whole and checks it. What is not there or differs is recorded."""
        if shard.index in self._read:
            return self._read[shard.index]
        warehouse = self.batch.warehouses.get(shard.warehouse_id or 0)
        if not shard.is_stored or warehouse is None:
            return None
        try:
            async with asyncio.timeout(CALL_SECONDS):
                content = await self._open(warehouse).read(self._path(shard), limit=shard.size)
        except (CloudError, TimeoutError):
            return None
        except ObjectTooLarge:
            content = b""
        if content is None or hashlib.sha256(content).digest() != shard.sha256:
            await self._record(shard, "missing" if content is None else "wrong")
            return None
        self._work.bytes_read += len(content)
        # Malformed only if the client that uploaded it announced it like that.
        with suppress(ValueError):
            self._read[shard.index] = ShardContent.decode(content)
        return self._read.get(shard.index)

    async def _store(self, move: Move, content: bytes, *, completes: bool) -> bool:
        """Writes a shard, reads it back, compares it, and only then counts it as stored, and with
        its last one the pack as repaired."""
        shard, path = move.shard, self._path(move.shard)
        try:
            async with asyncio.timeout(CALL_SECONDS):
                cloud = self._open(move.target)
                await cloud.write(path, content)
                if await cloud.read(path, limit=len(content)) != content:
                    return False
                stat = await cloud.stat(path)
        except (CloudError, TimeoutError, ObjectTooLarge):
            return False
        self._work.bytes_written += len(content)
        async with self.batch.resources.database.tenant(self.batch.company_id) as connection:
            stored = await queries.store_repaired(
                connection,
                self.batch.company_id,
                shard,
                warehouse_company_id=move.target.company_id,
                warehouse_id=move.target.id,
                checksum=stat.checksum if stat else None,
            )
            if stored and completes:
                await queries.count_repaired(
                    connection, self.batch.company_id, self.batch.repair_id
                )
        former = self.batch.warehouses.get(shard.warehouse_id or 0)
        if not stored:
            await self._delete(move.target, path)
        elif former is not None and former.id != move.target.id:
            await self._delete(former, path)
        return stored

    async def _record(self, shard: Shard, state: ShardState) -> None:
        assert shard.warehouse_id is not None
        checked = CheckedShard(
            pack_id=shard.pack_id,
            index=shard.index,
            warehouse_id=shard.warehouse_id,
            state=state,
            checksum=shard.checksum,
        )
        async with self.batch.resources.database.tenant(self.batch.company_id) as connection:
            await pack_queries.store_checks(connection, self.batch.company_id, [checked])

    async def _delete(self, warehouse: StorageWarehouse, path: str) -> None:
        """What stays behind is of no use to anyone, and harms nobody."""
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await self._open(warehouse).delete(path)
        except (CloudError, TimeoutError):
            log.warning("former shard stays", warehouse_id=warehouse.id)

    def _open(self, warehouse: StorageWarehouse) -> Cloud:
        return warehouse.open(self.batch.resources)

    def _path(self, shard: Shard) -> str:
        return object_path(self.batch.company, shard)
