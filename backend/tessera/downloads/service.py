import asyncio
from datetime import timedelta
from urllib.parse import quote

from starlette.responses import FileResponse

from tessera.activity.service import record
from tessera.authz.context import Access, Identity, RequestContext
from tessera.downloads import schemas
from tessera.downloads.errors import DownloadLinkExpired, InstallerMissing, NothingPublished
from tessera.downloads.links import Ticket, read_ticket, sign_ticket
from tessera.downloads.releases import (
    Published,
    build_progress,
    current_release,
    read_manifest,
)
from tessera.kit import clock
from tessera.members.errors import NoTeamLeader
from tessera.members.service import find_team_leader
from tessera.settings import Settings
from tessera_core.release import ReleaseFile


async def show_release(identity: Identity) -> schemas.ReleaseRead:
    published = await _published(identity.context.settings)
    if published is None:
        progress = build_progress(identity.context.settings)
        building = schemas.BuildProgressRead.of(progress) if progress else None
        return schemas.ReleaseRead(version=None, files=[], building=building)
    return schemas.ReleaseRead(
        version=published.release.version,
        files=[
            _file_read(file, available=file.name in published.stored)
            for file in published.release.files
        ],
    )


async def show_manifest(context: RequestContext) -> str:
    manifest = await asyncio.to_thread(read_manifest, context.settings)
    if manifest is None:
        raise NothingPublished
    return manifest


async def make_link(identity: Identity, file_name: str) -> schemas.DownloadLinkRead:
    context = identity.context
    published = await _published(context.settings)
    file = published.stored.get(file_name) if published else None
    if published is None or file is None:
        raise InstallerMissing
    version = published.release.version
    expires_at = clock.now() + timedelta(minutes=context.settings.download_link_minutes)
    ticket = sign_ticket(context.keys, Ticket(file_name, version), expires_at)
    async with identity.access() as access:
        await record(
            access,
            "client.downloaded",
            target=file_name,
            details={"platform": "/".join(file.listed.platforms), "version": version},
        )
    return schemas.DownloadLinkRead(
        url=f"/api/downloads/file?ticket={quote(ticket)}", expires_at=expires_at
    )


async def serve_file(context: RequestContext, text: str) -> FileResponse:
    ticket = read_ticket(context.keys, text)
    if ticket is None:
        raise DownloadLinkExpired
    published = await _published(context.settings)
    # A link for one version never serves the next one, because a download may be resumed midway.
    if published is None or published.release.version != ticket.version:
        raise DownloadLinkExpired
    file = published.stored.get(ticket.file_name)
    if file is None:
        raise InstallerMissing
    return FileResponse(
        file.path,
        filename=ticket.file_name,
        media_type="application/octet-stream",
        stat_result=file.facts,
        headers={"ETag": f'"{file.listed.sha256}"'},
    )


async def team_contact(access: Access) -> schemas.ContactRead:
    leader = await find_team_leader(access.connection)
    if leader is None:
        raise NoTeamLeader
    return schemas.ContactRead(
        name=f"{leader.first_name} {leader.last_name}", email_address=leader.email_address
    )


async def _published(settings: Settings) -> Published | None:
    return await asyncio.to_thread(current_release, settings)


def _file_read(file: ReleaseFile, *, available: bool) -> schemas.ReleaseFileRead:
    return schemas.ReleaseFileRead.of(
        file,
        file_name=file.name,
        platforms=[schemas.Platform(platform) for platform in file.platforms],
        available=available,
    )
