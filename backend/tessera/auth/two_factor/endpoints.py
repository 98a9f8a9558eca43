from tessera.auth.dependencies import OwnAccess, OwnIdentity, VerifiedAccess
from tessera.auth.two_factor import schemas, service, sms
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("auth", "/auth")


@router.get("/second-factor", summary="Read two-step login")
async def two_factor(access: OwnAccess) -> schemas.TwoFactorRead:
    return await service.two_factor(access)


@router.put("/second-factor/sms", status_code=204, summary="Turn codes by SMS on or off")
async def set_sms(access: VerifiedAccess, data: schemas.SmsUpdate) -> None:
    await sms.set_enabled(access, data.enabled)


@router.post("/authenticator", summary="Start setting up an authenticator app")
async def start_authenticator(access: VerifiedAccess) -> schemas.AuthenticatorStarted:
    return await service.start(access)


@router.post("/authenticator/confirm", summary="Confirm authenticator app")
async def confirm_authenticator(
    identity: OwnIdentity, data: schemas.AuthenticatorCode
) -> schemas.RecoveryCodes:
    return await service.confirm(identity, data.otp)


@router.delete("/authenticator", status_code=204, summary="Turn authenticator app off")
async def turn_authenticator_off(access: VerifiedAccess) -> None:
    await service.turn_off(access)


@router.post("/recovery-codes", summary="Create recovery codes")
async def new_recovery_codes(access: VerifiedAccess) -> schemas.RecoveryCodes:
    return await service.new_recovery_codes(access)
