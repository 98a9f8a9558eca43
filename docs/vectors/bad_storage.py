"""What a reader of the storage format has to refuse."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bad_bodies import bad_bodies, bad_changes, bad_checkpoints, bad_stored_bodies
from bad_case import MALFORMED, NOT_AUTHENTIC, Bad, any_object, at, bad, bad_parts, flip
from bad_keys import (
    bad_grants,
    bad_key_bundles,
    bad_key_envelopes,
    bad_public_keys,
    bad_sealed,
    bad_signing_keys,
)
from bad_log import bad_log
from bad_recovery import (
    bad_entry_grants,
    bad_handovers,
    bad_keyrings,
    bad_records,
    bad_recovery,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from frames import frame, plain, repeated, unsized, windowed
from request_cases import (
    bad_request_details,
    bad_request_folders,
    bad_request_keys,
    bad_request_links,
    bad_uploads,
)
from share_cases import bad_manifests, bad_share_links, bad_share_packs
from storage_example import COMPANY, KEYS, LEADER, LEAVER, MEMBER, SPACE, Space, key_handover

from tessera_core.binary import u16, u32, u64
from tessera_core.chunks import chunk_id
from tessera_core.entries import Entry
from tessera_core.handovers import KeyHandover
from tessera_core.packs import PACK_BYTES, PackName
from tessera_core.segments import Segment


def must_fail(space: Space) -> dict[str, Any]:
    return {
        "publicKeys": list(bad_public_keys()),
        "signingKeys": list(bad_signing_keys()),
        "sealed": list(bad_sealed()),
        "grants": list(bad_grants(space)),
        "entryGrants": list(bad_entry_grants(space)),
        "keyrings": list(bad_keyrings(space)),
        "keyHandovers": list(bad_key_handovers()),
        "packs": list(bad_packs(space)),
        "shards": list(bad_shards(space)),
        "entries": list(bad_entries(space)),
        "log": list(bad_log(space)),
        "bodies": list(bad_bodies(space)),
        "segments": list(bad_segments(space)),
        "storedBodies": list(bad_stored_bodies(space)),
        "recovery": list(bad_recovery()),
        "recoveryRecords": list(bad_records()),
        "recoveryHandovers": list(bad_handovers()),
        "changes": list(bad_changes()),
        "checkpoints": list(bad_checkpoints(space)),
        "keyEnvelopes": list(bad_key_envelopes()),
        "keyBundles": list(bad_key_bundles()),
        "shareLinks": bad_share_links(),
        "manifests": list(bad_manifests()),
        "sharePacks": list(bad_share_packs()),
        "requestLinks": bad_request_links(space),
        "requestKeys": list(bad_request_keys(space)),
        "requestDetails": list(bad_request_details(space)),
        "requestFolders": list(bad_request_folders(space)),
        "uploads": list(bad_uploads(space)),
        "codes": ["", "0000", "U" * 28, "0" * 27, "1" + "0" * 27],
        "words": ["", "abandon", "abandon ability able about above", "a b c d e f"],
        "objectNames": [
            f"{COMPANY}/packs/70/{'70' * 16}.1",
            f".tessera/v1/{COMPANY}/packs/71/{'70' * 16}.1",
            f".tessera/v1/{COMPANY}/packs/70/{'70' * 16}.16",
            f".tessera/v1/{COMPANY}/packs/70/{'70' * 16}.01",
            f".tessera/v1/{COMPANY}/log/{SPACE}/1-2-{'00' * 8}",
            f".tessera/v1/{COMPANY}/recovery/1-{'00' * 8}",
            ".tessera/health-1.json",
        ],
    }


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
    name = shards[0].trailer.name
    key = space.keyring.pack_key(name.generation, name.pack)
    good = b"".join(bytes(each.data) for each in shards[:2])[: shards[0].trailer.coding.length]
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

    def pack(
        index: bytes, chunk: bytes = b"x", footer: int | None = None, identifier: bytes = bytes(32)
    ) -> bytes:
        parts = sealed(0, chunk, identifier) + sealed(2**32 - 1, index)
        size = len(index) + 16 if footer is None else footer
        return parts + sealed(2**32 - 2, u32(size))

    record = bytes(32) + u32(1) + u32(1)
    yield bad(MALFORMED, "an index without chunks", pack(u32(0)))
    nothing = sealed(2**32 - 1, u32(0)) + sealed(2**32 - 2, u32(20))
    yield bad(MALFORMED, "no chunks at all", nothing)
    yield bad(MALFORMED, "more chunks announced than described", pack(u32(2) + record))
    yield bad(MALFORMED, "a chunk of no length", pack(u32(1) + bytes(32) + u32(0) + u32(0)))
    too_long = u32(1) + bytes(32) + u32(2**20 + 1) + u32(1)
    yield bad(MALFORMED, "a chunk of more than 1 MiB", pack(too_long))
    yield bad(MALFORMED, "chunks that do not reach the index", pack(u32(1) + record, chunk=b"xy"))
    yield bad(MALFORMED, "padding that is not zero", pack(u32(1) + record + b"\0\1"))
    yield bad(MALFORMED, "an index longer than its pack", pack(u32(1) + record, footer=10_000))
    yield bad(NOT_AUTHENTIC, "a chunk that is not what its id says", pack(u32(1) + record))

    def compressed(content: bytes, length: int) -> bytes:
        """A chunk of zeros, whose id is right, in a compressed form that is not."""
        identifier = chunk_id(space.keyring.chunk_id_key, bytes(length))
        index = u32(1) + identifier + u32(length) + u32(len(content))
        return pack(index, content, identifier=identifier)

    zeros, size = repeated(b"\0", 500), 500
    for reason, content in (
        ("no compressed form", bytes(40)),
        ("a frame cut off", frame(*zeros, size=size)[:-1]),
        ("something behind the frame", frame(*zeros, size=size) + b"\0"),
        ("two frames", frame(*repeated(b"\0", 250), size=250) * 2),
        ("a frame that may be skipped", b"\x50\x2a\x4d\x18" + u32(0) + frame(*zeros, size=size)),
        ("a frame with a dictionary", frame(*zeros, size=size, dictionary=7)),
        ("a frame with a dictionary of number 0", frame(*zeros, size=size, dictionary=0)),
        ("a frame with a window of 256 MiB", windowed(*zeros, size=size, log=28)),
        ("a frame with a window of 1 GiB", windowed(*zeros, size=size, log=30)),
        ("a frame that announces nothing", unsized(*zeros)),
        ("a frame that announces less", frame(*zeros, size=size - 1)),
        ("a frame that announces more", frame(*zeros, size=size + 1)),
        ("a frame that holds less", frame(*repeated(b"\0", 499), size=size)),
        ("a frame that holds more", frame(*repeated(b"\0", 501), size=size)),
        ("a bomb of 8 MiB", frame(*repeated(b"\0", 2**23), size=2**23)),
        ("a bomb behind the right size", frame(*repeated(b"\0", 2**20), size=size)),
    ):
        yield bad(MALFORMED, reason, compressed(content, size))
    swapped = frame(plain(b"x" * 400), *repeated(b"\0", 100), size=size)
    yield bad(NOT_AUTHENTIC, "a compressed chunk of another content", compressed(swapped, size))
    too_much = pack(u32(1) + bytes(32) + u32(1) + u32(2), chunk=b"xy")
    yield bad(MALFORMED, "a compressed form longer than the chunk", too_much)
    yield bad(MALFORMED, "nothing stored", pack(u32(1) + bytes(32) + u32(1) + u32(0), chunk=b""))
    for what, other in (
        ("space", replace(name, space=MEMBER)),
        ("generation", replace(name, generation=2)),
        ("pack", replace(name, pack=bytes(16))),
    ):
        yield bad(NOT_AUTHENTIC, f"sealed for another {what}", _resealed(key, other))


def _resealed(key: bytes, name: PackName) -> bytes:
    """A pack sealed with the good pack's key under another name."""
    identifier = bytes(32)
    index = u32(1) + identifier + u32(1) + u32(1)
    parts = [(0, b"x", identifier), (2**32 - 1, index, b""), (2**32 - 2, u32(len(index) + 16), b"")]
    return b"".join(
        AESGCM(key).encrypt(
            position.to_bytes(12, "big"), plaintext, name.associated(position, chunk)
        )
        for position, plaintext, chunk in parts
    )


def bad_shards(space: Space) -> Iterator[Bad]:
    shard = space.packs[0][0]
    good = shard.encode()
    yield from any_object(good)
    start = len(good) - 96
    yield bad(MALFORMED, "a trailer alone", good[start:])
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(MALFORMED, "another magic", at(good, start, b"TSRSHARE"))
    yield bad(MALFORMED, "version 2", at(good, start + 8, b"\2"))
    yield bad(MALFORMED, "k of 0", at(good, start + 9, b"\0"))
    yield bad(MALFORMED, "k equal to n", at(good, start + 9, b"\3"))
    yield bad(MALFORMED, "three parities", at(good, start + 9, b"\2\5"))
    yield bad(MALFORMED, "seventeen shards", at(good, start + 9, b"\x10\x11"))
    yield bad(MALFORMED, "an index out of range", at(good, start + 11, b"\3"))
    yield bad(MALFORMED, "a length of 0", at(good, start + 48, u32(0)))
    yield bad(
        MALFORMED, "a length over 16 MiB and 4 KiB", at(good, start + 48, u32(PACK_BYTES + 1))
    )
    yield bad(MALFORMED, "reserved bytes used", at(good, start + 52, b"\1"))
    yield bad(NOT_AUTHENTIC, "the hash changed", flip(good, start + 64))
    yield bad(NOT_AUTHENTIC, "the data changed", flip(good, 0))
    yield bad(NOT_AUTHENTIC, "the hash's last byte changed", flip(good, len(good) - 1))


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
    yield bad(MALFORMED, "kind 15", with_clear(at(clear, 1, b"\x0f")))
    yield bad(MALFORMED, "a pack too many announced", with_clear(at(clear, 2, b"\0\2")))
    yield bad(MALFORMED, "the same pack twice", with_clear(b"\1\6\0\2" + clear[4:] * 2))
    yield bad(MALFORMED, "k of 0", with_clear(at(clear, 4 + 16, b"\0")))
    yield bad(MALFORMED, "three parities", with_clear(at(clear, 4 + 16, b"\2\5")))
    record = at(clear, 4 + 18, u32(PACK_BYTES + 1))
    yield bad(MALFORMED, "a pack over 16 MiB and 4 KiB", with_clear(record))
    yield bad(MALFORMED, "a byte too many in the clear part", with_clear(clear + b"\0"))
    records = b"".join(u32(each) + clear[8:] for each in range(1025))
    yield bad(MALFORMED, "1025 packs", with_clear(b"\1\6" + u16(1025) + records))
    yield bad(MALFORMED, "a removal with a body", with_clear(b"\1\3" + LEAVER.bytes))
    body_size = 131_073 - body - 64
    content = bytes(body_size)
    statement = at(good, 164, hashlib.sha256(content).digest())[:200]
    yield bad_parts(
        MALFORMED,
        "131,073 bytes",
        (statement + u32(body_size) + clear, 1),
        (b"\0", body_size),
        (good[-64:], 1),
    )
    removal = space.entries[6].entry.encode()

    def without_body(clear: bytes) -> bytes:
        statement = at(removal, 132, hashlib.sha256(clear).digest())[:196]
        return statement + u32(len(clear)) + u32(0) + clear + removal[-64:]

    ids = b"".join(each.to_bytes(16, "big") for each in range(1025))
    yield bad(MALFORMED, "retire without packs", without_body(b"\1\7\0\0"))
    yield bad(MALFORMED, "a pack retired twice", without_body(b"\1\7\0\2" + bytes(32)))
    yield bad(MALFORMED, "1025 packs retired", without_body(b"\1\7" + u16(1025) + ids))
    for reason, sequences in (
        ("nothing set aside", []),
        ("1025 entries set aside", list(range(2, 1027))),
        ("one entry set aside twice", [2, 2]),
        ("entries set aside, not in order", [3, 2]),
    ):
        listed = u16(len(sequences)) + b"".join(map(u64, sequences))
        yield bad(MALFORMED, reason, without_body(b"\1\x0b" + listed))
    for reason, settings in (
        ("settings with a flag of 2", b"\2" + u16(0)),
        ("settings without rules", b"\0"),
        ("a rule without a unit", b"\0" + u16(1) + b"\0" + u16(7)),
        ("a rule of unit 6", b"\0" + u16(1) + b"\6" + u16(7)),
        ("a rule that keeps nothing", b"\0" + u16(1) + b"\2" + u16(0)),
        ("one rule twice", b"\0" + u16(2) + (b"\2" + u16(7)) * 2),
        ("rules not in order", b"\0" + u16(2) + b"\3" + u16(7) + b"\2" + u16(7)),
    ):
        yield bad(MALFORMED, reason, without_body(b"\1\x0e" + settings))
    replaced = space.entries[14].entry.encode()
    yield bad(MALFORMED, "a new recovery pair without countersignature", replaced[:-64])
    yield bad(MALFORMED, "a removal with countersignature", removal + bytes(64))
    empty = at(good, 164, hashlib.sha256(b"").digest())[:200] + u32(0) + clear + good[-64:]
    yield bad(MALFORMED, "a change without a body", empty)


def bad_segments(space: Space) -> Iterator[Bad]:
    good = Segment(tuple(space.entries[1:3])).encode()

    def hashed(content: bytes) -> bytes:
        return content + hashlib.sha256(content).digest()

    content = good[:-32]
    yield from any_object(good)
    yield bad(MALFORMED, "another magic", hashed(at(content, 0, b"TSRLOGSX")))
    yield bad(MALFORMED, "version 2", hashed(at(content, 8, b"\2")))
    yield bad(MALFORMED, "reserved bytes used", hashed(at(content, 9, b"\1")))
    yield bad(NOT_AUTHENTIC, "the checksum changed", flip(good, len(good) - 1))
    yield bad(NOT_AUTHENTIC, "an entry changed", flip(good, 300))
    yield bad(NOT_AUTHENTIC, "a body changed", hashed(_with_changed_body(space, content)))
    yield bad(MALFORMED, "an entry too many announced", hashed(at(content, 12, u32(3))))
    yield bad(MALFORMED, "an entry fewer announced", hashed(at(content, 12, u32(1))))
    yield bad(MALFORMED, "another company", hashed(at(content, 16, bytes(16))))
    yield bad(MALFORMED, "another first entry", hashed(at(content, 55, b"\1")))
    yield bad(MALFORMED, "a byte too many", hashed(content + b"\0"))
    size = int.from_bytes(content[64:68], "big")
    first, rest = content[68 : 68 + size], content[68 + size :]
    third = space.entries[2].entry
    whole, left_out = third.encode(), third.encode(with_body=False)
    assert content.count(u32(len(whole)) + whole) == 1
    changed = content.replace(u32(len(whole)) + whole, u32(len(left_out)) + left_out)
    assert Entry.decode(left_out).hash == third.hash
    yield bad(MALFORMED, "a body left out", hashed(changed))
    longer = content[:64] + u32(size + 1) + first + b"\0" + rest
    yield bad(MALFORMED, "an entry longer than it is", hashed(longer))
    none = at(content[:64], 12, u32(0))
    yield bad(MALFORMED, "no entries", hashed(none))
    grant = space.entries[1].grants[0].encode()
    shorter = content.replace(u32(len(grant)) + grant, u32(len(grant) - 1) + grant[:-1])
    yield bad(MALFORMED, "a grant cut off", hashed(shorter))
    apart = space.entries[1].entry.encode(), space.entries[3].entry.encode()
    entries = b"".join(u32(len(each)) + each + u32(0) for each in apart)
    yield bad(MALFORMED, "entries that do not follow each other", hashed(content[:64] + entries))


def _with_changed_body(space: Space, content: bytes) -> bytes:
    third = space.entries[2].entry.encode()
    return content.replace(third, flip(third, len(third) - 65))
