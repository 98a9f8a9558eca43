"""The plan's upload volume: bytes of packs before coding, counted by billing month."""

from calendar import monthrange
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from prometheus_client import Counter

from tessera import limits
from tessera.authz.queries import lock_company
from tessera.kit.database import Connection
from tessera.storage.quota import queries
from tessera.storage.quota.errors import QuotaExceeded, TooManyUploads, UploadShareReached
from tessera.storage.quota.queries import BillingPeriod, Reservations
from tessera_core.packs import PACK_BYTES

# Twice as long as the links of an upload last, so that one in progress still has its reservation.
# After that the warehouses are asked (settlement.py), and until they answer it goes on counting.
RESERVED_SECONDS = 30 * 60
# One member's uploads under way may take a quarter of what is left to the company, or 64 packs.
SHARE = 4
MIN_SHARE_PACKS = 64

BOOKED = Counter("tessera_storage_booked_bytes_total", "Bytes of completed packs before coding")


@dataclass(frozen=True)
class Month:
    starts_at: datetime
    renews_at: datetime


@dataclass(frozen=True)
class Usage:
    month: Month
    used: int
    reservations: Reservations

    @property
    def left(self) -> int:
        return max(0, limits.UPLOADED_BYTES.maximum - self.used - self.reservations.bytes)

    @property
    def share(self) -> int:
        """How many bytes of uploads under way the member may have at once."""
        available = self.left + self.reservations.own_bytes
        return max(MIN_SHARE_PACKS * PACK_BYTES, available // SHARE)


async def read_usage(
    connection: Connection, company_id: int, member: UUID, *, without: Collection[bytes] = ()
) -> Usage:
    """`without` leaves out the reservations of these packs."""
    month = await current_month(connection, company_id)
    used = await queries.used(connection, company_id, month.starts_at)
    reserved = await queries.reserved(connection, company_id, member, without)
    return Usage(month, used, reserved)


async def current_month(connection: Connection, company_id: int) -> Month:
    return billing_month(await queries.billing_period(connection, company_id))


async def reserve(
    connection: Connection, company_id: int, member: UUID, packs: Mapping[bytes, int]
) -> int:
    """Reserves the packs' bytes, or renews their reservation; a booked pack needs none. Returns how
    many bytes are left."""
    await lock_company(connection, company_id)
    usage = await read_usage(connection, company_id, member, without=packs)
    needed = sum(packs.values())
    _check(usage, needed)
    reserved, added = usage.reservations, sum(map(bool, packs.values()))
    if reserved.packs + added > limits.UPLOADS.maximum:
        raise TooManyUploads(maximum=limits.UPLOADS.maximum)
    max_own = max(MIN_SHARE_PACKS, limits.UPLOADS.maximum // SHARE)
    if added and (
        reserved.own_packs + added > max_own or reserved.own_bytes + needed > usage.share
    ):
        raise UploadShareReached(extra={"reserved": reserved.own_bytes, "share": usage.share})
    await queries.reserve(connection, company_id, packs, RESERVED_SECONDS)
    return usage.left - needed


async def book(
    connection: Connection, company_id: int, packs: Mapping[bytes, tuple[UUID, int]]
) -> None:
    """Counts packs, given with author and bytes, as used. What their reservations cover fits; one
    that was released needs room again. The company must be locked."""
    (author, _), *_ = packs.values()
    usage = await read_usage(connection, company_id, author, without=packs)
    _check(usage, sum(length for _, length in packs.values()))
    await book_stored(connection, company_id, usage.month, packs)


async def book_stored(
    connection: Connection,
    company_id: int,
    month: Month,
    packs: Mapping[bytes, tuple[UUID, int]],
) -> None:
    """Counts what lies in the warehouses already, whether it fits or not."""
    totals: dict[UUID, tuple[int, int]] = {}
    for author, length in packs.values():
        size, count = totals.get(author, (0, 0))
        totals[author] = size + length, count + 1
        BOOKED.inc(length)
    await queries.book(connection, company_id, month.starts_at, list(packs), totals)


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
        quota=limits.UPLOADED_BYTES.maximum // 10**9,
        renews=f"{renews_at:%Y-%m-%d}",
    )
