from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import Manager, StatusReader, VerifiedManager
from tessera.storage.repair import service
from tessera.storage.repair.schemas import RelocationRead, RepairsRead
from tessera.warehouses.schemas import WarehouseId

router = FeatureRouter("storage", "/storage")


@router.get("/repairs")
async def read_repairs(access: StatusReader) -> RepairsRead:
    return await service.read_repairs(access)


@router.get("/warehouses/{warehouse_id}/relocation")
async def read_relocation(access: Manager, warehouse_id: WarehouseId) -> RelocationRead:
    return await service.read_relocation(access, warehouse_id)


@router.post("/warehouses/{warehouse_id}/relocation")
async def start_relocation(access: VerifiedManager, warehouse_id: WarehouseId) -> RelocationRead:
    return await service.start_relocation(access, warehouse_id)
