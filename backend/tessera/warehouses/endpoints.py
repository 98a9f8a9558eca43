from typing import Annotated, Any

from fastapi import Query, Response
from starlette.responses import PlainTextResponse

from tessera.authz.context import Access, Identity
from tessera.authz.guards import require_identity, require_list_permission, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.kit.pagination import Page, Paging
from tessera.kit.responses import TEXT, ErrorResponse
from tessera.warehouses import commands, providers, rotation, schemas, service
from tessera.warehouses.health import history

router = FeatureRouter("warehouses")

Reader = Annotated[Access, require_permission(Permission.HELP_READ)]
Lister = Annotated[Access, require_list_permission(Permission.WAREHOUSES_MANAGE)]
Verified = Annotated[Access, require_permission(Permission.WAREHOUSES_MANAGE, verified=True)]
# These call a cloud and hold no connection meanwhile.
Checker = Annotated[Identity, require_identity(Permission.WAREHOUSES_MANAGE)]
Saver = Annotated[Identity, require_identity(Permission.WAREHOUSES_MANAGE, verified=True)]

SLOW: dict[int | str, dict[str, Any]] = {
    202: {"model": schemas.WarehouseRead, "description": "Saved; the check goes on."}
}


@router.get("/providers")
async def list_providers(access: Reader) -> list[schemas.ProviderRead]:
    return providers.list_providers(access.context.language)


@router.get("/all")
async def list_warehouses(access: Lister, paging: Paging) -> schemas.WarehousePage:
    return await service.list_warehouses(access, paging)


@router.get("/warehouse")
async def reveal_warehouse(
    access: Verified,
    warehouse_id: Annotated[schemas.WarehouseId, Query(alias="warehouseId")],
    view: Annotated[
        schemas.View, Query(description="Recorded, unless the secrets are masked.")
    ] = "full",
) -> schemas.WarehouseReveal:
    return await service.reveal(access, warehouse_id, view)


@router.post("/warehouse", responses=SLOW)
async def add_warehouse(
    identity: Saver, data: schemas.WarehouseCreate, response: Response
) -> schemas.WarehouseRead:
    return _set_status(await commands.add(identity, data), response)


@router.put("/warehouse", responses=SLOW)
async def update_warehouse(
    identity: Saver, data: schemas.WarehouseUpdate, response: Response
) -> schemas.WarehouseRead:
    return _set_status(await commands.edit(identity, data), response)


@router.post("/warehouse/test")
async def test_connection(identity: Saver, data: schemas.WarehouseTest) -> schemas.ConnectionTest:
    return await commands.try_connection(identity, data)


@router.put("/warehouse/default-warehouse/{warehouse_id}", summary="Make warehouse the default")
async def make_default(
    access: Verified, warehouse_id: schemas.WarehouseId
) -> schemas.WarehouseRead:
    return await service.make_default(access, warehouse_id)


@router.delete("/warehouse/{warehouse_id}", status_code=204)
async def remove_warehouse(
    access: Verified,
    warehouse_id: schemas.WarehouseId,
    lose_data: Annotated[bool, Query(alias="loseData")] = False,
) -> None:
    await service.remove(access, warehouse_id, lose_data=lose_data)


@router.post(
    "/warehouse/health-check/{warehouse_id}",
    response_class=Response,
    responses={
        200: TEXT,
        202: {"description": "It goes on.", **TEXT},
        502: {"model": ErrorResponse},
    },
)
async def republish_health_file(
    identity: Saver, warehouse_id: schemas.WarehouseId
) -> PlainTextResponse:
    text, done = await commands.republish(identity, warehouse_id)
    return PlainTextResponse(text, 200 if done else 202)


@router.post("/warehouse/check/{warehouse_id}", responses=SLOW)
async def check_warehouse(
    identity: Checker, warehouse_id: schemas.WarehouseId, response: Response
) -> schemas.WarehouseRead:
    return _set_status(await commands.check_now(identity, warehouse_id), response)


@router.get("/warehouse/history/{warehouse_id}", summary="List status changes of a warehouse")
async def list_changes(
    access: Lister, warehouse_id: schemas.WarehouseId, paging: Paging
) -> Page[schemas.WarehouseChange]:
    return await history.list_changes(access, warehouse_id, paging)


@router.put("/company/newkey", summary="Create new encryption key")
async def new_key(access: Verified) -> schemas.NewKey:
    return await rotation.rotate(access)


def _set_status(seen: schemas.WarehouseRead, response: Response) -> schemas.WarehouseRead:
    if seen.checking:
        response.status_code = 202
    return seen
