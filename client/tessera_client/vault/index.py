"""The local index: how far each space's log was read, and what it said. Sealed, because it holds
names."""

import hashlib
import os
import secrets
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple
from uuid import UUID

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_client.transfer.journal import open_database
from tessera_client.vault.contents import Contents
from tessera_client.vault.snapshot import SkippedBody, Snapshot
from tessera_core.changes import PackContents, Version
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.kdf import derive_key
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.segments import Segment, SegmentEntry
from tessera_core.tree import Tree
from tessera_core.user_keys import PrivateKeys

# Far more than people work on; what is forgotten is remembered again by the next put or backup.
MAX_ORIGINS = 500_000
# Longer than backups of the service are kept at most, as its operator is told.
KEPT_MILLISECONDS = 35 * 24 * 3600 * 1000
# Of the entries that are kept of one space.
MAX_KEPT_BYTES = 128 * 2**20

_NONCE_BYTES = 12
_KEY_BYTES = 32
_NO_SPACE = UUID(int=0)
_NAME_BYTES = 16
_SCHEMA = """
CREATE TABLE IF NOT EXISTS spaces (
    id BLOB PRIMARY KEY,
    sequence INTEGER NOT NULL,
    state BLOB NOT NULL,
    tree BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS compared_chunks (
    space BLOB NOT NULL,
    chunk BLOB NOT NULL,
    pack BLOB NOT NULL,
    PRIMARY KEY (space, chunk)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS origins (
    file BLOB PRIMARY KEY,
    place BLOB NOT NULL,
    space BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    is_stored INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS syncs (
    id BLOB PRIMARY KEY,
    space BLOB NOT NULL,
    state BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept_folders (
    space BLOB PRIMARY KEY,
    paths BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept_entries (
    space BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    time INTEGER NOT NULL,
    size INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (space, sequence)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS local_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    sealed BLOB NOT NULL
)
"""


class Origin(NamedTuple):
    """The version that a local file came from. Names are hashed."""

    file: bytes
    """Path in the space and path on this computer."""
    place: bytes
    """Path in the space alone."""
    sequence: int
    is_stored: bool
    """This computer has stored it, and not fetched it."""


class Index:
    """Holds snapshots; damaged ones and those of other keys count as absent.

    What this computer alone knows is sealed by a key of its own, which outlives the account's."""

    def __init__(self, path: Path, keys: PrivateKeys) -> None:
        self._database = open_database(path, _SCHEMA)
        self._origins_lock = Lock()
        self._kept_lock = Lock()
        self._cipher = _account_cipher(keys)
        local = self._local_key()
        self._local = AESGCM(derive_key(local, "tessera/client/index/local"))
        self._name_key = derive_key(local, "tessera/client/names")

    def _local_key(self) -> bytes:
        sealed = self._sealed_local_key()
        with suppress(InvalidTag):
            if sealed is not None:
                return self._open(_NO_SPACE, sealed)
        new = self._seal(_NO_SPACE, secrets.token_bytes(_KEY_BYTES))
        # Another process may have been faster.
        self._database.execute(
            "INSERT INTO local_key VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET sealed = ?1"
            " WHERE sealed = ?2",
            (new, sealed),
        )
        stored = self._sealed_local_key()
        assert stored is not None
        return self._open(_NO_SPACE, stored)

    def _sealed_local_key(self) -> bytes | None:
        row = self._database.execute("SELECT sealed FROM local_key").fetchone()
        return row[0] if row else None

    def change_keys(self, keys: PrivateKeys) -> None:
        """The account has new keys: what was read by the former ones is read again."""
        sealed = self._sealed_local_key()
        assert sealed is not None
        local = self._open(_NO_SPACE, sealed)
        self._cipher = _account_cipher(keys)
        self._database.execute("UPDATE local_key SET sealed = ?", (self._seal(_NO_SPACE, local),))

    def close(self) -> None:
        self._database.close()

    def load(self, company: UUID, space: UUID) -> Snapshot:
        row = self._database.execute(
            "SELECT state, tree FROM spaces WHERE id = ?", (space.bytes,)
        ).fetchone()
        empty = Snapshot(LogState(company, space))
        if row is None:
            return empty
        try:
            return _decode(empty.state, self._open(space, row[0]), self._open(space, row[1]))
        except (InvalidTag, ValueError):
            return empty

    def save(self, snapshot: Snapshot) -> None:
        """Keeps the newer one if two processes save at once."""
        state, tree = _encode(snapshot)
        space = snapshot.state.space
        self._database.execute(
            "INSERT INTO spaces VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE"
            " SET sequence = ?2, state = ?3, tree = ?4 WHERE sequence <= ?2",
            (
                space.bytes,
                snapshot.state.sequence,
                self._seal(space, state),
                self._seal(space, tree),
            ),
        )

    def forget_after(self, space: UUID, sequence: int) -> None:
        """Forgets what was read of a log after an entry: other entries have taken its place."""
        with self._kept_lock, self._origins_lock, self._database:
            self._database.execute("BEGIN IMMEDIATE")
            for statement in (
                "DELETE FROM spaces WHERE id = ? AND sequence > ?",
                "DELETE FROM kept_entries WHERE space = ? AND sequence > ?",
                "DELETE FROM origins WHERE space = ? AND sequence > ?",
            ):
                self._database.execute(statement, (space.bytes, sequence))

    def add_compared(self, space: UUID, chunks: Iterable[tuple[bytes, bytes]]) -> None:
        """Remembers chunks that this computer has fetched and compared, with their packs."""
        rows = [(space.bytes, chunk, pack) for chunk, pack in chunks]
        self._database.executemany("INSERT OR REPLACE INTO compared_chunks VALUES (?, ?, ?)", rows)

    def compared(self, space: UUID) -> dict[bytes, bytes]:
        return dict(
            self._database.execute(
                "SELECT chunk, pack FROM compared_chunks WHERE space = ?", (space.bytes,)
            )
        )

    def name(self, space: UUID, *names: str) -> bytes:
        """Stands for names that must not lie in the open on this computer."""
        text = space.bytes + os.fsencode("\0".join(names))
        return hashlib.blake2b(text, digest_size=_NAME_BYTES, key=self._name_key).digest()

    def origins(self, space: UUID) -> list[tuple[bytes, bytes, int, bool]]:
        """The fields of all `Origin`s, the oldest first: there may be very many."""
        return self._database.execute(
            "SELECT file, place, sequence, is_stored FROM origins WHERE space = ? ORDER BY rowid",
            (space.bytes,),
        ).fetchall()

    def add_origins(self, space: UUID, rows: Iterable[Origin]) -> None:
        """Forgets those that were not renewed for longest."""
        with self._origins_lock, self._database:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(
                "INSERT OR REPLACE INTO origins (file, place, sequence, is_stored, space)"
                " VALUES (?, ?, ?, ?, ?)",
                [(*row, space.bytes) for row in rows],
            )
            self._database.execute(
                "DELETE FROM origins WHERE rowid <= (SELECT max(rowid) FROM origins) - ?",
                (MAX_ORIGINS,),
            )

    def syncs(self) -> list[bytes]:
        """The states of all synchronised folders that these keys open."""
        opened = []
        for space, sealed in self._database.execute("SELECT space, state FROM syncs ORDER BY id"):
            with suppress(InvalidTag):
                opened.append(_open(self._local, UUID(bytes=space), sealed))
        return opened

    def save_sync(self, sync: bytes, space: UUID, state: bytes) -> None:
        row = (sync, space.bytes, _seal(self._local, space, state))
        self._database.execute("INSERT OR REPLACE INTO syncs VALUES (?, ?, ?)", row)

    def remove_sync(self, sync: bytes) -> None:
        self._database.execute("DELETE FROM syncs WHERE id = ?", (sync,))

    def kept_folders(self, space: UUID) -> list[str]:
        """Folders of a space that the drive always keeps on this computer."""
        row = self._database.execute(
            "SELECT paths FROM kept_folders WHERE space = ?", (space.bytes,)
        ).fetchone()
        if row is None:
            return []
        try:
            return msgspec.msgpack.decode(_open(self._local, space, row[0]), type=list[str])
        except (InvalidTag, ValueError):
            return []

    def keep_folders(self, space: UUID, paths: Sequence[str]) -> None:
        sealed = _seal(self._local, space, msgspec.msgpack.encode(sorted(paths)))
        self._database.execute(
            "INSERT OR REPLACE INTO kept_folders VALUES (?, ?)", (space.bytes, sealed)
        )

    def keep_entries(self, space: UUID, entries: Iterable[SegmentEntry]) -> None:
        """Keeps whole entries for a while, so that a service that has lost them gets them back.
        Those that have their grants replace those that have not."""
        now = int(time.time() * 1000)
        since = now - KEPT_MILLISECONDS
        # The time in an entry is what its author says.
        rows = [
            (
                space.bytes,
                head.sequence,
                min(head.time, now),
                len(sealed),
                sealed,
                bool(each.grants),
            )
            for each in entries
            if (head := each.entry.head).time >= since
            for sealed in [_seal(self._local, space, Segment((each,)).encode())]
        ]
        if not rows:
            return
        with self._kept_lock, self._database:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(
                "INSERT INTO kept_entries VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (space, sequence)"
                " DO UPDATE SET time = ?3, size = ?4, sealed = ?5 WHERE ?6",
                rows,
            )
            self._forget_entries(space, since)

    def _forget_entries(self, space: UUID, since: int) -> None:
        """Those that are too old, and of a space that has very many the oldest."""
        self._database.execute("DELETE FROM kept_entries WHERE time < ?", (since,))
        total = self._database.execute(
            "SELECT sum(size) FROM kept_entries WHERE space = ?", (space.bytes,)
        ).fetchone()[0]
        if (total or 0) > MAX_KEPT_BYTES:
            self._database.execute(
                "DELETE FROM kept_entries WHERE space = ?1 AND sequence <= (SELECT max(sequence)"
                " FROM (SELECT sequence, sum(size) OVER (ORDER BY sequence DESC) AS newer"
                "  FROM kept_entries WHERE space = ?1) WHERE newer > ?2)",
                (space.bytes, MAX_KEPT_BYTES * 3 // 4),
            )

    def kept_entries(self, space: UUID, after: int) -> list[SegmentEntry]:
        """The consecutive ones that follow this sequence."""
        found = list[SegmentEntry]()
        rows = self._database.execute(
            "SELECT sequence, sealed FROM kept_entries WHERE space = ? AND sequence > ?"
            " ORDER BY sequence",
            (space.bytes, after),
        )
        for sequence, sealed in rows:
            try:
                segment = Segment.decode(_open(self._local, space, sealed))
            except (InvalidTag, Malformed, NotAuthentic):
                break
            if sequence != after + 1 or segment.first != sequence:
                break
            found += segment.entries
            after = sequence
        return found

    def _seal(self, space: UUID, data: bytes) -> bytes:
        return _seal(self._cipher, space, data)

    def _open(self, space: UUID, sealed: bytes) -> bytes:
        return _open(self._cipher, space, sealed)


def _account_cipher(keys: PrivateKeys) -> AESGCM:
    return AESGCM(derive_key(keys.encode(), "tessera/client/index/2"))


def _seal(cipher: AESGCM, space: UUID, data: bytes) -> bytes:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + cipher.encrypt(nonce, data, space.bytes)


def _open(cipher: AESGCM, space: UUID, sealed: bytes) -> bytes:
    view = memoryview(sealed)
    return cipher.decrypt(view[:_NONCE_BYTES], view[_NONCE_BYTES:], space.bytes)


class _Stored(msgspec.Struct):
    """A snapshot without its tree."""

    state: LogState
    name: str
    first: bytes
    keyring: Keyring | None
    is_vouched: bool
    body_packs: frozenset[bytes]
    former_body_packs: frozenset[bytes]
    checkpoint: int
    skipped: tuple[SkippedBody, ...]
    false_checkpoints: tuple[int, ...]
    contents_bytes: int


_TREE = msgspec.msgpack.Decoder(tuple[str, list[PackContents], dict[str, list[Version]]])
_KEPT = [name for name in _Stored.__struct_fields__ if name != "contents_bytes"]


def _encode(snapshot: Snapshot) -> tuple[bytes, bytes]:
    contents = body = b""
    if snapshot.name:  # Its first change names a space.
        tree = snapshot.tree
        contents = snapshot.contents.encode()
        body = msgspec.msgpack.encode((tree.name, list(tree.packs.values()), tree.versions))
    fields = {name: getattr(snapshot, name) for name in _KEPT}
    stored = _Stored(**fields, contents_bytes=len(contents))
    return msgspec.msgpack.encode(stored), contents + body


def _decode(state: LogState, encoded: bytes, described: bytes) -> Snapshot:
    """Most commands need the tree of one space, and `ls` of none: it is decoded at first use."""
    stored = msgspec.msgpack.decode(encoded, type=_Stored)
    if (stored.state.company, stored.state.space) != (state.company, state.space):
        raise ValueError("another space's")
    size = stored.contents_bytes
    return Snapshot(
        load_tree=cache(lambda: _decode_tree(described[size:])),
        load_contents=cache(lambda: Contents.decode(described[:size])) if size else None,
        **{name: getattr(stored, name) for name in _KEPT},
    )


def _decode_tree(body: bytes) -> Tree:
    """Five times as fast as a checkpoint, which has to be the same everywhere."""
    return Tree.from_versions(*_TREE.decode(body)) if body else Tree()
