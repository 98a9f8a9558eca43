from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.pagination import Listing
from tessera.kit.rows import columns, fetch_column, fetch_row, fetch_rows
from tessera.warehouses.enums import ErrorCode, StatusCode


class DueWarehouse(Struct, frozen=True):
    id: int
    type: int
    sealed: bytes
    key_version: int
    revision: int
    health_written_at: datetime | None
    health_version: int | None


class CheckedWarehouse(Struct, frozen=True):
    """A stored result with the state before it."""

    id: int
    type: int
    nick_name: str | None
    status: StatusCode
    last_error: ErrorCode | None
    before: StatusCode
    first: bool
    has_been_active: bool

    @property
    def changed(self) -> bool:
        return self.first or self.status != self.before


_CHECKED = columns(DueWarehouse, "w")


async def to_check(
    connection: Connection, company_id: int, warehouse_id: int, revision: int
) -> DueWarehouse | None:
    """None if it was changed, checked or removed meanwhile."""
    return await fetch_row(
        connection,
        DueWarehouse,
        f"SELECT {_CHECKED} FROM warehouses w WHERE w.company_id = $1 AND w.id = $2"
        " AND w.revision = $3 AND w.checking_since IS NOT NULL",
        company_id, warehouse_id, revision,
    )  # fmt: skip


async def to_publish(connection: Connection, company_id: int, version: int) -> list[DueWarehouse]:
    return await fetch_rows(
        connection,
        DueWarehouse,
        f"SELECT {_CHECKED} FROM warehouses w WHERE w.company_id = $1 AND w.key_version = $2"
        " AND w.health_version IS DISTINCT FROM w.key_version ORDER BY w.id",
        company_id,
        version,
    )


async def claim_due(
    connection: Connection, company_id: int, until: float, lease_seconds: float
) -> list[DueWarehouse]:
    """Claims due warehouses for the length of the lease. By its end the result has set the next
    time, or the process has died and they are claimed again."""
    return await fetch_rows(
        connection,
        DueWarehouse,
        "UPDATE warehouses w SET next_check_at = now() + make_interval(secs => $3)"
        " WHERE w.company_id = $1 AND w.next_check_at < to_timestamp($2)"
        f" AND (w.checking_since IS NULL OR w.checking_since < now() - interval '10 minutes')"
        f" RETURNING {_CHECKED}",
        company_id, until, lease_seconds,
    )  # fmt: skip


async def store_findings(
    connection: Connection, company_id: int, seconds: int, findings: Sequence[tuple[object, ...]]
) -> list[CheckedWarehouse]:
    """Takes (id, revision, status, error, time and version of the health file or None). Returns the
    stored rows with their previous state; skips warehouses that changed meanwhile."""
    columns = [list(column) for column in zip(*findings, strict=True)]
    return await fetch_rows(
        connection,
        CheckedWarehouse,
        "WITH given AS (SELECT * FROM unnest($3::bigint[], $4::int[], $5::int[], $6::text[],"
        "   $7::timestamptz[], $8::int[]) AS g (id, revision, status, error, written, version)),"
        " before AS (SELECT w.id, w.status, w.last_check_at, w.has_been_active"
        "   FROM warehouses w JOIN given g ON g.id = w.id AND g.revision = w.revision"
        "   WHERE w.company_id = $1 ORDER BY w.id FOR UPDATE OF w)"
        " UPDATE warehouses w SET status = g.status, last_error = g.error, last_check_at = now(),"
        "  has_been_active = w.has_been_active OR g.status = 2, checking_since = NULL,"
        "  health_written_at = COALESCE(g.written, w.health_written_at),"
        "  health_version = COALESCE(g.version, w.health_version),"
        "  next_check_at = next_warehouse_check($1, $2)"
        " FROM given g JOIN before b ON b.id = g.id"
        " WHERE w.company_id = $1 AND w.id = g.id AND w.revision = g.revision"
        " RETURNING w.id, w.type, w.nick_name, w.status, w.last_error, b.status AS before,"
        " b.last_check_at IS NULL AS first, b.has_been_active",
        company_id, seconds, *columns,
    )  # fmt: skip


async def add_transitions(
    connection: Connection, company_id: int, rows: Sequence[CheckedWarehouse]
) -> None:
    await connection.execute(
        "INSERT INTO warehouse_transitions (company_id, warehouse_id, status, error)"
        " SELECT $1, * FROM unnest($2::bigint[], $3::int[], $4::text[])",
        company_id,
        [row.id for row in rows],
        [row.status for row in rows],
        [row.last_error for row in rows],
    )


class DueWindow(Struct, frozen=True):
    number: int
    due: int


# A check that has been waiting this long was lost; the monitor makes it.
_WAITING = "(checking_since IS NULL OR checking_since < now() - interval '10 minutes')"


async def due_by_window(connection: Connection, until: float, width: int) -> list[DueWindow]:
    """Counts the checks due in each time window; late ones count as due now."""
    return await fetch_rows(
        connection,
        DueWindow,
        "SELECT floor(extract(epoch FROM greatest(next_check_at, now())) / $2)::bigint AS number,"
        f" count(*) AS due FROM warehouses WHERE next_check_at < to_timestamp($1) AND {_WAITING}"
        " GROUP BY 1 ORDER BY 1",
        until, width,
    )  # fmt: skip


async def due_companies(connection: Connection, until: float, part: int, parts: int) -> list[int]:
    return await fetch_column(
        connection,
        "SELECT company_id FROM warehouses"
        f" WHERE next_check_at < to_timestamp($1) AND {_WAITING} AND company_id % $3 = $2"
        " GROUP BY company_id ORDER BY min(next_check_at)",
        until, part, parts,
    )  # fmt: skip


async def purge_expired_transitions(connection: Connection) -> None:
    """The history shows 90 days, starting with the last change before them."""
    await connection.execute(
        "DELETE FROM warehouse_transitions t WHERE t.at < now() - interval '90 days'"
        " AND EXISTS (SELECT FROM warehouse_transitions n WHERE n.company_id = t.company_id"
        "  AND n.warehouse_id = t.warehouse_id AND n.at > t.at"
        "  AND n.at < now() - interval '90 days')"
    )


class StatusPeriod(Struct, frozen=True):
    id: int
    since: datetime
    until: datetime | None
    status: StatusCode
    error: ErrorCode | None


# The newest first; each ends when the next one begins. What ended more than 90 days ago is purged
# every night.
PERIODS = Listing(
    StatusPeriod,
    source="(SELECT t.id, t.at AS since, t.status, t.error,"
    " lead(t.at) OVER (ORDER BY t.at, t.id) AS until FROM warehouse_transitions t"
    " WHERE t.company_id = $1 AND t.warehouse_id = $2) p",
    columns="p.id, p.since, p.until, p.status, p.error",
    key="p.id",
    where="p.until IS NULL OR p.until > now() - interval '90 days'",
    searched="p.error",
    order="p.since DESC, p.id DESC",
    fields={},
)
