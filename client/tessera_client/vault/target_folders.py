"""Writes below a folder without ever following a link that lies in it."""

import errno
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from tessera_client.errors import ClientError
from tessera_client.texts import translate

FOLDER_MODE = 0o777
PRIVATE_FOLDER = 0o700

# Junctions are links too, though Python does not call them so. Folders of OneDrive have other tags.
_LINK_TAGS = {0xA0000003, 0xA000000C}
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
# A pipe that lies there is not waited for.
_OPEN_FLAGS = _NO_LINK | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_NOT_A_FOLDER = {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}


class LinkInTheWay(ClientError):
    def __init__(self) -> None:
        super().__init__(translate("errors.link_in_the_way"), code="link_in_the_way")


class TargetFolder(ABC):
    """An existing folder. Its methods take names, never paths."""

    is_pinned: bool
    """Whether it stays this folder, even if another program puts a link in its place."""
    _descriptor: int | None

    @abstractmethod
    def _path(self, name: str) -> str | Path: ...

    @abstractmethod
    def _enter(self, name: str) -> Self: ...

    def enter(self, name: str, mode: int | None = FOLDER_MODE) -> Self:
        """Opens a folder in this one; makes it with this mode, if there is one, when missing."""
        try:
            return self._enter(name)
        except FileNotFoundError:
            if mode is None:
                raise
            with suppress(FileExistsError):
                os.mkdir(self._path(name), mode, dir_fd=self._descriptor)
            return self._enter(name)

    def names(self) -> list[str]:
        with os.scandir(self._path("") if self._descriptor is None else self._descriptor) as found:
            return [entry.name for entry in found]

    def status(self, name: str) -> os.stat_result | None:
        """Of the link itself, if it is one; None if there is nothing."""
        try:
            return os.stat(self._path(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open(self, name: str, flags: int) -> int:
        """Opens a file; a new one is private."""
        return os.open(self._path(name), flags | _OPEN_FLAGS, 0o600, dir_fd=self._descriptor)

    def read_link(self, name: str) -> str:
        return os.readlink(self._path(name), dir_fd=self._descriptor)

    def create_link(self, name: str, target: str) -> None:
        os.symlink(target, self._path(name), dir_fd=self._descriptor)

    def set_time(self, modified: int) -> None:
        """Of this folder."""
        at = self._path("") if self._descriptor is None else self._descriptor
        os.utime(at, ns=(modified, modified))

    def set_file_time(self, name: str, modified: int) -> None:
        os.utime(self._path(name), ns=(modified, modified), dir_fd=self._descriptor)

    def replace(self, name: str, new_name: str) -> None:
        folder = self._descriptor
        os.replace(self._path(name), self._path(new_name), src_dir_fd=folder, dst_dir_fd=folder)

    def move(self, name: str, target: Self, new_name: str) -> None:
        """Moves something to a folder on the same disk."""
        os.rename(
            self._path(name),
            target._path(new_name),
            src_dir_fd=self._descriptor,
            dst_dir_fd=target._descriptor,
        )

    def remove_folder(self, name: str) -> None:
        os.rmdir(self._path(name), dir_fd=self._descriptor)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._path(name), dir_fd=self._descriptor)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)


class DescriptorFolder(TargetFolder):
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

    def _path(self, name: str) -> str:
        return name

    def _enter(self, name: str) -> "DescriptorFolder":
        return DescriptorFolder(name, self._descriptor)


class PathFolder(TargetFolder):
    """For Windows, which has no calls relative to an open folder: looks before each write."""

    is_pinned = False
    _descriptor = None

    def __init__(self, path: Path, *, follow: bool = False) -> None:
        status = path.lstat()
        if not follow and _is_link(status):
            raise LinkInTheWay
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        self._folder = path

    def _path(self, name: str) -> Path:
        return self._folder / name

    def _enter(self, name: str) -> "PathFolder":
        return PathFolder(self._folder / name)


def open_folder(path: Path, *, follow: bool = False) -> TargetFolder:
    """Opens an existing folder; `follow` allows that the path itself is a link."""
    if {os.open, os.mkdir, os.unlink, os.rename, os.symlink} <= os.supports_dir_fd:
        return DescriptorFolder(path, follow=follow)
    return PathFolder(path, follow=follow)


def _make_folders(path: Path) -> None:
    """Makes a folder and those above it, however many: `mkdir` of Python fails on a thousand."""
    missing = []
    while not path.is_dir() and path.parent != path:
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        try:
            folder.mkdir(exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, "", str(folder)) from None


class TargetTree:
    """The folders below a root; keeps the last one open, which most often gets the next file."""

    def __init__(self, root: Path, *, follow: bool = False) -> None:
        """`follow` allows that the root itself is a link."""
        self.root = root
        self._root_path = str(root)
        self._follow = follow
        self._names: tuple[str, ...] = ()
        self._folder: TargetFolder | None = None

    def path(self, names: Sequence[str]) -> str:
        return os.sep.join((self._root_path, *names))  # noqa: PTH118 - ten times as fast

    def make_root(self, mode: int) -> None:
        _make_folders(self.root.parent)
        with suppress(FileExistsError):
            self.root.mkdir(mode)

    def folder(self, names: Sequence[str], mode: int = FOLDER_MODE) -> TargetFolder:
        """Opens the folder at these names; makes what is missing, the last one with the mode."""
        if self._folder and self._folder.is_pinned and self._names == names:
            return self._folder
        return self._open(names, [*(FOLDER_MODE for _ in names[1:]), mode])

    def find(self, names: Sequence[str]) -> TargetFolder | None:
        """Opens the folder at these names, if there is one."""
        if self._folder and self._folder.is_pinned and self._names == names:
            return self._folder
        try:
            return self._open(names, [None for _ in names])
        except FileNotFoundError:
            return None

    def _open(self, names: Sequence[str], modes: Sequence[int | None]) -> TargetFolder:
        self.close()
        folder = open_folder(self.root, follow=self._follow)
        for name, mode in zip(names, modes, strict=False):
            outer = folder
            try:
                folder = outer.enter(name, mode)
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
