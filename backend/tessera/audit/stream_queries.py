from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row, fetch_rows

Target = Literal["webhook", "warehouse"]
# Rows are enqueued by number.
TARGETS: tuple[Target, ...] = ("webhook", "warehouse")


class Stream(Struct, frozen=True):
    company_id: int
    target: Target
    warehouse_id: int | None
    sequence: int
    until: int | None
    replays: int
    attempts: int
    next_attempt_at: datetime | None
    error: str | None
    status: int | None
    failing_since: datetime | None
    last_success_at: datetime | None
    created_at: datetime


class Due(Struct, frozen=True):
    """A batch under way."""

    company_id: int
    company_uuid: UUID
    target: Target
    warehouse_id: int | None
    sequence: int
    until: int
    replays: int
    attempts: int


@dataclass(frozen=True)
class Work:
    """The inputs of one attempt."""

    company_id: int
    target: Target
    sequence: int
    replays: int
    attempt: int = 0

    @property
    def ids(self) -> tuple[int, ...]:
        number = TARGETS.index(self.target)
        return (self.company_id, number, self.sequence, self.replays, self.attempt)

    @property
    def key(self) -> str:
        return "activity-" + "-".join(map(str, self.ids))


class Begun(Struct, frozen=True):
    sequence: int
    replays: int


_DUE = (
    "SELECT s.company_id, c.uuid AS company_uuid, s.target, s.warehouse_id, s.sequence, s.until,"
    " s.replays, s.attempts FROM activity_streams s JOIN companies c ON c.id = s.company_id"
)


async def streams(connection: Connection, company_id: int) -> list[Stream]:
    return await fetch_rows(
        connection,
        Stream,
        f"SELECT {columns(Stream, 's')} FROM activity_streams s WHERE s.company_id = $1",
        company_id,
    )


async def turn_on(
    connection: Connection, company_id: int, target: Target, warehouse_id: int | None
) -> None:
    """A new stream begins with what happens next. Another warehouse goes on where the former one
    ended; the batch under way may have reached that one, and is sent again."""
    await connection.execute(
        "INSERT INTO activity_streams (company_id, target, warehouse_id, sequence)"
        " SELECT $1, $2, $3, COALESCE("
        "  (SELECT sequence FROM activity_heads WHERE company_id = $1), 0)"
        " ON CONFLICT (company_id, target) DO UPDATE SET warehouse_id = excluded.warehouse_id,"
        "  until = NULL, due_at = now(), attempts = 0, next_attempt_at = NULL, error = NULL,"
        "  status = NULL, failing_since = NULL, replays = activity_streams.replays + 1",
        company_id, target, warehouse_id,
    )  # fmt: skip


async def turn_off(connection: Connection, company_id: int, target: Target) -> None:
    await connection.execute(
        "DELETE FROM activity_streams WHERE company_id = $1 AND target = $2", company_id, target
    )


async def replay(connection: Connection, company_id: int, target: Target, days: int) -> None:
    """Goes back to the first record of the last days."""
    await connection.execute(
        "UPDATE activity_streams s SET sequence = first.sequence - 1, until = NULL, due_at = now(),"
        " attempts = 0, next_attempt_at = NULL, error = NULL, status = NULL, failing_since = NULL,"
        " replays = replays + 1 FROM (SELECT c.sequence FROM activity_chain c"
        "  JOIN activity a ON a.company_id = c.company_id AND a.id = c.activity_id"
        "  WHERE c.company_id = $1 AND a.at >= now() - make_interval(days => $3)"
        "  ORDER BY c.sequence LIMIT 1) first"
        " WHERE s.company_id = $1 AND s.target = $2",
        company_id, target, days,
    )  # fmt: skip


async def companies_to_begin(connection: Connection) -> list[tuple[int, Target]]:
    """For the platform role: streams that are due and behind, or due for a daily round."""
    rows = await connection.fetch(
        "SELECT s.company_id, s.target FROM activity_streams s"
        " JOIN activity_heads h ON h.company_id = s.company_id"
        " WHERE s.until IS NULL AND s.due_at <= now()"
        " AND (s.sequence < h.sequence OR s.target = 'warehouse')"
        " AND (s.target = 'warehouse' OR EXISTS"
        "  (SELECT FROM webhooks w WHERE w.company_id = s.company_id))"
    )
    return [(row["company_id"], row["target"]) for row in rows]


async def begin_batch(
    connection: Connection, company_id: int, target: Target, most: int
) -> Begun | None:
    """Fixes the next batch; None if there is nothing to send, or one is under way."""
    return await fetch_row(
        connection,
        Begun,
        "UPDATE activity_streams s SET"
        " sequence = greatest(s.sequence, h.anchor_sequence),"
        " until = least(h.sequence, greatest(s.sequence, h.anchor_sequence) + $3),"
        " attempts = 0, next_attempt_at = now() FROM activity_heads h"
        " WHERE s.company_id = $1 AND s.target = $2 AND s.until IS NULL"
        " AND h.company_id = s.company_id AND h.sequence > greatest(s.sequence, h.anchor_sequence)"
        " RETURNING s.sequence, s.replays",
        company_id, target, most,
    )  # fmt: skip


async def lock_due(connection: Connection, work: Work) -> Due | None:
    """None if this attempt was made already, or the stream was turned off or sent back."""
    return await fetch_row(
        connection,
        Due,
        f"{_DUE} WHERE s.company_id = $1 AND s.target = $2 AND s.sequence = $3 AND s.replays = $4"
        " AND s.attempts = $5 AND s.until IS NOT NULL FOR NO KEY UPDATE OF s",
        work.company_id, work.target, work.sequence, work.replays, work.attempt,
    )  # fmt: skip


async def record_success(
    connection: Connection, company_id: int, target: Target, status: int | None
) -> None:
    await connection.execute(
        "UPDATE activity_streams SET sequence = until, until = NULL, attempts = 0,"
        " next_attempt_at = NULL, error = NULL, status = $3, failing_since = NULL,"
        " last_success_at = now() WHERE company_id = $1 AND target = $2",
        company_id, target, status,
    )  # fmt: skip


async def record_failure(
    connection: Connection,
    company_id: int,
    target: Target,
    *,
    status: int | None,
    error: str,
    wait: float,
) -> None:
    await connection.execute(
        "UPDATE activity_streams SET attempts = attempts + 1, status = $3, error = $4,"
        " failing_since = COALESCE(failing_since, now()),"
        " next_attempt_at = now() + make_interval(secs => $5)"
        " WHERE company_id = $1 AND target = $2",
        company_id, target, status, error, wait,
    )  # fmt: skip


async def count_attempt(connection: Connection, company_id: int, target: Target) -> None:
    await connection.execute(
        "UPDATE activity_streams SET attempts = attempts + 1, next_attempt_at = now()"
        " WHERE company_id = $1 AND target = $2",
        company_id, target,
    )  # fmt: skip


async def end_round(
    connection: Connection, company_id: int, target: Target, next_due: datetime
) -> None:
    await connection.execute(
        "UPDATE activity_streams SET due_at = $3"
        " WHERE company_id = $1 AND target = $2 AND until IS NULL",
        company_id, target, next_due,
    )  # fmt: skip


async def lost_batches(connection: Connection, after: timedelta) -> list[Due]:
    """For the platform role: attempts that should have been made long ago, so that their work was
    lost, as with a database that was restored."""
    return await fetch_rows(
        connection,
        Due,
        f"{_DUE} WHERE s.until IS NOT NULL AND s.next_attempt_at < now() - $1::interval",
        after,
    )


async def behind(connection: Connection, company_id: int) -> dict[Target, int]:
    """How many records each stream has still to send."""
    rows = await connection.fetch(
        "SELECT s.target, greatest(h.sequence - s.sequence, 0)"
        " + (SELECT count(*) FROM activity_unchained u WHERE u.company_id = $1) AS behind"
        " FROM activity_streams s LEFT JOIN activity_heads h ON h.company_id = s.company_id"
        " WHERE s.company_id = $1",
        company_id,
    )
    return {row["target"]: row["behind"] or 0 for row in rows}
