"""Tells about warehouses and storage: mails to the leader and the chosen members, and an event to
the company's webhook. Both are enqueued in the caller's transaction."""

import json
from collections.abc import Mapping

from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.workflows import Resources
from tessera.notifications.service import enqueue_email
from tessera.warehouses.alerts import queries
from tessera.warehouses.alerts.schemas import Event
from tessera.warehouses.alerts.workflows import deliver_event
from tessera.warehouses.enums import explain


async def mail_alert(
    connection: Connection,
    resources: Resources,
    company_id: int,
    template: str,
    *,
    path: str | None,
    cause: str | None = None,
    **params: str,
) -> None:
    """`path` is the page of the console that the mail links to, for those who may open it; `cause`
    is explained in each reader's language."""
    for reader in await queries.readers(connection, company_id):
        language = Language(reader.language)
        await enqueue_email(
            connection,
            resources.keys,
            company_id=company_id,
            to=reader.email,
            language=language,
            template=template,
            link=f"{resources.settings.public_url}{path}" if path and reader.is_manager else None,
            footer=None if reader.is_manager else "footerAlerts",
            name=reader.first_name,
            cause=explain(cause, language) if cause else "",
            **params,
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
