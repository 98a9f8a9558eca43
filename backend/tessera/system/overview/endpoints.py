from typing import Annotated

from tessera.authz.context import Identity
from tessera.authz.guards import require_identity
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.system.overview import service
from tessera.system.overview.schemas import SystemRead

router = FeatureRouter("system")


@router.get("/admin/system", summary="Read state of the installation")
async def read_system(
    identity: Annotated[Identity, require_identity(Permission.SYSTEM_READ)],
) -> SystemRead:
    return await service.read_system(identity)
