"""Everything that the service knows about a company, for its leader: as files, without a secret."""

import json
from collections.abc import AsyncIterator, Sequence

from starlette.responses import Response

from tessera.activity.exports import activity_export
from tessera.authz.context import Access, Identity
from tessera.companies.service import read_company
from tessera.invites.exports import invites_export
from tessera.kit.exports import every_row, respond_archive
from tessera.kit.schemas import ApiModel
from tessera.members.exports import members_export
from tessera.storage.members.service import list_devices
from tessera.storage.usage.service import spaces
from tessera.subscription.service import invoices, payment
from tessera.warehouses.service import states_of

# Of all time: there is one a month.
INVOICES = 10_000
# Links that open an invoice for whoever has them.
INVOICE_LINKS = frozenset({"page_url", "pdf_url"})


async def export_records(identity: Identity) -> Response:
    context, company_id = identity.context, identity.current_user.company_id
    async with identity.access() as access:
        files = await _small_files(access)
    place = context, company_id, await context.database.position()
    parts = {name: _once(content) for name, content in files.items()}
    parts["members.csv"] = every_row(members_export(*place))
    parts["invitations.csv"] = every_row(invites_export(*place))
    parts["activity.csv"] = every_row(activity_export(*place))
    return await respond_archive(context.database, company_id, "tessera-records", parts)


async def _small_files(access: Access) -> dict[str, bytes]:
    connection, company_id = access.connection, access.current_user.company_id
    bills = await invoices(connection, 0, INVOICES)
    return {
        "company.json": _json(await read_company(access, None)),
        "subscription.json": _json(await payment(connection, access.context.settings)),
        "invoices.json": _json(bills.item1, INVOICE_LINKS),
        "warehouses.json": _json(await states_of(connection, company_id)),
        "spaces.json": _json(await spaces(connection, company_id)),
        "devices.json": _json((await list_devices(access)).devices),
    }


def _json(data: ApiModel | Sequence[ApiModel], exclude: frozenset[str] = frozenset()) -> bytes:
    def plain(model: ApiModel) -> object:
        return model.model_dump(mode="json", by_alias=True, exclude=set(exclude))

    value = plain(data) if isinstance(data, ApiModel) else [plain(each) for each in data]
    return json.dumps(value, indent=2, ensure_ascii=False).encode()


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
