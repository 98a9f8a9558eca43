from typing import Annotated

from starlette.responses import PlainTextResponse, Response

from tessera.authz.context import Access
from tessera.authz.guards import require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.companies.passphrase import schemas, service
from tessera.kit.responses import TEXT

router = FeatureRouter("companies")

PassphraseReader = Annotated[Access, require_permission(Permission.PASSPHRASE_READ, verified=True)]
Alerted = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE)]
PassphraseAdmin = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE, verified=True)]


@router.get("/company/passphrase", response_class=Response, responses={200: TEXT})
async def reveal_passphrase(access: PassphraseReader) -> PlainTextResponse:
    return PlainTextResponse(await service.reveal(access))


@router.put("/company/passphrase", status_code=204)
async def change_passphrase(access: PassphraseAdmin, data: schemas.NewPassphrase) -> None:
    await service.change(access, data)


@router.get("/company/passphrase/handover")
async def read_key_handover(access: PassphraseAdmin) -> schemas.KeyHandoverRead:
    return await service.read_handover(access)


@router.put("/company/passphrase/handover", status_code=204)
async def accept_key_handover(access: PassphraseAdmin, data: schemas.KeyHandoverAccept) -> None:
    await service.accept_handover(access, data.company_key)


@router.get("/company/passphrase/former")
async def list_former_passphrases(access: Alerted) -> list[schemas.FormerPassphraseRead]:
    return await service.list_former(access)


@router.get("/company/passphrase/former/{epoch}")
async def reveal_former_passphrase(
    access: PassphraseAdmin, epoch: schemas.Epoch
) -> schemas.FormerPassphraseSealed:
    return await service.reveal_former(access, epoch)
