from typing import Annotated
from uuid import UUID

from fastapi import Query

from tessera.authz.routes import FeatureRouter
from tessera.storage.copies import service as copies
from tessera.storage.copies.schemas import LogCopiesRead
from tessera.storage.dependencies import Caller, Manager, User
from tessera.storage.log import following, grants, schemas, service, spaces

router = FeatureRouter("storage", "/storage")


@router.get("/spaces")
async def list_spaces(access: User) -> list[schemas.SpaceRead]:
    return await spaces.list_spaces(access)


@router.post("/spaces")
async def create_space(access: Manager, data: schemas.SpaceCreate) -> schemas.SpaceRead:
    return await spaces.create_space(access, data.entry)


@router.post("/changes")
async def wait_for_changes(identity: Caller, data: schemas.ChangesWanted) -> schemas.ChangedSpaces:
    known = {space.id: space.sequence for space in data.spaces}
    return await following.wait_for_changes(identity, known, data.seconds)


@router.get("/spaces/{space_id}/log")
async def read_log(
    access: User,
    space_id: UUID,
    after: Annotated[schemas.Sequence, Query()] = 0,
    limit: Annotated[int, Query(ge=1, le=schemas.MAX_PAGE)] = schemas.MAX_PAGE,
    bodies: bool = True,
) -> schemas.LogPage:
    return await service.read_log(access, space_id, after=after, limit=limit, bodies=bodies)


@router.post("/spaces/{space_id}/log")
async def append_entries(
    access: User, space_id: UUID, data: schemas.EntriesCreate
) -> schemas.LogHead:
    return await service.append(access, space_id, data.entries)


@router.post("/spaces/{space_id}/log/flush")
async def flush_log(identity: Caller, space_id: UUID) -> LogCopiesRead:
    return await copies.flush_log(identity, space_id)


@router.get("/spaces/{space_id}/grants")
async def read_grants(access: User, space_id: UUID) -> schemas.GrantsRead:
    return await grants.read_grants(access, space_id)


@router.post("/spaces/{space_id}/grants", status_code=204)
async def store_grants(access: User, space_id: UUID, data: schemas.GrantsCreate) -> None:
    await grants.store_grants(access, space_id, data)


@router.post("/spaces/{space_id}/grants/refused", status_code=204)
async def refuse_grant(access: User, space_id: UUID, data: schemas.RefusedGrant) -> None:
    await grants.refuse_grant(access, space_id, data.sequence)
