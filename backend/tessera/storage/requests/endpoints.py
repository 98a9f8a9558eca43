import re
from typing import Annotated
from uuid import UUID

from fastapi import Header, Request, Response

from tessera.authz.guards import OpenTransaction
from tessera.authz.routes import FeatureRouter
from tessera.kit.middleware import UPLOAD_HEADER
from tessera.kit.responses import ErrorResponse
from tessera.storage.dependencies import Guest, Manager, User
from tessera.storage.packs import links
from tessera.storage.packs.schemas import Digest, LinksRead, PackId, ShardIndex
from tessera.storage.requests import guests, schemas, service
from tessera_core.shards import MAX_SHARD_BYTES, TRAILER_BYTES

# The body of this call is a piece of a file, and larger than those of other calls.
PIECE = re.compile(r"/api/requests/pieces/[^/]+/[^/]+/[^/]+")
PIECE_BYTES = MAX_SHARD_BYTES + TRAILER_BYTES
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}

router = FeatureRouter("storage", "/storage")
guest_router = FeatureRouter(
    "requests", "/requests", {410: {"model": ErrorResponse}, 502: {"model": ErrorResponse}}
)


@router.get("/requests", summary="List requests for files")
async def list_requests(access: User) -> schemas.RequestsRead:
    return await service.list_requests(access)


@router.post("/requests", summary="Create request for files")
async def create_request(access: User, data: schemas.RequestCreate) -> schemas.RequestCreated:
    return await service.create_request(access, data)


@router.delete("/requests/{request_id}", status_code=204, summary="End request for files")
async def end_request(access: User, request_id: UUID) -> None:
    await service.end_request(access, request_id)


@router.get("/request-policy")
async def read_request_policy(access: User) -> schemas.RequestPolicy:
    return await service.read_policy(access)


@router.put("/request-policy", summary="Change request policy")
async def put_request_policy(access: Manager, data: schemas.RequestPolicy) -> schemas.RequestPolicy:
    return await service.put_policy(access, data)


@router.get("/arrivals/{arrival_id}", summary="Read what was sent to a request")
async def read_arrival(access: User, arrival_id: UUID) -> schemas.ArrivalContents:
    return await service.read_arrival(access, arrival_id)


@router.post(
    "/arrivals/{arrival_id}/links",
    response_model=LinksRead,
    summary="Create links to pieces of what was sent",
)
async def make_arrival_links(
    access: User, transaction: OpenTransaction, arrival_id: UUID, data: schemas.ArrivalLinksCreate
) -> Response:
    found = await service.find_shards(access, arrival_id, data.packs)
    await transaction.end(None)
    resources, company = access.context.resources, access.current_user.company_uuid
    return Response(await links.make(resources, company, found), media_type="application/json")


@router.put(
    "/arrivals/{arrival_id}/decision", status_code=204, summary="Accept or refuse what was sent"
)
async def decide_arrival(access: User, arrival_id: UUID, data: schemas.ArrivalDecision) -> None:
    await service.decide(access, arrival_id, data)


@guest_router.get("/{request_id}", summary="Read request as guest")
async def read_guest_request(context: Guest, request_id: UUID) -> schemas.GuestRequest:
    return await guests.read_request(context, request_id)


@guest_router.post("/{request_id}/open", summary="Open request as guest")
async def open_request(
    context: Guest, request_id: UUID, data: schemas.RequestOpen
) -> schemas.OpenedRequest:
    return await guests.open_request(context, request_id, data)


@guest_router.post("/{request_id}/packs", summary="Announce packs as guest")
async def begin_guest_packs(
    context: Guest, request_id: UUID, data: schemas.GuestPacksCreate
) -> schemas.GuestPacks:
    return await guests.begin_packs(context, request_id, data)


@guest_router.post(
    "/pieces/{request_id}/{pack}/{index}",
    status_code=204,
    summary="Send piece as guest",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
async def store_guest_piece(
    *,
    context: Guest,
    request_id: UUID,
    pack: PackId,
    index: ShardIndex,
    token: Annotated[Digest, Header(alias=UPLOAD_HEADER)],
    request: Request,
) -> None:
    piece = guests.Piece(request_id, pack, index)
    await guests.store_piece(context, piece, token, request.stream())


@guest_router.post("/{request_id}/arrivals", status_code=204, summary="Finish upload as guest")
async def finish_arrival(context: Guest, request_id: UUID, data: schemas.ArrivalCreate) -> None:
    await guests.finish_arrival(context, request_id, data)
