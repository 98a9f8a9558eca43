from uuid import UUID

from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import Caller, User, VerifiedManager
from tessera.storage.restores import schemas, service

router = FeatureRouter("storage", "/storage")


@router.get("/restore", summary="Read restore of the service")
async def read_restore(access: User) -> schemas.RestoreRead:
    return await service.read_restore(access)


@router.put("/restore/closed", summary="Close restore of the service")
async def close_restore(access: VerifiedManager) -> schemas.RestoreRead:
    return await service.close_restore(access)


@router.post("/spaces/{space_id}/log/former", summary="Bring former entries back")
async def take_entries(
    identity: Caller, space_id: UUID, data: schemas.FormerEntries
) -> schemas.ExtendedLog:
    return await service.take_entries(identity, space_id, data)
