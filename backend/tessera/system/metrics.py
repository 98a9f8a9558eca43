"""The metrics of `/metrics`: counted by the processes themselves, plus pending workflows, the used
SMS budget and the age of backups, which are read from the database and so are the same in every
process."""

import math

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from tessera.auth.two_factor.sms_limits import budget_used
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.system import queries
from tessera.system.overview.queries import last_backup


async def render_metrics(resources: Resources) -> bytes:
    registry = CollectorRegistry()
    try:
        async with resources.database.without_tenant() as connection:
            await _measure_work(connection, registry)
            await _measure_sms(connection, resources, registry)
            await _measure_archive(connection, registry)
        async with resources.database.platform.transaction() as connection:
            await _measure_backup(connection, registry)
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
    for work in await queries.waiting_work(connection):
        waiting.labels(work.queue).set(work.waiting)
        oldest.labels(work.queue).set(work.oldest_seconds)
    failed.set(await queries.failed_work(connection))


async def _measure_sms(
    connection: Connection, resources: Resources, registry: CollectorRegistry
) -> None:
    used = Gauge(
        "tessera_sms_budget_used", "Share of the daily SMS", ["counted"], registry=registry
    )
    shares = await budget_used(connection, resources.keys)
    for counted, share in shares.items():
        used.labels(counted).set(share)


async def _measure_archive(connection: Connection, registry: CollectorRegistry) -> None:
    state = await queries.wal_archive(connection)
    if state is None:
        return
    age = Gauge("tessera_wal_archive_age_seconds", "Since a segment", registry=registry)
    failures = Gauge("tessera_wal_archive_failures", "Attempts", registry=registry)
    age.set(state.age_seconds)
    failures.set(state.failures)


async def _measure_backup(connection: Connection, registry: CollectorRegistry) -> None:
    """Infinite until one was reported, so that the alert fires."""
    age = Gauge("tessera_backup_age_seconds", "Since the last one ended", registry=registry)
    ended_at = await last_backup(connection)
    age.set((clock.now() - ended_at).total_seconds() if ended_at else math.inf)
