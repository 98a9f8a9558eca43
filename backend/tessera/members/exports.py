"""Exports the members of a company as CSV."""

from collections.abc import Callable

from starlette.responses import Response

from tessera.authz.context import Identity, RequestContext
from tessera.authz.tenancy import enter_company
from tessera.kit import exports
from tessera.kit.exports import Export, time_cell
from tessera.kit.i18n import Language, translate
from tessera.kit.pagination import PageRequest
from tessera.kit.replica import Position
from tessera.members import queries
from tessera.members.queries import Member


def _word(name: str, language: Language) -> str:
    return translate(f"members.values.{name}", language)


# The heading, a key of the texts `members.columns`, and the cell.
COLUMNS: dict[str, Callable[[Member, Language], str]] = {
    "firstName": lambda member, _: member.first_name,
    "lastName": lambda member, _: member.last_name,
    "email": lambda member, _: member.email,
    "phoneNumber": lambda member, _: member.phone_number,
    "role": lambda member, language: _word(member.role, language),
    "state": lambda member, language: _word(
        "enabled" if member.is_active else "disabled", language
    ),
    "twoFactor": lambda member, language: _word(member.two_factor, language),
    "lastLogin": lambda member, _: time_cell(member.last_login_at),
    "dateCreated": lambda member, _: time_cell(member.created_at),
}


async def export_members(
    identity: Identity, company_id: int | None, request: PageRequest
) -> Response:
    database = identity.context.database
    async with identity.access() as access:
        chosen = await enter_company(access, company_id)
    export = members_export(identity.context, chosen, await database.position())
    return await exports.respond(database, identity.current_user.company_id, export, request)


def members_export(
    context: RequestContext, company_id: int, position: Position | None
) -> Export[Member]:
    return Export(
        file="members",
        language=context.language,
        transaction=lambda: context.database.export(company_id, position),
        listing=queries.MEMBERS,
        values=(company_id,),
        columns=COLUMNS,
    )
