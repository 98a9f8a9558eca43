from typing import Annotated
from uuid import UUID

from fastapi import Query
from starlette.responses import Response

from tessera.auth.profile.schemas import ContactKind
from tessera.auth.sessions.schemas import ClientSession, SessionId
from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_list_permission, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.authz.tenancy import CompanyId
from tessera.kit.exports import CSV
from tessera.kit.pagination import Page, Paging
from tessera.kit.schemas import Toggle
from tessera.members import exports, leadership, schemas, service

router = FeatureRouter("members")

Reader = Annotated[Access, require_permission(Permission.MEMBERS_READ)]
Lister = Annotated[Access, require_list_permission(Permission.MEMBERS_READ)]
Exporter = Annotated[Identity, require_identity(Permission.MEMBERS_READ)]
Manager = Annotated[Access, require_permission(Permission.MEMBERS_MANAGE)]
VerifiedManager = Annotated[Access, require_permission(Permission.MEMBERS_MANAGE, verified=True)]
KeySender = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE)]
Leader = Annotated[Access, require_permission(Permission.LEADERSHIP_REASSIGN, verified=True)]
Platform = Annotated[Access, require_permission(Permission.COMPANIES_MANAGE, verified=True)]


@router.get("/users")
async def list_members(access: Lister, paging: Paging) -> Page[schemas.MemberRead]:
    return await service.list_members(access, None, paging)


@router.get("/users/export", response_class=Response, responses=CSV)
async def export_members(identity: Exporter, paging: Paging) -> Response:
    return await exports.export_members(identity, None, paging)


@router.get("/users/{company_id}", summary="List members of a company")
async def list_members_of(
    access: Lister, company_id: CompanyId, paging: Paging
) -> Page[schemas.MemberRead]:
    return await service.list_members(access, company_id, paging)


@router.get(
    "/users/{company_id}/export",
    response_class=Response,
    responses=CSV,
    summary="Export members of a company",
)
async def export_members_of(identity: Exporter, company_id: CompanyId, paging: Paging) -> Response:
    return await exports.export_members(identity, company_id, paging)


@router.get("/user/team-leader")
async def read_team_leader(access: Reader) -> schemas.MemberRead:
    return await service.read_team_leader(access, None)


@router.get("/user/team-leader/{company_id}", summary="Read team leader of a company")
async def read_team_leader_of(access: Reader, company_id: CompanyId) -> schemas.MemberRead:
    return await service.read_team_leader(access, company_id)


@router.put("/user")
async def update_member(access: Manager, data: schemas.MemberUpdate) -> schemas.MemberRead:
    return await service.update_member(access, data)


@router.delete("/user/{uuid}/pending/{kind}")
async def withdraw_change(access: Manager, uuid: UUID, kind: ContactKind) -> schemas.MemberRead:
    return await service.withdraw_change(access, uuid, kind)


@router.delete("/user/{uuid}", status_code=204)
async def remove_member(access: VerifiedManager, uuid: UUID) -> None:
    await service.remove_member(access, uuid)


@router.put("/user/status/{uuid}", summary="Enable or disable member")
async def set_member_status(
    access: VerifiedManager, uuid: UUID, data: Toggle | None = None
) -> schemas.MemberRead:
    return await service.set_status(access, uuid, data.enabled if data else None)


@router.put("/users/status", status_code=204, summary="Enable or disable several members")
async def set_status_in_bulk(access: VerifiedManager, data: schemas.BulkMemberStatus) -> None:
    await service.set_status_in_bulk(access, data.uuids, data.enabled)


@router.post("/users/remove", status_code=204, summary="Remove several members")
async def remove_in_bulk(access: VerifiedManager, data: schemas.BulkMembers) -> None:
    await service.remove_in_bulk(access, data.uuids)


@router.get("/user/{uuid}/client-sessions")
async def list_client_sessions(access: Manager, uuid: UUID) -> list[ClientSession]:
    return await service.list_client_sessions(access, uuid)


@router.delete("/user/{uuid}/client-sessions/{session_id}", status_code=204)
async def end_client_session(access: Manager, uuid: UUID, session_id: SessionId) -> None:
    await service.end_client_session(access, uuid, session_id)


@router.get("/user/{uuid}/public-keys")
async def read_public_keys(access: KeySender, uuid: UUID) -> schemas.MemberPublicKeys:
    return await leadership.read_public_keys(access, uuid)


@router.put("/user/team-leader/{uuid}")
async def transfer_leadership(
    access: Leader, uuid: UUID, data: schemas.LeadershipTransfer | None = None
) -> schemas.MemberRead:
    return await leadership.transfer(access, uuid, data.key_handover if data else None)


@router.put("/user/team-leader")
async def change_leader(
    access: Platform,
    company_id: Annotated[CompanyId, Query(alias="companyId")],
    user_id: Annotated[UUID, Query(alias="userId")],
) -> schemas.MemberRead:
    return await leadership.change_leader(access, company_id, user_id)
