from typing import Annotated
from uuid import UUID

from fastapi import Request, Response

from tessera.auth.dependencies import VerifiedAccess
from tessera.auth.sessions.devices import PATH, set_cookie
from tessera.auth.sessions.schemas import SessionRead
from tessera.authz.context import SSO_COOKIE, Access, AnyRequestContext, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.identity.domains.schemas import Domain
from tessera.identity.sso import (
    client_logins,
    logins,
    logouts,
    providers,
    requirement,
    schemas,
)

router = FeatureRouter("identity", "/identity/sso")
login_router = FeatureRouter("auth", "/auth/sso")

Verified = Annotated[Access, require_permission(Permission.IDENTITY_MANAGE, verified=True)]
# Counts in a separate transaction, and calls the provider.
Caller = Annotated[Identity, require_identity(Permission.IDENTITY_MANAGE, verified=True)]

_LOGOUT_FORM = {
    "required": True,
    "content": {
        "application/x-www-form-urlencoded": {
            "schema": {
                "type": "object",
                "properties": {"logout_token": {"type": "string"}},
                "required": ["logout_token"],
            }
        }
    },
}


@router.get("", summary="Read single sign-on")
async def read_sso(access: Verified) -> schemas.SsoRead:
    return await providers.read_sso(access)


@router.post("/providers", status_code=201, summary="Add OpenID provider")
async def add_provider(
    access: Verified, data: schemas.SsoProviderCreate
) -> schemas.SsoProviderRead:
    """The answer names the addresses that have to be entered at the provider."""
    return await providers.add_provider(access, data.name)


@router.put("/providers/{uuid}", summary="Save OpenID provider")
async def save_provider(
    identity: Caller, uuid: UUID, data: schemas.SsoProviderUpdate
) -> schemas.SsoProviderRead:
    """Reads the provider's configuration first. Another issuer or client id unlinks its members."""
    return await providers.save_provider(identity, uuid, data)


@router.delete("/providers/{uuid}", status_code=204, summary="Remove OpenID provider")
async def remove_provider(access: Verified, uuid: UUID) -> None:
    """Unlinks its members. Its domains lead to the default one from then on."""
    await providers.remove_provider(access, uuid)


@router.put("/default", summary="Choose default OpenID provider")
async def set_default(access: Verified, data: schemas.SsoDefault) -> schemas.SsoRead:
    """Domains that name no provider lead to it."""
    return await providers.set_default(access, data.provider)


@router.put("/domains/{domain}", summary="Choose OpenID provider of domain")
async def set_provider_of_domain(
    access: Verified, domain: Domain, data: schemas.SsoDomainUpdate
) -> schemas.SsoRead:
    return await providers.set_provider_of_domain(access, domain, data.provider)


@router.put("/requirement", summary="Require single sign-on")
async def set_requirement(access: Verified, data: schemas.SsoRequirement) -> schemas.SsoRead:
    """Refused until the caller has logged in by a provider once, and has recovery codes. Ends the
    sessions of browsers that began without it."""
    return await requirement.set_required(access, data.required)


@login_router.post("/start", summary="Start login with a company account")
async def start(
    context: AnyRequestContext, data: schemas.SsoStart, response: Response
) -> schemas.SsoStarted:
    started = await logins.start(context, data.email_address)
    response.set_cookie(
        SSO_COOKIE,
        started.cookie,
        # As long as both steps together.
        max_age=2 * int(logins.LASTING.total_seconds()),
        path=PATH,
        secure=True,
        httponly=True,
        samesite="strict",
    )
    return schemas.SsoStarted(url=started.url)


@login_router.post("/answer", summary="Hand over the provider's answer")
async def take_answer(context: AnyRequestContext, data: schemas.SsoReturned) -> schemas.SsoProved:
    """Works once, in the browser that started the login."""
    return await logins.take_answer(context, data)


@login_router.post("/login", summary="Finish login with a company account")
async def log_in(
    context: AnyRequestContext, data: schemas.SsoLogin, response: Response
) -> SessionRead:
    """The session has no verified access."""
    started = await logins.log_in(context, data.password)
    set_cookie(response, context, started.device_cookie)
    return started.read


@login_router.post("/login-passkey", summary="Finish login with a company account and a passkey")
async def log_in_with_passkey(
    context: AnyRequestContext, data: schemas.SsoPasskeyLogin, response: Response
) -> schemas.PasskeySession:
    started, sealed = await logins.log_in_with_passkey(context, data.credential)
    set_cookie(response, context, started.device_cookie)
    return schemas.PasskeySession.of(started.read, passkey_key=sealed)


@login_router.post("/link", status_code=204, summary="Link company account")
async def link(access: VerifiedAccess) -> None:
    """For an account that has just been proved in this browser, and whose address is proved."""
    await logins.link(access)


@login_router.post(
    "/backchannel-logout/{company_uuid}/{uuid}",
    summary="Receive logout from the company's OpenID provider",
    openapi_extra={"requestBody": _LOGOUT_FORM},
)
async def receive_logout(
    context: AnyRequestContext, company_uuid: UUID, uuid: UUID, request: Request
) -> schemas.LogoutTaken:
    """OpenID Connect Back-Channel Logout 1.0. Also answers 200 where nobody was logged in."""
    await logouts.log_out(context, company_uuid, uuid, await request.body())
    return schemas.LogoutTaken()


@login_router.post("/client-logins", summary="Start login of the client with a company account")
async def start_client_login(
    context: AnyRequestContext, data: schemas.ClientLoginStart
) -> schemas.ClientLoginStarted:
    """A person confirms it in a browser."""
    return await client_logins.start(context, data)


@login_router.post("/client-logins/show", summary="Show which computer wants to log in")
async def show_client_login(
    context: AnyRequestContext, data: schemas.ClientLoginNamed
) -> schemas.ClientLoginShown:
    """For the browser in which the provider has proved a linked account."""
    return await client_logins.show(context, data)


@login_router.post("/client-logins/decide", summary="Confirm or refuse login of the client")
async def decide_client_login(
    context: AnyRequestContext, data: schemas.ClientLoginDecision
) -> schemas.ClientLoginDecided:
    """For the browser in which the provider has proved a linked account."""
    return await client_logins.decide(context, data)


@login_router.post("/client-logins/state", summary="Read whether login of the client is confirmed")
async def read_client_login(
    context: AnyRequestContext, data: schemas.ClientLoginProof
) -> schemas.ClientLoginState:
    return await client_logins.read_state(context, data)


@login_router.post("/client-logins/finish", summary="Finish login of the client")
async def finish_client_login(
    context: AnyRequestContext, data: schemas.ClientLoginFinish
) -> SessionRead:
    """Works once. The session has no verified access."""
    return (await client_logins.finish(context, data)).read
