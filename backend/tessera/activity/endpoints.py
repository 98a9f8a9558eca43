from typing import Annotated

from starlette.responses import Response

from tessera.activity import exports, lists
from tessera.activity.schemas import ActivityAction, ActivityRead, PlatformActivityRead
from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_list_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.authz.tenancy import CompanyId
from tessera.kit.exports import CSV
from tessera.kit.pagination import Page, Paging

router = FeatureRouter("activity")

Lister = Annotated[Access, require_list_permission(Permission.ACTIVITY_READ)]
PlatformLister = Annotated[Access, require_list_permission(Permission.ACTIVITY_READ_ALL)]
Reader = Annotated[Identity, require_identity(Permission.ACTIVITY_READ)]
PlatformReader = Annotated[Identity, require_identity(Permission.ACTIVITY_READ_ALL)]


@router.get("/activity")
async def list_activity(access: Lister, paging: Paging) -> Page[ActivityRead]:
    return await lists.list_activity(access, None, paging)


@router.get("/activity/actions")
async def list_actions(identity: Reader) -> list[ActivityAction]:
    return lists.list_actions(identity.context.language)


@router.get("/activity/export", response_class=Response, responses=CSV)
async def export_activity(identity: Reader, paging: Paging) -> Response:
    return await exports.export_activity(identity, paging)


@router.get("/admin/activity")
async def list_all_activity(identity: PlatformReader, paging: Paging) -> Page[PlatformActivityRead]:
    return await lists.list_all_activity(identity, paging)


@router.get("/company/{company_id}/activity", summary="List activity of a company")
async def list_activity_of(
    access: PlatformLister, company_id: CompanyId, paging: Paging
) -> Page[ActivityRead]:
    return await lists.list_activity(access, company_id, paging)


@router.get("/admin/activity/export", response_class=Response, responses=CSV)
async def export_all_activity(identity: PlatformReader, paging: Paging) -> Response:
    return await exports.export_all_activity(identity, paging)
