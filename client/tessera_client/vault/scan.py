"""Finds local files to store."""

import fnmatch
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import msgspec

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.errors import Malformed
from tessera_core.files import MAX_PATH_BYTES, Folder, Item, Link, check_path, encode_item


@dataclass(frozen=True)
class LocalFile:
    """A file, a link, or a folder that is empty or private, and the path it gets in the space."""

    local: Path
    path: str
    status: os.stat_result

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.status.st_mode)

    @property
    def is_executable(self) -> bool:
        return bool(self.status.st_mode & stat.S_IXUSR)

    @property
    def is_private(self) -> bool:
        """Nobody but the owner may use it."""
        return not self.status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)

    def item(self) -> Item:
        """Describes what has no content."""
        if stat.S_ISLNK(self.status.st_mode):
            return Link(self.status.st_mtime_ns, str(self.local.readlink()))
        return Folder(self.status.st_mtime_ns, self.is_private)


class Problem(msgspec.Struct, frozen=True):
    """One file that could not be handled; the others go on."""

    path: str
    message: str

    def as_text(self) -> str:
        return translate("results.failed", path=self.path, reason=self.message)


def scan(source: Path, target: str, exclude: Sequence[str]) -> Iterator[LocalFile | Problem]:
    """Yields everything at and below a local path, in the order of names."""
    try:
        status = source.lstat()
        if _is_excluded(target, exclude):
            return
        check_path(target)
        if len(target.encode()) > MAX_PATH_BYTES:
            yield Problem(str(source), translate("errors.path_too_long"))
        elif not stat.S_ISDIR(status.st_mode):
            file = LocalFile(source, target, status)
            if stat.S_ISLNK(status.st_mode):
                encode_item(file.item())
            elif not file.is_file:
                yield Problem(str(source), translate("errors.not_this_kind"))
                return
            yield file
        else:
            children = sorted(source.iterdir(), key=attrgetter("name"))
            folder = LocalFile(source, target, status)
            if not children or folder.is_private:
                yield folder
            for child in children:
                yield from scan(child, f"{target}/{child.name}", exclude)
    except UnicodeEncodeError:
        shown = os.fsencode(source).decode(errors="replace")
        yield Problem(shown, translate("errors.name_not_utf8"))
    except Malformed:
        yield Problem(str(source), translate("errors.name_not_storable"))
    except OSError as error:
        yield Problem(str(source), describe(error))


def read_chunks(file: LocalFile) -> Iterator[bytes]:
    """Yields the content; raises if the file changes meanwhile."""
    with file.local.open("rb") as opened:
        before = os.fstat(opened.fileno())
        if _version(before) != _version(file.status):
            raise FileChanged
        while chunk := opened.read(CHUNK_BYTES):
            yield chunk
        if _version(os.fstat(opened.fileno())) != _version(before):
            raise FileChanged


class FileChanged(ClientError):
    def __init__(self) -> None:
        super().__init__(translate("errors.file_changed"), code="file_changed")


def _version(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def _is_excluded(path: str, patterns: Sequence[str]) -> bool:
    name = path.rpartition("/")[2]
    return any(fnmatch.fnmatch(name, each) or fnmatch.fnmatch(path, each) for each in patterns)
