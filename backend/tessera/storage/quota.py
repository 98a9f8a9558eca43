"""The plan's upload volume: bytes of packs before coding, counted by billing month."""

from calendar import monthrange
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from prometheus_client import Counter

from tessera.authz.queries import lock_company
from tessera.kit.database import Connection
from tessera.storage import quota_queries
from tessera.storage.errors import QuotaExceeded, TooManyUploads
from tessera.storage.quota_queries import BillingPeriod

QUOTA_BYTES = 25 * 10**9
# Longer than the links of an upload last, so that one in progress still has its reservation.
RESERVED_SECONDS = 3600
# More than twice the quota in full packs; small ones are stored before many more are begun.
MAX_RESERVED_PACKS = 4096

BOOKED = Counter("tessera_storage_booked_bytes_total", "Bytes of completed packs before coding")


@dataclass(frozen=True)
class Month:
    starts_at: datetime
    renews_at: datetime


@dataclass(frozen=True)
class Usage:
    month: Month
    used: int
    reserved: int
    reserved_packs: int

    @property
    def left(self) -> int:
        return max(0, QUOTA_BYTES - self.used - self.reserved)


async def read_usage(
    connection: Connection, company_id: int, *, without: Collection[bytes] = ()
) -> Usage:
    """`without` leaves out the reservations of these packs."""
    month = billing_month(await quota_queries.billing_period(connection, company_id))
    used = await quota_queries.used(connection, company_id, month.starts_at)
    reserved = await quota_queries.reserved(connection, company_id, without)
    return Usage(month, used, reserved.bytes, reserved.packs)


async def reserve(connection: Connection, company_id: int, packs: Mapping[bytes, int]) -> int:
    """Reserves the packs' bytes, or renews their reservation. Returns how many bytes are left."""
    await lock_company(connection, company_id)
    usage = await read_usage(connection, company_id, without=packs)
    needed = sum(packs.values())
    _check(usage, needed)
    if usage.reserved_packs + len(packs) > MAX_RESERVED_PACKS:
        raise TooManyUploads(maximum=MAX_RESERVED_PACKS)
    await quota_queries.reserve(connection, company_id, packs, RESERVED_SECONDS)
    return usage.left - needed


async def book(
    connection: Connection, company_id: int, packs: Mapping[bytes, tuple[UUID, int]]
) -> None:
    """Counts completed packs, given with author and bytes, as used. One whose reservation has
    expired needs room again. The company must be locked."""
    usage = await read_usage(connection, company_id, without=packs)
    _check(usage, sum(length for _, length in packs.values()))
    totals: dict[UUID, tuple[int, int]] = {}
    for author, length in packs.values():
        size, count = totals.get(author, (0, 0))
        totals[author] = size + length, count + 1
        BOOKED.inc(length)
    await quota_queries.book(connection, company_id, usage.month.starts_at, list(packs), totals)


def billing_month(period: BillingPeriod) -> Month:
    """Returns the current month: steps of a month from the start of the billing period, which a
    trial shortens; calendar months without a subscription."""
    now, start = period.now, period.starts_at
    if start is None or start > now:
        start = datetime(now.year, now.month, 1, tzinfo=UTC)
    steps = (now.year - start.year) * 12 + now.month - start.month
    if add_months(start, steps) > now:
        steps -= 1
    renews_at = add_months(start, steps + 1)
    if period.ends_at is not None and now < period.ends_at < renews_at:
        renews_at = period.ends_at
    return Month(add_months(start, steps), renews_at)


def add_months(start: datetime, count: int) -> datetime:
    """The last day of a shorter month stands for the days it does not have."""
    year, month = divmod(start.year * 12 + start.month - 1 + count, 12)
    return start.replace(
        year=year, month=month + 1, day=min(start.day, monthrange(year, month + 1)[1])
    )


def _check(usage: Usage, needed: int) -> None:
    if needed <= usage.left:
        return
    renews_at = usage.month.renews_at
    raise QuotaExceeded(
        extra={"left": usage.left, "renewsAt": renews_at.isoformat()},
        left=f"{usage.left / 10**9:.1f}",
        quota=QUOTA_BYTES // 10**9,
        renews=f"{renews_at:%Y-%m-%d}",
    )
