"""Company administration for platform admins. The platform's own company is always excluded."""

from tessera.activity.service import record
from tessera.auth.accounts import end_sessions_of_company, mail_team_leader
from tessera.authz.context import Access, Identity
from tessera.authz.errors import CompanyNotFound
from tessera.authz.queries import lock_company
from tessera.authz.tenancy import enter_company
from tessera.companies import queries, schemas
from tessera.companies.deletion import service as deletion
from tessera.companies.deletion.queries import locked_company
from tessera.companies.deletion.workflows import finish_deletion
from tessera.companies.serializers import billing_read, company_listed, company_read, listed_fields
from tessera.kit.pagination import Page, PageRequest
from tessera.members.service import find_team_leader
from tessera.notifications import mails
from tessera.warehouses.service import states_of


async def list_companies(identity: Identity, request: PageRequest) -> Page[schemas.CompanyListed]:
    async with identity.context.database.platform.connection() as connection:
        page = await queries.companies(request).page(connection, request)
    return page.read(company_listed)


async def company_detail(access: Access, company_id: int) -> schemas.CompanyDetail:
    await enter_company(access, company_id)
    row = await queries.company_detail(access.connection, company_id)
    if row is None:
        raise CompanyNotFound
    return schemas.CompanyDetail.of(
        row,
        **listed_fields(row),
        billing=billing_read(row),
        team_leader=await find_team_leader(access.connection),
        warehouses=await states_of(access.connection, company_id),
    )


async def set_status(
    access: Access, company_id: int, data: schemas.CompanyStatusUpdate
) -> schemas.CompanyRead:
    """Disabling ends the company's sessions at once; after enabling, its members log in again."""
    await enter_company(access, company_id, for_change=True)
    await lock_company(access.connection, company_id)
    company = await queries.company(access.connection, company_id)
    if company is None:
        raise CompanyNotFound
    wanted = not company.is_enabled if data.enabled is None else data.enabled
    reason = "" if wanted else data.reason
    if wanted != company.is_enabled:
        await queries.set_enabled(access.connection, company_id, wanted, reason)
        if not wanted:
            await end_sessions_of_company(access.connection, company_id)
        await record(
            access,
            "company.enabled" if wanted else "company.disabled",
            target=company.name,
            details={"reason": reason} if reason else None,
            company_id=company_id,
        )
        mail: mails.Mail = mails.CompanyDisabled(company=company.name)
        if wanted:
            link = f"{access.context.settings.public_url}/login"
            mail = mails.CompanyEnabled(company=company.name, link=link)
        elif reason:
            mail = mails.CompanyDisabledForReason(company=company.name, reason=reason)
        await mail_team_leader(access.connection, access.context.keys, company_id, mail)
    row = await queries.company(access.connection, company_id)
    assert row is not None
    return company_read(row)


async def delete_company(access: Access, company_id: int) -> None:
    """At once, whether or not its leader asked for it."""
    await enter_company(access, company_id, for_change=True)
    company = await locked_company(access.connection, company_id)
    if company is None:
        raise CompanyNotFound
    details = await deletion.delete_company(
        access.connection, access.context.keys, company_id, company
    )
    await record(access, "company.deleted", target=company.name, details=details)
    await finish_deletion.enqueue(access.connection, key=f"finish-deletion-{company_id}")
