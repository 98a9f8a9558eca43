from typing import Annotated

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.companies.key_holder import schemas, service
from tessera.companies.passphrase.schemas import KeyHandoverRead, SealedHeldKey

router = FeatureRouter("companies")

Alerted = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE)]
PassphraseAdmin = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE, verified=True)]
Holder = Annotated[Access, require_permission(Permission.KEY_HOLD)]
VerifiedHolder = Annotated[Access, require_permission(Permission.KEY_HOLD, verified=True)]
HolderIdentity = Annotated[Identity, require_identity(Permission.KEY_HOLD, verified=True)]


@router.get("/company/key-holder")
async def read_key_holder(access: Alerted) -> schemas.KeyHolderRead | None:
    return await service.read(access)


@router.put("/company/key-holder")
async def appoint_key_holder(
    access: PassphraseAdmin, data: schemas.KeyHolderUpdate
) -> schemas.KeyHolderRead | None:
    return await service.appoint(access, data.uuid, data.key_handover)


@router.delete("/company/key-holder", status_code=204)
async def remove_key_holder(access: PassphraseAdmin) -> None:
    await service.remove(access)


@router.get("/company/held-key")
async def read_held_key(access: Holder) -> schemas.HeldKeyRead | None:
    return await service.read_own(access)


@router.get("/company/held-key/passphrase", summary="Reveal passphrase with held key")
async def reveal_with_held_key(identity: HolderIdentity) -> KeyHandoverRead:
    return await service.reveal(identity)


@router.get("/company/held-key/sealed")
async def read_sealed_held_key(access: VerifiedHolder) -> SealedHeldKey:
    return await service.read_key(access)


@router.put("/company/held-key/leader", status_code=204)
async def hand_key_to_leader(access: VerifiedHolder, data: schemas.HeldKeyHandover) -> None:
    await service.hand_over(access, data.key_handover)
