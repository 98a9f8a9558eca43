"""Where files are moved in from: an rclone remote, or a snapshot of a restic repository.

The installed programs run with the user's own environment, which may hold their passwords, and
their messages go to the terminal. No file is written to this computer's disk in the clear.
"""

import re
import shutil
import subprocess
import tarfile
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import IO, Literal, Protocol, TypeVar

import msgspec

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.scan import Unreadable

# How many files of a remote are opened before they are needed: each takes a moment.
_OPEN_AHEAD = 8
_BLOCK_BYTES = 64 * 1024
_MOMENT = re.compile(r"([^.]*?)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_MAX_TIME = 2**63 - 1

Kind = Literal["file", "folder", "link", "other"]
Row = TypeVar("Row")


@dataclass(frozen=True)
class SourceItem:
    path: str
    """Relative, as the source says; whoever stores it checks it."""
    kind: Kind
    size: int | None
    """Of files, if the source knows it."""
    modified: int
    """Nanoseconds since 1970."""
    executable: bool = False
    private: bool = False


class Content(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Source(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def has_folder_times(self) -> bool: ...
    def list(self) -> Sequence[SourceItem]: ...

    def open(self, wanted: Sequence[SourceItem]) -> Iterator[tuple[SourceItem, Content | str]]:
        """Yields contents of files and targets of links, as they come. Each has to be read before
        the next one."""
        ...


class _RcloneRow(msgspec.Struct, rename="pascal"):
    path: str
    size: int
    mod_time: str
    is_dir: bool


@dataclass
class RcloneRemote:
    remote: str
    has_folder_times = False
    """Object storage has no folders, and rclone invents their times."""

    @property
    def name(self) -> str:
        return f"rclone {self.remote}"

    def list(self) -> list[SourceItem]:
        arguments = "lsjson", "--recursive", "--no-mimetype", "--", self.remote
        with _running("rclone", *arguments) as output:
            content = output.read()
        rows = _decode(content, list[_RcloneRow], "rclone")
        return [
            SourceItem(
                row.path,
                "folder" if row.is_dir else "file",
                row.size if row.size >= 0 else None,
                _nanoseconds(row.mod_time, "rclone"),
            )
            for row in rows
        ]

    def open(self, wanted: Sequence[SourceItem]) -> Iterator[tuple[SourceItem, Content]]:
        waiting, files = iter(wanted), deque[tuple[SourceItem, _RcloneFile]]()
        try:
            while True:
                for item in islice(waiting, _OPEN_AHEAD - len(files)):
                    files.append((item, _RcloneFile(self._place(item.path))))
                if not files:
                    return
                yield files[0]
                files.popleft()[1].close()
        finally:
            for _, file in files:
                file.close()

    def _place(self, path: str) -> str:
        slash = "" if self.remote.endswith((":", "/")) else "/"
        return f"{self.remote}{slash}{path}"


class _RcloneFile:
    """What is not read yet waits in the program that reads it."""

    def __init__(self, place: str) -> None:
        self._process = _start("rclone", "cat", "--", place)

    def read(self, size: int) -> bytes:
        assert self._process.stdout
        block = self._process.stdout.read(size)
        if len(block) < size and self._process.wait():
            raise Unreadable(translate("errors.source_unreadable", program="rclone"))
        return block

    def close(self) -> None:
        _end(self._process)


class _ResticRow(msgspec.Struct):
    struct_type: str = ""
    message_type: str = ""
    id: str = ""
    path: str = ""
    type: str = ""
    size: int = 0
    mode: int = 0
    mtime: str = ""


_RESTIC_KINDS: dict[str, Kind] = {"file": "file", "dir": "folder", "symlink": "link"}


@dataclass
class ResticSnapshot:
    repository: str
    snapshot: str
    has_folder_times = True

    @property
    def name(self) -> str:
        return f"restic {self.repository}"

    def list(self) -> list[SourceItem]:
        items = []
        with _running(
            "restic", f"--repo={self.repository}", "ls", "--json", self.snapshot
        ) as lines:
            for line in lines:
                row = _decode(line, _ResticRow, "restic")
                match row.struct_type or row.message_type:
                    case "snapshot":
                        # It stays this one, also if a newer one is made meanwhile.
                        self.snapshot = row.id
                    case "node":
                        items.append(_restic_item(row))
        return items

    def open(self, wanted: Sequence[SourceItem]) -> Iterator[tuple[SourceItem, Content | str]]:
        """Names, times and sizes are those of the list: of the archive only contents count, and
        what the list does not name is passed over."""
        left = {item.path: item for item in wanted}
        arguments = "dump", "--archive=tar", self.snapshot, "/"
        with _running("restic", f"--repo={self.repository}", *arguments) as stream:
            try:
                with tarfile.open(fileobj=stream, mode="r|") as archive:
                    for member in archive:
                        # It would remember all of them.
                        archive.members = []  # type: ignore[attr-defined]
                        item = left.pop(member.name, None)
                        if item and item.kind == "link" and member.issym():
                            yield item, member.linkname
                        elif item and item.kind == "file" and member.isreg():
                            yield item, _ResticFile(archive.extractfile(member))
            except tarfile.TarError:
                raise ClientError.from_code("source_malformed", program="restic") from None


@dataclass(frozen=True)
class _ResticFile:
    content: IO[bytes] | None

    def read(self, size: int) -> bytes:
        assert self.content
        try:
            return self.content.read(size)
        except tarfile.TarError:
            raise Unreadable(translate("errors.source_unreadable", program="restic")) from None


def _restic_item(row: _ResticRow) -> SourceItem:
    kind = _RESTIC_KINDS.get(row.type, "other")
    return SourceItem(
        row.path.removeprefix("/"),
        kind,
        row.size if kind == "file" else None,
        _nanoseconds(row.mtime, "restic"),
        executable=kind == "file" and bool(row.mode & 0o100),
        private=kind != "link" and not row.mode & 0o077,
    )


def _decode(data: bytes, form: type[Row], program: str) -> Row:
    try:
        return msgspec.json.decode(data, type=form)
    except ValueError:
        raise ClientError.from_code("source_malformed", program=program) from None


def _nanoseconds(text: str, program: str) -> int:
    """Both programs write times with up to nine digits behind the second."""
    moment = _MOMENT.fullmatch(text)
    try:
        seconds = (
            int(datetime.fromisoformat(f"{moment[1]}{moment[3]}").timestamp()) if moment else None
        )
    except ValueError:
        seconds = None
    if moment is None or seconds is None:
        raise ClientError.from_code("source_malformed", program=program)
    time = seconds * 10**9 + int((moment[2] or "").ljust(9, "0"))
    return max(-_MAX_TIME, min(time, _MAX_TIME))


@contextmanager
def _running(program: str, *arguments: str) -> Iterator[IO[bytes]]:
    """Yields what a program writes; fails if it fails."""
    process = _start(program, *arguments)
    assert process.stdout
    try:
        yield process.stdout
        while process.stdout.read(_BLOCK_BYTES):
            pass
        if status := process.wait():
            raise ClientError.from_code("source_failed", program=program, status=status)
    finally:
        _end(process)


def _start(program: str, *arguments: str) -> "subprocess.Popen[bytes]":
    path = shutil.which(program)
    if path is None:
        raise ClientError.from_code("program_missing", program=program)
    return subprocess.Popen([path, *arguments], stdout=subprocess.PIPE)  # noqa: S603 - no shell


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    with process:
        pass
