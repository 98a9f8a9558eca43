"""The folders that stay connected with a space: mounted, or synchronised."""

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from tessera_client.desktop import open_folder
from tessera_client.errors import EXPECTED, ClientError, WrongUsage
from tessera_client.texts import translate
from tessera_client.ui.conflicts import is_inside
from tessera_client.ui.local_folders import LocalFolders
from tessera_client.ui.operations import checked_path
from tessera_client.ui.schemas import (
    Failure,
    FolderInfo,
    FolderList,
    Phase,
    ServiceState,
)
from tessera_client.ui.service import install_service, service_state
from tessera_client.ui.session import Session
from tessera_client.vault.backups import now
from tessera_client.vault.connected_folders import (
    ConnectedFolder,
    FolderStatus,
    StatusError,
    edited_connected,
    find_connected,
    held_keys,
    load_connected,
    load_status,
    new_id,
    remove_status,
)
from tessera_client.vault.connected_folders import State as FolderState
from tessera_client.vault.disk_names import disk_name
from tessera_client.vault.patterns import exactly
from tessera_core.user_keys import PrivateKeys

TICK_SECONDS = 1.0
# How often it is found out whether the service runs.
SERVICE_SECONDS = 5.0
# Without the service, what has told its state later than this was started by hand.
STOPPED_SECONDS = 90
MAX_LEFT_OUT = 1000

# Each is one line of an ignore file.
_Line = Annotated[str, Meta(max_length=4096, pattern=r"^[^\x00-\x1f]*$(?!\n)")]
_Lines = Annotated[list[_Line], Meta(max_length=MAX_LEFT_OUT)]


class LeftOut(msgspec.Struct):
    subfolders: _Lines = []
    patterns: _Lines = []

    def excluded(self) -> list[str]:
        paths = (path for each in self.subfolders if (path := each.strip("/")))
        patterns = (text for each in self.patterns if (text := each.strip()))
        return [*dict.fromkeys([*map(exactly, paths), *patterns])]


class NewFolder(LeftOut, kw_only=True):
    """What somebody asks for on the page."""

    kind: Literal["mount", "sync"]
    folder: str
    space: UUID | None
    path: str = ""
    """In the space; empty for the whole space."""
    name: str = ""
    """Of a folder that is created in the chosen one."""


class _Open(msgspec.Struct):
    user: UUID
    keys: PrivateKeys


class Folders:
    def __init__(self, session: Session, local: LocalFolders) -> None:
        self._session = session
        self._folder = session.worker.folder
        self._local = local
        self._open: _Open | None = None
        self._problem: ClientError | None = None
        self._service: ServiceState = "missing"
        self._service_at = 0.0
        self._rows: list[tuple[ConnectedFolder, FolderStatus | None]] | None = None

    def info(self) -> FolderList | None:
        """None while the keys are locked, or nobody is logged in."""
        if self._rows is None or self._session.phase is not Phase.READY:
            return None
        rows = [self._info(connected, status) for connected, status in self._rows]
        return FolderList(Failure.of(self._problem), self._service, rows)

    def _info(self, connected: ConnectedFolder, status: FolderStatus | None) -> FolderInfo:
        conflicts = sum(
            is_inside(connected, space, copy.path)
            for space, listing in self._session.listings.items()
            for copy in listing.copies
        )
        at = status.at if status else 0
        state: FolderState | Literal["stopped"] = status.state if status else "starting"
        if connected.paused:
            state = "paused"
        elif self._service != "running" and at < now() - STOPPED_SECONDS * 1000:
            state = "stopped"
        elif state in {"current", "conflict"}:
            # Somebody may have decided since, here or elsewhere.
            state = "conflict" if conflicts else "current"
        paths = [(pattern, _subfolder(pattern)) for pattern in connected.excluded]
        return FolderInfo(
            **msgspec.structs.asdict(connected),
            name=Path(connected.folder).name or connected.folder,
            subfolders=[path for _, path in paths if path],
            patterns=[pattern for pattern, path in paths if not path],
            state=state,
            waiting=status.waiting if status else 0,
            conflicts=conflicts,
            problem=_failure(status.error) if status and not connected.paused else None,
            at=at or None,
        )

    async def follow(self) -> None:
        """Reads again and again what this or another process has stored."""
        while True:
            with suppress(*EXPECTED):
                await self._read()
            await asyncio.sleep(TICK_SECONDS)

    async def _read(self) -> None:
        if self._session.phase is not Phase.READY:
            self._open = self._rows = self._problem = None
            return
        opened = self._keys()
        await self._look_for_service()
        try:
            rows = await asyncio.to_thread(self._load, opened)
            problem = None
        except ClientError as error:
            rows, problem = [], error
        # The page may have been locked meanwhile.
        if self._open is opened:
            self._rows, self._problem = rows, problem

    async def _look_for_service(self) -> None:
        if time.monotonic() - self._service_at > SERVICE_SECONDS:
            self._service = await asyncio.to_thread(service_state, self._folder)
            self._service_at = time.monotonic()

    def _keys(self) -> _Open:
        if self._session.phase is not Phase.READY:
            raise ClientError.from_code("folder_not_connected")
        user = self._folder.load_profile().user
        if self._open is None or self._open.user != user:
            self._open = _Open(user, held_keys(self._folder))
        return self._open

    def _load(self, opened: _Open) -> list[tuple[ConnectedFolder, FolderStatus | None]]:
        user, keys = opened.user, opened.keys
        return [
            (connected, load_status(self._folder, user, keys, connected.id))
            for connected in load_connected(self._folder, user, keys)
        ]

    async def _edit(self, change: Callable[[list[ConnectedFolder]], None]) -> None:
        """In another thread: the list may be held by another process for a while."""
        opened = self._keys()

        def edit() -> None:
            with edited_connected(self._folder, opened.user, opened.keys) as folders:
                change(folders)

        await asyncio.to_thread(edit)
        await self._read()

    def find(self, identifier: str) -> ConnectedFolder:
        is_open = self._session.phase is Phase.READY
        return find_connected((each for each, _ in (is_open and self._rows) or ()), identifier)

    # Calls of the page

    async def add(self, new: NewFolder) -> None:
        if new.space:
            self._session.listing(str(new.space))
        elif new.kind == "sync":
            raise WrongUsage.from_code("bad_request")
        path = new.path.strip("/")
        connected = ConnectedFolder(
            new_id(),
            new.kind,
            str(await asyncio.to_thread(self._place, new)),
            new.space,
            f"/{checked_path(path) if path else ''}",
            new.excluded(),
        )

        def add(folders: list[ConnectedFolder]) -> None:
            if any(_overlap(connected.folder, each.folder) for each in folders):
                raise ClientError.from_code("folder_connected")
            folders.append(connected)

        await self._edit(add)

    def _place(self, new: NewFolder) -> Path:
        parent = self._local.find(new.folder)
        if not new.name:
            folder = parent
        elif disk_name(new.name) == new.name and not new.name.startswith("."):
            folder = parent / new.name
            folder.mkdir(exist_ok=True)
            # A link that was there already may lead elsewhere.
            folder = self._local.find(str(folder))
        else:
            raise WrongUsage(translate("errors.name_unusable"), code="bad_name")
        if new.kind == "mount" and any(folder.iterdir()):
            raise WrongUsage.from_code("mount_not_empty", path=folder)
        return folder

    async def set_paused(self, identifier: str, *, paused: bool) -> None:
        def change(folders: list[ConnectedFolder]) -> None:
            find_connected(folders, identifier).paused = paused

        await self._edit(change)

    async def leave_out(self, identifier: str, left_out: LeftOut) -> None:
        def change(folders: list[ConnectedFolder]) -> None:
            find_connected(folders, identifier).excluded = left_out.excluded()

        await self._edit(change)

    async def remove(self, identifier: str) -> None:
        """Nothing is deleted on either side."""

        def change(folders: list[ConnectedFolder]) -> None:
            folders.remove(find_connected(folders, identifier))

        await self._edit(change)
        remove_status(self._folder, self._keys().user, identifier)

    async def install(self) -> None:
        await asyncio.to_thread(install_service)
        self._service_at = 0.0
        await self._read()

    async def show(self, identifier: str) -> None:
        """A mount whose program hangs answers late."""
        await asyncio.to_thread(open_folder, Path(self.find(identifier).folder))


def _subfolder(pattern: str) -> str | None:
    """The path that a pattern stands for, if it stands for exactly one."""
    path = re.sub(r"\\(.)", r"\1", pattern.removeprefix("/"))
    return path if exactly(path) == pattern else None


def _overlap(one: str, other: str) -> bool:
    """Two programs must not change the same files."""
    first, second = Path(one), Path(other)
    return first.is_relative_to(second) or second.is_relative_to(first)


def _failure(error: StatusError | None) -> Failure | None:
    if error is None:
        return None
    try:
        return Failure(error.key.rpartition(".")[2], translate(error.key, **error.values))
    except (KeyError, ValueError, TypeError):
        # Another version of the program has written it.
        return Failure("failed", "")
