from typing import Annotated

from tessera.api_tokens import schemas, service
from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter

router = FeatureRouter("tokens", "/tokens")

Reader = Annotated[Access, require_permission(Permission.API_TOKENS_MANAGE)]
Verified = Annotated[Access, require_permission(Permission.API_TOKENS_MANAGE, verified=True)]
# Counts in a separate transaction.
Maker = Annotated[Identity, require_identity(Permission.API_TOKENS_MANAGE, verified=True)]


@router.get("", summary="List API tokens")
async def list_tokens(access: Reader) -> schemas.ApiTokenList:
    """Those that have ended stay in the list for 90 days."""
    return await service.list_tokens(access)


@router.post("", status_code=201, summary="Create API token")
async def create_token(identity: Maker, data: schemas.ApiTokenCreate) -> schemas.ApiTokenCreated:
    """The answer shows the token, once."""
    return await service.create_token(identity, data)


@router.delete("/{token_id}", status_code=204, summary="Revoke API token")
async def revoke_token(access: Verified, token_id: schemas.ApiTokenId) -> None:
    await service.revoke_token(access, token_id)
