"""Exports activity as CSV: a company's own, and all of it for the platform."""

from collections.abc import Callable

from starlette.responses import Response

from tessera.activity import queries
from tessera.activity.queries import Activity, PlatformActivity
from tessera.activity.wording import action_text, actor_text, change_texts
from tessera.authz.context import Identity, RequestContext
from tessera.kit import exports
from tessera.kit.exports import Export, time_cell
from tessera.kit.i18n import Language
from tessera.kit.pagination import PageRequest
from tessera.kit.replica import Position

# The heading, a key of the texts `activity.columns`, and the cell.
_COLUMNS: dict[str, Callable[[Activity, Language], str]] = {
    "at": lambda row, _: time_cell(row.at),
    "actor_name": lambda row, language: actor_text(row.actor_name, row.api_token_id, language),
    "action": lambda row, language: action_text(row.action, row.read_details(), language),
    "target": lambda row, _: row.target,
    "details": lambda row, language: "\n".join(
        change_texts(row.action, row.target, row.read_details(), language)
    ),
    "origin": lambda row, _: row.origin,
}
_PLATFORM_COLUMNS: dict[str, Callable[[PlatformActivity, Language], str]] = {
    "at": _COLUMNS["at"],
    "company_name": lambda row, _: row.company_name,
    **_COLUMNS,
}


async def export_activity(identity: Identity, request: PageRequest) -> Response:
    company_id, database = identity.current_user.company_id, identity.context.database
    export = activity_export(identity.context, company_id, await database.position())
    return await exports.respond(database, company_id, export, request)


def activity_export(
    context: RequestContext, company_id: int, position: Position | None
) -> Export[Activity]:
    return Export(
        file="activity",
        language=context.language,
        transaction=lambda: context.database.export(company_id, position),
        listing=queries.OF_COMPANY,
        columns=_COLUMNS,
        values=(company_id,),
    )


async def export_all_activity(identity: Identity, request: PageRequest) -> Response:
    database = identity.context.database
    export: Export[PlatformActivity] = Export(
        file="activity",
        language=identity.context.language,
        transaction=database.platform.transaction,
        listing=queries.OF_ALL,
        columns=_PLATFORM_COLUMNS,
    )
    return await exports.respond(database, identity.current_user.company_id, export, request)
