"""Folders of a space that are always on this computer, also without a network."""

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from uuid import UUID

from tessera_client.drive.chunks import AHEAD_CHUNKS, chunk_name
from tessera_client.drive.drive import SpaceDrive
from tessera_client.errors import EXPECTED
from tessera_client.texts import show_bytes, translate
from tessera_client.vault.index import Index
from tessera_client.vault.spaces import Space
from tessera_core.chunks import chunk_length
from tessera_core.files import File

LOOK_SECONDS = 5.0
RETRY_SECONDS = 30.0
# Colleagues decide how much is in a folder, and must not fill this computer's disk.
FREE_BYTES = 2 * 1024**3


@dataclass(frozen=True)
class KeptFolder:
    """How much of a folder is here."""

    space: str
    path: str
    files: int
    bytes: int
    here: int
    """Bytes of it that are on this computer."""

    def as_text(self) -> str:
        return translate(
            "offline.folder",
            place=f"{self.space}:/{self.path}",
            count=self.files,
            bytes=show_bytes(self.bytes),
            here=show_bytes(self.here),
        )


def describe_kept(index: Index, space: Space, cache: Path) -> list[KeptFolder]:
    here = {path.name for path in cache.iterdir()} if cache.is_dir() else set[str]()
    described = []
    for folder in index.kept_folders(space.id):
        files = [item for _, item in space.tree.walk(folder) if isinstance(item, File)]
        sizes = _sizes(files)
        present = (size for chunk, size in sizes.items() if chunk_name(chunk).hex() in here)
        total = sum(sizes.values())
        described.append(KeptFolder(space.label, folder, len(files), total, sum(present)))
    return described


class KeptFolderFetcher:
    """Fetches what is to be kept, and what is added to it later. Works in the background."""

    def __init__(self, drives: Sequence[SpaceDrive], on_notice: Callable[[str], None]) -> None:
        self._drives = drives
        self._on_notice = on_notice
        self._done: dict[UUID, object] = {}
        self._has_told = False
        self._stopped = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            is_complete = True
            for drive in self._drives:
                with suppress(*EXPECTED):
                    is_complete &= self.keep(drive)
            self._stopped.wait(LOOK_SECONDS if is_complete else RETRY_SECONDS)

    def keep(self, drive: SpaceDrive) -> bool:
        """Returns whether everything is here."""
        space, cache = drive.space, drive.chunks.cache
        folders = drive.vault.index.kept_folders(space.id)
        state = (space.state.sequence if folders else 0, *folders)
        if self._done.get(space.id, (0,)) == state:
            return True
        names = {chunk_name(chunk): chunk for chunk in _sizes(_shown_files(drive, folders))}
        cache.keep(space.id, names)
        missing = [names[name] for name in cache.missing(names)]
        for at in range(0, len(missing), AHEAD_CHUNKS):
            if self._stopped.is_set() or not self._has_room(cache.folder):
                return False
            fetched = drive.chunks.fetch(missing[at : at + AHEAD_CHUNKS])
            wait(fetched)
            if any(each.exception() for each in fetched):
                return False
        cache.finish()
        if cache.missing(names):
            return False
        self._done[space.id] = state
        if missing:
            self._on_notice(translate("offline.complete", name=space.label))
        return True

    def _has_room(self, folder: Path) -> bool:
        has_room = shutil.disk_usage(folder).free > FREE_BYTES
        if not has_room and not self._has_told:
            self._on_notice(translate("offline.no_room", bytes=show_bytes(FREE_BYTES)))
        self._has_told = not has_room
        return has_room


def _shown_files(drive: SpaceDrive, folders: Iterable[str]) -> list[File]:
    with drive.lock:
        nodes = [node for folder in folders if (node := drive.view.find(folder))]
        contents = [each.content for node in nodes for each in node.walk()]
    return [content for content in contents if isinstance(content, File)]


def _sizes(files: Iterable[File]) -> dict[bytes, int]:
    """The chunks of files; what they share counts once."""
    return {
        chunk: chunk_length(file.size, number)
        for file in files
        for number, chunk in enumerate(file.chunks)
    }
