"""The binding to libfuse, with less work for each call."""

import ctypes
import os
import stat
import threading
from collections.abc import Callable
from typing import Any

import mfusepy

from tessera_client.drive.drive import Status

# What programs read and write at once: fewer calls for the same bytes.
_GOOD_BYTES = 256 * 1024
_WITH_STATUS = 2
_TYPES = {"file": stat.S_IFREG, "folder": stat.S_IFDIR, "link": stat.S_IFLNK}


class _KnownThread(threading.local):
    """Python makes a state for each call from a thread that it has not started, in memory of its
    own, and drops it afterwards. One more reference keeps it as long as the thread."""

    def __init__(self) -> None:
        ctypes.pythonapi.PyGILState_Ensure()

    def keep(self) -> None:
        """The first use in a thread makes its state."""


class Fuse(mfusepy.FUSE):  # type: ignore[misc]
    _thread = _KnownThread()

    def _wrapper(self, func: Callable[..., int], *args: object) -> int:
        self._thread.keep()
        result: int = super()._wrapper(func, *args)
        return result

    def create(self, path: bytes, mode: int, fip: Any) -> int:  # noqa: ANN401
        """The binding inspects the signature of what it calls."""
        fip.contents.fh = self.operations.create(path.decode(self.encoding, self.errors), mode)
        return 0

    def readdir_fuse_3(  # noqa: PLR0917 - the binding's
        self,
        path: bytes,
        buf: object,
        filler: Callable[..., int],
        offset: int,
        fip: Any,  # noqa: ANN401
        flags: int,
    ) -> int:
        """Gives out what `ls -l` shows together with the names: the system does not ask for each
        file again. The binding leaves that out."""
        del path, flags
        status = mfusepy.c_stat()
        entries = self.operations.listed(fip.contents.fh)
        for number in range(offset, len(entries)):
            name, shown = entries[number]
            mfusepy.set_st_attrs(status, attributes(shown), use_ns=True)
            # libfuse looks at the status only if entries are numbered.
            if filler(buf, os.fsencode(name), status, number + 1, _WITH_STATUS):
                break
        return 0


def attributes(status: Status) -> dict[str, Any]:
    mode = 0o600 if status.private else 0o644
    if status.type == "folder" or status.executable:
        mode = 0o700 if status.private else 0o755
    return {
        "st_mode": _TYPES[status.type] | mode,
        "st_size": status.size,
        "st_blocks": -(-status.size // 512),
        "st_blksize": _GOOD_BYTES,
        "st_nlink": 2 if status.type == "folder" else 1,
        "st_uid": os.getuid(),
        "st_gid": os.getgid(),
        "st_atime": status.modified,
        "st_mtime": status.modified,
        "st_ctime": status.modified,
    }
