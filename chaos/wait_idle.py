"""Waits until all work in progress has finished. Work that does not finish in time is a finding."""

import asyncio
import time

from chaos.early_rounds import check_warehouses, let_a_day_pass
from tessera.kit.database import Connection

ACTIVITY = {
    "records not chained": "SELECT activity_id FROM activity_unchained",
    "records not sent": (
        "SELECT s.company_id || ' ' || s.target FROM activity_streams s JOIN activity_heads h"
        " ON h.company_id = s.company_id WHERE s.sequence < h.sequence"
    ),
}
NOT_ACTIVE = "warehouses not active"
UNDER_WAY = {
    **ACTIVITY,
    "registrations under way": "SELECT id FROM registrations WHERE state = 'pending'",
    "card operations under way": "SELECT id FROM card_operations WHERE state = 'pending'",
    "accounts not closed": "SELECT id FROM closed_accounts WHERE closed_at IS NULL",
    "reset requests waiting": "SELECT id FROM reset_requests",
    "messages not sent": "SELECT id FROM messages WHERE sent_at IS NULL AND failed_at IS NULL",
    "webhooks not processed": "SELECT id FROM webhook_events WHERE processed_at IS NULL",
    "webhooks not delivered": (
        "SELECT event_id FROM sandbox_stripe_deliveries WHERE delivered_at IS NULL"
    ),
    "checks of warehouses waiting": "SELECT id FROM warehouses WHERE checking_since IS NOT NULL",
    NOT_ACTIVE: "SELECT id FROM warehouses WHERE status <> 2",
    # Workflows delayed beyond the end of the wait do not count, nor do the monitor's next round and
    # the current run of a schedule: there is always one.
    "workflows not over": (
        "SELECT workflow_uuid || ' ' || status FROM dbos.workflow_status"
        " WHERE (status IN ('PENDING', 'ENQUEUED') AND NOT (workflow_uuid LIKE 'sched-%'"
        "  AND created_at > (extract(epoch FROM now()) - 60) * 1000))"
        " OR (status = 'DELAYED'"
        "  AND delay_until_epoch_ms < (extract(epoch FROM now()) + 300) * 1000"
        "  AND workflow_uuid NOT LIKE 'monitor-%')"
    ),
}


async def wait_until_idle(connection: Connection, seconds: float = 300) -> list[str]:
    end = time.monotonic() + seconds
    while True:
        pending = {name: await connection.fetch(query) for name, query in UNDER_WAY.items()}
        left = {name: rows for name, rows in pending.items() if rows}
        if not left:
            return []
        if time.monotonic() > end:
            return [
                f"{name} after {seconds:.0f} s: {[row[0] for row in rows][:5]}"
                for name, rows in left.items()
            ]
        if left.keys() & ACTIVITY.keys():
            await let_a_day_pass(connection)
        if left.keys() == {NOT_ACTIVE}:
            await check_warehouses(connection)
        await asyncio.sleep(1)
