"""Files while they are fetched: hidden, private and locked. What a killed run leaves is continued
by the next one, or removed."""

import hashlib
import os
import re
import secrets
import stat
import sys
from typing import NamedTuple

from tessera_client.vault.target_folders import TargetFolder

if sys.platform != "win32":
    import fcntl

_DIGITS = 16
_PART = re.compile(rf"\.[0-9a-f]{{{_DIGITS}}}\.tess")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL


def part_name(name: str) -> str:
    """The same in every run."""
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()
    return f".{digest[:_DIGITS]}.tess"


def free_part_name() -> str:
    return f".{secrets.token_hex(_DIGITS // 2)}.tess"


class PartFile(NamedTuple):
    name: str
    descriptor: int
    is_new: bool
    """Else it may hold something."""


def open_part(folder: TargetFolder, name: str) -> PartFile:
    part = part_name(name)
    try:
        descriptor = folder.open(part, _NEW)
    except FileExistsError:
        if _is_own(folder.status(part)):
            descriptor = folder.open(part, os.O_RDWR)
            if _lock(descriptor):
                return PartFile(part, descriptor, is_new=False)
            os.close(descriptor)
            part = free_part_name()
        else:
            folder.remove(part)
        descriptor = folder.open(part, _NEW)
    _lock(descriptor)
    return PartFile(part, descriptor, is_new=True)


def remove_parts(folder: TargetFolder, expected: set[str]) -> None:
    """Removes what killed runs left, except of the names that are fetched now."""
    for part in set(filter(_PART.fullmatch, folder.names())) - {*map(part_name, expected)}:
        status = folder.status(part)
        if status and stat.S_ISLNK(status.st_mode):
            folder.remove(part)
        elif _is_own(status):
            descriptor = folder.open(part, os.O_RDWR)
            try:
                if _lock(descriptor):
                    folder.remove(part)
            finally:
                os.close(descriptor)


def _is_own(status: os.stat_result | None) -> bool:
    """Whether this user's program has made it: nobody else may write to it."""
    if status is None or not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        return False
    return os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & 0o177)


def _lock(descriptor: int) -> bool:
    """Whether no other program is writing it. Windows removes no file that is open."""
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True
