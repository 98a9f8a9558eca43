"""Exports all companies as CSV, for platform admins."""

from starlette.responses import Response

from tessera.authz.context import Identity
from tessera.companies import queries
from tessera.companies.queries import ListedCompany
from tessera.companies.serializers import subscription_state
from tessera.kit import exports
from tessera.kit.exports import MAX_ROWS, Export, time_cell
from tessera.kit.i18n import Language, translate
from tessera.kit.pagination import PageRequest

_COLUMNS = (
    "number", "name", "email", "phoneNumber", "city", "state", "members", "subscription",
    "subscribedUntil", "status", "dateCreated",
)  # fmt: skip


async def export_companies(identity: Identity, request: PageRequest) -> Response:
    database, language = identity.context.database, identity.context.language
    export: Export[ListedCompany] = Export(
        file="companies",
        headings=[translate(f"companies.columns.{name}", language) for name in _COLUMNS],
        transaction=database.platform.transaction,
        keys=lambda connection: queries.keys_of_companies(connection, request, MAX_ROWS),
        rows=queries.companies_of_keys,
        cells=lambda row: _cells(row, language),
    )
    return await exports.respond(database, identity.current_user.company_id, export)


def _cells(row: ListedCompany, language: Language) -> list[str]:
    status = "enabled" if row.is_enabled else "disabled"
    return [
        str(row.id),
        row.name,
        row.email,
        row.phone_number,
        row.city,
        row.state,
        str(row.member_count),
        translate(f"companies.values.{subscription_state(row)}", language),
        time_cell(row.subscribed_until),
        translate(f"companies.values.{status}", language),
        time_cell(row.created_at),
    ]
