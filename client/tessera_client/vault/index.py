"""The local index: how far each space's log was read, and what it said. Sealed, because it holds
names."""

import json
import secrets
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_client.transfer.journal import open_database
from tessera_client.vault.contents import Contents
from tessera_client.vault.snapshot import SkippedBody, Snapshot, Verdict
from tessera_core import base64url
from tessera_core.binary import Reader
from tessera_core.changes import CheckpointBody
from tessera_core.kdf import derive_key
from tessera_core.keyring import Keyring
from tessera_core.log import GrantsAt, LogState, PackState
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
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS compared_chunks (
    space BLOB NOT NULL,
    chunk BLOB NOT NULL,
    pack BLOB NOT NULL,
    PRIMARY KEY (space, chunk)
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
        "removedKeys": [key.hex() for key in state.removed_keys],
        "commitments": [commitment.hex() for commitment in state.commitments],
        "generationGrants": _encode_grants(state.generation_grants),
        "laterGrants": {
            str(member): _encode_grants(grants) for member, grants in state.later_grants.items()
        },
        "setAside": [*state.set_aside],
        "packs": [
            [
                pack.record.encode().hex(),
                pack.sequence,
                pack.generation,
                pack.retired,
                str(pack.author),
                pack.signer.hex(),
            ]
            for pack in state.packs.values()
        ],
        "first": snapshot.first.hex(),
        "keyring": keyring.encode().hex() if keyring else None,
        "vouched": snapshot.is_vouched,
        "bodies": [pack.hex() for pack in snapshot.body_packs],
        "formerBodies": [pack.hex() for pack in snapshot.former_body_packs],
        "checkpoint": snapshot.checkpoint,
        "skipped": [
            [
                body.sequence,
                str(body.author),
                body.time,
                body.verdict,
                [pack.hex() for pack in body.packs],
            ]
            for body in snapshot.skipped
        ],
        "falseCheckpoints": snapshot.false_checkpoints,
        "name": snapshot.name,
        "contentsBytes": len(contents),
    }
    return json.dumps(values).encode(), contents + body


def _decode(company: UUID, space: UUID, encoded: bytes, described: bytes) -> Snapshot:
    """Most commands need the tree of one space, and `ls` of none: it is decoded at first use."""
    values = json.loads(encoded)
    packs = {}
    for record_hex, sequence, generation, retired, author, signer in values["packs"]:
        record = PackRecord.read(Reader(bytes.fromhex(record_hex)))
        packs[record.pack] = PackState(
            record, generation, sequence=sequence, retired=retired, author=UUID(author),
            signer=bytes.fromhex(signer),
        )  # fmt: skip
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
        removed_keys={*map(bytes.fromhex, values["removedKeys"])},
        commitments=[bytes.fromhex(commitment) for commitment in values["commitments"]],
        generation_grants=_decode_grants(values["generationGrants"]),
        later_grants={
            UUID(member): GrantsAt(sequence, bytes.fromhex(digest))
            for member, (sequence, digest) in values["laterGrants"].items()
        },
        set_aside={*values["setAside"]},
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
        former_body_packs=frozenset(bytes.fromhex(pack) for pack in values["formerBodies"]),
        checkpoint=values["checkpoint"],
        skipped=tuple(
            SkippedBody(
                sequence, UUID(author), time, Verdict(verdict), tuple(map(bytes.fromhex, added))
            )
            for sequence, author, time, verdict, added in values["skipped"]
        ),
        false_checkpoints=tuple(values["falseCheckpoints"]),
    )


def _encode_grants(grants: GrantsAt | None) -> tuple[int, str] | None:
    return (grants.sequence, grants.hash.hex()) if grants else None


def _decode_grants(values: tuple[int, str] | None) -> GrantsAt | None:
    return GrantsAt(values[0], bytes.fromhex(values[1])) if values else None


def _decode_tree(body: bytes) -> Tree:
    return Tree.from_checkpoint(CheckpointBody.decode(body)) if body else Tree()
