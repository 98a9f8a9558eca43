"""A company as its own members see it."""

from tessera.activity.service import changed, record
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.authz.tenancy import enter_company
from tessera.companies import queries
from tessera.companies.passphrase import queries as passphrase_queries
from tessera.companies.passphrase.service import current_key_holder
from tessera.companies.queries import CompanyProfile, add_company
from tessera.companies.schemas import CompanyAlerts, CompanyRead, CompanyUpdate
from tessera.companies.serializers import company_read
from tessera.storage.keys import handovers
from tessera.warehouses.enums import NEEDED
from tessera.warehouses.service import count_active

# Queries that other features call.
__all__ = ["CompanyProfile", "add_company"]


async def read_company(access: Access, company_id: int | None) -> CompanyRead:
    chosen = access.current_user.company_id
    if company_id is not None and company_id != chosen:
        chosen = await enter_company(access, company_id)
    row = await queries.company(access.connection, chosen)
    assert row is not None
    return company_read(row)


async def alerts(access: Access) -> CompanyAlerts:
    current_user = access.current_user
    pair = await passphrase_queries.passphrase_pair(
        access.connection, current_user.company_id, current_user.user_id
    )
    handover = await handovers.stored(
        access.connection, current_user.company_id, current_user.user_id, "leadership"
    )
    active = None
    if current_user.is_subscribed and current_user.can_view_warehouse:
        active = await count_active(access.connection, current_user.company_id)
    return CompanyAlerts(
        passphrase_needed=pair is None or pair.sealed_company_key is None,
        passphrase_handed_over=handover is not None,
        key_holder=await current_key_holder(access.connection, current_user.company_id),
        active_warehouses=active,
        needed_warehouses=NEEDED,
        deletion_at=await queries.deletion_at(access.connection, current_user.company_id),
    )


async def update_company(access: Access, data: CompanyUpdate) -> CompanyRead:
    company_id = access.current_user.company_id
    await lock_company(access.connection, company_id)
    before = await read_company(access, None)
    await queries.update_company(
        access.connection,
        company_id,
        queries.CompanyProfile(
            name=data.name,
            email=data.email,
            phone_number=data.phone_number,
            **data.address.model_dump(),
        ),
    )
    after = await read_company(access, None)
    details = changed(_shown(before), _shown(after))
    await record(access, "company.updated", target=after.name, details=details)
    return after


def _shown(company: CompanyRead) -> dict[str, object]:
    return {
        "name": company.name,
        "email": company.email,
        "phoneNumber": company.phone_number,
        **company.address.model_dump(by_alias=True),
    }
