"""The local index: how far each space's log was read, and what it said. Sealed, because it holds
names."""

import json
import secrets
from functools import cache
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_client.transfer.journal import open_database
from tessera_client.vault.contents import Contents
from tessera_client.vault.snapshot import Snapshot
from tessera_core import base64url
from tessera_core.binary import Reader
from tessera_core.changes import CheckpointBody
from tessera_core.kdf import derive_key
from tessera_core.keyring import Keyring
from tessera_core.log import LogState, PackState
from tessera_core.shards import PackRecord
from tessera_core.tree import Tree
from tessera_core.user_keys import PrivateKeys, PublicKeys

_NONCE_BYTES = 12
_SCHEMA = """
CREATE TABLE IF NOT EXISTS spaces (
    id BLOB PRIMARY KEY,
    sequence INTEGER NOT NULL,
    state BLOB NOT NULL,
    tree BLOB NOT NULL
) WITHOUT ROWID
"""


class Index:
    """Holds snapshots; damaged ones and those of other keys count as absent."""

    def __init__(self, path: Path, keys: PrivateKeys) -> None:
        self._cipher = AESGCM(derive_key(keys.encode(), "tessera/client/index"))
        self._database = open_database(path, _SCHEMA)

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
            return _decode(company, space, self._open(space, row[0]), self._open(space, row[1]))
        except (InvalidTag, ValueError, KeyError):
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

    def _seal(self, space: UUID, data: bytes) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, data, space.bytes)

    def _open(self, space: UUID, sealed: bytes) -> bytes:
        view = memoryview(sealed)
        return self._cipher.decrypt(view[:_NONCE_BYTES], view[_NONCE_BYTES:], space.bytes)


def _encode(snapshot: Snapshot) -> tuple[bytes, bytes]:
    state, keyring = snapshot.state, snapshot.keyring
    contents = body = b""
    if snapshot.name:  # Its first change names a space.
        tree = snapshot.tree
        contents = snapshot.contents.encode()
        body = tree.to_checkpoint(tree.packs.keys()).encode()
    values = {
        "sequence": state.sequence,
        "head": state.head.hex(),
        "time": state.time,
        "generation": state.generation,
        "awaiting": state.awaiting_generation,
        "leader": str(state.leader),
        "members": {
            str(member): base64url.encode(keys.encode()) for member, keys in state.members.items()
        },
        "recovery": state.recovery_keys and base64url.encode(state.recovery_keys.encode()),
        "commitments": [commitment.hex() for commitment in state.commitments],
        "packs": [
            [pack.record.encode().hex(), pack.generation, pack.retired]
            for pack in state.packs.values()
        ],
        "first": snapshot.first.hex(),
        "keyring": keyring.encode().hex() if keyring else None,
        "vouched": snapshot.is_vouched,
        "bodies": [pack.hex() for pack in snapshot.body_packs],
        "checkpoint": snapshot.checkpoint,
        "name": snapshot.name,
        "contentsBytes": len(contents),
    }
    return json.dumps(values).encode(), contents + body


def _decode(company: UUID, space: UUID, encoded: bytes, described: bytes) -> Snapshot:
    """Most commands need the tree of one space, and `ls` of none: it is decoded at first use."""
    values = json.loads(encoded)
    packs = {}
    for record_hex, generation, retired in values["packs"]:
        record = PackRecord.read(Reader(bytes.fromhex(record_hex)))
        packs[record.pack] = PackState(record, generation, retired)
    recovery = values["recovery"]
    state = LogState(
        company,
        space,
        sequence=values["sequence"],
        head=bytes.fromhex(values["head"]),
        time=values["time"],
        generation=values["generation"],
        awaiting_generation=values["awaiting"],
        leader=UUID(values["leader"]),
        members={
            UUID(member): PublicKeys.decode(base64url.decode(keys))
            for member, keys in values["members"].items()
        },
        recovery_keys=PublicKeys.decode(base64url.decode(recovery)) if recovery else None,
        commitments=[bytes.fromhex(commitment) for commitment in values["commitments"]],
        packs=packs,
    )
    keyring = Keyring.decode(bytes.fromhex(values["keyring"])) if values["keyring"] else None
    size = values["contentsBytes"]
    return Snapshot(
        state,
        load_tree=cache(lambda: _decode_tree(described[size:])),
        load_contents=cache(lambda: Contents.decode(described[:size])) if size else None,
        name=values["name"],
        first=bytes.fromhex(values["first"]),
        keyring=keyring,
        is_vouched=values["vouched"],
        body_packs=frozenset(bytes.fromhex(pack) for pack in values["bodies"]),
        checkpoint=values["checkpoint"],
    )


def _decode_tree(body: bytes) -> Tree:
    return Tree.from_checkpoint(CheckpointBody.decode(body)) if body else Tree()
