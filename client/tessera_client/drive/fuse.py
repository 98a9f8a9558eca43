"""Mounts a drive where the system has FUSE."""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from errno import EBADF, EXDEV
from itertools import count
from time import time_ns
from typing import Any

import mfusepy

from tessera_client.drive.drive import Handle, Status
from tessera_client.drive.fuse_binding import Fuse, attributes
from tessera_client.drive.mounted import Mounted
from tessera_client.errors import ClientError

_BLOCK = 4096
# Programs wait for each call, and should not wait long for what works in the background.
_SWITCH_SECONDS = 0.0005


class DriveOperations(mfusepy.Operations):  # type: ignore[misc]
    """What the system asks for; times are in nanoseconds."""

    use_ns = True

    def __init__(self, mounted: Mounted, on_mounted: Callable[[], None]) -> None:
        self._mounted = mounted
        self._on_mounted = on_mounted
        self._handles: dict[int, Handle] = {}
        self._listed: dict[int, list[tuple[str, Status]]] = {}
        self._numbers = count(1)
        self._closed_by_program = set[int]()
        """Handles that the system has not released yet, which it does later."""

    def init(self, path: str) -> None:  # noqa: ARG002
        self._on_mounted()

    # Looking

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        handle = self._handles.get(fh) if fh else None
        return attributes(handle.status() if handle else self._mounted.status(path))

    def opendir(self, path: str) -> int:
        own, number = self._mounted.status(path), next(self._numbers)
        self._listed[number] = [(".", own), ("..", own), *self._mounted.entries(path)]
        return number

    def listed(self, number: int) -> Sequence[tuple[str, Status]]:
        """What was in a folder when it was opened: a listing that takes several calls is one."""
        return self._listed.get(number, ())

    def readdir(self, path: str, fh: int) -> Iterable[Any]:  # noqa: ARG002
        """For libfuse 2."""
        return [(name, attributes(status), 0) for name, status in self.listed(fh)]

    def releasedir(self, path: str, fh: int) -> int:  # noqa: ARG002
        self._listed.pop(fh, None)
        return 0

    def readlink(self, path: str) -> str:
        drive, inner = self._mounted.find(path)
        return drive.read_link(inner)

    def statfs(self, path: str) -> dict[str, int]:  # noqa: ARG002
        quota, left = self._mounted.room()
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

    def create(self, path: str, mode: int) -> int:
        drive, inner = self._mounted.find(path)
        return self._add(drive.create(inner, **_mode(mode)))

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:  # noqa: ARG002
        return self._handle(fh).read(offset, size)

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:  # noqa: ARG002
        self._closed_by_program.discard(fh)
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
        self._closed_by_program.add(fh)
        return 0

    def fsync(self, path: str, datasync: int, fh: int) -> int:  # noqa: ARG002
        self._handle(fh).keep(is_durable=True)
        return 0

    def release(self, path: str, fh: int) -> int:  # noqa: ARG002
        self._closed_by_program.discard(fh)
        self._handles.pop(fh).close()
        return 0

    def destroy(self, path: str) -> None:
        """The system releases nothing after an unmount; what programs have closed is sent."""
        for number in [*self._closed_by_program]:
            self.release(path, number)

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
    sys.setswitchinterval(_SWITCH_SECONDS)

    def note() -> None:
        nonlocal is_mounted
        is_mounted = True
        on_mounted()

    try:
        Fuse(
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


def _mode(mode: int) -> dict[str, bool]:
    return {"executable": bool(mode & stat.S_IXUSR), "private": not mode & 0o077}
