from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from tessera.authz.context import Access, Identity
from tessera.authz.guards import OpenTransaction, require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.storage.copies import service as copies
from tessera.storage.keys import service as keys
from tessera.storage.log import grants, spaces
from tessera.storage.log import service as log
from tessera.storage.members import service as people
from tessera.storage.packs import links, placement, uploads
from tessera.storage.packs.schemas import (
    CompleteRead,
    CompleteWrite,
    HealthRead,
    LinksRead,
    LinksWrite,
    LogCopiesRead,
    PlacementRead,
    RelocationRead,
    RepairsRead,
    UploadsRead,
    UploadsWrite,
    UsageRead,
)
from tessera.storage.recovery import service as recovery
from tessera.storage.repair import service as repairs
from tessera.storage.schemas import (
    MAX_PAGE,
    EntriesWrite,
    EntryWrite,
    FormerMembers,
    GrantsRead,
    GrantsWrite,
    KeysRead,
    KeysWrite,
    KitWrite,
    LogHead,
    LogPage,
    MemberKeysPage,
    RecordWrite,
    RecoveryHandoverRead,
    RecoveryHandoverWrite,
    RecoveryRead,
    RefusedGrant,
    Sequence,
    SpaceRead,
    StorageDevices,
    WaitingMembers,
)
from tessera.storage.usage import service as usage
from tessera.warehouses.schemas import WarehouseId

router = FeatureRouter("storage", "/storage")

User = Annotated[Access, require_permission(Permission.STORAGE_USE)]
VerifiedUser = Annotated[Access, require_permission(Permission.STORAGE_USE, verified=True)]
# Calls warehouses, and holds no connection meanwhile.
Caller = Annotated[Identity, require_identity(Permission.STORAGE_USE)]
Manager = Annotated[Access, require_permission(Permission.STORAGE_MANAGE)]
VerifiedManager = Annotated[Access, require_permission(Permission.STORAGE_MANAGE, verified=True)]


@router.get("/keys")
async def read_keys(access: User) -> KeysRead:
    return await keys.read_keys(access)


@router.put("/keys")
async def store_keys(access: User, data: KeysWrite) -> KeysRead:
    return await keys.store_keys(access, data)


@router.put("/keys/replacement")
async def replace_keys(access: VerifiedUser, data: KeysWrite) -> KeysRead:
    return await keys.replace_keys(access, data)


@router.get("/keys/members")
async def list_member_keys(access: User, after: UUID | None = None) -> MemberKeysPage:
    return await keys.list_member_keys(access, after)


@router.get("/recovery")
async def read_recovery(access: User) -> RecoveryRead:
    return await recovery.read_recovery(access)


@router.put("/recovery/record")
async def store_recovery_record(access: Manager, data: RecordWrite) -> RecoveryRead:
    return await recovery.store_record(access, data.record)


@router.put("/recovery/kit")
async def store_recovery_kit(access: VerifiedManager, data: KitWrite) -> RecoveryRead:
    return await recovery.store_kit(access, data)


@router.get("/recovery/handover")
async def read_recovery_handover(access: User) -> RecoveryHandoverRead:
    return await recovery.read_handover(access)


@router.put("/recovery/handover", status_code=204)
async def store_recovery_handover(access: VerifiedUser, data: RecoveryHandoverWrite) -> None:
    await recovery.store_handover(access, data.handover)


@router.get("/spaces")
async def list_spaces(access: User) -> list[SpaceRead]:
    return await spaces.list_spaces(access)


@router.post("/spaces")
async def create_space(access: Manager, data: EntryWrite) -> SpaceRead:
    return await spaces.create_space(access, data.entry)


@router.get("/spaces/{space_id}/log")
async def read_log(
    access: User,
    space_id: UUID,
    after: Annotated[Sequence, Query()] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = MAX_PAGE,
    bodies: bool = True,
) -> LogPage:
    return await log.read_log(access, space_id, after=after, limit=limit, bodies=bodies)


@router.post("/spaces/{space_id}/log")
async def append_entries(access: User, space_id: UUID, data: EntriesWrite) -> LogHead:
    return await log.append(access, space_id, data.entries)


@router.post("/spaces/{space_id}/log/flush")
async def flush_log(identity: Caller, space_id: UUID) -> LogCopiesRead:
    return await copies.flush_log(identity, space_id)


@router.get("/spaces/{space_id}/grants")
async def read_grants(access: User, space_id: UUID) -> GrantsRead:
    return await grants.read_grants(access, space_id)


@router.post("/spaces/{space_id}/grants", status_code=204)
async def store_grants(access: User, space_id: UUID, data: GrantsWrite) -> None:
    await grants.store_grants(access, space_id, data)


@router.post("/spaces/{space_id}/grants/refused", status_code=204)
async def refuse_grant(access: User, space_id: UUID, data: RefusedGrant) -> None:
    await grants.refuse_grant(access, space_id, data.sequence)


@router.get("/placement")
async def read_placement(access: User) -> PlacementRead:
    return await placement.read_placement(access)


@router.post("/uploads")
async def begin_uploads(identity: Caller, data: UploadsWrite) -> UploadsRead:
    return await uploads.begin_uploads(identity, data)


@router.post("/uploads/complete")
async def complete_uploads(identity: Caller, data: CompleteWrite) -> CompleteRead:
    return await uploads.complete_uploads(identity, data)


@router.post("/links", response_model=LinksRead)
async def read_links(access: User, transaction: OpenTransaction, data: LinksWrite) -> Response:
    found = await links.find_shards(access, data)
    await transaction.end(None)
    return Response(await links.make(access, found), media_type="application/json")


@router.get("/repairs")
async def read_repairs(access: User) -> RepairsRead:
    return await repairs.read_repairs(access)


@router.get("/warehouses/{warehouse_id}/relocation")
async def read_relocation(access: Manager, warehouse_id: WarehouseId) -> RelocationRead:
    return await repairs.read_relocation(access, warehouse_id)


@router.post("/warehouses/{warehouse_id}/relocation")
async def start_relocation(access: VerifiedManager, warehouse_id: WarehouseId) -> RelocationRead:
    return await repairs.start_relocation(access, warehouse_id)


@router.get("/usage")
async def read_usage(access: User) -> UsageRead:
    return await usage.read_usage(access)


@router.get("/health")
async def read_health(access: User) -> HealthRead:
    return await usage.read_health(access)


@router.get("/devices")
async def list_devices(access: Manager) -> StorageDevices:
    return await people.list_devices(access)


@router.get("/waiting")
async def list_waiting(access: Manager) -> WaitingMembers:
    return await people.list_waiting(access)


@router.get("/removals")
async def list_removals(access: Manager) -> FormerMembers:
    return await people.list_removals(access)
