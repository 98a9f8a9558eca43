from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.authz.tenancy import CompanyId
from tessera.companies import admin, exports, schemas, service
from tessera.kit.exports import CSV
from tessera.kit.pagination import Page, Paging

router = FeatureRouter("companies")

Manager = Annotated[Access, require_permission(Permission.COMPANIES_MANAGE)]
VerifiedManager = Annotated[Access, require_permission(Permission.COMPANIES_MANAGE, verified=True)]
# Reads across all companies use the platform's own pool and hold no other connection.
PlatformReader = Annotated[Identity, require_identity(Permission.COMPANIES_MANAGE)]
Reader = Annotated[Access, require_permission(Permission.COMPANY_READ)]
Editor = Annotated[Access, require_permission(Permission.COMPANY_EDIT)]
Alerted = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE)]


@router.get("/companies")
async def list_companies(identity: PlatformReader, paging: Paging) -> Page[schemas.CompanyListed]:
    return await admin.list_companies(identity, paging)


@router.get("/companies/export", response_class=Response, responses=CSV)
async def export_companies(identity: PlatformReader, paging: Paging) -> Response:
    return await exports.export_companies(identity, paging)


@router.get("/company/{company_id}/detail", summary="Read company details")
async def company_detail(access: Manager, company_id: CompanyId) -> schemas.CompanyDetail:
    return await admin.company_detail(access, company_id)


@router.put("/company/status/{company_id}", summary="Enable or disable company")
async def set_status(
    access: VerifiedManager, company_id: CompanyId, data: schemas.CompanyStatusUpdate | None = None
) -> schemas.CompanyRead:
    return await admin.set_status(access, company_id, data or schemas.CompanyStatusUpdate())


@router.delete("/company/{company_id}", status_code=204)
async def delete_company(access: VerifiedManager, company_id: CompanyId) -> None:
    await admin.delete_company(access, company_id)


@router.get("/company")
async def read_company(
    access: Reader, company_id: Annotated[CompanyId | None, Query(alias="companyId")] = None
) -> schemas.CompanyRead:
    return await service.read_company(access, company_id)


@router.get("/company/alerts")
async def read_alerts(access: Alerted) -> schemas.CompanyAlerts:
    return await service.alerts(access)


@router.put("/company")
async def update_company(access: Editor, data: schemas.CompanyUpdate) -> schemas.CompanyRead:
    return await service.update_company(access, data)
