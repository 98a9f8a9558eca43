"""Keeps two programs from doing the same work at once."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tessera_client.errors import ClientError


@contextmanager
def only_one(path: Path, error: ClientError) -> Iterator[None]:
    """Raises if another program is in it. The system opens the lock of a program that is killed."""
    lock = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise error from None
        yield
    finally:
        lock.close()
