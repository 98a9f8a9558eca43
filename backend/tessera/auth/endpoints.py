from typing import Annotated, Literal

from fastapi import Request

from tessera.auth import contact_changes, password_service, profile_service, service
from tessera.auth.schemas import (
    AuthenticatorAsked,
    ChangePassword,
    Code,
    CodeSent,
    ConfirmEmail,
    ForgotPassword,
    LinkRead,
    LinkToken,
    Login,
    NewAddress,
    NewPhone,
    PendingChange,
    PhoneCode,
    Prelogin,
    PreloginRead,
    ProfileUpdate,
    ResetPassword,
    SessionRead,
    UserRead,
    VerifiedRead,
    VerifyOtp,
)
from tessera.authz.context import Access, AnyRequestContext, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("auth", "/auth")

OwnAccess = Annotated[Access, require_permission(Permission.OWN_ACCOUNT)]
OwnIdentity = Annotated[Identity, require_identity(Permission.OWN_ACCOUNT)]
VerifiedAccess = Annotated[Access, require_permission(Permission.OWN_ACCOUNT, verified=True)]
VerifiedIdentity = Annotated[Identity, require_identity(Permission.OWN_ACCOUNT, verified=True)]


@router.post("/prelogin")
async def prelogin(context: AnyRequestContext, data: Prelogin) -> PreloginRead:
    return await service.prelogin(context, data.email_address)


@router.post("/login-onboard")
async def login_onboard(context: AnyRequestContext, data: Login) -> CodeSent | AuthenticatorAsked:
    return await service.login(context, data)


@router.post("/verify-otp")
async def verify_otp(context: AnyRequestContext, data: VerifyOtp) -> SessionRead:
    return await service.verify_otp(context, data)


@router.post("/verify-otp/{code}")
async def verify_session(identity: OwnIdentity, code: Code) -> VerifiedRead:
    return await service.verify_session(identity, code)


@router.post("/generate-otp")
async def generate_otp(identity: OwnIdentity) -> CodeSent | AuthenticatorAsked:
    return await service.ask_for_verification(identity)


@router.get("/login-token")
async def login_token(access: OwnAccess, request: Request) -> SessionRead:
    token = request.headers["authorization"].partition(" ")[2]
    return await service.token_login(access, token)


@router.post("/logout", status_code=204)
async def logout(access: OwnAccess) -> None:
    await service.logout(access)


@router.post("/forgot-password", status_code=202)
async def forgot_password(context: AnyRequestContext, data: ForgotPassword) -> None:
    await password_service.forgot_password(context, data.email_address)


@router.get("/reset")
async def reset_state(context: AnyRequestContext, token: LinkToken) -> LinkRead:
    return await password_service.reset_state(context, token)


@router.post("/reset-password", status_code=204)
async def reset_password(context: AnyRequestContext, data: ResetPassword) -> None:
    await password_service.reset_password(context, data)


@router.put("/password", status_code=204)
async def change_password(identity: OwnIdentity, data: ChangePassword) -> None:
    await password_service.change_password(identity, data)


@router.put("/profile")
async def update_profile(access: OwnAccess, data: ProfileUpdate) -> UserRead:
    return await profile_service.update_profile(access, data)


@router.post("/profile/email", status_code=202)
async def ask_for_address(access: VerifiedAccess, data: NewAddress) -> None:
    await profile_service.ask_for_address(access, data.email_address)


@router.post("/confirm-email")
async def confirm_address(access: OwnAccess, data: ConfirmEmail) -> UserRead:
    return await profile_service.confirm_address(access, data.token)


@router.post("/profile/phone")
async def ask_for_phone(identity: VerifiedIdentity, data: NewPhone) -> CodeSent:
    return await profile_service.ask_for_phone(identity, data.phone_number)


@router.post("/profile/phone/confirm")
async def confirm_phone(identity: OwnIdentity, data: PhoneCode) -> UserRead:
    return await profile_service.confirm_phone(identity, data.otp)


@router.get("/profile/pending")
async def pending_changes(access: OwnAccess) -> list[PendingChange]:
    return await contact_changes.pending_changes(access)


@router.delete("/profile/pending/{kind}", status_code=204)
async def decline_change(access: OwnAccess, kind: Literal["email", "phone"]) -> None:
    await contact_changes.decline_change(access, kind)
