"""Reports a warehouse's changes: an alert each time it leaves or regains Active, and an activity
record for every change."""

from collections.abc import Sequence

from tessera.activity.service import record_system
from tessera.errors import Text
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.warehouses.alerts.publish import mail_alert, publish_event
from tessera.warehouses.alerts.schemas import Event
from tessera.warehouses.enums import Status, shown_name
from tessera.warehouses.health.queries import CheckedWarehouse
from tessera_core.providers import find_provider


async def report_changes(
    connection: Connection,
    resources: Resources,
    company_id: int,
    changed: Sequence[CheckedWarehouse],
) -> None:
    for row in changed:
        name = shown_name(row.nick_name, row.type)
        if not row.first:
            details = {"from": row.before, "to": row.status, "cause": row.last_error or ""}
            await record_system(
                connection, company_id, "warehouse.statusChanged", target=name, details=details
            )
        event = _event(row)
        if event is None:
            continue
        link = f"{resources.settings.public_url}/warehouses" if company_id != 1 else None
        mail: mails.AlertMail = mails.WarehouseBack(warehouse=name, link=link)
        if event is not Event.WAREHOUSE_ACTIVE:
            failure = row.last_error
            cause = Text(f"warehouses.failures.{failure}", "") if failure else None
            mail = mails.WarehouseLost(warehouse=name, cause=cause, link=link)
        await mail_alert(connection, resources, company_id, mail)
        data = {
            "warehouseId": row.id,
            "warehouse": name,
            "cloud": find_provider(row.type).name,
            "cause": row.last_error,
        }
        await publish_event(connection, company_id, event, data)


def _event(row: CheckedWarehouse) -> Event | None:
    was_active, is_active = row.before == Status.ACTIVE.value, row.status == Status.ACTIVE.value
    if was_active and not is_active:
        not_connected = row.status == Status.NOT_CONNECTED.value
        return Event.WAREHOUSE_NOT_CONNECTED if not_connected else Event.WAREHOUSE_HEALTH_FAILED
    if is_active and not was_active and row.has_been_active:
        return Event.WAREHOUSE_ACTIVE
    return None
