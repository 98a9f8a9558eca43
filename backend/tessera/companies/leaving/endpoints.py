from typing import Annotated

from starlette.responses import Response

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.companies.leaving import records, service
from tessera.companies.leaving.schemas import Leave
from tessera.kit.exports import ZIP
from tessera.subscription.schemas import LeavingRead

router = FeatureRouter("companies")

Leader = Annotated[Access, require_permission(Permission.SUBSCRIPTION_MANAGE)]
LeaderIdentity = Annotated[Identity, require_identity(Permission.SUBSCRIPTION_MANAGE)]
VerifiedLeader = Annotated[
    Identity, require_identity(Permission.SUBSCRIPTION_MANAGE, verified=True)
]


@router.get("/company/records", response_class=Response, responses=ZIP)
async def export_records(identity: LeaderIdentity) -> Response:
    return await records.export_records(identity)


@router.get("/company/leaving")
async def read_leaving(access: Leader) -> LeavingRead:
    return await service.read(access)


@router.put("/company/leaving")
async def leave(identity: VerifiedLeader, data: Leave) -> LeavingRead:
    return await service.leave(identity, data)


@router.delete("/company/leaving")
async def stay(access: Leader) -> LeavingRead:
    return await service.stay(access)
