"""Who may make the calls of storage."""

from typing import Annotated

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission

User = Annotated[Access, require_permission(Permission.STORAGE_USE)]
VerifiedUser = Annotated[Access, require_permission(Permission.STORAGE_USE, verified=True)]
# Calls warehouses, and holds no connection meanwhile.
Caller = Annotated[Identity, require_identity(Permission.STORAGE_USE)]
Manager = Annotated[Access, require_permission(Permission.STORAGE_MANAGE)]
VerifiedManager = Annotated[Access, require_permission(Permission.STORAGE_MANAGE, verified=True)]
