from typing import Annotated

from fastapi import Query
from starlette.responses import PlainTextResponse, Response

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.authz.tenancy import CompanyId
from tessera.companies import admin, exports, service
from tessera.companies.first_steps import service as first_steps
from tessera.companies.key_holder import service as key_holder
from tessera.companies.passphrase import service as passphrase
from tessera.companies.schemas import (
    CompanyAlerts,
    CompanyDelete,
    CompanyDetail,
    CompanyListed,
    CompanyRead,
    CompanyStatusUpdate,
    CompanyUpdate,
    Epoch,
    FirstSteps,
    FormerPassphraseRead,
    FormerPassphraseSealed,
    HeldKeyHandover,
    HeldKeyRead,
    KeyHandoverAccept,
    KeyHandoverRead,
    KeyHolderRead,
    KeyHolderWrite,
    NewPassphrase,
    SealedHeldKey,
)
from tessera.kit.exports import CSV
from tessera.kit.pagination import Page, Paging
from tessera.kit.responses import TEXT

router = FeatureRouter("companies")

Manager = Annotated[Access, require_permission(Permission.COMPANIES_MANAGE)]
VerifiedManager = Annotated[Access, require_permission(Permission.COMPANIES_MANAGE, verified=True)]
# Reads across all companies use the platform's own pool and hold no other connection.
PlatformReader = Annotated[Identity, require_identity(Permission.COMPANIES_MANAGE)]
Reader = Annotated[Access, require_permission(Permission.COMPANY_READ)]
Editor = Annotated[Access, require_permission(Permission.COMPANY_EDIT)]
PassphraseReader = Annotated[Access, require_permission(Permission.PASSPHRASE_READ, verified=True)]
Alerted = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE)]
PassphraseAdmin = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE, verified=True)]
Holder = Annotated[Access, require_permission(Permission.KEY_HOLD)]
VerifiedHolder = Annotated[Access, require_permission(Permission.KEY_HOLD, verified=True)]
HolderIdentity = Annotated[Identity, require_identity(Permission.KEY_HOLD, verified=True)]


@router.get("/companies")
async def list_companies(identity: PlatformReader, paging: Paging) -> Page[CompanyListed]:
    return await admin.list_companies(identity, paging)


@router.get("/companies/export", response_class=Response, responses=CSV)
async def export_companies(identity: PlatformReader, paging: Paging) -> Response:
    return await exports.export_companies(identity, paging)


@router.get("/company/{company_id}/detail")
async def company_detail(access: Manager, company_id: CompanyId) -> CompanyDetail:
    return await admin.company_detail(access, company_id)


@router.get("/company/key-holder")
async def read_key_holder(access: Alerted) -> KeyHolderRead | None:
    return await key_holder.read(access)


@router.put("/company/key-holder")
async def name_key_holder(access: PassphraseAdmin, data: KeyHolderWrite) -> KeyHolderRead | None:
    return await key_holder.name(access, data.uuid, data.key_handover)


# Before `/company/{company_id}`, which would match it.
@router.delete("/company/key-holder", status_code=204)
async def remove_key_holder(access: PassphraseAdmin) -> None:
    await key_holder.remove(access)


@router.put("/company/status/{company_id}")
async def set_status(
    access: VerifiedManager, company_id: CompanyId, data: CompanyStatusUpdate | None = None
) -> CompanyRead:
    return await admin.set_status(access, company_id, data or CompanyStatusUpdate())


@router.delete("/company/{company_id}", status_code=204)
async def delete_company(
    access: VerifiedManager, company_id: CompanyId, data: CompanyDelete
) -> None:
    await admin.delete_company(access, company_id, data.name)


@router.get("/company")
async def read_company(
    access: Reader, company_id: Annotated[CompanyId | None, Query(alias="companyId")] = None
) -> CompanyRead:
    return await service.read_company(access, company_id)


@router.get("/company/alerts")
async def read_alerts(access: Alerted) -> CompanyAlerts:
    return await service.alerts(access)


@router.get("/company/first-steps")
async def read_first_steps(access: Alerted) -> FirstSteps:
    return await first_steps.read(access)


@router.put("/company/first-steps/passphrase-sheet")
async def confirm_passphrase_sheet(access: Alerted) -> FirstSteps:
    return await first_steps.confirm_passphrase_sheet(access)


@router.put("/company/first-steps/dismissed", status_code=204)
async def dismiss_first_steps(access: Alerted) -> None:
    await first_steps.dismiss(access)


@router.put("/company")
async def update_company(access: Editor, data: CompanyUpdate) -> CompanyRead:
    return await service.update_company(access, data)


@router.get("/company/passphrase", response_class=Response, responses={200: TEXT})
async def reveal_passphrase(access: PassphraseReader) -> PlainTextResponse:
    return PlainTextResponse(await passphrase.reveal(access))


@router.put("/company/passphrase", status_code=204)
async def change_passphrase(access: PassphraseAdmin, data: NewPassphrase) -> None:
    await passphrase.change(access, data)


@router.get("/company/passphrase/handover")
async def read_key_handover(access: PassphraseAdmin) -> KeyHandoverRead:
    return await passphrase.read_handover(access)


@router.put("/company/passphrase/handover", status_code=204)
async def accept_key_handover(access: PassphraseAdmin, data: KeyHandoverAccept) -> None:
    await passphrase.accept_handover(access, data.company_key)


@router.get("/company/passphrase/former")
async def list_former_passphrases(access: Alerted) -> list[FormerPassphraseRead]:
    return await passphrase.list_former(access)


@router.get("/company/passphrase/former/{epoch}")
async def reveal_former_passphrase(access: PassphraseAdmin, epoch: Epoch) -> FormerPassphraseSealed:
    return await passphrase.reveal_former(access, epoch)


@router.get("/company/held-key")
async def read_held_key(access: Holder) -> HeldKeyRead | None:
    return await key_holder.read_own(access)


@router.get("/company/held-key/passphrase")
async def reveal_with_held_key(identity: HolderIdentity) -> KeyHandoverRead:
    return await key_holder.reveal(identity)


@router.get("/company/held-key/sealed")
async def read_sealed_held_key(access: VerifiedHolder) -> SealedHeldKey:
    return await key_holder.read_key(access)


@router.put("/company/held-key/leader", status_code=204)
async def hand_key_to_leader(access: VerifiedHolder, data: HeldKeyHandover) -> None:
    await key_holder.hand_over(access, data.key_handover)
