from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import Manager, User, VerifiedManager, VerifiedUser
from tessera.storage.recovery import service
from tessera.storage.recovery.schemas import (
    KitCreate,
    RecordCreate,
    RecoveryHandoverCreate,
    RecoveryHandoverRead,
    RecoveryRead,
)

router = FeatureRouter("storage", "/storage")


@router.get("/recovery")
async def read_recovery(access: User) -> RecoveryRead:
    return await service.read_recovery(access)


@router.put("/recovery/record")
async def store_recovery_record(access: Manager, data: RecordCreate) -> RecoveryRead:
    return await service.store_record(access, data.record)


@router.put("/recovery/kit")
async def store_recovery_kit(access: VerifiedManager, data: KitCreate) -> RecoveryRead:
    return await service.store_kit(access, data)


@router.get("/recovery/handover")
async def read_recovery_handover(access: User) -> RecoveryHandoverRead:
    return await service.read_handover(access)


@router.put("/recovery/handover", status_code=204)
async def store_recovery_handover(access: VerifiedUser, data: RecoveryHandoverCreate) -> None:
    await service.store_handover(access, data.handover)
