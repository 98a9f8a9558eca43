"""Exports all companies as CSV, for platform admins."""

from collections.abc import Callable

from starlette.responses import Response

from tessera.authz.context import Identity
from tessera.companies import queries
from tessera.companies.queries import ListedCompany
from tessera.companies.serializers import subscription_state
from tessera.kit import exports
from tessera.kit.exports import Export, time_cell
from tessera.kit.i18n import Language, translate
from tessera.kit.pagination import PageRequest


def _word(name: str, language: Language) -> str:
    return translate(f"companies.values.{name}", language)


# The heading, a key of the texts `companies.columns`, and the cell.
_COLUMNS: dict[str, Callable[[ListedCompany, Language], str]] = {
    "number": lambda company, _: str(company.id),
    "name": lambda company, _: company.name,
    "email": lambda company, _: company.email,
    "phoneNumber": lambda company, _: company.phone_number,
    "city": lambda company, _: company.city,
    "state": lambda company, _: company.state,
    "members": lambda company, _: str(company.member_count),
    "subscription": lambda company, language: _word(subscription_state(company), language),
    "subscribedUntil": lambda company, _: time_cell(company.subscribed_until),
    "status": lambda company, language: _word(
        "enabled" if company.is_enabled else "disabled", language
    ),
    "dateCreated": lambda company, _: time_cell(company.created_at),
}


async def export_companies(identity: Identity, request: PageRequest) -> Response:
    database = identity.context.database
    export: Export[ListedCompany] = Export(
        file="companies",
        language=identity.context.language,
        transaction=database.platform.transaction,
        listing=queries.companies(request),
        columns=_COLUMNS,
    )
    return await exports.respond(database, identity.current_user.company_id, export, request)
