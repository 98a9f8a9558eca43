"""Delivers events to webhooks. Each attempt is a workflow of its own that enqueues the next one:
while it is delayed, it takes no slot in the queue."""

from prometheus_client import Counter

from tessera.activity.service import record_system
from tessera.auth.accounts import mail_team_leader
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources, current_resources, workflow
from tessera.notifications import mails
from tessera.warehouses.alerts import queries
from tessera.warehouses.alerts.queries import DueDelivery
from tessera.warehouses.alerts.schemas import Event, host_of
from tessera.warehouses.alerts.sending import Result, send

ATTEMPTS = Counter("tessera_webhook_attempts_total", "Attempts to deliver an event", ["outcome"])

# Waits between the attempts, about a day in all: 5 s, 5 min, 30 min, 2 h, 5 h, 8 h, 9 h.
WAITS = (5, 300, 1_800, 7_200, 18_000, 28_800, 32_400)


@workflow(queue="webhooks", attempts=10)
async def deliver_event(company_id: int, delivery_id: int, attempt: int) -> None:
    """Safe to repeat: killed between the call and its record, it calls again with the same id."""
    resources = current_resources()
    async with resources.database.tenant(company_id) as connection:
        due = await queries.due_delivery(connection, company_id, delivery_id, attempt)
    if due is None:
        return
    result = await send(resources, due, due.uuid, due.body.encode())
    ATTEMPTS.labels(result.error or "delivered").inc()
    async with resources.database.tenant(company_id) as connection:
        await _record(connection, resources, due, result)


async def _record(
    connection: Connection, resources: Resources, due: DueDelivery, result: Result
) -> None:
    """A test event is sent once; others are retried, and the last failure disables the webhook."""
    retried = result.error is not None and due.event != Event.TEST and due.attempts < len(WAITS)
    wait = WAITS[due.attempts] if retried else None
    if not await queries.record_attempt(
        connection,
        due,
        outcome="delivered" if result.error is None else "waiting" if retried else "failed",
        status=result.status,
        error=result.error,
        next_after=wait,
    ):
        return
    if result.error is None:
        await queries.note_success(connection, due.company_id)
    elif wait is not None:
        await deliver_event.enqueue(
            connection,
            due.company_id,
            due.id,
            due.attempts + 1,
            key=f"webhook-{due.id}-{due.attempts + 1}",
            after=wait,
        )
    elif due.event != Event.TEST:
        await _disable(connection, resources, due)


async def _disable(connection: Connection, resources: Resources, due: DueDelivery) -> None:
    """Only if nothing has arrived since the event; what still waits is not sent any more."""
    company_id, host = due.company_id, host_of(due.url)
    if not await queries.disable_webhook(connection, company_id, due.created_at):
        return
    await queries.end_waiting(connection, company_id)
    await record_system(connection, company_id, "webhook.disabled", target=host)
    mail = mails.WebhookDisabled(host=host, link=f"{resources.settings.public_url}/warehouses")
    await mail_team_leader(connection, resources.keys, company_id, mail)
