from collections.abc import Collection, Sequence
from datetime import datetime

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_column, fetch_one, fetch_row, fetch_rows
from tessera.storage.packs.queries import Shard

# A pack whose upload is still under way is its client's business.
UPLOAD_LASTS = "interval '1 hour'"
AUDITED_WITHIN = "interval '25 days'"


class Repair(Struct, frozen=True):
    id: int
    started_at: datetime
    finished_at: datetime | None
    packs: int
    repaired: int
    failed: int
    bytes_read: int
    bytes_written: int
    last_pack: bytes


class Held(Struct, frozen=True):
    """What lies in one warehouse."""

    shards: int
    bytes: int


_REPAIR = columns(Repair, "repairs")

# Packs with a shard that lies in one of the warehouses $2, and committed ones with a shard that is
# not stored.
_IN_NEED = (
    "SELECT p.id FROM packs p WHERE p.company_id = $1 AND p.id IN ("
    "  SELECT pack_id FROM pack_shards WHERE company_id = $1 AND NOT is_stored"
    "  UNION SELECT pack_id FROM pack_shards WHERE company_id = $1"
    "   AND warehouse_company_id IN (1, $1) AND warehouse_id = ANY($2::bigint[]))"
    " AND (p.sequence IS NOT NULL OR p.id IN ("
    "  SELECT pack_id FROM pack_shards WHERE company_id = $1 AND is_stored"
    "   AND warehouse_company_id IN (1, $1) AND warehouse_id = ANY($2::bigint[])))"
    " AND p.deleted_at IS NULL"
    f" AND p.created_at < now() - {UPLOAD_LASTS}"
)


async def companies_to_inspect(connection: Connection) -> list[int]:
    """For the platform role. Returns companies with a shard that is not stored, or stored in a
    warehouse that is left or not connected, or shared although they have their own."""
    return await fetch_column(
        connection,
        "SELECT company_id FROM pack_shards WHERE NOT is_stored"
        " UNION SELECT company_id FROM storage_risks"
        " UNION SELECT w.company_id FROM warehouses w"
        "  WHERE (w.leaving_since IS NOT NULL OR w.status = 0)"
        "  AND EXISTS (SELECT FROM pack_shards s WHERE s.warehouse_company_id = w.company_id"
        "   AND s.warehouse_id = w.id AND s.company_id = w.company_id)"
        " UNION SELECT c.company_id FROM shared_warehouses c JOIN warehouses w"
        "  ON w.company_id = 1 AND w.id = c.warehouse_id WHERE w.status = 0"
        " UNION SELECT o.company_id FROM (SELECT company_id FROM warehouses"
        "   WHERE has_been_active AND company_id <> 1 GROUP BY company_id HAVING count(*) >= 3) o"
        "  WHERE EXISTS (SELECT FROM warehouses w JOIN pack_shards s"
        "   ON s.warehouse_company_id = w.company_id AND s.warehouse_id = w.id"
        "   WHERE w.company_id = 1 AND s.company_id = o.company_id)",
    )


async def companies_to_audit(connection: Connection) -> list[int]:
    """For the platform role. Returns companies with shards that were not checked for long, or not
    since their warehouse came back."""
    return await fetch_column(
        connection,
        "SELECT company_id FROM pack_shards"
        f" WHERE is_stored AND checked_at < now() - {AUDITED_WITHIN}"
        " UNION SELECT s.company_id FROM warehouse_transitions t JOIN warehouses w"
        "  ON w.company_id = t.company_id AND w.id = t.warehouse_id AND w.status <> 0"
        " JOIN pack_shards s ON s.warehouse_company_id = w.company_id AND s.warehouse_id = w.id"
        "  AND s.is_stored AND s.checked_at < t.at"
        " WHERE t.at > now() - interval '7 days'",
    )


async def shards_to_audit(
    connection: Connection, company_id: int, since: Sequence[tuple[int, datetime]], limit: int
) -> list[Shard]:
    """`since` holds the warehouses that answer and when they came back."""
    return await fetch_rows(
        connection,
        Shard,
        f"SELECT {columns(Shard, 's')} FROM pack_shards s"
        " JOIN unnest($2::bigint[], $3::timestamptz[]) AS w (id, since) ON w.id = s.warehouse_id"
        " WHERE s.company_id = $1 AND s.is_stored"
        f" AND s.checked_at < greatest(w.since, now() - {AUDITED_WITHIN})"
        " ORDER BY s.checked_at LIMIT $4",
        company_id,
        [warehouse_id for warehouse_id, _ in since],
        [at for _, at in since],
        limit,
    )


async def packs_in_need(
    connection: Connection,
    company_id: int,
    left: Collection[int],
    *,
    after: bytes = b"",
    limit: int,
) -> list[bytes]:
    return await fetch_column(
        connection,
        f"{_IN_NEED} AND p.id > $3 ORDER BY p.id LIMIT $4",
        company_id,
        list(left),
        after,
        limit,
    )


async def count_in_need(connection: Connection, company_id: int, left: Collection[int]) -> int:
    return await connection.fetchval(
        f"SELECT count(*) FROM ({_IN_NEED}) AS found", company_id, list(left)
    )


async def count_at_risk(connection: Connection, company_id: int) -> int:
    """Counts committed packs that would not survive the loss of one more warehouse."""
    return await connection.fetchval(
        "SELECT count(*) FROM packs p WHERE p.company_id = $1 AND p.sequence IS NOT NULL"
        " AND p.deleted_at IS NULL AND p.id IN (SELECT pack_id FROM pack_shards"
        "  WHERE company_id = $1 AND NOT is_stored)"
        f" AND p.created_at < now() - {UPLOAD_LASTS}"
        " AND p.k >= (SELECT count(*) FROM pack_shards s WHERE s.company_id = $1"
        "  AND s.pack_id = p.id AND s.is_stored)",
        company_id,
    )


async def set_at_risk(connection: Connection, company_id: int, *, at_risk: bool) -> bool:
    """Returns whether that is new."""
    statement = (
        "INSERT INTO storage_risks (company_id) VALUES ($1) ON CONFLICT DO NOTHING"
        if at_risk
        else "DELETE FROM storage_risks WHERE company_id = $1"
    )
    return not (await connection.execute(statement, company_id)).endswith(" 0")


async def store_repaired(
    connection: Connection,
    company_id: int,
    shard: Shard,
    *,
    warehouse_company_id: int,
    warehouse_id: int,
    checksum: str | None,
) -> bool:
    """Returns False if the shard was moved or its pack deleted meanwhile."""
    changed = await connection.execute(
        "UPDATE pack_shards s SET warehouse_company_id = $4, warehouse_id = $5, state = 'stored',"
        " checksum = $6, checked_at = now() FROM packs p"
        " WHERE s.company_id = $1 AND s.pack_id = $2 AND s.index = $3"
        " AND s.warehouse_id IS NOT DISTINCT FROM $7"
        " AND p.company_id = s.company_id AND p.id = s.pack_id AND p.deleted_at IS NULL",
        company_id,
        shard.pack_id,
        shard.index,
        warehouse_company_id,
        warehouse_id,
        checksum,
        shard.warehouse_id,
    )
    return changed != "UPDATE 0"


async def add_repair(connection: Connection, company_id: int, packs: int) -> int | None:
    """Returns None if one is under way."""
    return await connection.fetchval(
        "INSERT INTO repairs (company_id, packs) VALUES ($1, $2)"
        " ON CONFLICT (company_id) WHERE finished_at IS NULL DO NOTHING RETURNING id",
        company_id, packs,
    )  # fmt: skip


async def repair(connection: Connection, company_id: int, repair_id: int) -> Repair | None:
    return await fetch_row(
        connection,
        Repair,
        f"SELECT {_REPAIR} FROM repairs WHERE company_id = $1 AND id = $2",
        company_id, repair_id,
    )  # fmt: skip


async def latest_repairs(connection: Connection, company_id: int, limit: int) -> list[Repair]:
    return await fetch_rows(
        connection,
        Repair,
        f"SELECT {_REPAIR} FROM repairs WHERE company_id = $1 ORDER BY id DESC LIMIT $2",
        company_id, limit,
    )  # fmt: skip


async def count_repaired(connection: Connection, company_id: int, repair_id: int) -> None:
    await connection.execute(
        "UPDATE repairs SET repaired = repaired + 1 WHERE company_id = $1 AND id = $2",
        company_id, repair_id,
    )  # fmt: skip


async def advance(
    connection: Connection,
    company_id: int,
    repair_id: int,
    *,
    last_pack: bytes,
    failed: int,
    bytes_read: int,
    bytes_written: int,
) -> None:
    """Does nothing if a later batch was stored already."""
    await connection.execute(
        "UPDATE repairs SET last_pack = $3, failed = failed + $4, bytes_read = bytes_read + $5,"
        " bytes_written = bytes_written + $6"
        " WHERE company_id = $1 AND id = $2 AND last_pack < $3",
        company_id, repair_id, last_pack, failed, bytes_read, bytes_written,
    )  # fmt: skip


async def finish(connection: Connection, company_id: int, repair_id: int) -> Repair | None:
    """Returns None if it was finished before."""
    return await fetch_row(
        connection,
        Repair,
        "UPDATE repairs SET finished_at = now() WHERE company_id = $1 AND id = $2"
        f" AND finished_at IS NULL RETURNING {_REPAIR}",
        company_id, repair_id,
    )  # fmt: skip


async def held_in(connection: Connection, company_id: int, warehouse_id: int) -> Held:
    return await fetch_one(
        connection,
        Held,
        "SELECT count(*)::int AS shards, COALESCE(sum(size), 0)::bigint AS bytes"
        " FROM pack_shards WHERE company_id = $1 AND warehouse_company_id = $1"
        " AND warehouse_id = $2 AND is_stored",
        company_id, warehouse_id,
    )  # fmt: skip


async def widest_pack(connection: Connection, company_id: int, warehouse_id: int) -> int:
    """Returns the most shards that a pack with a shard in this warehouse has."""
    return await connection.fetchval(
        "SELECT COALESCE(max(p.n), 0) FROM packs p WHERE p.company_id = $1"
        " AND p.deleted_at IS NULL AND p.id IN (SELECT pack_id FROM pack_shards"
        "  WHERE company_id = $1 AND warehouse_company_id = $1 AND warehouse_id = $2)",
        company_id, warehouse_id,
    )  # fmt: skip


async def set_leaving(connection: Connection, company_id: int, warehouse_id: int) -> bool:
    changed = await connection.execute(
        "UPDATE warehouses SET leaving_since = COALESCE(leaving_since, now())"
        " WHERE company_id = $1 AND id = $2",
        company_id, warehouse_id,
    )  # fmt: skip
    return changed != "UPDATE 0"
