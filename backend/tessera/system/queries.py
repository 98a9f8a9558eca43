from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_rows


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
