from tessera.auth.dependencies import OwnAccess, OwnIdentity
from tessera.auth.passwords import schemas, service
from tessera.auth.schemas import LinkToken
from tessera.authz.context import AnyRequestContext
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("auth", "/auth")


@router.post("/forgot-password", status_code=202, summary="Send reset link")
async def forgot_password(context: AnyRequestContext, data: schemas.ForgotPassword) -> None:
    await service.forgot_password(context, data.email_address)


@router.get("/reset", summary="Read reset link")
async def reset_state(context: AnyRequestContext, token: LinkToken) -> schemas.LinkRead:
    return await service.reset_state(context, token)


@router.post("/reset-password", status_code=204)
async def reset_password(context: AnyRequestContext, data: schemas.ResetPassword) -> None:
    await service.reset_password(context, data)


@router.get("/keys", summary="Read sealed keys")
async def sealed_keys(access: OwnAccess) -> schemas.SealedKeys:
    """What a change of the password seals anew."""
    return await service.sealed_keys(access)


@router.put("/password", status_code=204)
async def change_password(identity: OwnIdentity, data: schemas.ChangePassword) -> None:
    await service.change_password(identity, data)
