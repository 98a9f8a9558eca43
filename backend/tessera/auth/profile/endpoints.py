from tessera.auth.dependencies import (
    OwnAccess,
    OwnIdentity,
    SessionAccess,
    VerifiedAccess,
    VerifiedIdentity,
)
from tessera.auth.profile import schemas, service
from tessera.auth.schemas import LinkToken, UserRead
from tessera.auth.two_factor.schemas import CodeSent
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("auth", "/auth")


@router.get("/profile")
async def read_profile(access: SessionAccess) -> UserRead:
    return await service.read_profile(access)


@router.put("/profile")
async def update_profile(access: OwnAccess, data: schemas.ProfileUpdate) -> UserRead:
    return await service.update_profile(access, data)


@router.post("/profile/email", status_code=202, summary="Request change of email address")
async def ask_for_address(access: VerifiedAccess, data: schemas.NewAddress) -> None:
    await service.ask_for_address(access, data.email_address)


@router.get("/confirm-email", summary="Read confirmation link")
async def read_confirm_link(access: OwnAccess, token: LinkToken) -> schemas.ConfirmLinkRead:
    return await service.read_confirm_link(access, token)


@router.post("/confirm-email", summary="Confirm email address")
async def confirm_address(access: OwnAccess, data: schemas.ConfirmEmail) -> UserRead:
    return await service.confirm_address(access, data.token)


@router.post("/profile/phone", summary="Request change of phone number")
async def ask_for_phone(identity: VerifiedIdentity, data: schemas.NewPhone) -> CodeSent:
    return await service.ask_for_phone(identity, data.phone_number)


@router.post("/profile/phone/confirm", summary="Confirm phone number")
async def confirm_phone(identity: OwnIdentity, data: schemas.PhoneCode) -> UserRead:
    return await service.confirm_phone(identity, data.otp)


@router.get("/profile/pending", summary="List pending changes")
async def pending_changes(access: OwnAccess) -> list[schemas.PendingChange]:
    return await service.pending_changes(access)


@router.delete("/profile/pending/{kind}", status_code=204)
async def decline_change(access: OwnAccess, kind: schemas.ContactKind) -> None:
    await service.decline_change(access, kind)
