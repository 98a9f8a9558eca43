"""Writes files of a space into a ZIP, one after another."""

import shutil
import stat
import struct
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from tessera_client.texts import translate, visible
from tessera_client.vault.disk_names import DiskPaths, free_disk_name
from tessera_client.vault.restore import RANKS, Restored, Restorer, Task, noting
from tessera_core.files import File, Folder, Item, Link

# Whoever unpacks it may use any system; this one allows the fewest names.
_SYSTEM = "win32"
_SPOOLED_BYTES = 16 * 2**20
_ZIP64_BYTES = 2**31 - 1
_UNIX = 3
_EXTENDED_TIME, _MODIFIED_ONLY = 0x5455, 1
_FIRST_TIME, _LAST_TIME = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)


def write_archive(restorer: Restorer, items: Iterable[tuple[str, Item]], target: Path) -> Restored:
    """Writes items to a new ZIP. Each file is fetched whole before its place in the ZIP begins, so
    that none is there in part; what cannot be read is named in a text file at the end."""
    result, paths = Restored(), DiskPaths(_SYSTEM)
    ordered = sorted(items, key=lambda each: (RANKS[type(each[1])], each[0]))
    tasks = [Task(path, paths.find(path), item) for path, item in ordered]
    folders = [task for task in tasks if isinstance(task.item, Folder)]
    with ZipFile(target, "w", ZIP_STORED) as archive:
        for task in folders:
            archive.writestr(_entry(task), b"")
        for task in restorer.plan(tasks[len(folders) :]):
            with SpooledTemporaryFile(_SPOOLED_BYTES, dir=str(target.parent)) as content:
                if _fetch(task, restorer, content, result):
                    is_large = content.tell() > _ZIP64_BYTES
                    content.seek(0)
                    with archive.open(_entry(task), "w", force_zip64=is_large) as entry:
                        shutil.copyfileobj(content, entry)
        if result.failed:
            taken = set[str]()
            for name in {task.names[0] for task in tasks}:
                free_disk_name(name, taken, _SYSTEM)
            name = free_disk_name(translate("page.missing_files"), taken, _SYSTEM)
            lines = [f"{visible(problem.path)}: {problem.message}" for problem in result.failed]
            archive.writestr(name, "\r\n".join((*lines, "")).encode())
    result.renamed = paths.renamed
    restorer.finish()
    return result


def _fetch(task: Task, restorer: Restorer, content: IO[bytes], result: Restored) -> bool:
    """Returns False if an item cannot be read."""
    before = result.files
    with noting(task, result):
        if isinstance(task.item, File):
            restorer.write_content(task.item, content)
        elif isinstance(task.item, Link):
            content.write(task.item.target.encode())
        result.files += 1
    return result.files > before


def _entry(task: Task) -> ZipInfo:
    item, path = task.item, "/".join(task.names)
    seconds = item.modified // 10**9
    entry = ZipInfo(f"{path}/" if isinstance(item, Folder) else path, _local_time(seconds))
    # The older field has no zone, and holds even seconds only.
    if -(2**31) <= seconds < 2**31:
        entry.extra = struct.pack("<HHBi", _EXTENDED_TIME, 5, _MODIFIED_ONLY, seconds)
    entry.create_system = _UNIX
    entry.external_attr = _mode(item) << 16 | (0x10 if isinstance(item, Folder) else 0)
    return entry


def _mode(item: Item) -> int:
    match item:
        case Link():
            return stat.S_IFLNK | 0o777
        case Folder():
            return stat.S_IFDIR | (0o700 if item.private else 0o755)
        case File():
            mode = 0o755 if item.executable else 0o644
            return stat.S_IFREG | (mode & 0o700 if item.private else mode)


def _local_time(seconds: int) -> tuple[int, int, int, int, int, int]:
    """What a ZIP can hold of any time that a member may have stored."""
    try:
        moment = time.localtime(seconds)[:6]
    except (OverflowError, ValueError, OSError):
        moment = _FIRST_TIME if seconds < 0 else _LAST_TIME
    return min(max(moment, _FIRST_TIME), _LAST_TIME)
