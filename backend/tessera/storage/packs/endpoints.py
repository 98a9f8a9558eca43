from fastapi import Response

from tessera.authz.guards import OpenTransaction
from tessera.authz.routes import FeatureRouter
from tessera.storage.dependencies import Caller, User
from tessera.storage.packs import links, placement, schemas, uploads

router = FeatureRouter("storage", "/storage")


@router.get("/placement")
async def read_placement(access: User) -> schemas.PlacementRead:
    return await placement.read_placement(access)


@router.post("/uploads")
async def begin_uploads(identity: Caller, data: schemas.UploadsCreate) -> schemas.UploadsRead:
    return await uploads.begin_uploads(identity, data)


@router.post("/uploads/complete")
async def complete_uploads(
    identity: Caller, data: schemas.CompletionCreate
) -> schemas.CompletionRead:
    return await uploads.complete_uploads(identity, data)


@router.post("/links", response_model=schemas.LinksRead, summary="Create links to pieces")
async def read_links(
    access: User, transaction: OpenTransaction, data: schemas.LinksCreate
) -> Response:
    found = await links.find_shards(access, data)
    await transaction.end(None)
    resources, company = access.context.resources, access.current_user.company_uuid
    return Response(await links.make(resources, company, found), media_type="application/json")
