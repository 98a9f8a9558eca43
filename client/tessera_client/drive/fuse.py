"""Mounts a drive where the system has FUSE."""

import os
import stat
from collections.abc import Callable, Iterable
from errno import EBADF, EXDEV
from itertools import count
from time import time_ns
from typing import Any

import mfusepy

from tessera_client.drive.drive import Handle, Status
from tessera_client.drive.mounted import Mounted
from tessera_client.errors import ClientError

_BLOCK = 4096
_TYPES = {"file": stat.S_IFREG, "folder": stat.S_IFDIR, "link": stat.S_IFLNK}
_ROOM_SECONDS = 30


class DriveOperations(mfusepy.Operations):  # type: ignore[misc]
    """What the system asks for; times are in nanoseconds."""

    use_ns = True

    def __init__(self, mounted: Mounted, on_mounted: Callable[[], None]) -> None:
        self._mounted = mounted
        self._on_mounted = on_mounted
        self._handles: dict[int, Handle] = {}
        self._numbers = count(1)
        self._room: tuple[float, tuple[int, int]] = (0, (0, 0))

    def init(self, path: str) -> None:  # noqa: ARG002
        self._on_mounted()

    # Looking

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        handle = self._handles.get(fh) if fh else None
        return _attributes(handle.status() if handle else self._mounted.status(path))

    def readdir(self, path: str, fh: int) -> Iterable[Any]:  # noqa: ARG002
        entries = self._mounted.entries(path)
        return [".", "..", *((name, _attributes(status), 0) for name, status in entries)]

    def readlink(self, path: str) -> str:
        drive, inner = self._mounted.find(path)
        return drive.read_link(inner)

    def statfs(self, path: str) -> dict[str, int]:  # noqa: ARG002
        asked, room = self._room
        if time_ns() / 1e9 - asked > _ROOM_SECONDS:
            room = self._mounted.room()
            self._room = time_ns() / 1e9, room
        quota, left = room
        return {
            "f_bsize": _BLOCK,
            "f_frsize": _BLOCK,
            "f_blocks": quota // _BLOCK,
            "f_bfree": left // _BLOCK,
            "f_bavail": left // _BLOCK,
            "f_namemax": 255,
        }

    # Files

    def open(self, path: str, flags: int) -> int:
        drive, inner = self._mounted.find(path)
        write = flags & os.O_ACCMODE != os.O_RDONLY
        return self._add(drive.open(inner, write=write, truncate=bool(flags & os.O_TRUNC)))

    def create(self, path: str, mode: int, fi: object = None) -> int:  # noqa: ARG002
        drive, inner = self._mounted.find(path)
        return self._add(drive.create(inner, **_mode(mode)))

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:  # noqa: ARG002
        return self._handle(fh).read(offset, size)

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:  # noqa: ARG002
        return self._handle(fh).write(offset, data)

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        if fh:
            self._handle(fh).truncate(length)
        else:
            drive, inner = self._mounted.find(path)
            drive.truncate(inner, length)
        return 0

    def flush(self, path: str, fh: int) -> int:  # noqa: ARG002
        """A program has closed the file: from now on it is not lost."""
        self._handle(fh).keep()
        return 0

    def fsync(self, path: str, datasync: int, fh: int) -> int:  # noqa: ARG002
        self._handle(fh).keep(is_durable=True)
        return 0

    def release(self, path: str, fh: int) -> int:  # noqa: ARG002
        self._handles.pop(fh).close()
        return 0

    # Changes

    def mkdir(self, path: str, mode: int) -> int:
        drive, inner = self._mounted.find(path)
        drive.make_folder(inner, private=_mode(mode)["private"])
        return 0

    def symlink(self, target: str, source: str) -> int:
        drive, inner = self._mounted.find(target)
        drive.make_link(inner, source)
        return 0

    def unlink(self, path: str) -> int:
        drive, inner = self._mounted.find(path)
        drive.remove(inner)
        return 0

    def rmdir(self, path: str) -> int:
        drive, inner = self._mounted.find(path)
        drive.remove_folder(inner)
        return 0

    def rename(self, old: str, new: str) -> int:
        drive, source = self._mounted.find(old)
        other, target = self._mounted.find(new)
        if drive is not other:
            raise OSError(EXDEV, "")
        drive.move(source, target)
        return 0

    def utimens(self, path: str, times: tuple[int, int] | None = None) -> int:
        drive, inner = self._mounted.find(path)
        drive.set_times(inner, times[1] if times else time_ns())
        return 0

    def chmod(self, path: str, mode: int) -> int:
        drive, inner = self._mounted.find(path)
        drive.set_mode(inner, **_mode(mode))
        return 0

    def chown(self, path: str, uid: int, gid: int) -> int:  # noqa: ARG002
        """Everything belongs to whoever has mounted it."""
        return 0

    def _add(self, handle: Handle) -> int:
        number = next(self._numbers)
        self._handles[number] = handle
        return number

    def _handle(self, number: int) -> Handle:
        if number not in self._handles:
            raise OSError(EBADF, "")
        return self._handles[number]


def mount(mounted: Mounted, folder: str, on_mounted: Callable[[], None]) -> None:
    """Returns when it was unmounted."""
    is_mounted = False

    def note() -> None:
        nonlocal is_mounted
        is_mounted = True
        on_mounted()

    try:
        mfusepy.FUSE(
            DriveOperations(mounted, note),
            folder,
            foreground=True,
            fsname="tessera",
            subtype="tess",
            default_permissions=True,
            auto_cache=True,
            hard_remove=True,
            attr_timeout=1,
            entry_timeout=1,
            max_threads=16,
            max_idle_threads=16,
        )
    except RuntimeError as error:
        # A signal ends the mount with a number that says nothing.
        if not is_mounted:
            raise ClientError.from_code("mount_failed", path=folder) from error


def _attributes(status: Status) -> dict[str, Any]:
    mode = 0o600 if status.private else 0o644
    if status.type == "folder" or status.executable:
        mode = 0o700 if status.private else 0o755
    return {
        "st_mode": _TYPES[status.type] | mode,
        "st_size": status.size,
        "st_blocks": -(-status.size // 512),
        "st_nlink": 2 if status.type == "folder" else 1,
        "st_uid": os.getuid(),
        "st_gid": os.getgid(),
        "st_atime": status.modified,
        "st_mtime": status.modified,
        "st_ctime": status.modified,
    }


def _mode(mode: int) -> dict[str, bool]:
    return {"executable": bool(mode & stat.S_IXUSR), "private": not mode & 0o077}
