"""Base backups and write-ahead log that Barman keeps in object storage."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

BACKUP_ID = re.compile(r"\d{8}T\d{6}")


class BackupUnusable(Exception):
    """Says why, in a sentence."""


@dataclass(frozen=True)
class BaseBackup:
    id: str
    ended_at: datetime
    postgres_version: int
    has_tablespaces: bool


@dataclass(frozen=True)
class Archive:
    """Where Barman's commands are, what each of them is told, and who runs them."""

    programs: Path
    url: str
    server: str
    options: Sequence[str]
    rights: dict[str, Any]

    @property
    def restore_command(self) -> str:
        """As PostgreSQL's setting of this name has it."""
        return shlex.join(self._command("wal-restore")).replace("%", "%%") + " %f %p"

    def last_backup(self, until: datetime | None = None) -> BaseBackup:
        """The newest that is complete, and that ended by then."""
        backups = [each for each in self._complete() if until is None or each.ended_at <= until]
        if not backups:
            then = f" that ended before {until:%Y-%m-%d %H:%M:%S} UTC" if until else ""
            raise BackupUnusable(f"There is no complete base backup{then}.")
        return max(backups, key=lambda each: each.ended_at)

    def download(self, backup: BaseBackup, folder: Path) -> None:
        """Into an empty folder."""
        if any(folder.iterdir()):
            raise BackupUnusable(f"The folder {folder} is not empty.")
        if backup.has_tablespaces:
            raise BackupUnusable(
                "The backup has tablespaces, which would be written where the primary has its own."
            )
        run(self._command("restore", backup.id, str(folder)), self.rights)

    def _complete(self) -> list[BaseBackup]:
        listed = run(self._command("backup-list", options=("--format", "json")), self.rights)
        try:
            return [
                BaseBackup(
                    each["backup_id"],
                    datetime.fromisoformat(each["end_time_iso"]).astimezone(UTC),
                    int(each["version"]) // 10_000,
                    bool(each["tablespaces"]),
                )
                for each in json.loads(listed)["backups_list"]
                if each["status"] == "DONE" and BACKUP_ID.fullmatch(each["backup_id"])
            ]
        except (ValueError, LookupError, TypeError) as error:
            raise BackupUnusable(f"Barman's list of backups is unreadable: {error!r}.") from error

    def _command(self, name: str, *words: str, options: Sequence[str] = ()) -> list[str]:
        program = str(self.programs / f"barman-cloud-{name}")
        return [program, *self.options, *options, self.url, self.server, *words]


def rights_of(folder: Path) -> dict[str, Any]:
    """Of programs that write there. PostgreSQL refuses to run as root: then its owner runs them."""
    if os.geteuid() != 0:
        return {}
    owner = folder.owner()
    if owner == "root":
        raise BackupUnusable(
            f"PostgreSQL does not run as root: give {folder} to the user that runs it."
        )
    home = str(Path(f"~{owner}").expanduser())
    return {"user": owner, "extra_groups": (), "env": {**os.environ, "HOME": home}}


def run(command: Sequence[str], rights: dict[str, Any]) -> str:
    try:
        done: subprocess.CompletedProcess[str] = subprocess.run(  # noqa: S603 - the operator's own programs
            command, check=False, capture_output=True, text=True, cwd="/", **rights
        )
    except OSError as error:
        raise BackupUnusable(f"{command[0]} cannot be run: {error.strerror}.") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()[-1_000:]
        raise BackupUnusable(f"{Path(command[0]).name} ended with {done.returncode}: {said}")
    return done.stdout


def write_recovery(folder: Path, restore_command: str, until: datetime | None) -> None:
    """What PostgreSQL does when it starts there. Each setting is given, because the settings in the
    backup may be those of an earlier restore."""
    settings = {
        "restore_command": restore_command,
        "recovery_target": "",
        "recovery_target_lsn": "",
        "recovery_target_name": "",
        "recovery_target_xid": "",
        "recovery_target_time": f"{until:%Y-%m-%d %H:%M:%S.%f} UTC" if until else "",
        "recovery_target_timeline": "latest",
        "recovery_target_action": "promote",
    }
    with (folder / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
        file.write(as_lines(settings))
    signal = folder / "recovery.signal"
    signal.touch()
    shutil.chown(signal, folder.owner())


def as_lines(settings: dict[str, str]) -> str:
    """In the form of postgresql.conf."""
    return "".join(
        f"{name} = '{value.replace(chr(39), chr(39) * 2)}'\n" for name, value in settings.items()
    )
