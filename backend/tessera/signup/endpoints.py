from typing import Annotated, Any

from fastapi import Header, Query, Request, Response

from tessera.auth.schemas import LinkToken
from tessera.auth.sessions.devices import set_cookie
from tessera.auth.sessions.service import StartedSession
from tessera.auth.two_factor.schemas import CodeSent
from tessera.authz.context import AnyRequestContext, Identity, RequestContext
from tessera.authz.guards import require_identity
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.kit.responses import ErrorAnswer
from tessera.kit.schemas import EmailAddress, PhoneNumber
from tessera.signup import phones, register_member, service, tickets
from tessera.signup.schemas import (
    NewPerson,
    PhoneCodeCheck,
    PhoneVerified,
    Registered,
    RegisterTeamLeader,
    RegistrationPassword,
    TeamLeaderRegistered,
    TicketRead,
)
from tessera.subscription import service as subscription_service
from tessera.subscription.schemas import SetupIntentRead

PAYMENT_ERRORS: dict[int | str, dict[str, Any]] = {
    402: {"model": ErrorAnswer},
    503: {"model": ErrorAnswer},
}

router = FeatureRouter("signup")

Ticket = Annotated[str, Header(alias="X-Signup-Ticket", max_length=100)]
InviteToken = Annotated[str, Header(alias="X-Invite-Token", max_length=100)]


@router.post("/auth/verify-registration-password")
async def verify_registration_password(
    context: AnyRequestContext, data: RegistrationPassword
) -> TicketRead:
    return await tickets.issue_ticket(context, data.password)


@router.get("/auth/signup-otp")
async def signup_otp(
    context: AnyRequestContext,
    phone_number: Annotated[PhoneNumber, Query(alias="phoneNumber")],
    ticket: Ticket = "",
    invite: InviteToken = "",
) -> CodeSent:
    return await phones.send_code(context, ticket, invite, phone_number)


@router.post("/auth/verify-signup-otp")
async def verify_signup_otp(
    context: AnyRequestContext, data: PhoneCodeCheck, ticket: Ticket = "", invite: InviteToken = ""
) -> PhoneVerified:
    return await phones.verify_phone(context, ticket, invite, data)


@router.post("/auth/verify-email", status_code=204)
async def verify_email(
    context: AnyRequestContext, email: EmailAddress, ticket: Ticket = ""
) -> None:
    await tickets.check_address(context, ticket, email)


@router.post("/auth/register-team-leader", responses=PAYMENT_ERRORS)
async def register_team_leader(
    context: AnyRequestContext, data: RegisterTeamLeader, response: Response, ticket: Ticket = ""
) -> TeamLeaderRegistered:
    started = await service.register_team_leader(context, ticket, data)
    return TeamLeaderRegistered(data=_registered(context, response, started))


@router.post("/auth/register")
async def register(
    context: AnyRequestContext, token: LinkToken, data: NewPerson, response: Response
) -> Registered:
    started = await register_member.register(context, token, data)
    return _registered(context, response, started)


def _registered(context: RequestContext, response: Response, started: StartedSession) -> Registered:
    set_cookie(response, context, started.device_cookie)
    return Registered(access_token=started.read.access_token, user=started.read.user)


_leader = require_identity(Permission.SUBSCRIPTION_MANAGE)


@router.post("/payment/setup-intent", tags=["payment"], responses=PAYMENT_ERRORS)
async def setup_intent(
    context: AnyRequestContext, request: Request, ticket: Ticket = ""
) -> SetupIntentRead:
    """Creates a setup intent: with a session for the user's company, with a sign-up ticket for a
    company that does not exist yet."""
    if ticket and "authorization" not in request.headers:
        return await tickets.setup_intent(context, ticket)
    identity: Identity = await _leader.dependency(request)
    return await subscription_service.setup_intent(identity)
