"""What a reader of the storage format has to refuse."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bad_log import Bad, bad, bad_log
from by_hand import seal
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from storage_example import (
    COMPANY,
    KEYS,
    LEADER,
    LEAVER,
    MEMBER,
    NEW_RECOVERY,
    SPACE,
    Space,
    fixed,
    key_handover,
    sealed_recovery,
)

from tessera_core.binary import u32
from tessera_core.entries import Entry, sign_entry
from tessera_core.key_handovers import KeyHandover
from tessera_core.packs import PackName

MALFORMED, NOT_AUTHENTIC = "malformed", "not_authentic"


def at(data: bytes, offset: int, value: bytes) -> bytes:
    """Replaces bytes at an offset."""
    return data[:offset] + value + data[offset + len(value) :]


def flip(data: bytes, offset: int) -> bytes:
    return at(data, offset, bytes([data[offset] ^ 1]))


def any_object(good: bytes) -> Iterator[Bad]:
    """What is wrong with any object, whatever it is."""
    yield bad(MALFORMED, "empty", b"")
    yield bad(MALFORMED, "one byte", good[:1])


def must_fail(space: Space) -> dict[str, Any]:
    return {
        "publicKeys": list(bad_public_keys()),
        "grants": list(bad_grants(space)),
        "keyHandovers": list(bad_key_handovers()),
        "packs": list(bad_packs(space)),
        "shards": list(bad_shards(space)),
        "entries": list(bad_entries(space)),
        "log": list(bad_log(space)),
        "bodies": list(bad_bodies(space)),
        "segments": list(bad_segments(space)),
        "recovery": list(bad_recovery()),
        "changes": list(bad_changes()),
        "keyEnvelopes": list(bad_key_envelopes()),
        "keyBundles": list(bad_key_bundles()),
        "codes": ["", "0000", "U" * 28, "0" * 27, "1" + "0" * 27],
        "words": ["", "abandon", "abandon ability able about above", "a b c d e f"],
        "objectNames": [
            f"{COMPANY}/packs/70/{'70' * 16}.1",
            f".tessera/v1/{COMPANY}/packs/71/{'70' * 16}.1",
            f".tessera/v1/{COMPANY}/packs/70/{'70' * 16}.16",
            f".tessera/v1/{COMPANY}/packs/70/{'70' * 16}.01",
            f".tessera/v1/{COMPANY}/log/{SPACE}/1-2-{'00' * 8}",
            f".tessera/v1/{COMPANY}/recovery/1-{'00' * 8}",
        ],
    }


def bad_public_keys() -> Iterator[Bad]:
    good = KEYS[LEADER].public.encode()
    yield from any_object(good)
    yield bad(MALFORMED, "suite 2", at(good, 0, b"\2"))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(MALFORMED, "a coefficient of 4095", at(good, 33, b"\xff\xff\xff"))
    yield bad(MALFORMED, "X25519 zero", at(good, 1217, bytes(32)))
    yield bad(MALFORMED, "X25519 one", at(good, 1217, b"\1" + bytes(31)))


def bad_grants(space: Space) -> Iterator[Bad]:
    good = next(each for each in space.entries[15].grants if each.member == MEMBER).encode()
    yield from any_object(good)
    yield bad(MALFORMED, "suite 2", at(good, 0, b"\2"))
    yield bad(MALFORMED, "generation 0", at(good, 17, u32(0)))
    yield bad(MALFORMED, "generation 4097", at(good, 17, u32(4097)))
    yield bad(MALFORMED, "a generation fewer than sealed", at(good, 17, u32(2)))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(NOT_AUTHENTIC, "another member", at(good, 1, LEAVER.bytes))
    yield bad(NOT_AUTHENTIC, "ML-KEM ciphertext changed", flip(good, 21))
    yield bad(NOT_AUTHENTIC, "X25519 ciphertext changed", flip(good, 21 + 1088))
    yield bad(NOT_AUTHENTIC, "seed changed", flip(good, 21 + 1120))
    yield bad(NOT_AUTHENTIC, "tag changed", flip(good, len(good) - 1))


def bad_key_handovers() -> Iterator[Bad]:
    """The signature is checked, then the key is opened."""
    good = key_handover(3, KEYS[LEADER]).encode()
    unsigned = good[:-64]
    yield from any_object(good)
    yield bad(MALFORMED, "suite 2", at(good, 0, b"\2"))
    yield bad(MALFORMED, "epoch 0", at(good, 33, u32(0)))
    yield bad(MALFORMED, "epoch 2^31", at(good, 33, u32(2**31)))
    yield bad(MALFORMED, "the sender is the recipient", at(good, 1, MEMBER.bytes))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(MALFORMED, "no signature", unsigned)
    yield bad(NOT_AUTHENTIC, "a signature of zeros", unsigned + bytes(64))
    yield bad(NOT_AUTHENTIC, "another signer", key_handover(3, KEYS[MEMBER]).encode())
    yield bad(NOT_AUTHENTIC, "signed for another epoch", at(good, 33, u32(4)))
    yield bad(NOT_AUTHENTIC, "another sender", at(good, 1, LEAVER.bytes))
    yield bad(NOT_AUTHENTIC, "another recipient", at(good, 17, LEAVER.bytes))
    yield bad(NOT_AUTHENTIC, "ML-KEM ciphertext changed", flip(good, 37))
    yield bad(NOT_AUTHENTIC, "X25519 ciphertext changed", flip(good, 37 + 1088))
    yield bad(NOT_AUTHENTIC, "company key changed", flip(good, 37 + 1120))
    yield bad(NOT_AUTHENTIC, "tag changed", flip(good, len(unsigned) - 1))
    yield bad(NOT_AUTHENTIC, "signature changed", flip(good, len(good) - 1))
    yield bad(NOT_AUTHENTIC, "signed, but sealed for another epoch", _sealed_for_epoch_4())


def _sealed_for_epoch_4() -> bytes:
    """Its signature is right; only opening it shows that it was sealed for another epoch."""
    sealed = key_handover(4, KEYS[LEADER]).sealed
    bound = b"\1" + COMPANY.bytes + LEADER.bytes + MEMBER.bytes + u32(3)
    signed = b"tessera/v1/key-handover" + bound + hashlib.sha256(sealed).digest()
    return KeyHandover(LEADER, MEMBER, 3, sealed, KEYS[LEADER].sign(signed)).encode()


def bad_packs(space: Space) -> Iterator[Bad]:
    """All for the name and the keys of the first good pack."""
    shards = space.packs[0]
    name = shards[0].header.name
    key = space.keyring.pack_key(name.generation, name.pack)
    good = b"".join(bytes(each.data) for each in shards[:2])[: shards[0].header.coding.length]
    yield from any_object(good)
    for place, offset in (
        ("the first chunk", 0),
        ("a tag", 35 + 15),
        ("the second chunk", 60),
        ("the index", len(good) - 100),
        ("the footer", len(good) - 20),
        ("the last byte", len(good) - 1),
    ):
        yield bad(NOT_AUTHENTIC, f"{place} changed", flip(good, offset))
    yield bad(NOT_AUTHENTIC, "the last byte missing", good[:-1])
    yield bad(NOT_AUTHENTIC, "a byte too many", good + b"\0")

    def sealed(position: int, plaintext: bytes, identifier: bytes = b"") -> bytes:
        associated = name.associated(position, identifier)
        return AESGCM(key).encrypt(position.to_bytes(12, "big"), plaintext, associated)

    def pack(index: bytes, chunk: bytes = b"x", footer: int | None = None) -> bytes:
        identifier = bytes(32)
        parts = sealed(0, chunk, identifier) + sealed(2**32 - 1, index)
        size = len(index) + 16 if footer is None else footer
        return parts + sealed(2**32 - 2, u32(size))

    record = bytes(32) + u32(1)
    yield bad(MALFORMED, "an index without chunks", pack(u32(0)))
    yield bad(MALFORMED, "more chunks announced than described", pack(u32(2) + record))
    yield bad(MALFORMED, "a chunk of no length", pack(u32(1) + bytes(32) + u32(0)))
    too_long = u32(1) + bytes(32) + u32(2**20 + 1)
    yield bad(MALFORMED, "a chunk of more than 1 MiB", pack(too_long))
    yield bad(MALFORMED, "chunks that do not reach the index", pack(u32(1) + record, chunk=b"xy"))
    yield bad(MALFORMED, "padding that is not zero", pack(u32(1) + record + b"\0\1"))
    yield bad(MALFORMED, "an index longer than its pack", pack(u32(1) + record, footer=10_000))
    yield bad(NOT_AUTHENTIC, "a chunk that is not what its id says", pack(u32(1) + record))
    for what, other in (
        ("space", replace(name, space=MEMBER)),
        ("generation", replace(name, generation=2)),
        ("pack", replace(name, pack=bytes(16))),
    ):
        yield bad(NOT_AUTHENTIC, f"sealed for another {what}", _resealed(key, other))


def _resealed(key: bytes, name: PackName) -> bytes:
    """A pack sealed with the good pack's key under another name."""
    identifier = bytes(32)
    index = u32(1) + identifier + u32(1)
    parts = [(0, b"x", identifier), (2**32 - 1, index, b""), (2**32 - 2, u32(len(index) + 16), b"")]
    return b"".join(
        AESGCM(key).encrypt(
            position.to_bytes(12, "big"), plaintext, name.associated(position, chunk)
        )
        for position, plaintext, chunk in parts
    )


def bad_shards(space: Space) -> Iterator[Bad]:
    shard = space.packs[0][0]
    good = shard.header.encode() + bytes(shard.data)
    yield from any_object(good)
    yield bad(MALFORMED, "a header alone", good[:96])
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(MALFORMED, "another magic", at(good, 0, b"TSRSHARE"))
    yield bad(MALFORMED, "version 2", at(good, 8, b"\2"))
    yield bad(MALFORMED, "k of 0", at(good, 9, b"\0"))
    yield bad(MALFORMED, "k equal to n", at(good, 9, b"\3"))
    yield bad(MALFORMED, "three parities", at(good, 9, b"\2\5"))
    yield bad(MALFORMED, "seventeen shards", at(good, 9, b"\x10\x11"))
    yield bad(MALFORMED, "an index out of range", at(good, 11, b"\3"))
    yield bad(MALFORMED, "a length of 0", at(good, 48, u32(0)))
    yield bad(MALFORMED, "a length over 17 MiB", at(good, 48, u32(17 * 2**20 + 1)))
    yield bad(MALFORMED, "reserved bytes used", at(good, 52, b"\1"))
    yield bad(NOT_AUTHENTIC, "the hash changed", flip(good, 64))
    yield bad(NOT_AUTHENTIC, "the data changed", flip(good, 96))
    yield bad(NOT_AUTHENTIC, "the last byte changed", flip(good, len(good) - 1))


def bad_entries(space: Space) -> Iterator[Bad]:
    """All refused before any rule is applied."""
    good = space.entries[2].entry.encode()
    clear_size = int.from_bytes(good[196:200], "big")
    body = 204 + clear_size
    yield from any_object(good)
    yield bad(MALFORMED, "another label", at(good, 0, b"tessera/entry/v2"))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(NOT_AUTHENTIC, "the clear part changed", flip(good, 210))
    yield bad(NOT_AUTHENTIC, "the hash of the clear part changed", flip(good, 132))
    yield bad(NOT_AUTHENTIC, "the body changed", flip(good, body))
    yield bad(NOT_AUTHENTIC, "the hash of the body changed", flip(good, 164))
    genesis = space.entries[0].entry.encode()
    yield bad(MALFORMED, "a genesis without countersignature", genesis[:-64])

    def with_clear(clear: bytes) -> bytes:
        statement = at(good, 132, hashlib.sha256(clear).digest())[:196]
        return statement + u32(len(clear)) + good[200:204] + clear + good[body:]

    clear = good[204:body]
    yield bad(MALFORMED, "version 2", with_clear(at(clear, 0, b"\2")))
    yield bad(MALFORMED, "kind 0", with_clear(at(clear, 1, b"\0")))
    yield bad(MALFORMED, "kind 11", with_clear(at(clear, 1, b"\x0b")))
    yield bad(MALFORMED, "a pack too many announced", with_clear(at(clear, 2, b"\0\2")))
    yield bad(MALFORMED, "the same pack twice", with_clear(b"\1\6\0\2" + clear[4:] * 2))
    yield bad(MALFORMED, "k of 0", with_clear(at(clear, 4 + 16, b"\0")))
    yield bad(MALFORMED, "retire without packs", with_clear(b"\1\7\0\0"))
    yield bad(MALFORMED, "a removal with a body", with_clear(b"\1\3" + LEAVER.bytes))
    empty = at(good, 164, hashlib.sha256(b"").digest())[:200] + u32(0) + clear + good[-64:]
    yield bad(MALFORMED, "a change without a body", empty)


def bad_bodies(space: Space) -> Iterator[Bad]:
    """Entries whose body a member sealed wrongly; to be opened with the good keyring."""
    good = space.entries[2].entry

    def entry(plaintext: bytes, **changes: object) -> Entry:
        place = replace(good.head, **changes)  # type: ignore[arg-type]
        key = space.keyring.entry_key(good.head.generation, good.head.id)
        associated = b"\1\6" + place.space.bytes + u32(place.generation) + place.id
        body = AESGCM(key).encrypt(bytes(12), plaintext, associated)
        return sign_entry(good.head, good.clear, KEYS[LEADER], body=body)

    yield bad(MALFORMED, "form 2", entry(b"\2" + bytes(255)).encode())
    yield bad(MALFORMED, "longer than it is", entry(b"\0" + u32(300) + bytes(251)).encode())
    yield bad(MALFORMED, "padding not zero", entry(bytes(255) + b"\1").encode())
    reference = bytes(8) + bytes(56)
    short = b"\1" + u32(len(reference)) + reference
    yield bad(MALFORMED, "stored, but short", entry(short.ljust(256, b"\0")).encode())
    yield bad(NOT_AUTHENTIC, "another space", entry(bytes(256), space=MEMBER).encode())
    yield bad(NOT_AUTHENTIC, "another generation", entry(bytes(256), generation=2).encode())
    yield bad(NOT_AUTHENTIC, "another entry", entry(bytes(256), id=bytes(16)).encode())


def bad_segments(space: Space) -> Iterator[Bad]:
    good = next(data for name, data in space.common_objects().items() if "/log/" in name)

    def hashed(content: bytes) -> bytes:
        return content + hashlib.sha256(content).digest()

    content = good[:-32]
    yield from any_object(good)
    yield bad(MALFORMED, "another magic", hashed(at(content, 0, b"TSRLOGSX")))
    yield bad(MALFORMED, "version 2", hashed(at(content, 8, b"\2")))
    yield bad(MALFORMED, "reserved bytes used", hashed(at(content, 9, b"\1")))
    yield bad(NOT_AUTHENTIC, "the checksum changed", flip(good, len(good) - 1))
    yield bad(NOT_AUTHENTIC, "an entry changed", flip(good, 300))
    yield bad(MALFORMED, "an entry too many announced", hashed(at(content, 12, u32(7))))
    yield bad(MALFORMED, "an entry fewer announced", hashed(at(content, 12, u32(5))))
    yield bad(MALFORMED, "another company", hashed(at(content, 16, bytes(16))))
    yield bad(MALFORMED, "another first entry", hashed(at(content, 55, b"\2")))
    yield bad(MALFORMED, "a byte too many", hashed(content + b"\0"))


def bad_recovery() -> Iterator[Bad]:
    good = sealed_recovery(NEW_RECOVERY, 2).encode()
    yield from any_object(good)
    yield bad(MALFORMED, "another magic", at(good, 0, b"TSRRECOX"))
    yield bad(MALFORMED, "version 2", at(good, 8, b"\2"))
    yield bad(MALFORMED, "kdf 2", at(good, 9, b"\2"))
    yield bad(MALFORMED, "reserved bytes used", at(good, 10, b"\1"))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(NOT_AUTHENTIC, "another counter", at(good, 12, u32(3)))
    yield bad(NOT_AUTHENTIC, "another company", flip(good, 16))
    yield bad(NOT_AUTHENTIC, "another salt", flip(good, 32))
    yield bad(NOT_AUTHENTIC, "the sealed keys changed", flip(good, 48))


def bad_changes() -> Iterator[Bad]:
    """Bodies of changes, already opened."""

    def change(operation: bytes, count: int = 1, packs: bytes = u32(0)) -> bytes:
        return b"\1" + packs + u32(count) + operation

    put = b"\1\0\1a" + bytes(8)
    yield bad(MALFORMED, "empty", b"")
    yield bad(MALFORMED, "version 2", b"\2" + bytes(8))
    yield bad(MALFORMED, "a byte too many", change(b"", 0) + b"\0")
    yield bad(MALFORMED, "operation 5", change(b"\5\0\1a" + bytes(8)))
    yield bad(MALFORMED, "more operations announced than there are", change(b"", 9))
    yield bad(MALFORMED, "a put of nothing", change(put + b"\0"))
    yield bad(MALFORMED, "an item of type 4", change(put + b"\4" + bytes(8)))
    yield bad(MALFORMED, "unknown flags of a file", change(put + b"\1" + bytes(16) + b"\2"))
    yield bad(MALFORMED, "a chunk missing", change(put + b"\1" + bytes(7) + b"\1" + bytes(9)))
    yield bad(MALFORMED, "a move into itself", change(b"\3\0\1a\0\3a/b"))
    yield bad(MALFORMED, "a move to the same place", change(b"\3\0\1a\0\1a"))
    yield bad(MALFORMED, "an empty name of the space", change(b"\4\0\0"))
    one_chunk = u32(1) + bytes(16) + u32(1) + bytes(32)
    yield bad(MALFORMED, "a chunk of no length", change(b"", 0, one_chunk + u32(0)))
    too_long = one_chunk + u32(2**20 + 1)
    yield bad(MALFORMED, "a chunk of more than 1 MiB", change(b"", 0, too_long))
    for path in (
        b"",
        b"/a",
        b"a/",
        b"a//b",
        b".",
        b"a/..",
        b"a/./b",
        b"a\0b",
        b"\xff",
        b"x" * 1025,
    ):
        size = len(path).to_bytes(2, "big")
        yield bad(MALFORMED, f"the path {path[:8]!r}", change(b"\2" + size + path + bytes(8)))
    long = b"/".join([b"x" * 500] * 9)
    size = len(long).to_bytes(2, "big")
    yield bad(MALFORMED, "a path of 4508 bytes", change(b"\2" + size + long + bytes(8)))


def bad_key_envelopes() -> Iterator[dict[str, str]]:
    """Envelopes of the member's keys, and what is wrong with each."""
    user_key, plaintext = fixed("user key", 32), bytes(4096)

    def envelope(
        *, typ: str = "kp", uid: object = MEMBER, rev: str = "7", plain: bytes = plaintext
    ) -> str:
        header = (
            f'{{"alg":"dir","enc":"A256GCM","typ":"tessera-{typ}+1",'
            f'"uid":"{uid}","cid":"{COMPANY}","rev":{rev}}}'
        )
        return seal(header, plain, user_key, b"\5" * 12)

    for error, reason, made in (
        (MALFORMED, "another type", envelope(typ="ck")),
        (MALFORMED, "another user", envelope(uid=LEADER)),
        (MALFORMED, "revision 0", envelope(rev="0")),
        (MALFORMED, "a revision over 2147483647", envelope(rev="2147483648")),
        (MALFORMED, "a revision as text", envelope(rev='"7"')),
        (MALFORMED, "an extra member", envelope(rev='7,"zip":"DEF"')),
        (MALFORMED, "no plaintext", envelope(plain=b"")),
        (MALFORMED, "a length that is not padded", envelope(plain=bytes(4095))),
        (MALFORMED, "version 0 inside", envelope()),
        (NOT_AUTHENTIC, "another tag", envelope()[:-22] + "A" * 22),
    ):
        yield {"reason": reason, "error": error, "envelope": made}


def bad_key_bundles() -> Iterator[Bad]:
    """Plaintexts of such envelopes."""
    keys = b"\1" + KEYS[MEMBER].encode()
    pin = SPACE.bytes + bytes(72)
    yield bad(MALFORMED, "version 2", b"\2" + keys[1:] + bytes(5))
    yield bad(MALFORMED, "suite 2", b"\1\2" + keys[2:] + bytes(5))
    yield bad(MALFORMED, "a leader pinned twice", keys + b"\2" + bytes(100))
    yield bad(MALFORMED, "more spaces than bytes", keys + b"\0" + u32(2) + pin)
    yield bad(MALFORMED, "a space pinned twice", keys + b"\0" + u32(2) + pin + pin)
    other = bytes(16) + bytes(72)
    yield bad(MALFORMED, "spaces not sorted", keys + b"\0" + u32(2) + pin + other)
    yield bad(MALFORMED, "padding not zero", keys + b"\0" + u32(1) + pin + b"\0\1")
