from fastapi import Request, Response

from tessera.auth.dependencies import LogoutAccess, OwnAccess, OwnIdentity, SessionIdentity
from tessera.auth.passkeys.schemas import PasskeyAsked, PasskeyCheck
from tessera.auth.sessions import schemas, service
from tessera.auth.sessions.devices import set_cookie
from tessera.auth.two_factor.schemas import AuthenticatorAsked, Code, CodeSent, RecoveryCodeCheck
from tessera.authz.context import AnyRequestContext
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("auth", "/auth")


@router.post("/prelogin", summary="Read key derivation parameters")
async def prelogin(context: AnyRequestContext, data: schemas.Prelogin) -> schemas.PreloginRead:
    return await service.prelogin(context, data.email_address)


@router.post("/login-onboard", summary="Start login with a password")
async def login_onboard(
    context: AnyRequestContext, data: schemas.LoginStart
) -> CodeSent | AuthenticatorAsked | PasskeyAsked:
    return await service.login(context, data)


@router.post("/verify-otp", summary="Finish login with a code")
async def verify_otp(
    context: AnyRequestContext, data: schemas.VerifyOtp, response: Response
) -> schemas.SessionRead:
    started = await service.verify_otp(context, data)
    set_cookie(response, context, started.device_cookie)
    return started.read


@router.post("/login-passkey", summary="Finish login with a passkey")
async def login_with_passkey(
    context: AnyRequestContext, data: schemas.PasskeyLogin, response: Response
) -> schemas.SessionRead:
    """Like `verify-otp`, with a passkey instead of a code."""
    started = await service.login_with_passkey(context, data)
    set_cookie(response, context, started.device_cookie)
    return started.read


@router.post("/verify-otp/{code}", summary="Verify access with a code")
async def verify_session(identity: SessionIdentity, code: Code) -> schemas.VerifiedRead:
    return await service.verify_session(identity, code)


@router.post("/verify-recovery-code", summary="Verify access with a recovery code")
async def verify_with_recovery_code(
    identity: OwnIdentity, data: RecoveryCodeCheck
) -> schemas.VerifiedRead:
    """Like `verify-otp/{code}`, but for a recovery code, which must not appear in a URL."""
    return await service.verify_session(identity, data.recovery_code)


@router.post("/verify-passkey", summary="Verify access with a passkey")
async def verify_with_passkey(identity: OwnIdentity, data: PasskeyCheck) -> schemas.VerifiedRead:
    return await service.verify_with_passkey(identity, data.credential)


@router.post("/generate-otp", summary="Request a code for verified access")
async def generate_otp(
    identity: SessionIdentity, passkey: bool = False
) -> CodeSent | AuthenticatorAsked | PasskeyAsked:
    """With `passkey`, who has passkeys is asked for one; a second call without it asks for a
    code."""
    return await service.ask_for_verification(identity, passkey=passkey)


@router.get("/login-token", summary="Read own session")
async def login_token(access: OwnAccess, request: Request) -> schemas.SessionRead:
    token = request.headers["authorization"].partition(" ")[2]
    return await service.token_login(access, token)


@router.post("/logout", status_code=204, summary="Log out")
async def logout(access: LogoutAccess) -> None:
    await service.logout(access)


@router.get("/sessions", summary="List own sessions")
async def own_sessions(access: OwnAccess) -> list[schemas.OwnSession]:
    return await service.own_sessions(access)


@router.delete("/sessions/{session_id}", status_code=204)
async def end_session(access: OwnAccess, session_id: schemas.SessionId) -> None:
    await service.end_one(access, session_id)


@router.post("/sessions/end-others", status_code=204)
async def end_other_sessions(access: OwnAccess) -> None:
    await service.end_others(access)


@router.post("/sessions/end-all", status_code=204)
async def end_all_sessions(access: OwnAccess) -> None:
    await service.end_all(access)
