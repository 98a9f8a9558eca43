"""Everything behind the local page, for one run of `tess ui`."""

import asyncio
import os
import platform
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
import platformdirs
from starlette.requests import ClientDisconnect, Request

from tessera_client.errors import ClientError
from tessera_client.ui.backups import Backups
from tessera_client.ui.folders import Folders
from tessera_client.ui.guard import Keys
from tessera_client.ui.link_files import remove_link_file, remove_old_link_files
from tessera_client.ui.local_folders import LocalFolders
from tessera_client.ui.operations import checked_path
from tessera_client.ui.requests import Receiving
from tessera_client.ui.schemas import Failure, PageState, Phase, TransferInfo
from tessera_client.ui.selection import Selection
from tessera_client.ui.session import Session
from tessera_client.ui.settings import load_settings
from tessera_client.ui.shares import Sharing
from tessera_client.ui.transfers import Transfers, free_name
from tessera_client.ui.verification import Verification
from tessera_client.ui.worker import Worker
from tessera_client.vault.profile import StateFolder
from tessera_core.version import __version__

REFRESH_SECONDS = 15
EVENT_SECONDS = 0.5
# A page that is reloaded is away for a moment.
CLOSED_SECONDS = 30
# Somebody may have to copy the link first.
UNOPENED_SECONDS = 600


class Page:
    """The session, and the jobs that the page shows and controls."""

    def __init__(
        self,
        folder: StateFolder,
        keys: Keys,
        *,
        downloads: Path | None = None,
        home: Path | None = None,
    ) -> None:
        self.keys = keys
        self._folder = folder
        keys.on_used = partial(remove_link_file, folder)
        self.worker = Worker(folder)
        self.session = Session(self.worker)
        self.transfers = Transfers(self.worker, self.session.list_again)
        self.verification = Verification(self.worker)
        self.sharing = Sharing(self.worker)
        self.receiving = Receiving(self.worker, self.session.list_again)
        self.local_folders = LocalFolders(home or Path.home(), folder.path)
        self.backups = Backups(self.session, self.transfers, self.local_folders)
        self.folders = Folders(self.session, self.local_folders)
        self.downloads = downloads or Path(platformdirs.user_downloads_dir())
        self.uploads = folder.path / "uploads"
        self.stopped = asyncio.Event()
        self.settings = load_settings(folder)
        self.worker.bandwidth.rate = self.settings.bandwidth
        self.used_at = time.monotonic()
        self.open_pages = 0
        self.was_opened = False

    # Pages and their lifetime

    async def keep_up(self) -> None:
        """Looks at the service now and then, locks after idle time, and ends with the last page."""
        seen_at = time.monotonic()
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            now = time.monotonic()
            remove_old_link_files(self._folder)
            is_busy = (
                self.transfers.is_active
                or self.verification.is_active
                or self.sharing.progress is not None
                or self.receiving.progress is not None
            )
            if self.open_pages or is_busy:
                seen_at = now
            elif now - seen_at > (CLOSED_SECONDS if self.was_opened else UNOPENED_SECONDS):
                self.stopped.set()
            is_open = self.session.phase in {Phase.WAITING, Phase.READY, Phase.STARTING}
            lock_after = self.settings.lock_after
            idle = lock_after and now - self.used_at > lock_after * 60
            if is_open and idle and not is_busy:
                await self.lock()
            elif is_open and self.open_pages:
                await self.session.refresh()

    async def lock(self) -> None:
        with self.jobs_ended():
            await self.session.lock()

    @contextmanager
    def jobs_ended(self) -> Iterator[None]:
        """Cancels what uses the keys."""
        self.transfers.cancel()
        self.verification.forget()
        self.sharing.cancel()
        self.receiving.cancel()
        with self.backups.held():
            yield

    def state(self) -> PageState:
        session = self.session
        spaces = [listing.space for listing in session.listings.values()]
        return PageState(
            phase=session.phase,
            problem=Failure.of(session.problem or session.alarm),
            version=__version__,
            device=platform.node() or "computer",
            account=session.account,
            spaces=sorted(spaces, key=lambda space: space.name.casefold()),
            usage=session.usage,
            health=session.health,
            notes=session.notes,
            transfers=[item.info() for item in self.transfers.items.values()],
            is_paused=self.transfers.is_paused,
            backups=self.backups.info(),
            folders=self.folders.info(),
            verification=self.verification.info,
            sharing=self.sharing.progress,
            receiving=self.receiving.progress,
            settings=self.settings,
        )

    async def events(self) -> AsyncIterator[str]:
        """Sends what the page shows whenever it has changed."""
        self.open_pages += 1
        self.was_opened = True
        shown = ""
        try:
            while not self.stopped.is_set():
                text = msgspec.json.encode(self.state()).decode()
                if text != shown:
                    yield f"data: {text}\n\n"
                    shown = text
                else:
                    yield ": \n\n"
                await asyncio.sleep(EVENT_SECONDS)
        finally:
            self.open_pages -= 1

    # Receiving files

    async def receive(self, request: Request) -> TransferInfo:
        """Keeps what the browser sends in a private folder until it is stored."""
        query = request.query_params
        listing = self.session.listing(query["space"])
        path = checked_path(query["path"])
        folder = self.uploads / secrets.token_hex(8)
        folder.mkdir(parents=True, mode=0o700)
        local = folder / "content"
        descriptor = os.open(local, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        size = 0
        try:
            with os.fdopen(descriptor, "wb") as file:
                async for block in request.stream():
                    file.write(block)
                    size += len(block)
            # The folder is private; the browser does not tell whether the file was.
            local.chmod(0o644)
            modified = int(query.get("modified", "0")) * 10**6
            if modified > 0:
                os.utime(local, ns=(modified, modified))
        except (OSError, ClientDisconnect, ValueError) as error:
            local.unlink(missing_ok=True)
            folder.rmdir()
            raise ClientError.from_code("not_received", reason=error) from None
        return self.transfers.add("upload", listing.space.id, path, local, size).info()

    def download(self, space: str, selection: Selection) -> TransferInfo:
        info = self.session.listing(space).space
        path = selection.paths[0]
        if selection.is_archive:
            place = path if len(selection.paths) == 1 else selection.folder
            path = f"{place.rpartition('/')[2] or info.name}.zip"
        self.downloads.mkdir(parents=True, exist_ok=True)
        target = free_name(self.downloads, path.rpartition("/")[2], self.transfers.targets())
        return self.transfers.add("download", info.id, path, target, selection=selection).info()
