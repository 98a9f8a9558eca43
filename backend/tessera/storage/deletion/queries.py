from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_one, fetch_rows

# Guests who opened a share before it was used up may still read it for a while.
_SHARE_IS_OVER = (
    "least(s.expires_at, s.ended_at + CASE s.end_reason WHEN 'used' THEN interval '4 hours'"
    "  ELSE interval '0' END) < now()"
)
# What nobody has taken in stays for a while after its request has expired.
_ARRIVAL_IS_OVER = (
    "(a.decided_at IS NOT NULL OR a.arrived_at < now() - interval '30 days'"
    "  OR (a.arrived_at IS NULL AND a.created_at < now() - interval '1 day')"
    "  OR EXISTS (SELECT FROM file_requests f WHERE f.company_id = a.company_id"
    "   AND f.id = a.request_id AND f.ended_at IS NOT NULL))"
)
# What arrived by a link after the deletion would stay for ever, so that links are settled first.
_DUE = (
    "deleted_at IS NULL AND (retired_at < now() - interval '30 days'"
    " OR (sequence IS NULL AND (CASE WHEN space_id IS NOT NULL"
    "   THEN created_at < now() - interval '7 days'"
    "   WHEN share_id IS NOT NULL"
    "   THEN EXISTS (SELECT FROM shares s WHERE s.company_id = packs.company_id"
    f"    AND s.id = packs.share_id AND {_SHARE_IS_OVER})"
    "   ELSE EXISTS (SELECT FROM arrivals a WHERE a.company_id = packs.company_id"
    f"    AND a.id = packs.arrival_id AND {_ARRIVAL_IS_OVER}) END)"
    "  AND NOT EXISTS (SELECT FROM upload_reservations r"
    "   WHERE r.company_id = packs.company_id AND r.pack_id = packs.id)))"
)
_FORGET_AFTER = "interval '90 days'"


class ShardToDelete(Struct, frozen=True):
    pack_id: bytes
    index: int
    warehouse_id: int | None


class StoredTotals(Struct, frozen=True):
    spaces: int
    packs: int
    bytes: int


class PrefixDeletion(Struct, frozen=True):
    id: int
    company_uuid: UUID
    warehouse_id: int


async def due_companies(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only. Also finds deletions that were begun."""
    return await fetch_column(
        connection,
        f"SELECT company_id FROM packs WHERE {_DUE} UNION"
        " SELECT p.company_id FROM packs p WHERE p.deleted_at IS NOT NULL"
        "  AND (p.sequence IS NULL OR EXISTS (SELECT FROM pack_shards s"
        "   WHERE s.company_id = p.company_id AND s.pack_id = p.id))",
    )


async def companies_with_ended_shares(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only. Their manifests go with their packs."""
    return await fetch_column(
        connection,
        "SELECT DISTINCT s.company_id FROM shares s"
        f" WHERE {_SHARE_IS_OVER} AND (s.manifest IS NOT NULL OR EXISTS (SELECT FROM packs p"
        "  WHERE p.company_id = s.company_id AND p.share_id = s.id)"
        f" OR s.expires_at < now() - {_FORGET_AFTER})",
    )


async def companies_with_ended_requests(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only."""
    return await fetch_column(
        connection,
        "SELECT DISTINCT a.company_id FROM arrivals a"
        f" WHERE {_ARRIVAL_IS_OVER} AND (a.manifest IS NOT NULL OR EXISTS (SELECT FROM packs p"
        "  WHERE p.company_id = a.company_id AND p.arrival_id = a.id))"
        " UNION SELECT company_id FROM file_requests"
        f" WHERE expires_at < now() - {_FORGET_AFTER}",
    )


async def forget_requests(connection: Connection, company_id: int) -> None:
    """Deletes the lists of what is over, and the requests themselves after a while."""
    await connection.execute(
        "UPDATE arrivals a SET manifest = NULL, upload_key = NULL WHERE a.company_id = $1"
        f" AND a.manifest IS NOT NULL AND {_ARRIVAL_IS_OVER}",
        company_id,
    )
    await connection.execute(
        f"DELETE FROM file_requests f WHERE f.company_id = $1"
        f" AND f.expires_at < now() - {_FORGET_AFTER} AND NOT EXISTS (SELECT FROM arrivals a"
        "  JOIN packs p ON p.company_id = a.company_id AND p.arrival_id = a.id"
        "  WHERE a.company_id = f.company_id AND a.request_id = f.id)",
        company_id,
    )


async def forget_shares(connection: Connection, company_id: int) -> None:
    """Deletes the manifests of ended shares, and the shares themselves after a while."""
    await connection.execute(
        "UPDATE shares s SET manifest = NULL WHERE s.company_id = $1 AND s.manifest IS NOT NULL"
        f" AND {_SHARE_IS_OVER}",
        company_id,
    )
    await connection.execute(
        f"DELETE FROM shares s WHERE s.company_id = $1 AND s.expires_at < now() - {_FORGET_AFTER}"
        " AND NOT EXISTS (SELECT FROM packs p"
        "  WHERE p.company_id = s.company_id AND p.share_id = s.id)",
        company_id,
    )


async def mark_due(connection: Connection, company_id: int) -> None:
    """From here on no log entry can name these packs."""
    await connection.execute(
        f"UPDATE packs SET deleted_at = now() WHERE company_id = $1 AND {_DUE}", company_id
    )


async def shards_to_delete(
    connection: Connection, company_id: int, after: tuple[bytes, int], limit: int
) -> list[ShardToDelete]:
    return await fetch_rows(
        connection,
        ShardToDelete,
        "SELECT s.pack_id, s.index, s.warehouse_id FROM pack_shards s"
        " JOIN packs p ON p.company_id = s.company_id AND p.id = s.pack_id"
        " WHERE s.company_id = $1 AND p.deleted_at IS NOT NULL"
        " AND (s.pack_id, s.index) > ($2, $3) ORDER BY s.pack_id, s.index LIMIT $4",
        company_id, *after, limit,
    )  # fmt: skip


async def remove_shards(
    connection: Connection, company_id: int, shards: Sequence[ShardToDelete]
) -> None:
    await connection.execute(
        "DELETE FROM pack_shards s USING unnest($2::bytea[], $3::int[]) AS g (pack_id, index)"
        " WHERE s.company_id = $1 AND s.pack_id = g.pack_id AND s.index = g.index",
        company_id,
        [shard.pack_id for shard in shards],
        [shard.index for shard in shards],
    )


async def remove_uncommitted(connection: Connection, company_id: int) -> None:
    """Packs that the log names stay, so that their ids are not used again."""
    await connection.execute(
        "DELETE FROM packs p WHERE p.company_id = $1 AND p.deleted_at IS NOT NULL"
        " AND p.sequence IS NULL AND NOT EXISTS (SELECT FROM pack_shards s"
        "  WHERE s.company_id = p.company_id AND s.pack_id = p.id)",
        company_id,
    )


async def add_prefix_deletions(connection: Connection, company_id: int) -> int:
    """For each shared warehouse that may hold something of the company; returns how many. The
    application may add these rows and not read them."""
    status = await connection.execute(
        "INSERT INTO prefix_deletions (company_uuid, warehouse_id)"
        " SELECT c.uuid, w.warehouse_id FROM companies c"
        " CROSS JOIN (SELECT s.warehouse_id FROM shared_warehouses s WHERE s.company_id = $1"
        "  UNION SELECT p.warehouse_id FROM pack_shards p"
        "   WHERE p.company_id = $1 AND p.warehouse_company_id = 1) w"
        " WHERE c.id = $1 AND EXISTS (SELECT FROM spaces WHERE company_id = $1)",
        company_id,
    )
    return int(status.rpartition(" ")[2])


async def stored_totals(connection: Connection, company_id: int) -> StoredTotals:
    return await fetch_one(
        connection,
        StoredTotals,
        "SELECT (SELECT count(*) FROM spaces WHERE company_id = $1) AS spaces,"
        " count(*) AS packs, COALESCE(sum(length), 0)::bigint AS bytes"
        " FROM packs WHERE company_id = $1 AND deleted_at IS NULL",
        company_id,
    )


async def prefix_deletions(connection: Connection) -> list[PrefixDeletion]:
    """For the platform role only."""
    return await fetch_rows(
        connection,
        PrefixDeletion,
        "SELECT id, company_uuid, warehouse_id FROM prefix_deletions ORDER BY id",
    )


async def note_objects(connection: Connection, id_: int, objects: int) -> None:
    """For the platform role only. Call before the first one is deleted."""
    await connection.execute(
        "UPDATE prefix_deletions SET objects = COALESCE(objects, $2)"
        " WHERE platform_company_id = 1 AND id = $1",
        id_, objects,
    )  # fmt: skip


async def finish_prefix_deletion(connection: Connection, id_: int) -> None:
    """For the platform role only. The proof of the company's deletion counts it, once."""
    await connection.execute(
        "WITH gone AS (DELETE FROM prefix_deletions WHERE platform_company_id = 1 AND id = $1"
        "  RETURNING company_uuid, objects)"
        " UPDATE deletion_proofs p SET warehouses_left = p.warehouses_left - 1,"
        " objects = p.objects + COALESCE(gone.objects, 0)"
        " FROM gone WHERE p.company_id = 1 AND p.company_uuid = gone.company_uuid",
        id_,
    )
