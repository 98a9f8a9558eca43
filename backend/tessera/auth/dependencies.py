"""Who may call the endpoints of a user's own account; `Session...` also for the client program."""

from typing import Annotated

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission

SessionAccess = Annotated[Access, require_permission(Permission.OWN_SESSION)]
# To log out, from wherever.
LogoutAccess = Annotated[Access, require_permission(Permission.OWN_SESSION, anywhere=True)]
SessionIdentity = Annotated[Identity, require_identity(Permission.OWN_SESSION)]
OwnAccess = Annotated[Access, require_permission(Permission.OWN_ACCOUNT)]
OwnIdentity = Annotated[Identity, require_identity(Permission.OWN_ACCOUNT)]
VerifiedAccess = Annotated[Access, require_permission(Permission.OWN_ACCOUNT, verified=True)]
VerifiedIdentity = Annotated[Identity, require_identity(Permission.OWN_ACCOUNT, verified=True)]
