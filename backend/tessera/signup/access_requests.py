"""Requests of guests for access to sign-up, and what platform admins decide on them."""

from datetime import timedelta

from tessera import limits
from tessera.activity.service import record, record_for
from tessera.authz.context import Access, RequestContext
from tessera.authz.queries import Recipient
from tessera.authz.rate_limits import limit_all
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.kit.i18n import Language
from tessera.kit.pagination import Page, PageRequest
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email, enqueue_emails
from tessera.signup import access_request_queries as queries
from tessera.signup.access_request_queries import AccessRequest
from tessera.signup.errors import AccessRequestNotFound, AccessRequestUsed
from tessera.signup.schemas import AccessRequestCreate, AccessRequestRead


async def request_access(context: RequestContext, data: AccessRequestCreate) -> None:
    """Behaves the same whether or not the address has an account or an open request."""
    folded = normalize_email(data.email_address)
    await limit_all(
        context,
        context.counter(limits.ACCESS_REQUESTS, context.site),
        context.counter(limits.ACCESS_REQUESTS_PER_ADDRESS, folded),
    )
    async with context.database.tenant(PLATFORM_COMPANY) as connection:
        added = await queries.add_access_request(
            connection,
            name=data.name,
            company_name=data.company_name,
            email=data.email_address,
            email_folded=folded,
            language=context.language,
        )
        if added:
            # Anybody can enter this address: the mail repeats nothing of what they wrote.
            asker = Recipient(data.email_address, context.language)
            await enqueue_email(
                connection, context.keys, PLATFORM_COMPANY, asker, mails.AccessReceived()
            )
            await record_for(
                connection, context, PLATFORM_COMPANY, "access.requested", target=data.email_address
            )


async def list_access_requests(access: Access, request: PageRequest) -> Page[AccessRequestRead]:
    return (await queries.REQUESTS.page(access.connection, request)).read(_read)


async def approve(access: Access, request_id: int) -> AccessRequestRead:
    """Mails a personal link. Approving again, as when the link has expired, replaces the link."""
    row = await _undecided(access, request_id)
    settings, language = access.context.settings, Language(row.language)
    token = new_handle()
    lasting = timedelta(days=settings.access_link_days)
    await queries.approve(access.connection, request_id, hash_handle(token), lasting)
    await enqueue_email(
        access.connection,
        access.context.keys,
        PLATFORM_COMPANY,
        Recipient(row.email, language, row.name),
        mails.AccessApproved(
            company=row.company_name,
            days=mails.Count(settings.access_link_days, "days"),
            link=f"{settings.public_url}/signup?token={token}",
        ),
    )
    await record(access, "access.approved", target=row.email)
    return await _found(access, request_id)


async def decline(access: Access, request_id: int) -> AccessRequestRead:
    """A link that was mailed before ends."""
    row = await _undecided(access, request_id)
    await queries.end_tickets(access.connection, request_id)
    await queries.decline(access.connection, request_id)
    if row.state != "declined":
        asker = Recipient(row.email, row.language)
        await enqueue_email(
            access.connection, access.context.keys, PLATFORM_COMPANY, asker, mails.AccessDeclined()
        )
    await record(access, "access.declined", target=row.email)
    return await _found(access, request_id)


async def tell_admins(resources: Resources) -> None:
    """Mails the platform's admins about the requests that came since the last such mail."""
    async with resources.database.tenant(PLATFORM_COMPANY) as connection:
        number = await queries.mark_told(connection)
        if not number:
            return
        link = f"{resources.settings.public_url}/admin/access-requests"
        mail = mails.AccessRequested(number=number, link=link)
        admins = await queries.admins(connection)
        await enqueue_emails(
            connection, resources.keys, PLATFORM_COMPANY, [(admin, mail) for admin in admins]
        )


async def _undecided(access: Access, request_id: int) -> AccessRequest:
    """Returns a request whose decision can still be made or changed."""
    row = await queries.lock_access_request(access.connection, request_id)
    if row is None:
        raise AccessRequestNotFound
    if row.state == "used":
        raise AccessRequestUsed
    return row


async def _found(access: Access, request_id: int) -> AccessRequestRead:
    row = await queries.lock_access_request(access.connection, request_id)
    assert row is not None
    return _read(row)


def _read(row: AccessRequest) -> AccessRequestRead:
    return AccessRequestRead.of(row, email_address=row.email, date_created=row.created_at)
