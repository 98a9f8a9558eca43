from typing import Annotated

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.provisioning import schemas, service

router = FeatureRouter("provisioning", "/provisioning")

Verified = Annotated[Access, require_permission(Permission.IDENTITY_MANAGE, verified=True)]
# Counts in a separate transaction.
Maker = Annotated[Identity, require_identity(Permission.IDENTITY_MANAGE, verified=True)]


@router.get("", summary="Read provisioning")
async def read_provisioning(access: Verified) -> schemas.ProvisioningRead:
    return await service.read_provisioning(access)


@router.put("", summary="Change provisioning")
async def update_provisioning(
    access: Verified, data: schemas.ProvisioningUpdate
) -> schemas.ProvisioningRead:
    return await service.update_provisioning(access, data)


@router.post("/token", status_code=201, summary="Create or rotate SCIM token")
async def create_token(identity: Maker) -> schemas.ScimTokenCreated:
    """The answer shows the token, once. A token that it replaces works for one more day."""
    return await service.create_token(identity)


@router.delete("/token", status_code=204, summary="Revoke SCIM token")
async def revoke_tokens(access: Verified) -> None:
    """Also one that was rotated and still works. Members and labels stay as they are."""
    await service.revoke_tokens(access)


@router.get("/deletions", summary="List requested deletions")
async def list_deletions(access: Verified) -> schemas.RequestedDeletions:
    """Members whom the directory has deleted, of whom the leader decides."""
    return await service.list_deletions(access)


@router.post("/deletions/confirm", status_code=204, summary="Confirm deletions")
async def confirm_deletions(access: Verified, data: schemas.MemberDeletions) -> None:
    await service.confirm_deletions(access, data.uuids)


@router.post("/deletions/decline", status_code=204, summary="Decline deletions")
async def decline_deletions(access: Verified, data: schemas.MemberDeletions) -> None:
    """The members stay, disabled."""
    await service.decline_deletions(access, data.uuids)
