from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_models, fetch_one, fetch_rows
from tessera.storage.usage.schemas import SpaceRead, UsageMember, UsageMonth


class WarehouseUsage(Struct, frozen=True):
    warehouse_id: int
    shards: int
    bytes: int
    missing: int


class PackCounts(Struct, frozen=True):
    packs: int
    bytes: int


class Damage(Struct, frozen=True):
    not_safe: int
    degraded: int
    lost: int


async def months(connection: Connection, company_id: int, limit: int) -> list[UsageMonth]:
    """The newest months, in order."""
    rows = await fetch_models(
        connection,
        UsageMonth,
        "SELECT starts_at, sum(bytes)::bigint AS bytes FROM usage_months WHERE company_id = $1"
        " GROUP BY starts_at ORDER BY starts_at DESC LIMIT $2",
        company_id, limit,
    )  # fmt: skip
    return rows[::-1]


async def members(
    connection: Connection, company_id: int, starts_at: datetime, only: UUID | None
) -> list[UsageMember]:
    return await fetch_models(
        connection,
        UsageMember,
        "SELECT member AS uuid, COALESCE(u.first_name || ' ' || u.last_name, '') AS name,"
        " COALESCE(m.bytes, 0) AS bytes, COALESCE(r.bytes, 0) AS reserved"
        " FROM (SELECT member, bytes FROM usage_months WHERE company_id = $1 AND starts_at = $2) m"
        " FULL JOIN (SELECT p.author AS member, sum(r.bytes)::bigint AS bytes"
        "  FROM upload_reservations r JOIN packs p"
        "   ON p.company_id = r.company_id AND p.id = r.pack_id"
        "  WHERE r.company_id = $1 AND r.bytes > 0 GROUP BY p.author) r USING (member)"
        " LEFT JOIN users u ON u.company_id = $1 AND u.uuid = member"
        " WHERE $3::uuid IS NULL OR member = $3 ORDER BY bytes DESC, reserved DESC, member",
        company_id, starts_at, only,
    )  # fmt: skip


async def warehouses(connection: Connection, company_id: int) -> dict[int, WarehouseUsage]:
    """Counts as missing what should be there: shards of packs that the log names."""
    rows = await fetch_rows(
        connection,
        WarehouseUsage,
        "SELECT s.warehouse_id, count(*) FILTER (WHERE s.is_stored) AS shards,"
        " COALESCE(sum(s.size) FILTER (WHERE s.is_stored), 0)::bigint AS bytes,"
        " count(*) FILTER (WHERE NOT s.is_stored AND p.sequence IS NOT NULL) AS missing"
        " FROM pack_shards s JOIN packs p ON p.company_id = s.company_id AND p.id = s.pack_id"
        " WHERE s.company_id = $1 AND s.warehouse_id IS NOT NULL AND p.deleted_at IS NULL"
        " GROUP BY s.warehouse_id",
        company_id,
    )
    return {row.warehouse_id: row for row in rows}


async def spaces(connection: Connection, company_id: int) -> list[SpaceRead]:
    return await fetch_models(
        connection,
        SpaceRead,
        "SELECT s.id, s.created_at,"
        " ARRAY(SELECT m.member FROM space_members m WHERE m.company_id = s.company_id"
        "  AND m.space_id = s.id ORDER BY m.member) AS members,"
        " count(p.id) AS packs, COALESCE(sum(p.length), 0)::bigint AS bytes"
        " FROM spaces s LEFT JOIN packs p ON p.company_id = s.company_id AND p.space_id = s.id"
        "  AND p.booked_at IS NOT NULL AND p.deleted_at IS NULL"
        " WHERE s.company_id = $1 GROUP BY s.company_id, s.id ORDER BY s.created_at, s.id",
        company_id,
    )


async def stored(connection: Connection, company_id: int) -> PackCounts:
    """The packs that count as uploaded, before coding."""
    return await fetch_one(
        connection,
        PackCounts,
        "SELECT count(*) AS packs, COALESCE(sum(length), 0)::bigint AS bytes FROM packs"
        " WHERE company_id = $1 AND booked_at IS NOT NULL AND deleted_at IS NULL",
        company_id,
    )


async def damage(connection: Connection, company_id: int) -> Damage:
    """Counts packs of the log with exactly k, more and fewer stored shards, other than all."""
    return await fetch_one(
        connection,
        Damage,
        "SELECT count(*) FILTER (WHERE d.stored = d.k) AS not_safe,"
        " count(*) FILTER (WHERE d.stored > d.k) AS degraded,"
        " count(*) FILTER (WHERE d.stored < d.k) AS lost FROM ("
        "  SELECT p.k, p.n - count(*) AS stored FROM pack_shards s"
        "  JOIN packs p ON p.company_id = s.company_id AND p.id = s.pack_id"
        "  WHERE s.company_id = $1 AND NOT s.is_stored AND p.sequence IS NOT NULL"
        "   AND p.retired_at IS NULL GROUP BY p.id, p.k, p.n) d",
        company_id,
    )
