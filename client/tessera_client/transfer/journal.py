"""Packs that are on their way: sealed once into spool files, and sent from there.

A pack is noted only together with the hash of its finished bytes, and only those bytes are sent. An
unfinished pack leaves no note and is thrown away, and so is one whose bytes a power failure took.
"""

import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import UUID

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_core.binary import Buffer, Reader
from tessera_core.packs import ChunkRecord, PackName
from tessera_core.shards import PackRecord

# The service deletes packs that no entry names after seven days.
MAX_AGE_SECONDS = 6 * 24 * 3600

_SCHEMA = """
CREATE TABLE IF NOT EXISTS spool (
    id BLOB PRIMARY KEY,
    space BLOB NOT NULL,
    generation INTEGER NOT NULL,
    record BLOB NOT NULL,
    chunks BLOB NOT NULL,
    is_body INTEGER NOT NULL,
    stored INTEGER NOT NULL DEFAULT 0,
    is_committed INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL,
    run TEXT NOT NULL
) WITHOUT ROWID
"""
_COLUMNS = "id, space, generation, record, chunks, is_body, stored, is_committed"


@dataclass(frozen=True)
class SpooledPack:
    """A finished pack. `stored` has bit i set if shard i is in its warehouse."""

    name: PackName
    record: PackRecord
    chunks: tuple[ChunkRecord, ...]
    is_body: bool
    stored: int = 0
    is_committed: bool = False

    @property
    def stored_count(self) -> int:
        return self.stored.bit_count()

    @property
    def is_readable(self) -> bool:
        return self.stored_count >= self.record.coding.k

    @property
    def is_safe(self) -> bool:
        return self.stored_count > self.record.coding.k

    @property
    def is_complete(self) -> bool:
        return self.stored_count == self.record.coding.n


def open_database(path: Path, schema: str) -> sqlite3.Connection:
    """Opens a file that only the user can read, and creates its tables."""
    database = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    path.chmod(0o600)
    # Only an empty file can be told that it shall become smaller later.
    database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    database.execute("PRAGMA journal_mode = WAL")
    # What a power failure takes is read or sent again.
    database.execute("PRAGMA synchronous = NORMAL")
    database.executescript(schema)
    return database


@contextmanager
def held(path: Path, wait_seconds: float = 0) -> Iterator[bool]:
    """Holds a file until the end of the process at the latest; False if another one does."""
    lock = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            yield False
        else:
            yield True
    finally:
        lock.close()


class Journal:
    """Packs that are noted here; thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.run = ""
        self._runs = folder / "runs"
        self._spool = folder / "spool"
        for each in (self._runs, self._spool):
            each.mkdir(mode=0o700, exist_ok=True)
        self._database = open_database(folder / "journal.sqlite", _SCHEMA)
        self._guard = Lock()

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def running(self) -> Iterator["Journal"]:
        """Yields a journal whose packs belong to one run: no other one touches them meanwhile."""
        journal = copy(self)
        journal.run = secrets.token_hex(8)
        try:
            with held(self._runs / journal.run):
                yield journal
        finally:
            (self._runs / journal.run).unlink(missing_ok=True)

    def take_over(self, space: UUID) -> Iterator[SpooledPack]:
        """Packs of runs that have ended without having sent them completely."""
        for (run,) in self._execute("SELECT DISTINCT run FROM spool WHERE run <> ?", self.run):
            with held(self._runs / run) as has_ended:
                if has_ended:
                    self._execute("UPDATE spool SET run = ? WHERE run = ?", self.run, run)
            if has_ended:
                (self._runs / run).unlink(missing_ok=True)
        rows = self._execute(
            f"SELECT {_COLUMNS} FROM spool WHERE space = ? AND run = ? ORDER BY created_at",  # noqa: S608
            space.bytes,
            self.run,
        )
        return map(_pack, rows)

    def _execute(self, statement: str, *values: object) -> list[Any]:
        with self._guard:
            return self._database.execute(statement, values).fetchall()

    def add(self, pack: SpooledPack, content: Buffer) -> None:
        """Stores the bytes on disk, then notes the pack."""
        try:
            self._write(self.path(pack.name.pack), content)
        except OSError as error:
            self.path(pack.name.pack).unlink(missing_ok=True)
            failed = translate("errors.spool_failed", path=self._spool, reason=describe(error))
            raise ClientError(failed, code="spool_failed") from None
        self._execute(
            f"INSERT INTO spool ({_COLUMNS}, created_at, run)"  # noqa: S608
            " VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
            pack.name.pack,
            pack.name.space.bytes,
            pack.name.generation,
            pack.record.encode(),
            b"".join(chunk.encode() for chunk in pack.chunks),
            pack.is_body,
            time.time(),
            self.run,
        )

    def _write(self, path: Path, content: Buffer) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(content)

    def packs(self, space: UUID) -> list[SpooledPack]:
        rows = self._execute(f"SELECT {_COLUMNS} FROM spool WHERE space = ?", space.bytes)  # noqa: S608
        return [_pack(row) for row in rows]

    def count(self) -> int:
        """Returns how many packs are not completely stored yet."""
        ((count,),) = self._execute("SELECT count(*) FROM spool")
        return int(count)

    def set_stored(self, pack: SpooledPack) -> None:
        """Notes where the pack is stored. If it is everywhere, its bytes are not needed here."""
        self._execute("UPDATE spool SET stored = ? WHERE id = ?", pack.stored, pack.name.pack)
        if pack.is_complete:
            self.path(pack.name.pack).unlink(missing_ok=True)

    def set_committed(self, pack: bytes) -> None:
        self._execute("UPDATE spool SET is_committed = 1 WHERE id = ?", pack)

    def remove(self, pack: bytes) -> None:
        self._execute("DELETE FROM spool WHERE id = ?", pack)
        self.path(pack).unlink(missing_ok=True)

    def clean(self) -> None:
        """Throws away what cannot be used any more: old packs, and files without a note."""
        limit = time.time() - MAX_AGE_SECONDS
        for (pack,) in self._execute("SELECT id FROM spool WHERE created_at < ?", limit):
            self.remove(pack)
        known = {pack.hex() for (pack,) in self._execute("SELECT id FROM spool")}
        for path in self._spool.iterdir():
            if path.name not in known and path.stat().st_mtime < time.time() - 3600:
                path.unlink(missing_ok=True)

    def path(self, pack: bytes) -> Path:
        return self._spool / pack.hex()


def read_spooled(path: Path, pack: SpooledPack) -> bytes | None:
    """Returns the pack's bytes; None if the file was lost or damaged."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    is_whole = len(content) == pack.record.coding.length and pack.record.matches(content)
    return content if is_whole else None


def _pack(row: tuple[bytes, bytes, int, bytes, bytes, int, int, int]) -> SpooledPack:
    pack, space, generation, record, chunks, is_body, stored, is_committed = row
    reader = Reader(chunks)
    records = []
    while reader.left:
        records.append(ChunkRecord.read(reader))
    return SpooledPack(
        PackName(UUID(bytes=space), generation, pack),
        PackRecord.read(Reader(record)),
        tuple(records),
        bool(is_body),
        stored,
        bool(is_committed),
    )
