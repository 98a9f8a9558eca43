"""Tells about warehouses and storage: mails to the leader and the chosen members, and an event to
the company's webhook. Both are enqueued in the caller's transaction."""

import json
from collections.abc import Mapping

from msgspec.structs import replace

from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.warehouses.alerts import queries
from tessera.warehouses.alerts.schemas import Event
from tessera.warehouses.alerts.workflows import deliver_event


async def mail_alert(
    connection: Connection,
    resources: Resources,
    company_id: int,
    mail: mails.AlertMail,
) -> None:
    """Only those who may open the page that the mail links to get the link."""
    for reader in await queries.readers(connection, company_id):
        await enqueue_email(
            connection,
            resources.keys,
            company_id,
            reader,
            mail if reader.is_manager else replace(mail, link=None),
            footer=None if reader.is_manager else "footerAlerts",
        )


async def publish_event(
    connection: Connection, company_id: int, event: Event, data: Mapping[str, object]
) -> bool:
    """Returns whether there is a webhook to send it to. A disabled one gets test events only."""
    timestamp = clock.now().isoformat(timespec="milliseconds")
    body = json.dumps({"type": event.value, "timestamp": timestamp, "data": dict(data)})
    delivery_id = await queries.add_delivery(
        connection, company_id, event.value, body, even_if_disabled=event is Event.TEST
    )
    if delivery_id is None:
        return False
    await deliver_event.enqueue(
        connection, company_id, delivery_id, 0, key=f"webhook-{delivery_id}-0"
    )
    return True
