"""Writes below a folder without ever following a link that lies in it."""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from tessera_client.errors import ClientError
from tessera_client.texts import translate

FOLDER_MODE = 0o777
PRIVATE_FOLDER = 0o700

# Junctions are links too, though Python does not call them so. Folders of OneDrive have other tags.
_LINK_TAGS = {0xA0000003, 0xA000000C}
_BINARY = getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NOT_A_FOLDER = {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}


class LinkInTheWay(ClientError):
    def __init__(self) -> None:
        super().__init__(translate("errors.link_in_the_way"), code="link_in_the_way")


class TargetFolder(Protocol):
    """An existing folder. Its methods take names, never paths."""

    is_pinned: bool
    """Whether it stays this folder, even if another program puts a link in its place."""

    def enter(self, name: str, mode: int = FOLDER_MODE) -> "TargetFolder":
        """Opens a folder in this one; makes it with this mode if it is missing."""
        ...

    def create(self, name: str, mode: int, modified: int) -> AbstractContextManager[BinaryIO]: ...
    def create_link(self, name: str, target: str) -> None: ...
    def replace(self, name: str, new_name: str) -> None: ...
    def remove(self, name: str) -> None: ...
    def close(self) -> None: ...


class DescriptorFolder:
    """Works on an open folder, so that nobody can exchange it between a check and a write."""

    is_pinned = True

    def __init__(
        self, path: Path | str, parent: int | None = None, *, follow: bool = False
    ) -> None:
        flags = os.O_RDONLY | os.O_DIRECTORY | (0 if follow else _NO_LINK)
        try:
            self._descriptor = os.open(path, flags, dir_fd=parent)
        except OSError as error:
            is_link = error.errno in _NOT_A_FOLDER and stat.S_ISLNK(
                os.stat(path, dir_fd=parent, follow_symlinks=False).st_mode
            )
            if is_link:
                raise LinkInTheWay from None
            raise

    def enter(self, name: str, mode: int = FOLDER_MODE) -> "DescriptorFolder":
        try:
            return DescriptorFolder(name, self._descriptor)
        except FileNotFoundError:
            with suppress(FileExistsError):
                os.mkdir(name, mode, dir_fd=self._descriptor)
            return DescriptorFolder(name, self._descriptor)

    @contextmanager
    def create(self, name: str, mode: int, modified: int) -> Iterator[BinaryIO]:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
        descriptor = os.open(name, flags, mode, dir_fd=self._descriptor)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.utime(descriptor, ns=(modified, modified))

    def create_link(self, name: str, target: str) -> None:
        os.symlink(target, name, dir_fd=self._descriptor)

    def replace(self, name: str, new_name: str) -> None:
        folder = self._descriptor
        os.replace(name, new_name, src_dir_fd=folder, dst_dir_fd=folder)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


class PathFolder:
    """For Windows, which has no calls relative to an open folder: looks before each write."""

    is_pinned = False

    def __init__(self, path: Path, *, follow: bool = False) -> None:
        status = path.lstat()
        if not follow and _is_link(status):
            raise LinkInTheWay
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        self._path = path

    def enter(self, name: str, mode: int = FOLDER_MODE) -> "PathFolder":
        path = self._path / name
        with suppress(FileExistsError):
            path.mkdir(mode)
        return PathFolder(path)

    @contextmanager
    def create(self, name: str, mode: int, modified: int) -> Iterator[BinaryIO]:
        path = self._path / name
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
        with os.fdopen(descriptor, "wb") as file:
            yield file
        os.utime(path, ns=(modified, modified))

    def create_link(self, name: str, target: str) -> None:
        (self._path / name).symlink_to(target)

    def replace(self, name: str, new_name: str) -> None:
        (self._path / name).replace(self._path / new_name)

    def remove(self, name: str) -> None:
        (self._path / name).unlink(missing_ok=True)

    def close(self) -> None:
        pass


def open_folder(path: Path, *, follow: bool = False) -> TargetFolder:
    """Opens an existing folder; `follow` allows that the path itself is a link."""
    if {os.open, os.mkdir, os.unlink, os.rename, os.symlink} <= os.supports_dir_fd:
        return DescriptorFolder(path, follow=follow)
    return PathFolder(path, follow=follow)


class TargetTree:
    """The folders below a root; keeps the last one open, which most often gets the next file."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._names: tuple[str, ...] = ()
        self._folder: TargetFolder | None = None

    def folder(self, names: Sequence[str], mode: int = FOLDER_MODE) -> TargetFolder:
        """Opens the folder at these names; makes what is missing, the last one with the mode."""
        if self._folder and self._folder.is_pinned and self._names == tuple(names):
            return self._folder
        self.close()
        self._root.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            self._root.mkdir(FOLDER_MODE if names else mode)
        folder = open_folder(self._root)
        for at, name in enumerate(names, start=1):
            outer = folder
            try:
                folder = outer.enter(name, mode if at == len(names) else FOLDER_MODE)
            finally:
                outer.close()
        self._names, self._folder = tuple(names), folder
        return folder

    def close(self) -> None:
        if self._folder:
            self._folder.close()
        self._folder = None


def _is_link(status: os.stat_result) -> bool:
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) in _LINK_TAGS
