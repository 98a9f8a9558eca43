from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_rows

ShardState = Literal["pending", "stored", "missing", "wrong"]


class Pack(Struct, frozen=True):
    id: bytes
    # The space, the share or the arrival.
    owner_id: UUID
    generation: int
    k: int
    n: int
    length: int
    author: UUID
    booked_at: datetime | None
    sequence: int | None
    digest: bytes | None
    retired_at: datetime | None
    deleted_at: datetime | None
    stored: int


class Shard(Struct, frozen=True):
    pack_id: bytes
    index: int
    warehouse_id: int | None
    size: int
    sha256: bytes
    state: ShardState
    checksum: str | None
    is_stored: bool


class LinkShardRow(Struct, frozen=True):
    """A shard with what its reader needs to know of its pack."""

    pack_id: bytes
    generation: int
    k: int
    n: int
    length: int
    index: int
    warehouse_id: int | None
    size: int
    sha256: bytes
    is_stored: bool


class NewShard(Struct, frozen=True):
    pack_id: bytes
    index: int
    warehouse_company_id: int
    warehouse_id: int
    size: int
    sha256: bytes


class CheckedShard(Struct, frozen=True):
    pack_id: bytes
    index: int
    warehouse_id: int
    state: ShardState
    checksum: str | None


_PACK = columns(
    Pack,
    "p",
    owner_id="COALESCE(p.space_id, p.share_id, p.arrival_id)",
    stored="(SELECT count(*) FROM pack_shards s WHERE s.company_id = p.company_id"
    " AND s.pack_id = p.id AND s.is_stored)",
)


async def packs(
    connection: Connection, company_id: int, ids: Collection[bytes], *, lock: bool = False
) -> dict[bytes, Pack]:
    """With `lock`, the packs are not deleted before the commit."""
    rows = await fetch_rows(
        connection,
        Pack,
        f"SELECT {_PACK} FROM packs p WHERE p.company_id = $1 AND p.id = ANY($2::bytea[])"
        " ORDER BY p.id" + (" FOR NO KEY UPDATE" if lock else ""),
        company_id,
        list(ids),
    )
    return {row.id: row for row in rows}


async def shards(
    connection: Connection, company_id: int, ids: Collection[bytes]
) -> dict[bytes, list[Shard]]:
    rows = await fetch_rows(
        connection,
        Shard,
        f"SELECT {columns(Shard, 's')} FROM pack_shards s"
        " WHERE s.company_id = $1 AND s.pack_id = ANY($2::bytea[]) ORDER BY s.pack_id, s.index",
        company_id,
        list(ids),
    )
    found: dict[bytes, list[Shard]] = {pack_id: [] for pack_id in ids}
    for row in rows:
        found[row.pack_id].append(row)
    return found


async def link_shards(
    connection: Connection, company_id: int, owner: UUID, ids: Collection[bytes]
) -> list[LinkShardRow]:
    """Of the packs of a space, share or arrival that are not deleted, by pack and index."""
    return await fetch_rows(
        connection,
        LinkShardRow,
        "SELECT p.id AS pack_id, p.generation, p.k, p.n, p.length,"
        " s.index, s.warehouse_id, s.size, s.sha256, s.is_stored"
        " FROM packs p JOIN pack_shards s ON s.company_id = p.company_id AND s.pack_id = p.id"
        " WHERE p.company_id = $1 AND COALESCE(p.space_id, p.share_id, p.arrival_id) = $2"
        " AND p.id = ANY($3::bytea[]) AND p.deleted_at IS NULL ORDER BY p.id, s.index",
        company_id,
        owner,
        list(ids),
    )


async def is_open_for_packs(
    connection: Connection, company_id: int, share_id: UUID, author: UUID
) -> bool:
    """Whether the share is the author's, and neither published nor ended."""
    return bool(
        await connection.fetchval(
            "SELECT true FROM shares WHERE company_id = $1 AND id = $2 AND author = $3"
            " AND published_at IS NULL AND ended_at IS NULL AND expires_at > now()",
            company_id, share_id, author,
        )
    )  # fmt: skip


async def add_packs(
    connection: Connection,
    company_id: int,
    *,
    space_id: UUID | None = None,
    share_id: UUID | None = None,
    arrival_id: UUID | None = None,
    author: UUID,
    packs: Sequence[tuple[bytes, int, int, int, int]],
    shards: Sequence[NewShard],
) -> None:
    """Takes (id, generation, k, n, length) of each pack."""
    await connection.execute(
        "INSERT INTO packs (company_id, space_id, share_id, arrival_id, author, id, generation,"
        "  k, n, length) SELECT $1, $2, $3, $4, $5, *"
        " FROM unnest($6::bytea[], $7::int[], $8::int[], $9::int[], $10::int[])",
        company_id,
        space_id,
        share_id,
        arrival_id,
        author,
        *(list(column) for column in zip(*packs, strict=True)),
    )
    await connection.execute(
        "INSERT INTO pack_shards (company_id, pack_id, index, warehouse_company_id, warehouse_id,"
        " size, sha256) SELECT $1, * FROM unnest($2::bytea[], $3::int[], $4::int[], $5::bigint[],"
        " $6::int[], $7::bytea[])",
        company_id,
        [shard.pack_id for shard in shards],
        [shard.index for shard in shards],
        [shard.warehouse_company_id for shard in shards],
        [shard.warehouse_id for shard in shards],
        [shard.size for shard in shards],
        [shard.sha256 for shard in shards],
    )


async def store_checks(
    connection: Connection, company_id: int, checked: Sequence[CheckedShard]
) -> None:
    """Skips shards that were moved to another warehouse meanwhile."""
    await connection.execute(
        "UPDATE pack_shards s SET state = g.state, checksum = g.checksum, checked_at = now()"
        " FROM unnest($2::bytea[], $3::int[], $4::bigint[], $5::text[], $6::text[])"
        "  AS g (pack_id, index, warehouse_id, state, checksum)"
        " WHERE s.company_id = $1 AND s.pack_id = g.pack_id AND s.index = g.index"
        " AND s.warehouse_id = g.warehouse_id",
        company_id,
        [shard.pack_id for shard in checked],
        [shard.index for shard in checked],
        [shard.warehouse_id for shard in checked],
        [shard.state for shard in checked],
        [shard.checksum for shard in checked],
    )


async def commit_packs(
    connection: Connection, company_id: int, sequence: int, digests: Sequence[tuple[bytes, bytes]]
) -> None:
    await connection.execute(
        "UPDATE packs p SET sequence = $2, digest = g.digest"
        " FROM unnest($3::bytea[], $4::bytea[]) AS g (id, digest)"
        " WHERE p.company_id = $1 AND p.id = g.id",
        company_id,
        sequence,
        *(list(column) for column in zip(*digests, strict=True)),
    )


async def set_retired(
    connection: Connection, company_id: int, ids: Sequence[bytes], *, retired: bool
) -> None:
    await connection.execute(
        "UPDATE packs SET retired_at = CASE WHEN $3 THEN now() END"
        " WHERE company_id = $1 AND id = ANY($2::bytea[])",
        company_id, list(ids), retired,
    )  # fmt: skip
