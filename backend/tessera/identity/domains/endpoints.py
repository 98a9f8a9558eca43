from typing import Annotated

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.identity.domains import schemas, service

router = FeatureRouter("identity", "/identity/domains")

Verified = Annotated[Access, require_permission(Permission.IDENTITY_MANAGE, verified=True)]
# These count in separate transactions, or ask the DNS.
Caller = Annotated[Identity, require_identity(Permission.IDENTITY_MANAGE, verified=True)]


@router.get("", summary="List domains")
async def list_domains(access: Verified) -> schemas.DomainList:
    return await service.list_domains(access)


@router.post("", status_code=201, summary="Add domain")
async def add_domain(identity: Caller, data: schemas.DomainCreate) -> schemas.DomainRead:
    """The answer names the TXT record that proves the domain."""
    return await service.add_domain(identity, data.domain)


@router.post("/{domain}/check", summary="Check domain")
async def check_domain(identity: Caller, domain: schemas.Domain) -> schemas.DomainRead:
    """Looks up the TXT record. The service looks up that of a proved domain daily."""
    return await service.check_domain(identity, domain)


@router.delete("/{domain}", status_code=204, summary="Remove domain")
async def remove_domain(access: Verified, domain: schemas.Domain) -> None:
    await service.remove_domain(access, domain)
