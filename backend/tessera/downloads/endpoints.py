from typing import Annotated, Any

from fastapi import Path, Query
from starlette.responses import FileResponse, PlainTextResponse, Response

from tessera.authz.context import Access, AnyRequestContext, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.downloads import service
from tessera.downloads.schemas import ContactRead, DownloadLinkRead, ReleaseRead
from tessera.kit.responses import TEXT

router = FeatureRouter("downloads", "/downloads")

# Files are hashed before they are listed; no connection is held meanwhile.
Downloader = Annotated[Identity, require_identity(Permission.CLIENT_DOWNLOAD)]
Reader = Annotated[Access, require_permission(Permission.OWN_ACCOUNT)]
FileName = Annotated[str, Path(min_length=1, max_length=128)]

FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}},
    206: {"description": "A part of the file, as asked for with Range"},
}


@router.get("")
async def show_release(identity: Downloader) -> ReleaseRead:
    return await service.show_release(identity)


@router.get("/manifest", response_class=Response, responses={200: TEXT})
async def show_manifest(context: AnyRequestContext) -> PlainTextResponse:
    """Returns the signed list of the release's files, which clients verify."""
    return PlainTextResponse(await service.show_manifest(context))


@router.post("/{file_name}/link", summary="Create download link")
async def make_link(identity: Downloader, file_name: FileName) -> DownloadLinkRead:
    return await service.make_link(identity, file_name)


@router.get("/file", response_class=FileResponse, responses=FILE, summary="Download file")
async def serve_file(
    context: AnyRequestContext, ticket: Annotated[str, Query(min_length=1, max_length=1000)]
) -> FileResponse:
    """Downloads a file. The link authorizes, as browser downloads send no bearer token."""
    return await service.serve_file(context, ticket)


@router.get("/contact", summary="Read contact")
async def team_contact(access: Reader) -> ContactRead:
    """Returns the company's team leader, for members whose company has no subscription."""
    return await service.team_contact(access)
