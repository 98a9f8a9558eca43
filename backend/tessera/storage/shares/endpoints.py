import asyncio
from uuid import UUID

from fastapi import Response
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from tessera.authz.routes import FeatureRouter
from tessera.kit.responses import ErrorResponse
from tessera.storage.dependencies import Guest, Manager, User
from tessera.storage.packs.schemas import LinksRead
from tessera.storage.shares import guests, schemas, service

router = FeatureRouter("storage", "/storage")
guest_router = FeatureRouter(
    "shares", "/shares", {410: {"model": ErrorResponse}, 502: {"model": ErrorResponse}}
)

PIECE_SECONDS = 120


class PieceResponse(StreamingResponse):
    """Ends early, incomplete, if the guest reads too slowly: others wait for a turn."""

    def __init__(self, piece: guests.Piece) -> None:
        super().__init__(
            piece.content,
            media_type="application/octet-stream",
            headers={"Content-Length": str(piece.size)},
        )
        self._content = piece.content

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(PIECE_SECONDS):
                await super().__call__(scope, receive, send)
        except TimeoutError:
            return
        finally:
            await self._content.aclose()


@router.get("/shares")
async def list_shares(access: User) -> schemas.SharesRead:
    return await service.list_shares(access)


@router.post("/shares")
async def create_share(access: User, data: schemas.ShareCreate) -> schemas.ShareCreated:
    return await service.create_share(access, data)


@router.put("/shares/{share_id}/manifest", status_code=204, summary="Publish share")
async def publish_share(access: User, share_id: UUID, data: schemas.SharePublish) -> None:
    await service.publish_share(access, share_id, data)


@router.delete("/shares/{share_id}", status_code=204)
async def end_share(access: User, share_id: UUID) -> None:
    await service.end_share(access, share_id)


@router.get("/share-policy")
async def read_share_policy(access: User) -> schemas.SharePolicy:
    return await service.read_policy(access)


@router.put("/share-policy", summary="Change share policy")
async def put_share_policy(access: Manager, data: schemas.SharePolicy) -> schemas.SharePolicy:
    return await service.put_policy(access, data)


@guest_router.get("/{share_id}", summary="Read share as guest")
async def read_guest_share(context: Guest, share_id: UUID) -> schemas.GuestShare:
    return await guests.read_share(context, share_id)


@guest_router.post("/{share_id}/open", summary="Open share as guest")
async def open_share(
    context: Guest, share_id: UUID, data: schemas.ShareOpen
) -> schemas.OpenedShare:
    return await guests.open_share(context, share_id, data)


@guest_router.post(
    "/{share_id}/links", response_model=LinksRead, summary="Create links to pieces of share"
)
async def make_share_links(
    context: Guest, share_id: UUID, data: schemas.ShareLinksCreate
) -> Response:
    content = await guests.make_links(context, share_id, data)
    return Response(content, media_type="application/json")


@guest_router.post(
    "/{share_id}/piece",
    summary="Read piece of share through the service",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def read_share_piece(
    context: Guest, share_id: UUID, data: schemas.SharePiece
) -> StreamingResponse:
    return PieceResponse(await guests.read_piece(context, share_id, data))
