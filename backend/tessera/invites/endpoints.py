from typing import Annotated
from uuid import UUID

from tessera.auth.schemas import LinkToken
from tessera.authz.context import Access, AnyRequestContext
from tessera.authz.guards import require_list_permission, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.authz.tenancy import CompanyId
from tessera.invites import links, schemas, service
from tessera.kit.pagination import Page, Paging

router = FeatureRouter("invites")

Lister = Annotated[Access, require_list_permission(Permission.MEMBERS_READ)]
Manager = Annotated[Access, require_permission(Permission.MEMBERS_MANAGE)]


@router.get("/invites")
async def list_invites(access: Lister, paging: Paging) -> Page[schemas.InviteRead]:
    return await service.list_invites(access, None, paging)


@router.get("/invites/progress", summary="Read progress of invites")
async def invite_progress(access: Manager) -> schemas.InviteProgress:
    return await service.progress(access)


@router.get("/invites/{company_id}", summary="List invites of a company")
async def list_invites_of(
    access: Lister, company_id: CompanyId, paging: Paging
) -> Page[schemas.InviteRead]:
    return await service.list_invites(access, company_id, paging)


@router.post("/invite/users/")
async def invite_members(access: Manager, data: schemas.Invitees) -> list[schemas.InviteResult]:
    return await service.invite_members(access, [each.email_address for each in data.root])


@router.post("/invites/resend", status_code=204)
async def resend_invites(access: Manager, data: schemas.BulkInvites) -> None:
    await service.resend(access, data.keys)


@router.delete("/invite/{key}", status_code=204)
async def cancel_invite(access: Manager, key: UUID) -> None:
    await service.cancel_invite(access, key)


@router.get("/auth/invite", summary="Read invite")
async def invite_state(context: AnyRequestContext, token: LinkToken) -> schemas.InviteState:
    return await links.invite_state(context, token)


@router.post("/auth/invite/ask", status_code=202, summary="Ask for new invite")
async def ask_for_new_invitation(context: AnyRequestContext, data: schemas.InviteToken) -> None:
    await links.ask_for_new_invitation(context, data.token)
