"""Selects the company a request works on: the user's own, or one that a platform admin names."""

from typing import Annotated

from pydantic import Field

from tessera.authz.context import Access
from tessera.authz.errors import CompanyNotFound, CompanyNotSelected, PlatformCompanyIsFixed
from tessera.authz.permissions import Permission
from tessera.authz.queries import company_exists
from tessera.kit.database import enter_tenant

PLATFORM_COMPANY = 1

CompanyId = Annotated[int, Field(ge=1, le=2**31 - 1)]


async def enter_company(access: Access, company_id: int | None, *, for_change: bool = False) -> int:
    """Enters the named company for the rest of the transaction, row-level security included. To
    anyone but a platform admin, another company appears not to exist."""
    own = access.current_user.company_id
    named = own if company_id is None else company_id
    if Permission.COMPANIES_MANAGE not in access.current_user.permissions:
        if named != own:
            raise CompanyNotFound
        return own
    if named == PLATFORM_COMPANY:
        raise PlatformCompanyIsFixed if for_change else CompanyNotSelected
    await enter_tenant(access.connection, named)
    if not await company_exists(access.connection, named):
        raise CompanyNotFound
    return named
