"""Finds local files to store."""

import os
import stat
import sys
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_client.vault.patterns import (
    IGNORE_FILE,
    Patterns,
    UnusableIgnoreFile,
    read_ignore_file,
)
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.errors import Malformed
from tessera_core.files import MAX_PATH_BYTES, Folder, Item, Link, check_path, encode_item

# A pipe that has taken a file's place must not be waited for.
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class LocalFile(NamedTuple):
    """A file, a folder or a link, and the path it gets in the space."""

    place: str
    """Its path on this computer."""
    path: str
    status: os.stat_result
    is_listed: bool = True
    """A folder with something in it is not counted: it is kept for its time and mode."""

    @property
    def local(self) -> Path:
        return Path(self.place)

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.status.st_mode)

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.status.st_mode)

    @property
    def is_executable(self) -> bool:
        return bool(self.status.st_mode & stat.S_IXUSR)

    @property
    def is_private(self) -> bool:
        """Nobody but the owner may use it."""
        return not self.status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)

    def item(self) -> Item:
        """Describes what has no content."""
        if self.is_link:
            return Link(self.status.st_mtime_ns, str(self.local.readlink()))
        return Folder(self.status.st_mtime_ns, self.is_private)


class Problem(msgspec.Struct, frozen=True):
    """One file that could not be handled; the others go on."""

    path: str
    message: str

    def as_text(self) -> str:
        return translate("results.failed", path=self.path, reason=self.message)


def scan(
    source: Path,
    target: str,
    patterns: Patterns = Patterns(),  # noqa: B008 - it never changes
) -> Iterator[LocalFile | Problem]:
    """Yields everything at and below a local path, in the order of names."""
    try:
        status = source.lstat()
        is_folder = stat.S_ISDIR(status.st_mode)
        if patterns.leaves_out(source.absolute().name, is_folder=is_folder):
            return
    except OSError as error:
        yield Problem(str(source), describe(error))
    else:
        yield from scan_file(LocalFile(str(source), target, status), "", patterns)


def scan_file(file: LocalFile, folder: str, patterns: Patterns) -> Iterator[LocalFile | Problem]:
    """Yields a file and what is below it, whatever the patterns say about its own name.

    `folder` is where the file's children are, relative to the folder that is stored.
    """
    try:
        if problem := name_problem(file.path):
            yield _problem(file.place, problem)
        elif file.is_folder:
            yield from _scan_folder(file, folder, patterns)
        elif file.is_file:
            yield file
        elif file.is_link:
            encode_item(file.item())
            yield file
        else:
            yield _problem(file.place, translate("errors.not_this_kind"))
    except UnicodeEncodeError:
        yield _problem(file.place, translate("errors.name_not_utf8"))
    except Malformed:
        yield _problem(file.place, translate("errors.name_not_storable"))
    except OSError as error:
        yield Problem(file.place, describe(error))


def name_problem(path: str) -> str | None:
    """Why nothing can be stored at a path."""
    try:
        check_path(path)
        is_too_long = len(path.encode()) > MAX_PATH_BYTES
    except UnicodeEncodeError:
        return translate("errors.name_not_utf8")
    except Malformed:
        return translate("errors.name_not_storable")
    return translate("errors.path_too_long") if is_too_long else None


def _problem(place: str, message: str) -> Problem:
    return Problem(os.fsencode(place).decode(errors="replace"), message)


def _scan_folder(
    folder: LocalFile, prefix: str, patterns: Patterns
) -> Iterator[LocalFile | Problem]:
    with os.scandir(folder.place) as entries:
        children = sorted(entries, key=attrgetter("name"))
    if any(child.name == IGNORE_FILE for child in children):
        place = folder.local / IGNORE_FILE
        try:
            patterns = patterns.below(prefix, read_ignore_file(place))
        except UnusableIgnoreFile as error:
            yield _problem(str(place), str(error))
    if not patterns.include:
        yield folder._replace(is_listed=not children)
    for child in children:
        path = prefix + child.name
        try:
            status = child.stat(follow_symlinks=False)
        except OSError as error:
            yield Problem(child.path, describe(error))
            continue
        if not patterns.leaves_out(path, is_folder=stat.S_ISDIR(status.st_mode)):
            file = LocalFile(child.path, f"{folder.path}/{child.name}", status)
            yield from scan_file(file, f"{path}/", patterns)


def read_chunks(file: LocalFile) -> Iterator[bytes]:
    """Yields the content; raises if the file changes meanwhile."""
    # A third of the time that a file object takes for a small file.
    descriptor = os.open(file.place, _READ)
    try:
        before = os.fstat(descriptor)
        if _version(before) != _version(file.status):
            raise FileChanged
        for at in range(0, before.st_size, CHUNK_BYTES):
            yield _read(descriptor, min(CHUNK_BYTES, before.st_size - at))
        if _version(os.fstat(descriptor)) != _version(before):
            raise FileChanged
    finally:
        os.close(descriptor)


def _read(descriptor: int, size: int) -> bytes:
    """The system may give less than was asked for."""
    chunk = os.read(descriptor, size)
    while len(chunk) < size:
        more = os.read(descriptor, size - len(chunk))
        if not more:
            raise FileChanged
        chunk += more
    return chunk


class Unreadable(ClientError):
    """One file cannot be read to its end; the others go on."""


class FileChanged(Unreadable):
    def __init__(self) -> None:
        super().__init__(translate("errors.file_changed"), code="file_changed")


def _version(status: os.stat_result) -> tuple[int, ...]:
    """Also which file it is: a link to somebody's private file may have taken the place of one.
    A folder's listing does not tell on Windows."""
    identity = () if sys.platform == "win32" else (status.st_dev, status.st_ino)
    return *identity, status.st_size, status.st_mtime_ns
