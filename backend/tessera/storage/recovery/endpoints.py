from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import Manager, User, VerifiedManager, VerifiedUser
from tessera.storage.recovery import schemas, service

router = FeatureRouter("storage", "/storage")


@router.get("/recovery")
async def read_recovery(access: User) -> schemas.RecoveryRead:
    return await service.read_recovery(access)


@router.put("/recovery/record")
async def store_recovery_record(
    access: Manager, data: schemas.RecordCreate
) -> schemas.RecoveryRead:
    return await service.store_record(access, data.record)


@router.put("/recovery/kit")
async def store_recovery_kit(
    access: VerifiedManager, data: schemas.KitCreate
) -> schemas.RecoveryRead:
    return await service.store_kit(access, data)


@router.put("/recovery/kit/confirmation")
async def confirm_recovery_kit(access: Manager, data: schemas.KitConfirm) -> schemas.RecoveryRead:
    return await service.confirm_kit(access, data.counter)


@router.get("/recovery/handover")
async def read_recovery_handover(access: User) -> schemas.RecoveryHandoverRead:
    return await service.read_handover(access)


@router.put("/recovery/handover", status_code=204)
async def store_recovery_handover(
    access: VerifiedUser, data: schemas.RecoveryHandoverCreate
) -> None:
    await service.store_handover(access, data.handover)
