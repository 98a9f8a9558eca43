"""What a liar with valid keys writes into a log; `make chaos` sends it to the real service."""

import secrets
from collections.abc import Sequence
from uuid import UUID

from tessera_core.bodies import StoredBody, seal_body
from tessera_core.chunks import chunk_id
from tessera_core.entries import BODY_KINDS, Clear, Entry, sign_entry
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.packs import PackBuilder, PackName
from tessera_core.user_keys import PrivateKeys


def raw_put(path: str) -> bytes:
    """A change with one folder at a path that the client would not write."""
    encoded = path.encode()
    item = b"\x02" + bytes(8) + b"\x00"
    put = b"\x01" + len(encoded).to_bytes(2, "big") + encoded + bytes(8) + item
    return b"\x01" + bytes(4) + (1).to_bytes(4, "big") + put


def raw_link(target: bytes) -> bytes:
    item = b"\x03" + bytes(8) + len(target).to_bytes(2, "big") + target
    put = b"\x01" + b"\x00\x04link" + bytes(8) + item
    return b"\x01" + bytes(4) + (1).to_bytes(4, "big") + put


BODIES: dict[str, bytes | None] = {
    "random": None,
    "empty": b"",
    "unknown version": b"\x07" + bytes(8),
    "2,000 folders": raw_put("/".join("d" * 2000)),
    "name with a zero": raw_put("a\0b"),
    "long name": raw_put("x" * 256),
    "link to a zero": raw_link(b"\0"),
    "move into itself": b"\x01" + bytes(4) + b"\0\0\0\1\x03\0\1a\0\3a/b",
    "space name with a zero": b"\x01" + bytes(4) + b"\0\0\0\1\x04\0\3a\0b",
}


def sign_next(
    state: LogState,
    author: UUID,
    keys: PrivateKeys,
    keyring: Keyring,
    clear: Clear,
    content: bytes | StoredBody | None = None,
    *,
    recovery_keys: PrivateKeys | None = None,
) -> Entry:
    """The next entry of a log; without content its body is random."""
    head = state.next_head(clear, author, state.time)
    body = b""
    if isinstance(clear, BODY_KINDS):
        body = (
            secrets.token_bytes(272)
            if content is None
            else seal_body(content, head, clear.kind, keyring)
        )
    return sign_entry(head, clear, keys, body=body, recovery_keys=recovery_keys)


def build_pack(
    space: UUID, keyring: Keyring, chunks: Sequence[bytes], ids: Sequence[bytes] | None = None
) -> tuple[PackName, memoryview]:
    """A sealed pack; `ids` are what its index claims its chunks to be."""
    name = PackName(space, keyring.generation, secrets.token_bytes(16))
    builder = PackBuilder(keyring.pack_key(keyring.generation, name.pack), name)
    claimed = ids or [chunk_id(keyring.chunk_id_key, chunk) for chunk in chunks]
    for identifier, chunk in zip(claimed, chunks, strict=True):
        builder.add(identifier, chunk)
    return name, builder.finish(last=True)
