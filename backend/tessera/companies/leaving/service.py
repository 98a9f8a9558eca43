"""A leader's request to delete the company, and the way back."""

from tessera.activity.service import record
from tessera.authz.context import Access, Identity
from tessera.authz.queries import lock_company
from tessera.companies.deletion.queries import clear_leaving
from tessera.companies.leaving.errors import CompanyNameDiffers, NotLeaving
from tessera.companies.leaving.schemas import Leave
from tessera.subscription.schemas import LeavingRead
from tessera.subscription.service import leave as cancel_and_leave
from tessera.subscription.service import leaving


async def read(access: Access) -> LeavingRead:
    return await leaving(access.connection, access.context.settings)


async def leave(identity: Identity, data: Leave) -> LeavingRead:
    if data.name != identity.current_user.company_name:
        raise CompanyNameDiffers(fields={"name": "company_name"})
    await cancel_and_leave(identity, data.last_day)
    async with identity.access() as access:
        return await read(access)


async def stay(access: Access) -> LeavingRead:
    """The subscription stays cancelled."""
    company_id = access.current_user.company_id
    await lock_company(access.connection, company_id)
    if not await clear_leaving(access.connection, company_id):
        raise NotLeaving
    await record(access, "company.leaveTakenBack")
    return await read(access)
