"""Begins rounds of the schedule before their time."""

from uuid import uuid4

from tessera.audit import workflows as audit
from tessera.kit.database import Connection
from tessera.kit.queue_workers import CHANNEL, notification
from tessera.warehouses import workflows as warehouses


async def let_a_day_pass(connection: Connection) -> None:
    """Begins a round of activity streams, files for which it is too early and attempts that wait
    for their time."""
    await connection.execute("UPDATE activity_streams SET due_at = now() WHERE until IS NULL")
    await connection.execute(
        "UPDATE dbos.workflow_status SET delay_until_epoch_ms = 0"
        " WHERE status = 'DELAYED' AND name = $1",
        audit.send_batch.name,
    )
    name = f"{audit.__name__}.{audit.activity_round.__name__}"
    await _begin(connection, name, audit.send_batch.queue)


async def check_warehouses(connection: Connection) -> None:
    """Those that were not found as they should be, which are checked once a minute."""
    due = "UPDATE warehouses SET next_check_at = now() WHERE status <> 2 AND checking_since IS NULL"
    await connection.execute(due)
    name = f"{warehouses.__name__}.{warehouses.monitor_round.__name__}"
    await _begin(connection, name, warehouses.check_window.queue)


async def _begin(connection: Connection, name: str, queue: str) -> None:
    await connection.execute(
        "SELECT dbos.enqueue_workflow(workflow_name => $1, queue_name => $2, workflow_id => $3),"
        " pg_notify($4, $5)",
        name, queue, f"early-{uuid4()}", CHANNEL, notification(queue),
    )  # fmt: skip
