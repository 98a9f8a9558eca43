"""The metrics of `/metrics`: counted by the processes themselves, plus pending workflows and the
used SMS budget, which are read from the database and so are the same in every process."""

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from tessera.auth.two_factor.sms_limits import budget_used
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources

_WAITING = """
    SELECT COALESCE(queue_name, '') AS queue, count(*) AS waiting,
        extract(epoch FROM now()) - min(created_at) / 1000.0 AS oldest
    FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING') GROUP BY 1
"""
_FAILED = """
    SELECT count(*) FROM dbos.workflow_status
    WHERE status IN ('ERROR', 'CANCELLED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')
        AND created_at > (extract(epoch FROM now() - interval '1 day') * 1000)::bigint
"""


async def render_metrics(resources: Resources) -> bytes:
    registry = CollectorRegistry()
    try:
        async with resources.database.without_tenant() as connection:
            await _measure_work(connection, registry)
            await _measure_sms(connection, resources, registry)
        shared = generate_latest(registry)
    except Exception:  # noqa: BLE001 - report the rest even without a database
        shared = b""
    return _processes() + shared


def _processes() -> bytes:
    """Includes all processes of this machine if there are several."""
    try:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    except ValueError:
        return generate_latest()
    return generate_latest(registry)


async def _measure_work(connection: Connection, registry: CollectorRegistry) -> None:
    waiting = Gauge("tessera_work_waiting", "Not finished", ["queue"], registry=registry)
    oldest = Gauge("tessera_work_oldest_seconds", "Since asked", ["queue"], registry=registry)
    failed = Gauge("tessera_work_failed", "Given up within a day", registry=registry)
    for row in await connection.fetch(_WAITING):
        waiting.labels(row["queue"]).set(row["waiting"])
        oldest.labels(row["queue"]).set(max(0, row["oldest"]))
    failed.set(await connection.fetchval(_FAILED))


async def _measure_sms(
    connection: Connection, resources: Resources, registry: CollectorRegistry
) -> None:
    used = Gauge(
        "tessera_sms_budget_used", "Share of the daily SMS", ["counted"], registry=registry
    )
    shares = await budget_used(connection, resources.keys, resources.settings)
    for counted, share in shares.items():
        used.labels(counted).set(share)
