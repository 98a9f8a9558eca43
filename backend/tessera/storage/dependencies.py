"""Who may make the calls of storage."""

from typing import Annotated

from fastapi import Depends

from tessera import limits
from tessera.authz.context import Access, AnyRequestContext, Identity, RequestContext
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.rate_limits import limit

# Numbers only: nothing of what is stored.
StatusReader = Annotated[Access, require_permission(Permission.STORAGE_STATUS)]
User = Annotated[Access, require_permission(Permission.STORAGE_USE)]
VerifiedUser = Annotated[Access, require_permission(Permission.STORAGE_USE, verified=True)]
# Calls warehouses, and holds no connection meanwhile.
Caller = Annotated[Identity, require_identity(Permission.STORAGE_USE)]
Manager = Annotated[Access, require_permission(Permission.STORAGE_MANAGE)]
VerifiedManager = Annotated[Access, require_permission(Permission.STORAGE_MANAGE, verified=True)]


async def _guest(context: AnyRequestContext) -> RequestContext:
    await limit(context, limits.GUEST_CALLS, context.site)
    return context


# Somebody without an account, with a link.
Guest = Annotated[RequestContext, Depends(_guest)]
