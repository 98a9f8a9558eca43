from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import StatusReader
from tessera.storage.usage import service
from tessera.storage.usage.schemas import HealthRead, UsageRead

router = FeatureRouter("storage", "/storage")


@router.get("/usage")
async def read_usage(access: StatusReader) -> UsageRead:
    return await service.read_usage(access)


@router.get("/health")
async def read_health(access: StatusReader) -> HealthRead:
    return await service.read_health(access)
