from typing import Annotated

from tessera.authz.context import Access
from tessera.authz.guards import require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.companies.first_steps import service
from tessera.companies.first_steps.schemas import FirstSteps

router = FeatureRouter("companies")

Alerted = Annotated[Access, require_permission(Permission.PASSPHRASE_MANAGE)]


@router.get("/company/first-steps")
async def read_first_steps(access: Alerted) -> FirstSteps:
    return await service.read(access)


@router.put("/company/first-steps/passphrase-sheet")
async def confirm_passphrase_sheet(access: Alerted) -> FirstSteps:
    return await service.confirm_passphrase_sheet(access)


@router.put("/company/first-steps/dismissed", status_code=204)
async def dismiss_first_steps(access: Alerted) -> None:
    await service.dismiss(access)
