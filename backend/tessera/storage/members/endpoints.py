from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import Manager
from tessera.storage.members import service
from tessera.storage.members.schemas import FormerMembers, StorageDevices, WaitingMembers

router = FeatureRouter("storage", "/storage")


@router.get("/devices")
async def list_devices(access: Manager) -> StorageDevices:
    return await service.list_devices(access)


@router.get("/waiting", summary="List members waiting for access")
async def list_waiting(access: Manager) -> WaitingMembers:
    return await service.list_waiting(access)


@router.get("/removals", summary="List former members of spaces")
async def list_removals(access: Manager) -> FormerMembers:
    return await service.list_removals(access)
