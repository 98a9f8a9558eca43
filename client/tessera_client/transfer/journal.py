"""Packs that are on their way: sealed once into spool files, and sent from there.

A pack is noted only together with the hash of its finished bytes, and only those bytes are sent. An
unfinished pack leaves no note and is thrown away.
"""

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_core.binary import Reader
from tessera_core.packs import ChunkRecord, PackName
from tessera_core.shards import PackRecord

# The service deletes packs that no entry names after seven days.
MAX_AGE_SECONDS = 6 * 24 * 3600
LOCK_SECONDS = 60.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS packs (
    id BLOB PRIMARY KEY,
    space BLOB NOT NULL,
    generation INTEGER NOT NULL,
    record BLOB NOT NULL,
    sha256 BLOB NOT NULL,
    chunks BLOB NOT NULL,
    is_body INTEGER NOT NULL,
    stored INTEGER NOT NULL DEFAULT 0,
    is_committed INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL
) WITHOUT ROWID
"""
_COLUMNS = "id, space, generation, record, sha256, chunks, is_body, stored, is_committed"


@dataclass(frozen=True)
class SpooledPack:
    """A finished pack. `stored` has bit i set if shard i is in its warehouse."""

    name: PackName
    record: PackRecord
    sha256: bytes
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
    """Opens a file that only the user can read, and creates its table."""
    database = sqlite3.connect(path, timeout=60, isolation_level=None)
    path.chmod(0o600)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(schema)
    return database


class Journal:
    """Used by the thread that made it alone."""

    def __init__(self, folder: Path) -> None:
        self._lock = folder / "writer.lock"
        self._spool = folder / "spool"
        self._spool.mkdir(mode=0o700, exist_ok=True)
        self._database = open_database(folder / "journal.sqlite", _SCHEMA)

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lets one program at a time send from the spool; others wait. Ends with the process."""
        lock = sqlite3.connect(self._lock, timeout=LOCK_SECONDS, isolation_level=None)
        try:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                raise ClientError(translate("errors.spool_busy"), code="spool_busy") from None
            yield
        finally:
            lock.close()

    def add(self, pack: SpooledPack, content: bytes) -> None:
        """Stores the bytes on disk, then notes the pack."""
        try:
            self._write(self.path(pack.name.pack), content)
        except OSError as error:
            self.path(pack.name.pack).unlink(missing_ok=True)
            failed = translate("errors.spool_failed", path=self._spool, reason=describe(error))
            raise ClientError(failed, code="spool_failed") from None
        self._database.execute(
            f"INSERT INTO packs ({_COLUMNS}, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?)",  # noqa: S608
            (
                pack.name.pack,
                pack.name.space.bytes,
                pack.name.generation,
                pack.record.encode(),
                pack.sha256,
                b"".join(chunk.encode() for chunk in pack.chunks),
                pack.is_body,
                time.time(),
            ),
        )

    def _write(self, path: Path, content: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def packs(self, space: UUID) -> Iterator[SpooledPack]:
        rows = self._database.execute(
            f"SELECT {_COLUMNS} FROM packs WHERE space = ? ORDER BY created_at",  # noqa: S608
            (space.bytes,),
        ).fetchall()
        return map(_pack, rows)

    def count(self) -> int:
        """Returns how many packs are not completely stored yet."""
        (count,) = self._database.execute("SELECT count(*) FROM packs").fetchone()
        return int(count)

    def set_stored(self, pack: bytes, stored: int) -> None:
        self._database.execute("UPDATE packs SET stored = ? WHERE id = ?", (stored, pack))

    def set_committed(self, pack: bytes) -> None:
        self._database.execute("UPDATE packs SET is_committed = 1 WHERE id = ?", (pack,))

    def remove(self, pack: bytes) -> None:
        self._database.execute("DELETE FROM packs WHERE id = ?", (pack,))
        self.path(pack).unlink(missing_ok=True)

    def clean(self) -> None:
        """Throws away what cannot be used any more: old packs, and files without a note."""
        limit = time.time() - MAX_AGE_SECONDS
        old = self._database.execute("SELECT id FROM packs WHERE created_at < ?", (limit,))
        for (pack,) in old.fetchall():
            self.remove(pack)
        known = {row[0].hex() for row in self._database.execute("SELECT id FROM packs")}
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
    return content if hashlib.sha256(content).digest() == pack.sha256 else None


def _pack(row: tuple[bytes, bytes, int, bytes, bytes, bytes, int, int, int]) -> SpooledPack:
    pack, space, generation, record, sha256, chunks, is_body, stored, is_committed = row
    reader = Reader(chunks)
    records = []
    while reader.left:
        records.append(ChunkRecord.read(reader))
    return SpooledPack(
        PackName(UUID(bytes=space), generation, pack),
        PackRecord.read(Reader(record)),
        sha256,
        tuple(records),
        bool(is_body),
        stored,
        bool(is_committed),
    )
