"""A backup, restored to a server that nobody reaches, to see whether it can be."""

import asyncio
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from tessera.maintenance.base_backups import (
    Archive,
    BackupUnusable,
    BaseBackup,
    as_lines,
    run,
    write_recovery,
)
from tessera.maintenance.queries import ArchivedWal, RestoredState, restored_state

SEGMENT = re.compile(r"[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})(\.[0-9A-F]{8}\.backup)?")
# A week of write-ahead log takes hours to replay.
REPLAY_SECONDS = 86_400


@dataclass(frozen=True)
class Server:
    """PostgreSQL's programs, and a folder with room for all that is in the backup."""

    programs: Path
    room: Path


def try_backup(
    archive: Archive, backup: BaseBackup, server: Server, archived: ArchivedWal, url: str
) -> RestoredState:
    """Restores it with all that was archived since, and reads every page. `url` names the database
    and a role that may read it."""
    _require_version(server.programs, backup)
    with _folders(server.room) as (data, sockets):
        archive.download(backup, data)
        _write_settings(data, sockets)
        write_recovery(data, archive.restore_command, None)
        log = data.with_name("log")
        control = [
            str(server.programs / "pg_ctl"),
            "-w",
            "-t",
            str(REPLAY_SECONDS),
            "-D",
            str(data),
        ]
        log.touch()
        shutil.chown(log, data.owner())
        _start([*control, "-l", str(log), "start"], archive, log)
        try:
            state = asyncio.run(_read(url, sockets, log))
        finally:
            with suppress(BackupUnusable):
                run([*control, "-m", "fast", "stop"], archive.rights)
        compare(state, archived)
        if state.has_checksums:
            run([str(server.programs / "pg_checksums"), "--check", "-D", str(data)], archive.rights)
    return state


def _require_version(programs: Path, backup: BaseBackup) -> None:
    said = run([str(programs / "postgres"), "--version"], {})
    found = re.search(r" (\d+)", said)
    if found is None or int(found[1]) != backup.postgres_version:
        raise BackupUnusable(
            f"The backup is of PostgreSQL {backup.postgres_version}, and {programs} has"
            f" {said.strip()}: name the programs of that version with --postgres."
        )


@contextmanager
def _folders(room: Path) -> Iterator[tuple[Path, Path]]:
    """Both are the owner's of the room alone, and removed in the end. The path of a socket can have
    a hundred characters only."""
    owner = room.owner()
    with (
        tempfile.TemporaryDirectory(prefix="tessera-backup-", dir=room) as outer,
        tempfile.TemporaryDirectory(prefix="tessera-") as sockets,
    ):
        data = Path(outer, "data")
        data.mkdir(mode=0o700)
        for folder in (outer, data, sockets):
            shutil.chown(folder, owner)
        yield data, Path(sockets)


def _write_settings(data: Path, sockets: Path) -> None:
    """Instead of the primary's: the copy listens to nobody, archives nothing and follows nobody."""
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "port": "5432",
        "archive_mode": "off",
        "hot_standby": "off",
        "autovacuum": "off",
        "fsync": "off",
        "logging_collector": "off",
    }
    (data / "standby.signal").unlink(missing_ok=True)
    files = {
        "postgresql.conf": "",
        "postgresql.auto.conf": as_lines(settings),
        "pg_hba.conf": "local all all trust\n",
        "pg_ident.conf": "",
    }
    for name, text in files.items():
        (data / name).unlink(missing_ok=True)
        (data / name).write_text(text, encoding="utf-8")
        shutil.chown(data / name, data.owner())


def _start(command: list[str], archive: Archive, log: Path) -> None:
    """The server would keep a pipe open."""
    quiet = subprocess.DEVNULL
    done = subprocess.run(  # noqa: S603 - the operator's own program
        command, check=False, stdout=quiet, stderr=quiet, cwd="/", **archive.rights
    )
    if done.returncode != 0:
        raise BackupUnusable(f"PostgreSQL does not start with the backup. {_end_of(log)}")


async def _read(url: str, sockets: Path, log: Path) -> RestoredState:
    """Waits until everything is replayed: `pg_ctl` does not, where nobody can connect before."""
    async with asyncio.timeout(REPLAY_SECONDS):
        while True:
            try:
                connection = await asyncpg.connect(url, host=str(sockets), port=5432, password="")
            except asyncpg.CannotConnectNowError:
                await asyncio.sleep(0.5)
            except (OSError, asyncpg.PostgresError) as error:
                raise BackupUnusable(
                    f"The restored database cannot be read: {error}. {_end_of(log)}"
                ) from error
            else:
                break
    try:
        return await restored_state(connection)
    finally:
        await connection.close()


def _end_of(log: Path) -> str:
    return log.read_text(errors="replace")[-1_000:].strip()


def compare(state: RestoredState, archived: ArchivedWal) -> None:
    """Replay ends without a word where a segment is missing or damaged."""
    if state.system_identifier != archived.system_identifier:
        raise BackupUnusable("The backup is of another cluster than the primary.")
    if archived.last_wal is None:
        raise BackupUnusable("The primary has archived no WAL.")
    named = SEGMENT.fullmatch(archived.last_wal)
    if named is None:
        # The history of a timeline: its first segment follows.
        return
    begin = (int(named[1], 16) << 32) + int(named[2], 16) * state.segment_bytes
    if state.replayed_bytes <= begin:
        raise BackupUnusable(
            f"The archived WAL ends at {state.replayed_to}, before the segment {archived.last_wal}"
            " that the primary has archived: one in between is missing or damaged."
        )
