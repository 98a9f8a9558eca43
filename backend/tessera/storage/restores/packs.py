"""Packs that the restored database does not know. Their shards are found in the warehouses, read,
and compared with what the signed entry says of the pack. Needs no key."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

import structlog

from tessera.authz.queries import lock_company
from tessera.integrations.clouds import Cloud, CloudError, ObjectTooLarge
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.storage.clouds import StorageWarehouse, load_warehouses
from tessera.storage.packs import queries as pack_queries
from tessera.storage.packs.queries import NewShard
from tessera.storage.packs.shard_checks import ask_warehouses, checked_shards
from tessera.storage.quota import service as quota
from tessera.storage.restores import queries
from tessera.storage.restores.extension import LostPack
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.objects import ROOT, ShardObject, parse_object_name
from tessera_core.packs import PackName
from tessera_core.shards import TRAILER_BYTES, Shard, recover_pack, split_pack

log = structlog.get_logger()

CALL_SECONDS = 120


@dataclass(frozen=True)
class FoundShard:
    warehouse: StorageWarehouse
    shard: Shard
    # As the provider states it.
    checksum: str | None


@dataclass(frozen=True)
class Finder:
    resources: Resources
    company_id: int
    company: UUID
    space_id: UUID
    warehouses: Mapping[int, StorageWarehouse]

    async def find(self, lost: LostPack) -> bool:
        """Adds a pack of which enough is left. Safe to repeat."""
        async with self.resources.database.tenant(self.company_id) as connection:
            known = await pack_queries.packs(connection, self.company_id, [lost.record.pack])
        if known:
            # It was being uploaded when the backup was made.
            return await self._check_again(lost)
        found = await self._read(lost)
        try:
            shards = await asyncio.to_thread(self._recover, lost, found)
        except (NotEnoughShards, Malformed):
            log.warning("pack not found", pack=lost.record.pack.hex(), pieces=len(found))
            return False
        async with self.resources.database.tenant(self.company_id) as connection:
            await self._store(connection, lost, shards, found)
        return True

    async def _check_again(self, lost: LostPack) -> bool:
        pack_id = lost.record.pack
        async with self.resources.database.tenant(self.company_id) as connection:
            shards = (await pack_queries.shards(connection, self.company_id, [pack_id]))[pack_id]
        unknown = [shard for shard in shards if shard.warehouse_id is not None]
        answers = await ask_warehouses(self.resources, self.warehouses, self.company, unknown)
        async with self.resources.database.tenant(self.company_id) as connection:
            await lock_company(connection, self.company_id)
            await pack_queries.store_checks(connection, self.company_id, checked_shards(answers))
            packs = await pack_queries.packs(connection, self.company_id, [pack_id])
            pack = packs[pack_id]
            if pack.stored < pack.k:
                return False
            if pack.booked_at is None:
                await self._book(connection, lost)
        return True

    async def _read(self, lost: LostPack) -> list[FoundShard]:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._read_from(warehouse, lost))
                for warehouse in self.warehouses.values()
                if warehouse.is_connected
            ]
        return [found for task in tasks for found in task.result()]

    async def _read_from(self, warehouse: StorageWarehouse, lost: LostPack) -> list[FoundShard]:
        """A warehouse names its objects as it likes: the trailer says what a shard is, and the
        entry whether that is true."""
        pack, found = lost.record.pack, list[FoundShard]()
        folder = f"{ROOT}/{self.company}/packs/{pack[:1].hex()}"
        limit = TRAILER_BYTES + lost.record.coding.shard_length
        try:
            async with asyncio.timeout(CALL_SECONDS):
                cloud = warehouse.open(self.resources)
                for path in await cloud.list_objects(folder):
                    if _is_shard_of(path, pack):
                        found += await self._read_object(warehouse, cloud, path, limit)
        except (CloudError, TimeoutError) as error:
            log.warning("warehouse gave no answer", warehouse_id=warehouse.id, error=str(error))
        return found

    async def _read_object(
        self, warehouse: StorageWarehouse, cloud: Cloud, path: str, limit: int
    ) -> list[FoundShard]:
        with suppress(ObjectTooLarge, Malformed, NotAuthentic):
            content = await cloud.read(path, limit=limit)
            if content is not None:
                shard = Shard.decode(content)
                stat = await cloud.stat(path)
                is_named_so = path.endswith(f".{shard.trailer.index}")
                if stat is not None and stat.size == len(content) and is_named_so:
                    return [FoundShard(warehouse, shard, stat.checksum)]
        return []

    def _recover(self, lost: LostPack, found: Sequence[FoundShard]) -> list[Shard]:
        name = PackName(self.space_id, lost.generation, lost.record.pack)
        pack = recover_pack([each.shard for each in found], name, lost.record)
        return split_pack(pack, name, lost.record.coding)

    async def _store(
        self,
        connection: Connection,
        lost: LostPack,
        shards: Sequence[Shard],
        found: Sequence[FoundShard],
    ) -> None:
        """Each shard where an intact one was found, never two in one warehouse."""
        coding, pack_id = lost.record.coding, lost.record.pack
        await lock_company(connection, self.company_id)
        if not await queries.add_pack(
            connection,
            self.company_id,
            space_id=self.space_id,
            pack_id=pack_id,
            generation=lost.generation,
            k=coding.k,
            n=coding.n,
            length=coding.length,
            author=lost.author,
        ):
            return
        size = TRAILER_BYTES + coding.shard_length
        placed: dict[int, tuple[NewShard, str | None]] = {}
        taken: set[int] = set()
        for each in found:
            index, warehouse = each.shard.trailer.index, each.warehouse
            if (
                index not in placed
                and warehouse.id not in taken
                and each.shard.object_digest == shards[index].object_digest
            ):
                taken.add(warehouse.id)
                digest = each.shard.object_digest
                new = NewShard(pack_id, index, warehouse.company_id, warehouse.id, size, digest)
                placed[index] = new, each.checksum
        # Warehouses are locked in this order everywhere.
        stored = sorted(placed.values(), key=lambda each: each[0].warehouse_id)
        await queries.add_found_shards(connection, self.company_id, stored)
        gone = [
            (index, size, shard.object_digest)
            for index, shard in enumerate(shards)
            if index not in placed
        ]
        if gone:
            await queries.add_lost_shards(connection, self.company_id, pack_id, gone)
        await self._book(connection, lost)

    async def _book(self, connection: Connection, lost: LostPack) -> None:
        month = await quota.current_month(connection, self.company_id)
        packs = {lost.record.pack: (lost.author, lost.record.coding.length)}
        await quota.book_stored(connection, self.company_id, month, packs)


async def find_packs(
    resources: Resources,
    company_id: int,
    company: UUID,
    space_id: UUID,
    lost: Sequence[LostPack],
) -> int:
    """Returns how many of the packs were found. Call it with no transaction open."""
    async with resources.database.tenant(company_id) as connection:
        warehouses = await load_warehouses(connection, resources, company_id)
    finder = Finder(resources, company_id, company, space_id, warehouses)
    # One after the other: each takes several times its 16 MiB.
    return sum([await finder.find(each) for each in lost])


def _is_shard_of(path: str, pack: bytes) -> bool:
    try:
        parsed = parse_object_name(path)
    except Malformed:
        return False
    return isinstance(parsed, ShardObject) and parsed.pack == pack
