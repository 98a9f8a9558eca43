from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row


class BillingPeriod(Struct, frozen=True):
    """Without a running subscription there is no start and no end."""

    now: datetime
    starts_at: datetime | None
    ends_at: datetime | None


class Reservations(Struct, frozen=True):
    packs: int
    bytes: int


async def billing_period(connection: Connection, company_id: int) -> BillingPeriod:
    row = await fetch_row(
        connection,
        BillingPeriod,
        "SELECT billing_now() AS now, s.current_period_start AS starts_at,"
        " s.current_period_end AS ends_at FROM companies c LEFT JOIN subscriptions s"
        "  ON s.company_id = c.id AND s.status IN ('trialing', 'active', 'past_due')"
        " WHERE c.id = $1",
        company_id,
    )
    assert row is not None
    return row


async def used(connection: Connection, company_id: int, starts_at: datetime) -> int:
    counted: int = await connection.fetchval(
        "SELECT COALESCE(sum(bytes), 0)::bigint FROM usage_months"
        " WHERE company_id = $1 AND starts_at = $2",
        company_id, starts_at,
    )  # fmt: skip
    return counted


async def reserved(
    connection: Connection, company_id: int, without: Collection[bytes]
) -> Reservations:
    row = await fetch_row(
        connection,
        Reservations,
        "SELECT count(*) AS packs, COALESCE(sum(bytes), 0)::bigint AS bytes"
        " FROM upload_reservations"
        " WHERE company_id = $1 AND expires_at > now() AND pack_id <> ALL($2::bytea[])",
        company_id,
        list(without),
    )
    assert row is not None
    return row


async def reserve(
    connection: Connection, company_id: int, packs: Mapping[bytes, int], seconds: int
) -> None:
    await connection.execute(
        "INSERT INTO upload_reservations (company_id, pack_id, bytes, expires_at)"
        " SELECT $1, g.pack_id, g.bytes, now() + make_interval(secs => $4)"
        " FROM unnest($2::bytea[], $3::bigint[]) AS g (pack_id, bytes)"
        " ON CONFLICT (company_id, pack_id) DO UPDATE SET expires_at = excluded.expires_at",
        company_id, list(packs), list(packs.values()), seconds,
    )  # fmt: skip


async def book(
    connection: Connection,
    company_id: int,
    starts_at: datetime,
    ids: Sequence[bytes],
    totals: Mapping[UUID, tuple[int, int]],
) -> None:
    """`totals` maps members to bytes and number of packs."""
    await connection.execute(
        "UPDATE packs SET booked_at = now() WHERE company_id = $1 AND id = ANY($2::bytea[])",
        company_id, ids,
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM upload_reservations WHERE company_id = $1 AND pack_id = ANY($2::bytea[])",
        company_id, ids,
    )  # fmt: skip
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
