"""Company administration for platform admins. The platform's own company is always excluded."""

from tessera.activity.service import record
from tessera.auth.accounts import end_sessions_of_company, mail_team_leader
from tessera.authz.context import Access, Identity
from tessera.authz.errors import CompanyNotFound
from tessera.authz.queries import team_leader
from tessera.authz.tenancy import PLATFORM_COMPANY, enter_company
from tessera.companies import queries, schemas
from tessera.companies.serializers import billing_read, company_listed, company_read, listed_fields
from tessera.kit.database import enter_tenant
from tessera.kit.pagination import Page, PageRequest
from tessera.members.service import find_team_leader
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.storage.deletion.workflows import forget_company
from tessera.subscription.workflows import close_account
from tessera.warehouses.service import states_of


async def list_companies(identity: Identity, request: PageRequest) -> Page[schemas.CompanyListed]:
    async with identity.context.database.platform.transaction() as connection:
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
    company = await queries.locked_company(access.connection, company_id)
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
    """Deletes the company with its keys, envelopes, members and activity. Only the platform's own
    record of the deletion remains, with the company's name and no person's."""
    await enter_company(access, company_id, for_change=True)
    company = await queries.locked_company(access.connection, company_id)
    if company is None:
        raise CompanyNotFound
    await close_account(access.connection, company.customer_id)
    leader = await team_leader(access.connection)
    await forget_company(access.connection, company_id)
    members = await queries.delete_company(access.connection, company_id)
    await enter_tenant(access.connection, PLATFORM_COMPANY)
    if leader is not None:
        # The company's own messages were deleted with it.
        mail = mails.CompanyDeleted(company=company.name)
        await enqueue_email(access.connection, access.context.keys, PLATFORM_COMPANY, leader, mail)
    await record(
        access,
        "company.deleted",
        target=company.name,
        details={"companyId": company_id, "uuid": str(company.uuid), "members": members},
    )
