"""A company as its own members see it."""

from tessera.activity.service import changed, record
from tessera.authz.context import Access
from tessera.authz.queries import lock_company
from tessera.authz.tenancy import enter_company
from tessera.companies import queries
from tessera.companies.schemas import CompanyRead, CompanyUpdate
from tessera.companies.serializers import company_read


async def read_company(access: Access, company_id: int | None) -> CompanyRead:
    chosen = access.current_user.company_id
    if company_id is not None and company_id != chosen:
        chosen = await enter_company(access, company_id)
    row = await queries.company(access.connection, chosen)
    assert row is not None
    return company_read(row)


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
