"""The user's own sessions and second factor."""

from typing import Annotated

from tessera.auth import authenticator_service, service, session_service
from tessera.auth.schemas import (
    AuthenticatorCode,
    AuthenticatorStarted,
    OwnSession,
    RecoveryCodeGiven,
    RecoveryCodes,
    SecondFactorRead,
    SessionId,
    VerifiedRead,
)
from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("auth", "/auth")

OwnAccess = Annotated[Access, require_permission(Permission.OWN_ACCOUNT)]
OwnIdentity = Annotated[Identity, require_identity(Permission.OWN_ACCOUNT)]
VerifiedAccess = Annotated[Access, require_permission(Permission.OWN_ACCOUNT, verified=True)]


@router.get("/sessions")
async def own_sessions(access: OwnAccess) -> list[OwnSession]:
    return await session_service.own_sessions(access)


@router.delete("/sessions/{session_id}", status_code=204)
async def end_session(access: OwnAccess, session_id: SessionId) -> None:
    await session_service.end_one(access, session_id)


@router.post("/sessions/end-others", status_code=204)
async def end_other_sessions(access: OwnAccess) -> None:
    await session_service.end_others(access)


@router.post("/sessions/end-all", status_code=204)
async def end_all_sessions(access: OwnAccess) -> None:
    await session_service.end_all(access)


@router.get("/second-factor")
async def second_factor(access: OwnAccess) -> SecondFactorRead:
    return await authenticator_service.second_factor(access)


@router.post("/authenticator")
async def start_authenticator(access: VerifiedAccess) -> AuthenticatorStarted:
    return await authenticator_service.start(access)


@router.post("/authenticator/confirm")
async def confirm_authenticator(identity: OwnIdentity, data: AuthenticatorCode) -> RecoveryCodes:
    return await authenticator_service.confirm(identity, data.otp)


@router.delete("/authenticator", status_code=204)
async def turn_authenticator_off(access: VerifiedAccess) -> None:
    await authenticator_service.turn_off(access)


@router.post("/recovery-codes")
async def new_recovery_codes(access: VerifiedAccess) -> RecoveryCodes:
    return await authenticator_service.new_recovery_codes(access)


@router.post("/verify-recovery-code")
async def verify_with_recovery_code(identity: OwnIdentity, data: RecoveryCodeGiven) -> VerifiedRead:
    """Like `verify-otp/{code}`, but for a recovery code, which must not appear in a URL."""
    return await service.verify_session(identity, data.recovery_code)
