"""Reports a warehouse's changes: a mail each time it leaves or regains Active, and an activity
record for every change."""

from collections.abc import Sequence

from tessera.activity.service import record_system
from tessera.auth.queries import Recipient
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.workflows import Resources
from tessera.notifications.service import enqueue_email
from tessera.warehouses import health_check_queries
from tessera.warehouses.enums import Status, explain, shown_name
from tessera.warehouses.health_check_queries import CheckedWarehouse


async def report_changes(
    connection: Connection,
    resources: Resources,
    company_id: int,
    changed: Sequence[CheckedWarehouse],
) -> None:
    people: list[Recipient] | None = None
    for row in changed:
        if not row.first:
            await record_system(
                connection,
                company_id,
                "warehouse.statusChanged",
                target=shown_name(row.nick_name, row.type),
                details={
                    "from": row.before,
                    "to": row.status,
                    "cause": row.last_error or "",
                },
            )
        template = _template(row)
        if template is None:
            continue
        if people is None:
            people = await health_check_queries.recipients(connection, company_id)
        for person in people:
            language = Language(person.language)
            await enqueue_email(
                connection,
                resources.keys,
                company_id=company_id,
                to=person.email,
                language=language,
                template=template,
                link=f"{resources.settings.public_url}/warehouses" if company_id != 1 else None,
                name=person.first_name,
                warehouse=shown_name(row.nick_name, row.type),
                cause=explain(row.last_error, language) if row.last_error else "",
            )


def _template(row: CheckedWarehouse) -> str | None:
    was_active, is_active = row.before == Status.ACTIVE.value, row.status == Status.ACTIVE.value
    if was_active and not is_active:
        return "warehouseLost"
    if is_active and not was_active and row.has_been_active:
        return "warehouseBack"
    return None
