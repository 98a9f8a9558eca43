"""Exports activity as CSV: a company's own, and all of it for the platform."""

from starlette.responses import Response

from tessera.activity import queries
from tessera.activity.queries import Activity, PlatformActivity
from tessera.activity.wording import action_text, change_texts
from tessera.authz.context import Identity
from tessera.kit import exports
from tessera.kit.exports import Export, time_cell
from tessera.kit.i18n import Language, translate
from tessera.kit.pagination import PageRequest


async def export_activity(identity: Identity, request: PageRequest) -> Response:
    company_id, language = identity.current_user.company_id, identity.context.language
    database = identity.context.database
    position = await database.position()
    export: Export[Activity] = Export(
        file="activity",
        headings=_headings(language, "at", "actor_name", *_SHARED_COLUMNS),
        transaction=lambda: database.export(company_id, position),
        listing=queries.OF_COMPANY,
        values=(company_id,),
        cells=lambda row: [time_cell(row.at), row.actor_name, *_shared_cells(row, language)],
    )
    return await exports.respond(database, company_id, export, request)


async def export_all_activity(identity: Identity, request: PageRequest) -> Response:
    language, database = identity.context.language, identity.context.database
    export: Export[PlatformActivity] = Export(
        file="activity",
        headings=_headings(language, "at", "company_name", "actor_name", *_SHARED_COLUMNS),
        transaction=database.platform.transaction,
        listing=queries.OF_ALL,
        cells=lambda row: [
            time_cell(row.at), row.company_name, row.actor_name, *_shared_cells(row, language),
        ],
    )  # fmt: skip
    return await exports.respond(database, identity.current_user.company_id, export, request)


_SHARED_COLUMNS = ("action", "target", "details", "origin")


def _shared_cells(row: Activity, language: Language) -> list[str]:
    details = row.read_details()
    return [
        action_text(row.action, details, language),
        row.target,
        "\n".join(change_texts(row.action, row.target, details, language)),
        row.origin,
    ]


def _headings(language: Language, *names: str) -> list[str]:
    return [translate(f"activity.columns.{name}", language) for name in names]
