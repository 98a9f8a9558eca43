"""Keeps what waits on this computer, sealed, so that no closed file is lost."""

import json
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from errno import EIO
from pathlib import Path
from threading import Lock

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_client.drive import first_blocks
from tessera_client.drive.chunks import Chunks
from tessera_client.drive.first_blocks import FirstBlocks, as_system_error
from tessera_client.drive.pending import (
    PendingChange,
    PendingMove,
    PendingPut,
    PendingRemove,
)
from tessera_client.drive.staging import StagedFile, StagedRecord
from tessera_client.transfer.journal import open_database
from tessera_core.binary import Reader
from tessera_core.errors import NoSeed
from tessera_core.files import encode_item, read_item
from tessera_core.keyring import Keyring
from tessera_core.log import LogState

_NONCE_BYTES = 12
_SCHEMA = """
CREATE TABLE IF NOT EXISTS changes (
    number INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL,
    sealed BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS attempt (
    sequence INTEGER NOT NULL,
    steps INTEGER NOT NULL
);
"""


class _Stored(msgspec.Struct, frozen=True):
    path: str
    seen: int
    target: str = ""
    staged: StagedRecord | None = None
    item: bytes = b""
    rewinds: int = 0
    """Of the log, when it was written down."""


class DriveJournal:
    """The waiting changes of one space, in their order. Thread-safe."""

    def __init__(self, folder: Path, keyring: Keyring, rewinds: int = 0) -> None:
        self.staging = folder / "staging"
        self.staging.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.keyring, self.rewinds = keyring, rewinds
        self._unopened: list[int] = []
        """Numbers of changes that were written under keys which are not there now."""
        self._lock = Lock()
        self._database = open_database(folder / "journal.sqlite", _SCHEMA + first_blocks.SCHEMA)
        self.first_blocks = FirstBlocks(self._database, self._lock)

    def close(self) -> None:
        self._database.close()

    def load(self, chunks: Chunks, state: LogState) -> list[PendingChange]:
        """What an earlier run left. Staging files that nothing names were never closed."""
        rows = self._database.execute("SELECT generation, sealed, number FROM changes ORDER BY 3")
        opened = list[_Stored]()
        for generation, sealed, number in rows:
            stored = self._open(generation, sealed)
            if stored:
                kept = state.kept_since(stored.rewinds)
                seen = stored.seen if kept is None else min(stored.seen, kept)
                opened.append(msgspec.structs.replace(stored, seen=seen))
            else:
                self._unopened.append(number)
        # A file that was written again is named again: what was noted last is true.
        records = {stored.staged.id: stored.staged for stored in opened if stored.staged}
        files = {file: self.stage(record, chunks) for file, record in records.items()}
        # What does not open now may open after a grant: then its files are still needed.
        if not self._unopened:
            names = {file.hex() for file in files}
            # A full disk does not keep the drive from opening.
            with suppress(OSError):
                self.first_blocks.keep_only(names)
            for path in self.staging.iterdir():
                if path.name not in names:
                    path.unlink(missing_ok=True)
        return [_change(stored, files) for stored in opened]

    def stage(self, record: StagedRecord, chunks: Chunks) -> StagedFile:
        return StagedFile(self.staging, self.first_blocks, record, chunks)

    def make_durable(self) -> None:
        """What was noted survives a power failure from now on."""
        with self._lock, as_system_error():
            busy, pages, done = self._database.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if busy or pages != done:
            raise OSError(EIO, os.strerror(EIO))

    def shrink(self) -> None:
        """Gives back to the system what files that were sent have taken."""
        with self._lock, as_system_error():
            self._database.executescript("PRAGMA incremental_vacuum")

    def begin_attempt(self, sequence: int, steps: int) -> None:
        """Notes that the first changes, which move and remove, are being sent after an entry."""
        with self._lock:
            self._database.execute("INSERT INTO attempt VALUES (?, ?)", (sequence, steps))

    def attempt(self) -> tuple[int, int] | None:
        """The entry before, and how many changes were being sent when it ended early."""
        with self._lock:
            row: tuple[int, int] | None = self._database.execute("SELECT * FROM attempt").fetchone()
        return row

    def append(self, change: PendingChange) -> None:
        self._write([change])

    def replace(self, changes: Sequence[PendingChange]) -> None:
        self._write(changes, replace=True)

    def _write(self, changes: Sequence[PendingChange], *, replace: bool = False) -> None:
        rows = [(self.keyring.generation, self._seal(change)) for change in changes]
        with self._lock, as_system_error():
            self._database.execute("BEGIN IMMEDIATE")
            with self._database:
                if replace:
                    self._database.execute(
                        "DELETE FROM changes WHERE number NOT IN (SELECT value FROM json_each(?))",
                        (json.dumps(self._unopened),),
                    )
                    self._database.execute("DELETE FROM attempt")
                self._database.executemany(
                    "INSERT INTO changes (generation, sealed) VALUES (?, ?)", rows
                )

    def _seal(self, change: PendingChange) -> bytes:
        match change:
            case PendingPut(path, content, seen):
                if isinstance(content, StagedFile):
                    stored = _Stored(path, seen, staged=content.record())
                else:
                    stored = _Stored(path, seen, item=encode_item(content))
            case PendingRemove(path, seen):
                stored = _Stored(path, seen)
            case PendingMove(source, target, seen):
                stored = _Stored(source, seen, target=target)
        nonce = secrets.token_bytes(_NONCE_BYTES)
        stored = msgspec.structs.replace(stored, rewinds=self.rewinds)
        encoded = msgspec.msgpack.encode(stored)
        return nonce + self._cipher(self.keyring.generation).encrypt(nonce, encoded, None)

    def _open(self, generation: int, sealed: bytes) -> _Stored | None:
        try:
            content = self._cipher(generation).decrypt(
                sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], None
            )
            return msgspec.msgpack.decode(content, type=_Stored)
        except (InvalidTag, NoSeed, ValueError):
            return None

    def _cipher(self, generation: int) -> AESGCM:
        return AESGCM(self.keyring.local_key(generation))


def _change(stored: _Stored, files: dict[bytes, StagedFile]) -> PendingChange:
    if stored.staged:
        file = files[stored.staged.id]
        file.path, file.seen, file.is_noted = stored.path, stored.seen, True
        return PendingPut(stored.path, file, stored.seen)
    if stored.item:
        item = read_item(Reader(stored.item))
        assert item is not None
        return PendingPut(stored.path, item, stored.seen)
    if stored.target:
        return PendingMove(stored.path, stored.target, stored.seen)
    return PendingRemove(stored.path, stored.seen)
