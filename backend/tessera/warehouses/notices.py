"""What people are told of a warehouse's changes: a mail for each time it leaves or regains Active,
and a line in the record for every change."""

import json
from collections.abc import Mapping, Sequence

import asyncpg

from tessera.activity import queries as activity_queries
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.workflows import Resources
from tessera.notifications.service import post_email
from tessera.warehouses import check_queries
from tessera.warehouses.states import Status, explained, shown_name

Row = asyncpg.Record
HOUSE = "Tessera"


async def tell_changes(
    connection: Connection, house: Resources, company_id: int, changed: Sequence[Row]
) -> None:
    people: list[Row] | None = None
    for row in changed:
        if not row["first"]:
            await note(
                connection,
                company_id,
                "warehouse.statusChanged",
                shown_name(row["nick_name"], row["type"]),
                {"from": row["before"], "to": row["status"], "cause": row["last_error"] or ""},
            )
        template = _template(row)
        if template is None:
            continue
        if people is None:
            people = await check_queries.recipients(connection, company_id)
        for person in people:
            language = Language(person["language"])
            await post_email(
                connection,
                house.keys,
                company_id=company_id,
                to=person["email"],
                language=language,
                template=template,
                link=f"{house.settings.public_url}/warehouses" if company_id != 1 else None,
                name=person["first_name"],
                warehouse=shown_name(row["nick_name"], row["type"]),
                cause=explained(row["last_error"], language) if row["last_error"] else "",
            )


def _template(row: Row) -> str | None:
    if row["before"] == Status.ACTIVE and row["status"] != Status.ACTIVE:
        return "warehouseLost"
    if row["status"] == Status.ACTIVE and row["before"] != Status.ACTIVE and row["has_been_active"]:
        return "warehouseBack"
    return None


async def note(
    connection: Connection,
    company_id: int,
    action: str,
    target: str,
    details: Mapping[str, object] | None = None,
) -> None:
    """Activity that no signed-in person caused."""
    await activity_queries.add(
        connection,
        company_id=company_id,
        actor_uuid=None,
        actor_name=HOUSE,
        action=action,
        target=target,
        details=json.dumps(dict(details or {})),
        origin="",
        request_id="",
    )
