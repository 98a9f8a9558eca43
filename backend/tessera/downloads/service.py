import asyncio
from datetime import timedelta
from urllib.parse import quote

from starlette.responses import FileResponse

from tessera.activity.service import record
from tessera.authz.context import Access, Identity, RequestContext
from tessera.downloads.errors import DownloadLinkExpired, InstallerMissing
from tessera.downloads.links import Ticket, read_ticket, sign_ticket
from tessera.downloads.releases import Installer, Release, current_release
from tessera.downloads.schemas import (
    ContactRead,
    DownloadLinkRead,
    InstallerRead,
    Platform,
    ReleaseRead,
)
from tessera.kit import clock
from tessera.members.errors import NoTeamLeader
from tessera.members.service import find_team_leader
from tessera.settings import Settings


async def show_release(identity: Identity) -> ReleaseRead:
    release = await _release(identity.context.settings)
    if release is None:
        return ReleaseRead(version=None, sample=False, installers=[])
    return ReleaseRead(
        version=release.version,
        sample=release.sample,
        installers=[
            _installer_read(platform, release.installers.get(platform)) for platform in Platform
        ],
    )


async def make_link(identity: Identity, platform: Platform) -> DownloadLinkRead:
    context = identity.context
    release = await _release(context.settings)
    installer = release.installers.get(platform) if release else None
    if release is None or installer is None:
        raise InstallerMissing
    expires_at = clock.now() + timedelta(minutes=context.settings.download_link_minutes)
    ticket = sign_ticket(context.keys, Ticket(platform, release.version), expires_at)
    async with identity.access() as access:
        await record(
            access,
            "client.downloaded",
            target=installer.file_name,
            details={"platform": platform.value, "version": release.version},
        )
    return DownloadLinkRead(
        url=f"/api/downloads/file?ticket={quote(ticket)}", expires_at=expires_at
    )


async def serve_installer(context: RequestContext, text: str) -> FileResponse:
    ticket = read_ticket(context.keys, text)
    if ticket is None:
        raise DownloadLinkExpired
    release = await _release(context.settings)
    # A link for one version never serves the next one, because a download may be resumed midway.
    if release is None or release.version != ticket.version:
        raise DownloadLinkExpired
    installer = release.installers.get(ticket.platform)
    if installer is None:
        raise InstallerMissing
    return FileResponse(
        installer.path,
        filename=installer.file_name,
        media_type="application/octet-stream",
        stat_result=installer.facts,
        headers={"ETag": f'"{installer.sha256}"'},
    )


async def team_contact(access: Access) -> ContactRead:
    leader = await find_team_leader(access.connection)
    if leader is None:
        raise NoTeamLeader
    return ContactRead(
        name=f"{leader.first_name} {leader.last_name}", email_address=leader.email_address
    )


async def _release(settings: Settings) -> Release | None:
    return await asyncio.to_thread(current_release, settings)


def _installer_read(platform: Platform, installer: Installer | None) -> InstallerRead:
    if installer is None:
        return InstallerRead(
            platform=platform, available=False, file_name=None, size=None, sha256=None
        )
    return InstallerRead(
        platform=platform,
        available=True,
        file_name=installer.file_name,
        size=installer.size,
        sha256=installer.sha256,
    )
