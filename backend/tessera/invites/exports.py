"""The open and expired invites of a company as CSV."""

from collections.abc import Callable

from tessera.authz.context import RequestContext
from tessera.invites import queries
from tessera.invites.queries import ListedInvite
from tessera.kit.exports import Export, time_cell
from tessera.kit.i18n import Language, translate
from tessera.kit.pagination import PageRequest
from tessera.kit.replica import Position

# The heading, a key of the texts `invites.columns`, and the cell.
_COLUMNS: dict[str, Callable[[ListedInvite, Language], str]] = {
    "email": lambda invite, _: invite.email,
    "state": lambda invite, language: translate(f"invites.values.{invite.state}", language),
    "dateCreated": lambda invite, _: time_cell(invite.created_at),
    "expiresAt": lambda invite, _: time_cell(invite.expires_at),
}


def invites_export(
    context: RequestContext, company_id: int, position: Position | None
) -> Export[ListedInvite]:
    return Export(
        file="invites",
        language=context.language,
        transaction=lambda: context.database.export(company_id, position),
        listing=queries.invites(PageRequest()),
        columns=_COLUMNS,
        values=(company_id,),
    )
