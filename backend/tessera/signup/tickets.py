"""The registration password, and the ticket issued for it, which all later sign-up calls need."""

import hmac
from datetime import timedelta

from tessera import limits
from tessera.auth import accounts
from tessera.auth.errors import AddressInUse
from tessera.authz.context import RequestContext
from tessera.authz.rate_limits import limit
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.kit.database import Connection
from tessera.kit.rate_counters import decrement
from tessera.kit.schemas import normalize_email
from tessera.kit.tokens import hash_handle, new_handle
from tessera.signup import access_request_queries, errors, queries
from tessera.signup.queries import Ticket
from tessera.signup.schemas import TicketRead
from tessera.subscription.schemas import SetupIntentRead
from tessera.subscription.service import new_setup_intent


async def issue_ticket(context: RequestContext, password: str) -> TicketRead:
    """Counts the attempt before the comparison."""
    settings = context.settings
    counted = await limit(context, limits.REGISTRATION_PASSWORD, context.site)
    stored = settings.registration_password.get_secret_value()
    if not stored or not hmac.compare_digest(stored.encode(), password.encode()):
        raise errors.RegistrationPasswordWrong(fields={"password": "registration_password"})
    await decrement(context.database, counted)
    await _count_ticket(context)
    async with context.database.without_tenant() as connection:
        return await _add_ticket(context, connection)


async def issue_ticket_without_password(context: RequestContext, link: str | None) -> TicketRead:
    """For the personal link of an approved access request, or while registration is open."""
    if link is None and not context.settings.open_registration:
        raise errors.SignupTicketNeeded
    await _count_ticket(context)
    if link is None:
        async with context.database.without_tenant() as connection:
            return await _add_ticket(context, connection)
    async with context.database.tenant(PLATFORM_COMPANY) as connection:
        request_id = await access_request_queries.find_usable(connection, hash_handle(link))
        if request_id is None:
            raise errors.AccessLinkInvalid
        await access_request_queries.end_tickets(connection, request_id)
        return await _add_ticket(context, connection, request_id)


async def _count_ticket(context: RequestContext) -> None:
    await limit(context, limits.TICKETS, context.site)


async def _add_ticket(
    context: RequestContext, connection: Connection, access_request_id: int | None = None
) -> TicketRead:
    token = new_handle()
    lasting = timedelta(minutes=context.settings.signup_ticket_minutes)
    await queries.add_ticket(
        connection, hash_handle(token), context.origin, lasting, access_request_id
    )
    return TicketRead(ticket=token, expires_in=int(lasting.total_seconds()))


async def require_ticket(context: RequestContext, ticket: str) -> int:
    found = await find_ticket(context, ticket)
    check_ticket(found)
    return found.id


async def find_ticket(context: RequestContext, ticket: str) -> Ticket:
    """Also finds an expired or used ticket, because a repeated registration presents it again."""
    if not ticket:
        raise errors.SignupTicketNeeded
    async with context.database.without_tenant() as connection:
        found = await queries.find_ticket(connection, hash_handle(ticket))
    if found is None:
        raise errors.SignupTicketExpired
    return found


def check_ticket(ticket: Ticket) -> None:
    if ticket.used_at is not None:
        raise errors.SignupTicketUsed
    if ticket.expired:
        raise errors.SignupTicketExpired


async def check_address(context: RequestContext, ticket: str, address: str) -> None:
    ticket_id = await require_ticket(context, ticket)
    await limit(context, limits.TICKET_ADDRESSES, ticket_id)
    unused_for = timedelta(hours=context.settings.confirm_link_hours)
    async with context.database.without_tenant() as connection:
        taken = await accounts.address_taken(
            connection, normalize_email(address), unused_for=unused_for
        )
    if taken:
        raise AddressInUse(fields={"email": "email_in_use"})


async def setup_intent(context: RequestContext, ticket: str) -> SetupIntentRead:
    """Returns what the card form needs before the company exists."""
    ticket_id = await require_ticket(context, ticket)
    await limit(context, limits.TICKET_CARDS, ticket_id)
    key = f"setup-ticket-{ticket_id}-{context.request_id}"
    return await new_setup_intent(context.resources, key, None)
