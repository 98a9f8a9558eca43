"""Changes below the folder on this computer. Links are never followed, and nothing is deleted at
once: what the space has lost goes to the trash of the folder, and stays there for 30 days."""

import os
import stat
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tessera_client.sync.selection import TRASH
from tessera_client.sync.state import Stamp
from tessera_client.vault.disk_names import numbered_disk_name
from tessera_client.vault.restore import file_mode, read_mask
from tessera_client.vault.scan import FileChanged
from tessera_client.vault.target_folders import (
    PRIVATE_FOLDER,
    LinkInTheWay,
    TargetFolder,
    TargetTree,
)
from tessera_core.files import File

TRASH_DAYS = 30
_TRASH_NAME = "%Y-%m-%d %H.%M.%S"


class Disk:
    def __init__(self, root: Path) -> None:
        self.root = root
        self._source, self._target = TargetTree(root), TargetTree(root)
        self._trash = datetime.now(UTC).strftime(_TRASH_NAME)

    def close(self) -> None:
        self._source.close()
        self._target.close()

    def status(self, path: str) -> os.stat_result | None:
        folder, name = self._find(path)
        return folder.status(name) if folder else None

    def move(self, path: str, target: str, stamp: Stamp) -> bool:
        """Moves a file that is still the same; False if something is at the target."""
        source, name = self._check(path, stamp)
        *names, new_name = target.split("/")
        folder = self._target.folder(tuple(names))
        there = folder.status(new_name)
        # Where the system does not tell cases apart, it is the very file.
        if there and Stamp.of(there) != stamp:
            return False
        source.move(name, folder, new_name)
        return True

    def discard(self, path: str, stamp: Stamp) -> None:
        """Moves a file that is still the same to the trash."""
        source, name = self._check(path, stamp)
        *names, new_name = path.split("/")
        self._target.folder((TRASH,), PRIVATE_FOLDER)
        folder = self._target.folder((TRASH, self._trash, *names))
        free, number = new_name, 1
        while folder.status(free):
            number += 1
            free = numbered_disk_name(new_name, number)
        source.move(name, folder, free)

    def empty_trash(self) -> None:
        """Deletes what has been in the trash for long."""
        last = (datetime.now(UTC) - timedelta(days=TRASH_DAYS)).strftime(_TRASH_NAME)
        with suppress(OSError, LinkInTheWay):
            trash = self._source.find((TRASH,))
            if trash is None:
                return
            for name in trash.names():
                if _is_trash_name(name) and name < last:
                    with suppress(OSError, LinkInTheWay, RecursionError):
                        _delete(trash, name)

    def remove_folder(self, path: str) -> None:
        """Unless something is in it."""
        with suppress(OSError, LinkInTheWay):
            folder, name = self._find(path)
            if folder:
                folder.remove_folder(name)

    def set_mode(self, path: str, item: File, stamp: Stamp) -> None:
        """Who may use or run a file that is still the same."""
        folder, name = self._check(path, stamp)
        descriptor = folder.open(name, os.O_RDONLY)
        try:
            if sys.platform != "win32":
                os.fchmod(descriptor, file_mode(item, read_mask()))
        finally:
            os.close(descriptor)

    def _find(self, path: str) -> tuple[TargetFolder | None, str]:
        *names, name = path.split("/")
        try:
            return self._source.find(tuple(names)), name
        except NotADirectoryError:
            return None, name

    def _check(self, path: str, stamp: Stamp) -> tuple[TargetFolder, str]:
        folder, name = self._find(path)
        status = folder.status(name) if folder else None
        if folder is None or status is None or Stamp.of(status) != stamp:
            raise FileChanged
        return folder, name


def _is_trash_name(name: str) -> bool:
    try:
        return datetime.strptime(name, _TRASH_NAME).strftime(_TRASH_NAME) == name  # noqa: DTZ007
    except ValueError:
        return False


def _delete(folder: TargetFolder, name: str) -> None:
    status = folder.status(name)
    if status is None or not stat.S_ISDIR(status.st_mode):
        folder.remove(name)
        return
    inner = folder.enter(name, None)
    try:
        for each in inner.names():
            _delete(inner, each)
    finally:
        inner.close()
    folder.remove_folder(name)
