from typing import Annotated, Any

from fastapi import Query
from starlette.responses import FileResponse

from tessera.authz.context import Access, AnyRequestContext, Identity
from tessera.authz.guards import require_identity, require_permission
from tessera.authz.permissions import Permission
from tessera.authz.routes import FeatureRouter
from tessera.downloads import service
from tessera.downloads.schemas import ContactRead, DownloadLinkRead, Platform, ReleaseRead

router = FeatureRouter("downloads", "/downloads")

# Files are hashed before they are listed; no connection is held meanwhile.
Downloader = Annotated[Identity, require_identity(Permission.CLIENT_DOWNLOAD)]
Reader = Annotated[Access, require_permission(Permission.OWN_ACCOUNT)]

FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}},
    206: {"description": "A part of the file, as asked for with Range"},
}


@router.get("")
async def show_release(identity: Downloader) -> ReleaseRead:
    return await service.show_release(identity)


@router.post("/{platform}/link")
async def make_link(identity: Downloader, platform: Platform) -> DownloadLinkRead:
    return await service.make_link(identity, platform)


@router.get("/file", response_class=FileResponse, responses=FILE)
async def serve_installer(
    context: AnyRequestContext, ticket: Annotated[str, Query(min_length=1, max_length=1000)]
) -> FileResponse:
    """Downloads an installer. The link authorizes, as browser downloads send no bearer token."""
    return await service.serve_installer(context, ticket)


@router.get("/contact")
async def team_contact(access: Reader) -> ContactRead:
    """Returns the company's team leader, for members whose company has no subscription."""
    return await service.team_contact(access)
