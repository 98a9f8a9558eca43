from typing import Annotated, Any

from fastapi import Header, Path, Query, Request, Response

from tessera.auth.schemas import LinkToken
from tessera.auth.sessions.devices import set_cookie
from tessera.auth.sessions.service import StartedSession
from tessera.auth.two_factor.schemas import CodeSent
from tessera.authz.context import Access, AnyRequestContext, Identity, RequestContext
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.kit.pagination import Page, Paging
from tessera.kit.responses import ErrorResponse
from tessera.kit.schemas import EmailAddress, PhoneNumber
from tessera.signup import access_requests, phones, register_member, schemas, service, tickets
from tessera.subscription import service as subscription_service
from tessera.subscription.schemas import SetupIntentRead

PAYMENT_ERRORS: dict[int | str, dict[str, Any]] = {
    402: {"model": ErrorResponse},
    503: {"model": ErrorResponse},
}

router = FeatureRouter("signup")

Ticket = Annotated[str, Header(alias="X-Signup-Ticket", max_length=100)]
Manager = Annotated[Access, require_permission(Permission.COMPANIES_MANAGE)]
RequestId = Annotated[int, Path(ge=1, le=2**63 - 1)]
InviteToken = Annotated[str, Header(alias="X-Invite-Token", max_length=100)]


@router.post("/auth/verify-registration-password", summary="Check registration password")
async def verify_registration_password(
    context: AnyRequestContext, data: schemas.RegistrationPassword
) -> schemas.TicketRead:
    return await tickets.issue_ticket(context, data.password)


@router.post("/auth/signup-ticket", summary="Issue sign-up ticket")
async def signup_ticket(
    context: AnyRequestContext, data: schemas.TicketCreate
) -> schemas.TicketRead:
    """Issues a ticket for the link of an approved access request, or to anyone while registration
    is open."""
    return await tickets.issue_ticket_without_password(context, data.token)


@router.post("/auth/request-access", status_code=202)
async def request_access(context: AnyRequestContext, data: schemas.AccessRequestCreate) -> None:
    await access_requests.request_access(context, data)


@router.get("/access-requests")
async def list_access_requests(access: Manager, paging: Paging) -> Page[schemas.AccessRequestRead]:
    return await access_requests.list_access_requests(access, paging)


@router.post("/access-requests/{request_id}/approve")
async def approve_access_request(
    access: Manager, request_id: RequestId
) -> schemas.AccessRequestRead:
    return await access_requests.approve(access, request_id)


@router.post("/access-requests/{request_id}/decline")
async def decline_access_request(
    access: Manager, request_id: RequestId
) -> schemas.AccessRequestRead:
    return await access_requests.decline(access, request_id)


@router.get("/auth/signup-otp", summary="Send sign-up code")
async def signup_otp(
    context: AnyRequestContext,
    phone_number: Annotated[PhoneNumber, Query(alias="phoneNumber")],
    ticket: Ticket = "",
    invite: InviteToken = "",
) -> CodeSent:
    return await phones.send_code(context, ticket, invite, phone_number)


@router.post("/auth/verify-signup-otp", summary="Check sign-up code")
async def verify_signup_otp(
    context: AnyRequestContext,
    data: schemas.PhoneCodeCheck,
    ticket: Ticket = "",
    invite: InviteToken = "",
) -> schemas.PhoneVerified:
    return await phones.verify_phone(context, ticket, invite, data)


@router.post("/auth/verify-email", status_code=204, summary="Check email address for sign-up")
async def verify_email(
    context: AnyRequestContext, email: EmailAddress, ticket: Ticket = ""
) -> None:
    await tickets.check_address(context, ticket, email)


@router.post("/auth/register-team-leader", responses=PAYMENT_ERRORS)
async def register_team_leader(
    context: AnyRequestContext,
    data: schemas.RegisterTeamLeader,
    response: Response,
    ticket: Ticket = "",
) -> schemas.TeamLeaderRegistered:
    started = await service.register_team_leader(context, ticket, data)
    return schemas.TeamLeaderRegistered(data=_registered(context, response, started))


@router.post("/auth/register", summary="Register as invited member")
async def register(
    context: AnyRequestContext, token: LinkToken, data: schemas.NewPerson, response: Response
) -> schemas.MemberRegistered:
    """Opens a session, unless the company requires single sign-on."""
    started = await register_member.register(context, token, data)
    if started is None:
        return schemas.MemberRegistered(access_token=None, user=None)
    registered = _registered(context, response, started)
    return schemas.MemberRegistered(access_token=registered.access_token, user=registered.user)


def _registered(
    context: RequestContext, response: Response, started: StartedSession
) -> schemas.Registered:
    set_cookie(response, context, started.device_cookie)
    return schemas.Registered(access_token=started.read.access_token, user=started.read.user)


_leader = require_identity(Permission.SUBSCRIPTION_MANAGE)


@router.post(
    "/payment/setup-intent",
    tags=["payment"],
    responses=PAYMENT_ERRORS,
    summary="Create setup intent",
)
async def setup_intent(
    context: AnyRequestContext, request: Request, ticket: Ticket = ""
) -> SetupIntentRead:
    """Creates a setup intent: with a session for the user's company, with a sign-up ticket for a
    company that does not exist yet."""
    if ticket and "authorization" not in request.headers:
        return await tickets.setup_intent(context, ticket)
    identity: Identity = await _leader.dependency(request)
    return await subscription_service.setup_intent(identity)
