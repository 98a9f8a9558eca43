"""The folders of this computer that an account backs up."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from uuid import UUID

import msgspec

from tessera_client.errors import ClientError
from tessera_client.transfer.journal import held
from tessera_client.vault.patterns import exactly
from tessera_client.vault.profile import StateFolder, file_stamp
from tessera_client.vault.put import PutSummary
from tessera_client.vault.scan import Problem

# Watched folders are backed up at most this often, however many files change.
WATCH_SECONDS = 5
# What could not be sent is sent again after this time, even if nothing changes.
RETRY_SECONDS = 60
MAX_SHOWN = 20

_FILE = "backups.json"
_LOCK = "backups.lock"
_WAIT_SECONDS = 30

MAX_REMIND_DAYS = 90
# Hours and minutes, or nothing.
TIME = r"^(([01]\d|2[0-3]):[0-5]\d)?$(?!\n)"


class Every(StrEnum):
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


class LastRun(msgspec.Struct, frozen=True, rename="camel"):
    time: int
    """When it ended, in milliseconds since 1970."""
    began: int = 0
    stored: int = 0
    unchanged: int = 0
    bytes: int = 0
    not_safe: int = 0
    failed: int = 0
    problems: list[str] = []
    """The first files that could not be stored, and why."""
    code: str = ""
    """Why nothing could be stored."""
    message: str = ""

    @classmethod
    def of(cls, summary: PutSummary, began: int) -> "LastRun":
        return cls(
            now(),
            began,
            stored=len(summary.stored),
            unchanged=summary.unchanged,
            bytes=summary.bytes,
            not_safe=len(summary.not_safe),
            failed=len(summary.failed) + len(summary.conflicts) + len(summary.outdated),
            problems=[*describe_problems(summary.failed), *summary.remarks()][:MAX_SHOWN],
        )

    @classmethod
    def failure(cls, error: ClientError, began: int) -> "LastRun":
        return cls(now(), began, code=error.code, message=str(error))


class Backup(msgspec.Struct, rename="camel"):
    id: str
    folder: str
    space: UUID
    path: str
    exclude: list[str]
    is_watched: bool
    last_run: LastRun | None = None
    every: Every | None = None
    at: str = ""
    """Hour and minute of this computer's clock, for days and weeks."""
    remind_after: int | None = None
    """Days without a backup after which the service mails the user."""
    reported_at: int = 0
    """When the service was told last."""

    @property
    def place(self) -> tuple[str, UUID, str]:
        return self.folder, self.space, self.path


def load_backups(folder: StateFolder, user: UUID) -> list[Backup]:
    path = folder.user_folder(user) / _FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Backup])
    except FileNotFoundError:
        return []
    except ValueError:
        raise ClientError.from_code("backups_damaged", path=path) from None


def save_backups(folder: StateFolder, user: UUID, backups: Iterable[Backup]) -> None:
    content = msgspec.json.encode(list(backups)).decode()
    folder.write(f"{folder.user_folder(user).name}/{_FILE}", content)


@contextmanager
def edited_backups(folder: StateFolder, user: UUID) -> Iterator[list[Backup]]:
    """The list, for changes by one process at a time; it is stored if the block does not fail."""
    with held(folder.user_folder(user) / _LOCK, _WAIT_SECONDS) as is_free:
        if not is_free:
            raise ClientError.from_code("backups_busy")
        backups = load_backups(folder, user)
        yield backups
        save_backups(folder, user, backups)


def list_stamp(folder: StateFolder, user: UUID) -> object:
    """Differs whenever the list was stored."""
    return file_stamp(folder.user_folder(user) / _FILE)


def find_backup(backups: Iterable[Backup], identifier: str) -> Backup:
    for backup in backups:
        if backup.id == identifier:
            return backup
    raise ClientError.from_code("backup_not_found")


def own_state(state: Path, folder: Path) -> Sequence[str]:
    """A pattern that excludes the client's own state, which changes with every run."""
    state, folder = state.resolve(), folder.resolve()
    if not state.is_relative_to(folder):
        return ()
    return (exactly(state.relative_to(folder).as_posix()),)


def check_folder(folder: Path) -> None:
    """Raises if there is nothing to read at a path."""
    if not folder.is_dir():
        raise ClientError.from_code("folder_gone", path=folder)
    if not os.access(folder, os.R_OK | os.X_OK):
        raise ClientError.from_code("folder_not_readable", path=folder)


def describe_problems(failed: list[Problem]) -> list[str]:
    return [f"{problem.path}: {problem.message}" for problem in failed[:MAX_SHOWN]]


def now() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)
