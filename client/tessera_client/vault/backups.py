"""The folders of this computer that an account backs up."""

import glob
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.profile import StateFolder

_FILE = "backups.json"


@dataclass(frozen=True)
class LastRun:
    time: int
    """Milliseconds since 1970."""
    stored: int = 0
    unchanged: int = 0
    bytes: int = 0
    not_safe: int = 0
    failed: int = 0
    problems: tuple[str, ...] = ()
    """The first files that could not be stored, and why."""
    code: str = ""
    """Why nothing could be stored."""
    message: str = ""

    def as_json(self) -> dict[str, Any]:
        values = {**asdict(self), "problems": list(self.problems)}
        return {"notSafe": values.pop("not_safe"), **values}

    @classmethod
    def read(cls, data: dict[str, Any]) -> "LastRun":
        values = {**data, "problems": tuple(data["problems"])}
        return cls(not_safe=values.pop("notSafe"), **values)


@dataclass(frozen=True)
class Backup:
    id: str
    folder: Path
    space: UUID
    path: str
    exclude: tuple[str, ...]
    is_watched: bool
    last_run: LastRun | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "folder": str(self.folder),
            "space": str(self.space),
            "path": self.path,
            "exclude": list(self.exclude),
            "isWatched": self.is_watched,
            "lastRun": self.last_run.as_json() if self.last_run else None,
        }

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Backup":
        last = data["lastRun"]
        return cls(
            id=str(data["id"]),
            folder=Path(data["folder"]),
            space=UUID(data["space"]),
            path=str(data["path"]),
            exclude=tuple(map(str, data["exclude"])),
            is_watched=bool(data["isWatched"]),
            last_run=LastRun.read(last) if last else None,
        )


def load_backups(folder: StateFolder, user: UUID) -> list[Backup]:
    path = folder.user_folder(user) / _FILE
    try:
        return [Backup.read(row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError):
        raise ClientError(
            translate("errors.backups_damaged", path=path), code="backups_damaged"
        ) from None


def save_backups(folder: StateFolder, user: UUID, backups: Iterable[Backup]) -> None:
    rows = [each.as_json() for each in backups]
    folder.write(f"{folder.user_folder(user).name}/{_FILE}", json.dumps(rows, indent=1))


def own_state(state: Path, folder: Path, target: str) -> Sequence[str]:
    """A pattern that excludes the client's own state, which changes with every run."""
    state, folder = state.resolve(), folder.resolve()
    if not state.is_relative_to(folder):
        return ()
    return (glob.escape(f"{target}/{state.relative_to(folder).as_posix()}"),)


def check_folder(folder: Path) -> None:
    """Raises if there is nothing to read at a path."""
    if not folder.is_dir():
        raise ClientError(translate("errors.folder_gone", path=folder), code="folder_gone")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise ClientError(
            translate("errors.folder_not_readable", path=folder), code="folder_not_readable"
        )
