"""The first blocks of files that wait, sealed, in the journal's database.

Making a file takes the system longer than everything else that is done with a small one: a file of
one block has none."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import EIO, ENOSPC
from threading import Lock

from tessera_core.binary import Buffer

SCHEMA = """
CREATE TABLE IF NOT EXISTS first_blocks (
    file TEXT PRIMARY KEY,
    sealed BLOB NOT NULL
)
"""


class FirstBlocks:
    """Files are named as in the staging folder. Thread-safe."""

    def __init__(self, database: sqlite3.Connection, lock: Lock) -> None:
        self._database = database
        self._lock = lock

    def get(self, file: str) -> bytes | None:
        with self._lock, as_system_error():
            row: tuple[bytes] | None = self._database.execute(
                "SELECT sealed FROM first_blocks WHERE file = ?", (file,)
            ).fetchone()
        return row[0] if row else None

    def put(self, file: str, sealed: Buffer) -> None:
        with self._lock, as_system_error():
            self._database.execute(
                "INSERT OR REPLACE INTO first_blocks VALUES (?, ?)", (file, sealed)
            )

    def remove(self, file: str) -> None:
        with self._lock, as_system_error():
            self._database.execute("DELETE FROM first_blocks WHERE file = ?", (file,))

    def keep_only(self, files: Iterable[str]) -> None:
        with self._lock, as_system_error():
            self._database.execute(
                "DELETE FROM first_blocks WHERE file NOT IN (SELECT value FROM json_each(?))",
                (json.dumps([*files]),),
            )


@contextmanager
def as_system_error() -> Iterator[None]:
    """Programs that write to the drive understand nothing else."""
    try:
        yield
    except sqlite3.Error as error:
        is_full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
        raise OSError(ENOSPC if is_full else EIO, str(error)) from error
