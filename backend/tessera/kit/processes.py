"""What running processes say of themselves. Each holds its executor slot, an advisory lock, on a
connection whose name tells version, commit and start: who is running is read from PostgreSQL, and
nobody has to write it down or clean up after the dead."""

from dataclasses import dataclass
from datetime import UTC, datetime

from tessera.kit import clock
from tessera_core.version import __version__

SLOT_LOCK = 7_301_978
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
