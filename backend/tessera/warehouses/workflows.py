"""Warehouse workflows: checks after a change, health files after a new key, and the monitor."""

from tessera.kit import clock
from tessera.kit.workflows import current_resources, purge_expired_workflows, schedule, workflow
from tessera.warehouses.alerts.queries import purge_expired_deliveries
from tessera.warehouses.alerts.workflows import deliver_event
from tessera.warehouses.health import monitor
from tessera.warehouses.health import queries as health_queries
from tessera.warehouses.health import service as health_checks

# The monitor plans a minute ahead, in time windows, and splits each window into parts of this size,
# which several machines share.
AHEAD_SECONDS = 60
WINDOW_SECONDS = 10
PART = 500


@workflow(queue="warehouses", concurrency=16, attempts=10)
async def check_changed(company_id: int, warehouse_id: int, revision: int) -> None:
    await health_checks.check_after_change(current_resources(), company_id, warehouse_id, revision)


@workflow(queue="warehouses", concurrency=16, attempts=10)
async def publish_health_files(company_id: int, version: int) -> None:
    await health_checks.republish_health_files(current_resources(), company_id, version)


@schedule("* * * * *", attempts=8)
async def monitor_round() -> None:
    """Safe to repeat: the key contains the window's time, so each window is planned once."""
    resources = current_resources()
    now = clock.now().timestamp()
    async with resources.database.platform.transaction() as connection:
        windows = await health_queries.due_by_window(
            connection, now + AHEAD_SECONDS, WINDOW_SECONDS
        )
    async with resources.database.without_tenant() as connection:
        for window in windows:
            begins = window.number * WINDOW_SECONDS
            parts = -(-window.due // PART)
            for part in range(parts):
                await check_window.enqueue(
                    connection,
                    begins,
                    part,
                    parts,
                    key=f"monitor-{begins}-{part}-{parts}",
                    after=max(0.0, begins - now),
                )


@workflow(queue="monitor", concurrency=1, attempts=3)
async def check_window(begins: int, part: int, parts: int) -> None:
    await monitor.check_due(current_resources(), begins + WINDOW_SECONDS, part, parts)


@schedule("53 2 * * *", attempts=8)
async def sweep_warehouses() -> None:
    resources = current_resources()
    async with resources.database.platform.transaction() as connection:
        await health_queries.purge_expired_transitions(connection)
        await purge_expired_deliveries(connection)
    names = [check_window.name, f"{__name__}.monitor_round", deliver_event.name]
    async with resources.database.without_tenant() as connection:
        await purge_expired_workflows(connection, names)
