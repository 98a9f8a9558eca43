from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_row, fetch_rows


class WaitingWork(Struct, frozen=True):
    queue: str
    waiting: int
    oldest_seconds: float


async def waiting_work(connection: Connection) -> list[WaitingWork]:
    return await fetch_rows(
        connection,
        WaitingWork,
        "SELECT COALESCE(queue_name, '') AS queue, count(*) AS waiting,"
        " greatest(0, extract(epoch FROM now()) - min(created_at) / 1000.0)::float"
        "  AS oldest_seconds"
        " FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING') GROUP BY 1",
    )


async def failed_work(connection: Connection, limit: int | None = None) -> int:
    """Counts workflows of the last day that failed, up to the limit."""
    return await connection.fetchval(
        "SELECT count(*) FROM (SELECT FROM dbos.workflow_status"
        " WHERE status IN ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')"
        " AND created_at > (extract(epoch FROM now() - interval '1 day') * 1000)::bigint"
        " LIMIT $1) failed",
        limit,
    )


class WalArchive(Struct, frozen=True):
    age_seconds: float
    failures: int


async def wal_archive(connection: Connection) -> WalArchive | None:
    """None if the cluster archives nothing. A primary that was a replica has archived nothing yet:
    its age counts from when it began to count."""
    return await fetch_row(
        connection,
        WalArchive,
        "SELECT extract(epoch FROM clock_timestamp() - COALESCE(last_archived_time, stats_reset))"
        "  ::float AS age_seconds, failed_count AS failures"
        " FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'",
    )
