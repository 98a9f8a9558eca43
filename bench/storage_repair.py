"""Measures the repair of a company's packs after one of its three clouds lost every shard, in a
service that is killed in the middle and started again."""

import asyncio
import hashlib
import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from bench.service import Owner, running_service
from bench.side_by_side import tessera
from bench.storage_data import add_buckets, add_spaces, new_leader
from tessera_core.objects import ROOT, ShardObject
from tests.storage.client import SpaceClient
from tests.storage.packs import PackFile

PACKS = int(os.environ.get("BENCH_REPAIRED_PACKS", "10000"))
SMALL_BYTES = 16 * 2**10
# A few are as large as clients make them, because they decide how much memory a repair takes.
WHOLE, WHOLE_BYTES = 16, 16 * 2**20
_PACK_COLUMNS = (
    "company_id id space_id generation k n length author created_at booked_at sequence digest"
)
_SHARD_COLUMNS = (
    "company_id pack_id index warehouse_company_id warehouse_id size sha256 state checksum"
    " checked_at"
)


def measure() -> str:
    return asyncio.run(_measure())


async def _measure() -> str:
    async with running_service() as place:
        owner = place.owner
        with tessera(place, workers=1) as service:
            _, leader = await new_leader(place, service.address)
            (space,) = await add_spaces(leader, 1)
            company = leader.user.company
            folders = await add_buckets(place, company.id)
            await _store(owner, company.id, space, leader.user.uuid, folders)
            lost = next(iter(folders))
            await _lose(owner, lost, folders[lost])
            began = await _until(owner, "SELECT count(*) > 0 FROM repairs")
            killed = await _until(owner, f"SELECT repaired >= {PACKS // 2} FROM repairs")
            peak = service.peak_memory
            service.process.kill()
            service.process.wait()
        # What the killed process had sent to the database is committed or rolled back.
        await _until(owner, "SELECT count(*) = 0 FROM pg_stat_activity WHERE usename ~ 'tessera'")
        written = _objects(folders[lost])
        recorded = await _stored(owner, company.uuid, folders, lost)
        started = time.monotonic()
        with tessera(place, workers=1) as service:
            finished = await _until(owner, "SELECT bool_and(finished_at IS NOT NULL) FROM repairs")
            peak_after = service.peak_memory
        objects = _objects(folders[lost])
        again = {path for path, version in written.items() if objects[path] != version}
        assert not again & recorded.keys(), "a shard that counts as stored is not written again"
        stored = await _stored(owner, company.uuid, folders)
        assert len(stored) == 3 * PACKS
        for path, digest in stored.items():
            assert hashlib.sha256(path.read_bytes()).digest() == digest, path
        repairs = await owner.fetch("SELECT packs, repaired, failed FROM repairs")
        assert [tuple(row) for row in repairs] == [(PACKS, PACKS, 0)]
    spent = killed - began + finished - started
    lines = [
        "## Repair",
        "",
        f"{PACKS:,} packs of 3 shards in folders of the sandbox, {WHOLE} of them of"
        f" {WHOLE_BYTES // 2**20} MiB and the others of {SMALL_BYTES // 2**10} KiB; one warehouse"
        " lost all of its shards. The service is killed (`kill -9`) after half of them and started"
        " again. All packs were repaired and every shard has its checksum.",
        "",
        "| what |  |",
        "|---|---|",
        f"| peak memory until killed, MiB | {peak:.0f} |",
        f"| peak memory after the restart, MiB | {peak_after:.0f} |",
        f"| shards stored when killed | {len(recorded):,} |",
        f"| of these written again | {len(again & recorded.keys())} |",
        f"| written, not yet recorded, and written again | {len(again)} |",
        f"| seconds, start of the service included | {spent:.0f} |",
    ]
    return "\n".join(lines)


async def _store(
    owner: Owner, company_id: int, space: SpaceClient, author: UUID, folders: Mapping[int, Path]
) -> None:
    """Writes the shards as clients do, each of a pack to another warehouse, and adds their rows."""
    packs, shards = [], []
    long_ago = datetime.now(UTC) - timedelta(days=1)
    places = list(folders.items())
    for number in range(PACKS):
        pack = PackFile(space, WHOLE_BYTES if number < WHOLE else SMALL_BYTES)
        packs.append(
            (company_id, pack.id, space.id, 1, 2, 3, pack.length, author, long_ago, long_ago, 2,
             pack.record.digest)
        )  # fmt: skip
        for index in range(3):
            warehouse_id, folder = places[(number + index) % 3]
            content = pack.object(index)
            path = folder / str(ShardObject(space.company, pack.id, index))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            digest = hashlib.sha256(content)
            shards.append(
                (company_id, pack.id, index, company_id, warehouse_id, len(content),
                 digest.digest(), "stored", digest.hexdigest(), datetime.now(UTC))
            )  # fmt: skip
    for table, columns, records in (
        ("packs", _PACK_COLUMNS, packs),
        ("pack_shards", _SHARD_COLUMNS, shards),
    ):
        await owner.copy_records_to_table(table, columns=columns.split(), records=records)
    await owner.execute("VACUUM ANALYZE packs, pack_shards")


async def _lose(owner: Owner, warehouse_id: int, folder: Path) -> None:
    """Deletes the shards of a warehouse, and marks them as an audit does."""
    for path in _objects(folder):
        path.unlink()
    await owner.execute(
        "UPDATE pack_shards SET state = 'missing' WHERE warehouse_id = $1", warehouse_id
    )


async def _until(owner: Owner, condition: str) -> float:
    """Waits until a query is true, and returns when that was."""
    while True:
        if await owner.fetchval(condition):
            return time.monotonic()
        await asyncio.sleep(0.05)


def _objects(folder: Path) -> dict[Path, tuple[int, int]]:
    """Returns the shards in a warehouse; each write gives an object another inode and time."""
    stats = {path: path.stat() for path in (folder / ROOT).glob("*/packs/*/*")}
    return {path: (stat.st_ino, stat.st_mtime_ns) for path, stat in stats.items()}


async def _stored(
    owner: Owner, company: UUID, folders: Mapping[int, Path], *warehouses: int
) -> dict[Path, bytes]:
    """Returns the digests of the shards that count as stored, in these warehouses or in all."""
    rows = await owner.fetch(
        "SELECT pack_id, index, warehouse_id, sha256 FROM pack_shards"
        " WHERE is_stored AND warehouse_id = ANY($1::bigint[])",
        warehouses or list(folders),
    )
    return {
        folders[row["warehouse_id"]] / str(ShardObject(company, row["pack_id"], row["index"])): row[
            "sha256"
        ]
        for row in rows
    }
