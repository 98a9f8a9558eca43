"""What running processes say of themselves. Each holds its executor slot, an advisory lock, on a
connection whose name tells version, commit and start: who is running is read from PostgreSQL, and
nobody has to write it down or clean up after the dead."""

from dataclasses import dataclass
from datetime import UTC, datetime

from tessera.kit import clock
from tessera.kit.database import Connection
from tessera_core.version import __version__

SLOT_LOCK = 7_301_978
# The connections of running processes: a process holds its executor slot as long as it runs.
HOLDERS = (
    "pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.classid::int = $1 AND l.objsubid = 2 AND l.granted"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_PROGRAM = "tessera-serve"
# PostgreSQL cuts names after 63 bytes.
_COMMIT_LENGTH = 12
_UNKNOWN = "-"


@dataclass(frozen=True)
class ProcessName:
    version: str
    commit: str | None
    started_at: datetime


def connection_name(commit: str) -> str:
    started = int(clock.own().timestamp())
    return f"{_PROGRAM} {__version__} {commit[:_COMMIT_LENGTH] or _UNKNOWN} {started}"


def read_connection_name(name: str) -> ProcessName | None:
    """None for a name of another form, as another version of the service may use."""
    match name.split(" "):
        case [program, version, commit, started] if (
            program == _PROGRAM and started.isascii() and started.isdigit() and len(started) < 12
        ):
            return ProcessName(
                version,
                None if commit == _UNKNOWN else commit,
                datetime.fromtimestamp(int(started), UTC),
            )
    return None


async def running_versions(connection: Connection) -> list[str | None]:
    """None for a process that does not say which version it is."""
    rows = await connection.fetch(
        f"SELECT DISTINCT a.application_name FROM {HOLDERS}",  # noqa: S608 - a constant
        SLOT_LOCK,
    )
    names = [read_connection_name(name) for (name,) in rows]
    return [name.version if name else None for name in names]
