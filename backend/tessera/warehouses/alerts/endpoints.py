from typing import Annotated
from uuid import UUID

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.warehouses.alerts import service
from tessera.warehouses.alerts.schemas import WarehouseAlerts, WebhookSecret, WebhookUpdate

router = FeatureRouter("warehouses", "/warehouse-alerts")

Reader = Annotated[Access, require_permission(Permission.WAREHOUSES_MANAGE)]
Verified = Annotated[Access, require_permission(Permission.WAREHOUSES_MANAGE, verified=True)]
# The webhook also gets the activity of companies without warehouses of their own.
WebhookOwner = Annotated[Access, require_permission(Permission.ACTIVITY_STREAM, verified=True)]
# These resolve a name, or count in separate transactions.
WebhookCaller = Annotated[Identity, require_identity(Permission.ACTIVITY_STREAM, verified=True)]


@router.get("")
async def read_warehouse_alerts(access: Reader) -> WarehouseAlerts:
    return await service.read_warehouse_alerts(access)


@router.put("/recipients/{uuid}", status_code=204)
async def add_recipient(access: Verified, uuid: UUID) -> None:
    await service.add_recipient(access, uuid)


@router.delete("/recipients/{uuid}", status_code=204)
async def remove_recipient(access: Verified, uuid: UUID) -> None:
    await service.remove_recipient(access, uuid)


@router.put("/webhook")
async def save_webhook(identity: WebhookCaller, data: WebhookUpdate) -> WebhookSecret:
    return await service.save_webhook(identity, data.url)


@router.delete("/webhook", status_code=204)
async def remove_webhook(access: WebhookOwner) -> None:
    await service.remove_webhook(access)


@router.post("/webhook/secret")
async def rotate_secret(access: WebhookOwner) -> WebhookSecret:
    return await service.rotate_secret(access)


@router.post("/webhook/test", status_code=204)
async def send_test_event(identity: WebhookCaller) -> None:
    await service.send_test_event(identity)
