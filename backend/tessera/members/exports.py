"""Exports the members of a company as CSV."""

from starlette.responses import Response

from tessera.authz.context import Identity
from tessera.authz.tenancy import enter_company
from tessera.kit import exports
from tessera.kit.exports import MAX_ROWS, Export, time_cell
from tessera.kit.i18n import Language, translate
from tessera.kit.pagination import PageRequest
from tessera.members import queries
from tessera.members.queries import Member

_COLUMNS = (
    "firstName", "lastName", "email", "phoneNumber", "role", "state", "twoStep", "lastLogin",
    "dateCreated",
)  # fmt: skip


async def export_members(
    identity: Identity, company_id: int | None, request: PageRequest
) -> Response:
    database, language = identity.context.database, identity.context.language
    async with identity.access() as access:
        chosen = await enter_company(access, company_id)
    position = await database.position()
    export: Export[Member] = Export(
        file="members",
        headings=[translate(f"members.columns.{name}", language) for name in _COLUMNS],
        transaction=lambda: database.export(chosen, position),
        keys=lambda connection: queries.keys_of_members(connection, chosen, request, MAX_ROWS),
        rows=lambda connection, keys: queries.members_of_keys(connection, chosen, keys),
        cells=lambda row: _cells(row, language),
    )
    return await exports.respond(database, identity.current_user.company_id, export)


def _cells(row: Member, language: Language) -> list[str]:
    def word(name: str) -> str:
        return translate(f"members.values.{name}", language)

    return [
        row.first_name,
        row.last_name,
        row.email,
        row.phone_number,
        word(row.role),
        word("enabled" if row.is_active else "disabled"),
        word(row.two_step),
        time_cell(row.last_login_at),
        time_cell(row.created_at),
    ]
