from tessera.auth.dependencies import OwnAccess, OwnIdentity, VerifiedAccess
from tessera.auth.passkeys import schemas, service
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("auth", "/auth")


@router.get("/passkeys", summary="List own passkeys")
async def own_passkeys(access: OwnAccess) -> list[schemas.PasskeyRead]:
    return await service.own_passkeys(access)


@router.post("/passkeys/start", summary="Start adding a passkey")
async def start_passkey(access: VerifiedAccess) -> schemas.PasskeyOptions:
    return await service.start(access)


@router.post("/passkeys")
async def add_passkey(identity: OwnIdentity, data: schemas.PasskeyCreate) -> schemas.PasskeyRead:
    return await service.add(identity, data)


@router.put("/passkeys/{passkey_id}", status_code=204)
async def rename_passkey(
    access: OwnAccess, passkey_id: schemas.PasskeyId, data: schemas.PasskeyUpdate
) -> None:
    await service.rename(access, passkey_id, data.name)


@router.delete("/passkeys/{passkey_id}", status_code=204)
async def remove_passkey(access: VerifiedAccess, passkey_id: schemas.PasskeyId) -> None:
    await service.remove(access, passkey_id)


@router.put("/passkeys/{passkey_id}/key", status_code=204, summary="Let a passkey unlock the keys")
async def set_passkey_key(
    access: VerifiedAccess, passkey_id: schemas.PasskeyId, data: schemas.PasskeyKey
) -> None:
    await service.set_key(access, passkey_id, data.sealed_user_key)
