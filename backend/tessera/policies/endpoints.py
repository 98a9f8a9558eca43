from typing import Annotated

from tessera.authz.context import Access
from tessera.authz.guards import require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.policies import schemas, service

router = FeatureRouter("policies", "/policies")

Reader = Annotated[Access, require_permission(Permission.POLICIES_MANAGE)]
Verified = Annotated[Access, require_permission(Permission.POLICIES_MANAGE, verified=True)]


@router.get("", summary="Read policies")
async def read_policies(access: Reader) -> schemas.PoliciesRead:
    return await service.read_policies(access)


@router.put("", summary="Change policies")
async def put_policies(access: Verified, data: schemas.PoliciesUpdate) -> schemas.PoliciesRead:
    """Refused if they would shut out the caller: from this address, with this session and its
    second factor, or with all of the caller’s computers."""
    return await service.put_policies(access, data)
