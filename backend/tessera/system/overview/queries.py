"""Each statement follows an index and stops counting at a limit, so that its cost depends on what
is wrong, never on how much is stored."""

from datetime import datetime
from typing import get_args

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.processes import HOLDERS, SLOT_LOCK
from tessera.kit.rows import fetch_one, fetch_rows
from tessera.warehouses.enums import ErrorCode


class QueueRow(Struct, frozen=True):
    name: str
    waiting: int
    running: int
    workflow: str | None
    since: datetime | None


# The engine's index of unfinished work is by queue, state, priority and time. We use one priority.
_COUNT = (
    "(SELECT count(*) FROM (SELECT FROM dbos.workflow_status w"
    " WHERE w.queue_name = q.name AND w.status = '{}' LIMIT $2) counted)"
)
_FIRST = (
    "(SELECT w.name, w.created_at FROM dbos.workflow_status w"
    " WHERE w.queue_name = q.name AND w.status = '{}' ORDER BY w.priority, w.created_at LIMIT 1)"
)


async def queues(connection: Connection, names: list[str], limit: int) -> list[QueueRow]:
    return await fetch_rows(
        connection,
        QueueRow,
        f"SELECT q.name, {_COUNT.format('ENQUEUED')} AS waiting,"
        f" {_COUNT.format('PENDING')} AS running,"
        " oldest.name AS workflow, to_timestamp(oldest.created_at / 1000.0) AS since"
        " FROM unnest($1::text[]) AS q (name) LEFT JOIN LATERAL ("
        f"  {_FIRST.format('ENQUEUED')} UNION ALL {_FIRST.format('PENDING')}"
        "  ORDER BY created_at LIMIT 1) oldest ON true",
        names, limit,
    )  # fmt: skip


class FailingRow(Struct, frozen=True):
    type: int
    cause: ErrorCode
    warehouses: int
    companies: int


async def failing_clouds(connection: Connection, types: list[int], limit: int) -> list[FailingRow]:
    """As the platform role. The limit is for each type of cloud and cause."""
    return await fetch_rows(
        connection,
        FailingRow,
        "SELECT t.type, c.cause, count(*) AS warehouses, count(DISTINCT f.company_id) AS companies"
        " FROM unnest($1::int[]) AS t (type) CROSS JOIN unnest($2::text[]) AS c (cause)"
        " CROSS JOIN LATERAL (SELECT w.company_id FROM warehouses w"
        "  WHERE w.type = t.type AND w.last_error = c.cause LIMIT $3) f"
        " GROUP BY t.type, c.cause ORDER BY warehouses DESC, t.type, c.cause",
        types, list(get_args(ErrorCode)), limit,
    )  # fmt: skip


class RefusedRow(Struct, frozen=True):
    channel: str
    refused: int
    last_refused_at: datetime


async def refused_messages(
    connection: Connection, channels: list[str], limit: int
) -> list[RefusedRow]:
    """Of the last day, the newest first up to the limit of each channel. As the platform role."""
    return await fetch_rows(
        connection,
        RefusedRow,
        "SELECT c.channel, count(*) AS refused, max(newest.failed_at) AS last_refused_at"
        " FROM unnest($1::text[]) AS c (channel) CROSS JOIN LATERAL (SELECT m.failed_at"
        "  FROM messages m WHERE m.channel = c.channel AND m.failed_at > now() - interval '1 day'"
        "  ORDER BY m.failed_at DESC LIMIT $2) newest GROUP BY c.channel",
        channels, limit,
    )  # fmt: skip


async def last_backup(connection: Connection) -> datetime | None:
    """As the platform role."""
    return await connection.fetchval("SELECT finished_at FROM last_backup")


async def set_last_backup(connection: Connection, finished_at: datetime) -> None:
    """As the platform role. An older report changes nothing."""
    await connection.execute(
        "INSERT INTO last_backup (finished_at) VALUES ($1) ON CONFLICT (only_one) DO UPDATE"
        " SET finished_at = greatest(last_backup.finished_at, EXCLUDED.finished_at)",
        finished_at,
    )


class SlotHolder(Struct, frozen=True):
    slot: int
    name: str
    seen_at: datetime


async def slot_holders(connection: Connection) -> list[SlotHolder]:
    """Who holds an executor slot, and when each last asked the database something, which a process
    does every second. For a moment a process can hold the slot of a dead one as well. As the
    application role, whose own connections these are."""
    return await fetch_rows(
        connection,
        SlotHolder,
        "SELECT min(l.objid::int) AS slot, a.application_name AS name, a.state_change AS seen_at"
        f" FROM {HOLDERS} AND a.state_change IS NOT NULL"
        " GROUP BY a.pid, a.application_name, a.state_change ORDER BY slot",
        SLOT_LOCK,
    )


class ReplicaRow(Struct, frozen=True):
    is_replica: bool
    behind_bytes: int | None
    behind_seconds: float | None


async def replica_lag(replica: Connection, lsn: str) -> ReplicaRow:
    """How far the replica is behind this position of the primary. A replica that has everything is
    not behind, however long ago the last change was."""
    return await fetch_one(
        replica,
        ReplicaRow,
        "SELECT pg_is_in_recovery() AS is_replica,"
        " greatest(0, $1::text::pg_lsn - r.lsn)::bigint AS behind_bytes,"
        " CASE WHEN r.lsn >= $1::text::pg_lsn THEN 0 ELSE"
        "  extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END::float"
        " AS behind_seconds FROM (SELECT pg_last_wal_replay_lsn() AS lsn) r",
        lsn,
    )
