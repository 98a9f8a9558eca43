"""The folders of this computer that an account backs up."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import UUID

import msgspec

from tessera_client.errors import ClientError
from tessera_client.vault.patterns import exactly
from tessera_client.vault.profile import StateFolder

# Watched folders are backed up at most this often, however many files change.
WATCH_SECONDS = 5
# What could not be sent is sent again after this time, even if nothing changes.
RETRY_SECONDS = 60

_FILE = "backups.json"


class LastRun(msgspec.Struct, frozen=True, rename="camel"):
    time: int
    """Milliseconds since 1970."""
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


class Backup(msgspec.Struct, rename="camel"):
    id: str
    folder: str
    space: UUID
    path: str
    exclude: list[str]
    is_watched: bool
    last_run: LastRun | None


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
