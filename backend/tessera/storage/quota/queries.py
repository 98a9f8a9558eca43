from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_one


class BillingPeriod(Struct, frozen=True):
    """Without a running subscription there is no start and no end."""

    now: datetime
    starts_at: datetime | None
    ends_at: datetime | None


class Reservations(Struct, frozen=True):
    """What counts as reserved; `own` by one member."""

    packs: int
    bytes: int
    own_packs: int
    own_bytes: int


async def billing_period(connection: Connection, company_id: int) -> BillingPeriod:
    return await fetch_one(
        connection,
        BillingPeriod,
        "SELECT billing_now() AS now, s.current_period_start AS starts_at,"
        " s.current_period_end AS ends_at FROM companies c LEFT JOIN subscriptions s"
        "  ON s.company_id = c.id AND s.status IN ('trialing', 'active', 'past_due')"
        " WHERE c.id = $1",
        company_id,
    )


async def used(connection: Connection, company_id: int, starts_at: datetime) -> int:
    return await connection.fetchval(
        "SELECT COALESCE(sum(bytes), 0)::bigint FROM usage_months"
        " WHERE company_id = $1 AND starts_at = $2",
        company_id, starts_at,
    )  # fmt: skip


async def reserved(
    connection: Connection, company_id: int, member: UUID, without: Collection[bytes]
) -> Reservations:
    return await fetch_one(
        connection,
        Reservations,
        "SELECT count(*) AS packs, COALESCE(sum(r.bytes), 0)::bigint AS bytes,"
        " count(*) FILTER (WHERE p.author = $2) AS own_packs,"
        " COALESCE(sum(r.bytes) FILTER (WHERE p.author = $2), 0)::bigint AS own_bytes"
        " FROM upload_reservations r JOIN packs p"
        "  ON p.company_id = r.company_id AND p.id = r.pack_id"
        " WHERE r.company_id = $1 AND r.bytes > 0 AND r.pack_id <> ALL($3::bytea[])",
        company_id,
        member,
        list(without),
    )


async def reserve(
    connection: Connection, company_id: int, packs: Mapping[bytes, int], seconds: int
) -> None:
    await connection.execute(
        "INSERT INTO upload_reservations AS r (company_id, pack_id, bytes, expires_at, check_at)"
        " SELECT $1, g.pack_id, g.bytes, t.ends, t.ends"
        " FROM unnest($2::bytea[], $3::bigint[]) AS g (pack_id, bytes),"
        "  (SELECT now() + make_interval(secs => $4) AS ends) t"
        # Who renews again and again is checked nevertheless.
        " ON CONFLICT (company_id, pack_id) DO UPDATE SET bytes = excluded.bytes,"
        " expires_at = excluded.expires_at, check_at = LEAST(r.check_at, excluded.check_at)",
        company_id, list(packs), list(packs.values()), seconds,
    )  # fmt: skip


async def book(
    connection: Connection,
    company_id: int,
    starts_at: datetime,
    ids: Sequence[bytes],
    totals: Mapping[UUID, tuple[int, int]],
) -> None:
    """`totals` maps members to bytes and number of packs. While a pack lacks shards, more may
    arrive by its links, so that its reservation stays to be checked."""
    await connection.execute(
        "UPDATE packs SET booked_at = now() WHERE company_id = $1 AND id = ANY($2::bytea[])",
        company_id, ids,
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM upload_reservations WHERE company_id = $1 AND pack_id = ANY($2::bytea[])"
        " AND pack_id NOT IN (SELECT pack_id FROM pack_shards WHERE company_id = $1"
        "  AND pack_id = ANY($2::bytea[]) AND NOT is_stored)",
        company_id, ids,
    )  # fmt: skip
    await connection.execute(
        "UPDATE upload_reservations SET bytes = 0"
        " WHERE company_id = $1 AND pack_id = ANY($2::bytea[])",
        company_id, ids,
    )  # fmt: skip
    await add_usage(connection, company_id, starts_at, totals)


async def remove_complete(connection: Connection, company_id: int, ids: Collection[bytes]) -> None:
    """Of packs that are booked and whose last shard is stored by now."""
    await connection.execute(
        "DELETE FROM upload_reservations r USING packs p WHERE r.company_id = $1"
        " AND r.pack_id = ANY($2::bytea[]) AND p.company_id = r.company_id AND p.id = r.pack_id"
        " AND p.booked_at IS NOT NULL AND NOT EXISTS (SELECT FROM pack_shards s"
        "  WHERE s.company_id = p.company_id AND s.pack_id = p.id AND NOT s.is_stored)",
        company_id, list(ids),
    )  # fmt: skip


async def add_usage(
    connection: Connection,
    company_id: int,
    starts_at: datetime,
    totals: Mapping[UUID, tuple[int, int]],
) -> None:
    await connection.execute(
        "INSERT INTO usage_months AS u (company_id, starts_at, member, bytes, packs)"
        " SELECT $1, $2, * FROM unnest($3::uuid[], $4::bigint[], $5::int[])"
        " ON CONFLICT (company_id, starts_at, member) DO UPDATE"
        " SET bytes = u.bytes + excluded.bytes, packs = u.packs + excluded.packs",
        company_id,
        starts_at,
        list(totals),
        [size for size, _ in totals.values()],
        [count for _, count in totals.values()],
    )
