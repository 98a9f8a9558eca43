"""Checks the product against docs/vectors/storage-v1.json, one vector at a time.

Apart from the tests, so that a changed copy of the product can be checked too.
"""

import hashlib
import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core import erasure
from tessera_core.binary import Reader, u32
from tessera_core.bip39_english import WORDS
from tessera_core.bodies import StoredBody, open_body
from tessera_core.changes import ChangeBody
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.entries import (
    BODY_KINDS,
    Change,
    Checkpoint,
    Entry,
    Generation,
    Head,
    sign_entry,
)
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.files import File
from tessera_core.grants import Grant
from tessera_core.handovers import KeyHandover, RecoveryHandover
from tessera_core.histories import find_histories
from tessera_core.kdf import stretch
from tessera_core.key_envelopes import KeyBundle, RecordPin, RewindPin, open_keys
from tessera_core.keyring import Keyring
from tessera_core.log import EntryRefused, LogState
from tessera_core.objects import parse_object_name
from tessera_core.packs import (
    TAG_BYTES,
    PackBuilder,
    PackName,
    chunk_offsets,
    open_chunk,
    open_index,
    padme,
)
from tessera_core.recovery import SealedRecovery, code_from_text, code_to_text
from tessera_core.recovery_records import RecoveryRecord, check_records
from tessera_core.replay import apply_change, open_stored, read_checkpoint
from tessera_core.requests import (
    ReceivedFiles,
    RequestKeys,
    RequestLink,
    read_request_keys,
    seal_upload_key,
    upload_keys,
)
from tessera_core.segments import Segment, SegmentEntry
from tessera_core.shards import PackRecord, Shard, coding_for, recover_pack, split_pack
from tessera_core.shares import Manifest, ShareKeys, ShareLink, manifest_hash
from tessera_core.tree import Tree
from tessera_core.user_keys import PrivateKeys, PublicKeys
from tessera_core.words import normalize_words, words_for

Vector = Any
VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs/vectors/storage-v1.json").read_text("ascii")
)
BAD = VECTORS["mustFail"]
COMPANY, SPACE = UUID(VECTORS["company"]), UUID(VECTORS["space"])
KEYRING = Keyring(tuple(bytes.fromhex(seed) for seed in VECTORS["derivations"]["seeds"]))
ERRORS: Mapping[str, type[Exception]] = {"malformed": Malformed, "not_authentic": NotAuthentic}


class NotRefused(AssertionError):
    """Something that has to be refused was taken, or refused for another reason."""


def refuses(bad: Vector, read: Callable[[], object]) -> None:
    """A rule of the log is named by its reason, everything else by its class."""
    expected = bad["error"]
    try:
        read()
    except EntryRefused as refusal:
        if refusal.reason != expected:
            raise NotRefused(f"{expected} expected, {refusal.reason} found") from refusal
    except (Malformed, NotAuthentic) as refusal:
        if not isinstance(refusal, ERRORS.get(expected, ())):
            raise NotRefused(f"{expected} expected, {refusal!r} found") from refusal
    else:
        raise NotRefused(f"{expected} expected: {bad['reason']}")


def content(vector: Vector) -> bytes:
    """The bytes of a vector, which may be given as pieces with their number."""
    if "parts" not in vector:
        return b64decode(vector["data"])
    return b"".join(b64decode(piece) * times for piece, times in vector["parts"])


def private_keys(text: str) -> PrivateKeys:
    return PrivateKeys.decode(bytes.fromhex(text))


def person_keys(index: int) -> PrivateKeys:
    return private_keys(VECTORS["people"][index]["privateKeys"])


def segment_entry(vector: Vector) -> SegmentEntry:
    grants = tuple(Grant.decode(b64decode(grant)) for grant in vector["grants"])
    return SegmentEntry(Entry.decode(b64decode(vector["data"])), grants)


@cache
def log_entries() -> list[SegmentEntry]:
    return [segment_entry(vector) for vector in VECTORS["log"]]


@cache
def state_after(count: int) -> LogState:
    """The state after so many entries of the good log; copy it before you change it."""
    if not count:
        return LogState(COMPANY, SPACE)
    state = state_after(count - 1).copy()
    state.append(log_entries()[count - 1].entry)
    return state


def read_records(vectors: list[str]) -> list[PackRecord]:
    return [PackRecord.read(Reader(bytes.fromhex(record))) for record in vectors]


# Keys of people


def check_person(person: Vector) -> None:
    private = private_keys(person["privateKeys"])
    public = PublicKeys.decode(b64decode(person["publicKeys"]))
    assert private.public == public
    assert public.fingerprint.hex() == person["fingerprint"]
    signature, sealed = person["signature"], person["sealed"]
    message = signature["message"].encode()
    assert private.sign(message).hex() == signature["signature"]
    public.verify(bytes.fromhex(signature["signature"]), message)
    opened = private.open(b64decode(sealed["data"]), sealed["info"].encode())
    assert opened == sealed["plaintext"].encode()
    assert [WORDS[number] for number in person["wordNumbers"]] == person["words"].split()


def check_words(person: Vector) -> None:
    public = PublicKeys.decode(b64decode(person["publicKeys"]))
    assert words_for(public, COMPANY, UUID(person["user"])) == person["words"]


def check_signature(vector: Vector) -> None:
    keys = PublicKeys.decode(b64decode(vector["publicKeys"]))
    signature, message = bytes.fromhex(vector["signature"]), vector["message"].encode()
    try:
        keys.verify(signature, message)
        is_valid = True
    except NotAuthentic:
        is_valid = False
    assert is_valid == vector["valid"], vector["about"]


def open_envelope(envelope: str) -> tuple[KeyBundle, int]:
    vector = VECTORS["keyEnvelope"]
    user_key = bytes.fromhex(vector["userKey"])
    return open_keys(envelope, user_key=user_key, uid=vector["user"], cid=str(COMPANY))


def check_key_envelope(vector: Vector) -> None:
    bundle, revision = open_envelope(vector["envelope"])
    assert revision == vector["revision"]
    assert bundle.encode() == b64decode(vector["plaintext"])
    assert bundle.keys == private_keys(vector["privateKeys"])
    assert bundle.leader is not None
    assert str(bundle.leader.user) == vector["leader"]["user"]
    assert bundle.leader.fingerprint.hex() == vector["leader"]["fingerprint"]
    record = vector["record"]
    assert bundle.record == RecordPin(record["counter"], bytes.fromhex(record["hash"]))
    assert [pair.encode().hex() for pair in bundle.pairs] == vector["pairs"]
    assert [fingerprint.hex() for fingerprint in bundle.removed] == vector["removed"]
    assert bundle.removes_on_request == vector["removesOnRequest"]
    pin, expected = bundle.spaces[SPACE], vector["spaces"][0]
    assert (pin.first.hex(), pin.sequence, pin.hash.hex()) == (
        expected["first"],
        expected["sequence"],
        expected["hash"],
    )
    rewind = vector["rewinds"][0]
    assert bundle.rewinds == {SPACE: RewindPin(rewind["count"], rewind["abandoned"])}
    plain = b64decode(vector["plaintextWithoutPins"])
    assert KeyBundle.decode(plain) == KeyBundle(bundle.keys)
    assert KeyBundle(bundle.keys).encode() == plain


# Keys from a seed, grants, handovers


def check_derivations(vector: Vector) -> None:
    identifier = bytes.fromhex(vector["id"])
    for at in range(len(KEYRING.seeds)):
        assert KEYRING.pack_key(at + 1, identifier).hex() == vector["packKeys"][at]
        assert KEYRING.entry_key(at + 1, identifier).hex() == vector["entryKeys"][at]
        assert KEYRING.commitment(SPACE, at + 1).hex() == vector["commitments"][at]
    assert KEYRING.chunk_id_key.hex() == vector["chunkIdKey"]
    argon = vector["argon2id"]
    output = stretch(argon["secret"].encode(), bytes.fromhex(argon["salt"]))
    assert output.hex() == argon["output"]


def check_padding(vector: Vector) -> None:
    size, padded = vector
    assert padme(size) == padded


def check_parities(vector: Vector) -> None:
    data = [bytes.fromhex(part) for part in vector["data"]]
    assert [bytes(part).hex() for part in erasure.parities(data, 2)] == vector["parities"]


def check_grant(vector: Vector) -> None:
    grant = Grant.decode(b64decode(vector["data"]))
    assert (str(grant.member), grant.generation) == (vector["member"], vector["generation"])
    keys = private_keys(vector["privateKeys"])
    assert grant.open(keys, company=COMPANY, space=SPACE) == KEYRING


def open_bad_grant(bad: Vector) -> object:
    member = VECTORS["people"][1]["user"]
    vector = next(each for each in VECTORS["grants"] if each["member"] == member)
    grant = Grant.decode(b64decode(bad["data"]))
    return grant.open(private_keys(vector["privateKeys"]), company=COMPANY, space=SPACE)


def check_bad_entry_grants(bad: Vector) -> None:
    state = state_after(bad["after"]).copy()
    entry = Entry.decode(b64decode(bad["entry"]))
    state.append(entry)
    grants = [Grant.decode(b64decode(grant)) for grant in bad["grants"]]
    refuses(bad, lambda: state.check_grants(entry, grants))


def check_bad_keyring(bad: Vector) -> None:
    keyring = Keyring(tuple(bytes.fromhex(seed) for seed in bad["seeds"]))
    refuses(bad, lambda: state_after(bad["after"]).check_keyring(keyring))


def check_key_handover(vector: Vector) -> None:
    handover = KeyHandover.decode(b64decode(vector["data"]))
    assert handover.encode() == b64decode(vector["data"])
    assert (str(handover.sender), str(handover.recipient), handover.epoch) == (
        vector["sender"],
        vector["recipient"],
        vector["epoch"],
    )
    assert open_key_handover(vector).hex() == vector["companyKey"]


def open_key_handover(vector: Vector) -> bytes:
    handover = KeyHandover.decode(b64decode(vector["data"]))
    return handover.open(person_keys(1), sender=person_keys(0).public, company=COMPANY)


def check_recovery_handover(vector: Vector) -> None:
    data = b64decode(vector["data"])
    handover = RecoveryHandover.decode(data)
    assert handover.encode() == data
    assert (str(handover.sender), str(handover.recipient), handover.counter) == (
        vector["sender"],
        vector["recipient"],
        vector["counter"],
    )
    assert open_recovery_handover(vector).encode().hex() == vector["pair"]


def open_recovery_handover(vector: Vector) -> PrivateKeys:
    handover = RecoveryHandover.decode(b64decode(vector["data"]))
    return handover.open(person_keys(0).public, person_keys(1), company=COMPANY)


# Packs and shards


def read_pack(pack: bytes, name: PackName, key: bytes, id_key: bytes) -> list[bytes]:
    records = open_index(pack, key, name)
    return [
        open_chunk(
            pack[offset : offset + record.stored + TAG_BYTES],
            position,
            record,
            key=key,
            name=name,
            id_key=id_key,
        )
        for position, (record, offset) in enumerate(
            zip(records, chunk_offsets(records), strict=True)
        )
    ]


def check_pack(vector: Vector) -> None:
    pack, pack_id = b64decode(vector["data"]), bytes.fromhex(vector["pack"])
    name = PackName(UUID(vector["space"]), vector["generation"], pack_id)
    key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
    assert key == KEYRING.pack_key(name.generation, name.pack)
    chunks = [b64decode(chunk) for chunk in vector["chunks"]]
    assert read_pack(pack, name, key, id_key) == chunks
    builder = PackBuilder(key, name)
    compressed = [b64decode(each) for each in vector["compressed"]]
    stored = [*compressed, *chunks[len(compressed) :]]
    for chunk, content in zip(chunks, stored, strict=True):
        builder.add(chunk_id(id_key, chunk), content, len(chunk))
    assert bytes(builder.finish(last=True)) == pack
    shards = [Shard.decode(b64decode(shard)) for shard in vector["shards"]]
    assert split_pack(pack, name, coding_for(len(shards), len(pack))) == shards
    record = PackRecord.of(shards)
    assert record.encode().hex() == vector["record"]
    assert recover_pack(shards[1:], name, record) == pack


def read_bad_pack(bad: Vector) -> object:
    vector = VECTORS["packs"][0]
    name = PackName(SPACE, vector["generation"], bytes.fromhex(vector["pack"]))
    key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
    return read_pack(b64decode(bad["data"]), name, key, id_key)


def large_pack(vector: Vector) -> tuple[bytes, PackName]:
    """Makes a pack from its recipe: sixteen chunks, and an index padded to the size."""
    name = PackName(UUID(vector["space"]), 1, bytes.fromhex(vector["pack"]))
    cipher, id_key = AESGCM(bytes.fromhex(vector["key"])), bytes.fromhex(vector["chunkIdKey"])

    def seal(position: int, plaintext: bytes, identifier: bytes = b"") -> bytes:
        associated = name.associated(position, identifier)
        return cipher.encrypt(position.to_bytes(12, "big"), plaintext, associated)

    index, parts = u32(16), []
    for number in range(16):
        chunk = hashlib.shake_256(f"tessera full pack {number}".encode()).digest(CHUNK_BYTES)
        identifier = chunk_id(id_key, chunk)
        parts.append(seal(number, chunk, identifier))
        index += identifier + 2 * u32(CHUNK_BYTES)
    used = sum(map(len, parts)) + TAG_BYTES + 20
    index = index.ljust(vector["size"] - used, b"\0")
    parts += [seal(2**32 - 1, index), seal(2**32 - 2, u32(len(index) + TAG_BYTES))]
    return b"".join(parts), name


def check_full_pack(vector: Vector) -> None:
    pack, name = large_pack(vector)
    assert hashlib.sha256(pack).hexdigest() == vector["sha256"]
    key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
    builder = PackBuilder(key, name)
    for chunk in read_pack(pack, name, key, id_key):
        builder.add(chunk_id(id_key, chunk), chunk)
    assert builder.finish(last=False) == pack
    for count, digests in vector["shards"].items():
        shards = split_pack(pack, name, coding_for(int(count), len(pack)))
        assert [shard.trailer.digest.hex() for shard in shards] == digests


def check_too_large_pack(vector: Vector) -> None:
    pack, name = large_pack(vector)
    assert hashlib.sha256(pack).hexdigest() == vector["sha256"]
    expected = {"error": "malformed", "reason": "a pack that is too large"}
    refuses(expected, lambda: open_index(pack, bytes.fromhex(vector["key"]), name))


def check_shard_set(vector: Vector) -> None:
    [record] = read_records([vector["record"]])
    name = PackName(UUID(vector["space"]), vector["generation"], record.pack)
    shards = [Shard.decode(b64decode(shard)) for shard in vector["shards"]]
    try:
        pack = recover_pack(shards, name, record)
    except NotEnoughShards:
        assert vector["pack"] is None, vector["about"]
    else:
        assert vector["pack"] is not None, vector["about"]
        assert pack == b64decode(vector["pack"])


# The log


def check_log(vectors: Vector) -> None:
    state = LogState(COMPANY, SPACE)
    for vector, each in zip(vectors, log_entries(), strict=True):
        entry = each.entry
        state.append(entry)
        state.check_grants(entry, each.grants)
        assert entry.hash.hex() == vector["hash"]
        assert entry.clear.kind.name.lower() == vector["kind"]
        assert entry.encode() == b64decode(vector["data"])
        left_out = Entry.decode(entry.encode(with_body=False))
        assert (left_out.body, left_out.hash) == (None, entry.hash)
        if vector["body"]:
            assert open_body(entry, KEYRING) == b64decode(vector["body"])
    state.check_keyring(KEYRING)
    assert state.set_aside == {20}


def check_accepted(vector: Vector) -> None:
    state = state_after(vector["after"]).copy()
    for data in vector["entries"]:
        state.append(Entry.decode(b64decode(data)))


def check_bad_entry(bad: Vector) -> None:
    if "afterGenerations" in bad:
        state = _after_generations(bad["afterGenerations"]).copy()
    else:
        state = state_after(bad["after"]).copy()
    if "before" in bad:
        state.append(Entry.decode(b64decode(bad["before"])))
    entry = Entry.decode(b64decode(bad["data"]))
    refuses(bad, lambda: state.append(entry, now=bad.get("now")))


@cache
def _after_generations(count: int) -> LogState:
    """The genesis and so many generations, made as bad_log.py does."""
    genesis = log_entries()[0].entry
    state = LogState(COMPANY, SPACE)
    state.append(genesis)
    for generation in range(1, count + 1):
        head = Head(
            COMPANY,
            SPACE,
            generation + 1,
            state.head,
            (generation + 1).to_bytes(16, "big"),
            generation,
            genesis.head.author,
            genesis.head.time,
        )
        state.append(sign_entry(head, Generation(bytes(32), bytes(32)), person_keys(0)))
    return state


# Bodies


def check_change(vector: Vector) -> None:
    ChangeBody.decode(content(vector)).check_packs(read_records(vector["records"]))


def check_bad_change(bad: Vector) -> None:
    data, records = content(bad), read_records(bad.get("records", []))
    refuses(bad, lambda: ChangeBody.decode(data).check_packs(records))


def read_vector_checkpoint(vector: Vector) -> Tree:
    """As the body of entry 9, with all that the log says later."""
    packs = state_after(len(VECTORS["log"])).packs
    return read_checkpoint(log_entries()[8].entry, b64decode(vector["data"]), packs)


def check_checkpoint(vector: Vector) -> None:
    tree = read_vector_checkpoint(vector)
    assert tree.to_checkpoint(()).encode() == b64decode(vector["data"])


@cache
def stored_pack() -> bytes:
    """The pack of entry 17's body, out of the warehouses."""
    record = log_entries()[16].entry.clear.packs[0]  # type: ignore[union-attr]
    assert isinstance(record, PackRecord)
    shards = [
        Shard.decode(b64decode(data))
        for warehouse in VECTORS["rescue"]["warehouses"]
        for name, data in warehouse.items()
        if record.pack.hex() in name
    ]
    return recover_pack(shards, PackName(SPACE, 3, record.pack), record)


def open_stored_body(vector: Vector) -> bytes:
    entry = Entry.decode(b64decode(vector["data"]))
    stored = open_body(entry, KEYRING)
    assert isinstance(stored, StoredBody)
    assert isinstance(entry.clear, Change)
    return open_stored(entry, stored, {entry.clear.packs[0].pack: stored_pack()}, KEYRING)


def check_replay(vector: Vector) -> None:
    tree, set_aside = Tree(), []
    for sequence, body in enumerate(vector["changes"], 1):
        head = Head(COMPANY, SPACE, sequence, bytes(32), bytes(16), 1, UUID(int=1), sequence)
        entry = sign_entry(head, Change(()), person_keys(1), body=b"not looked at")
        try:
            apply_change(tree, entry, b64decode(body))
        except Malformed:
            set_aside.append(sequence)
    assert set_aside == vector["setAside"], vector["about"]
    assert tree.name == vector["name"]
    assert len(list(tree.walk())) == vector["current"]
    if vector["versions"] is not None:
        assert {
            path: [
                [each.sequence, each.operation, each.item.type if each.item else 0, each.conflict]
                for each in versions
            ]
            for path, versions in tree.versions.items()
        } == vector["versions"], vector["about"]


def check_whole_log(vector: Vector) -> None:
    """Replays the log of the rescue, whose lost pack an entry sets aside."""
    state = state_after(len(VECTORS["log"]))

    def read(entry: Entry) -> bytes | None:
        body = open_body(entry, KEYRING)
        if not isinstance(body, StoredBody):
            return body
        pack = body.chunks[0].pack
        is_there = any(pack.hex() in name for each in vector["warehouses"] for name in each)
        return open_stored(entry, body, {pack: stored_pack()}, KEYRING) if is_there else None

    tree, set_aside, missing = whole_replay(state.set_aside, read)
    assert (set_aside, missing) == (vector["setAside"], vector["missing"])
    assert tree.name == vector["spaceName"]
    items = dict(tree.walk())
    assert [*items] == [item["path"] for item in vector["items"]]
    for expected in vector["items"]:
        item = items[expected["path"]]
        assert item.modified == expected["modified"]
        for flag in ("executable", "private"):
            assert getattr(item, flag, None) == expected.get(flag)
        assert getattr(item, "target", None) == expected.get("link")
    assert whole_replay(set(), read)[2] == [20]


def whole_replay(
    declared: set[int], read: Callable[[Entry], bytes | None]
) -> tuple[Tree, list[int], list[int]]:
    """The state after the last entry, and which bodies were set aside or are missing."""
    state, tree = state_after(len(VECTORS["log"])), Tree()
    set_aside: list[int] = []
    missing: list[int] = []
    last = max(each.entry.head.sequence for each in log_entries() if is_checkpoint(each.entry))
    for each in log_entries()[last - 1 :]:
        entry = each.entry
        sequence = entry.head.sequence
        if not isinstance(entry.clear, BODY_KINDS) or sequence in declared:
            continue
        try:
            body = read(entry)
            if body is None:
                missing.append(sequence)
            elif is_checkpoint(entry):
                tree = read_checkpoint(entry, body, state.packs)
            else:
                apply_change(tree, entry, body)
        except (Malformed, NotAuthentic):
            set_aside.append(sequence)
    return tree, set_aside, missing


def is_checkpoint(entry: Entry) -> bool:
    return isinstance(entry.clear, Checkpoint)


# Objects, recovery, histories


def check_segment_object(vector: Vector) -> None:
    name, data = vector
    assert str(parse_object_name(name)) == name
    if "/log/" in name:
        assert Segment.decode(b64decode(data)).encode() == b64decode(data)


def open_recovery(vector: Vector) -> PrivateKeys:
    good = VECTORS["recovery"]
    sealed = SealedRecovery.decode(b64decode(vector["data"]))
    return sealed.open(good["passphrase"], bytes.fromhex(good["code"]))


def check_recovery(vector: Vector) -> None:
    sealed = SealedRecovery.decode(b64decode(vector["data"]))
    assert code_from_text(vector["codeText"]).hex() == vector["code"]
    assert (sealed.counter, sealed.record) == (vector["counter"], vector["record"])
    assert open_recovery(vector) == private_keys(vector["privateKeys"])
    for each in vector["codes"]:
        assert code_to_text(bytes.fromhex(each["code"])) == each["text"]


def good_records() -> list[bytes]:
    return [b64decode(vector["data"]) for vector in VECTORS["recoveryRecords"]]


def check_record(vector: Vector) -> None:
    record = RecoveryRecord.decode(b64decode(vector["data"]))
    assert record.encode() == b64decode(vector["data"])
    assert (record.counter, str(record.leader), record.time, record.hash.hex()) == (
        vector["counter"],
        vector["leader"],
        vector["time"],
        vector["hash"],
    )
    record.verify_leader(PublicKeys.decode(b64decode(vector["leaderPublicKeys"])))
    chain = [RecoveryRecord.decode(data) for data in good_records()[: record.counter]]
    check_records(chain, COMPANY)


def read_bad_records(bad: Vector) -> None:
    known = good_records()
    chain = [
        RecoveryRecord.decode(known[each] if isinstance(each, int) else b64decode(each))
        for each in bad["records"]
    ]
    check_records(chain, COMPANY)
    chain[-1].verify_leader(person_keys(1).public)


def check_history(case: Vector) -> None:
    pool = [
        log_entries()[each["log"]] if "log" in each else segment_entry(each)
        for each in VECTORS["histories"]["pool"]
    ]
    copies = [[pool[each] for each in copy] for copy in case["copies"]]
    printed = (case["printed"][0], bytes.fromhex(case["printed"][1])) if case["printed"] else None
    pair = private_keys(case["pair"])
    result = find_histories(COMPANY, SPACE, copies, pair.public, printed)
    found = []
    for history in result.ranked:
        keyring = history.open_keyring(pair)
        found.append(
            {
                "last": history.entries[-1].head.sequence,
                "hash": history.entries[-1].hash.hex(),
                "readable": history.readable,
                "generation": keyring.generation if keyring else 0,
                "isPrinted": history.is_printed,
            }
        )
    assert found == case["found"], case["about"]
    assert sorted(each.hash.hex() for each in result.left_over) == case["leftOver"]
    assert sorted(result.liars) == case["liars"]


# Shares


def share_keys(vector: Vector) -> ShareKeys:
    link = ShareLink.parse(vector["link"])
    salt = bytes.fromhex(vector["salt"])
    return ShareKeys.derive(
        link.secret, vector["password"], salt, company=COMPANY, share=link.share
    )


@cache
def first_share_keys() -> ShareKeys:
    return share_keys(VECTORS["shares"][0])


def check_share(vector: Vector) -> None:
    link, keys = ShareLink.parse(vector["link"]), share_keys(vector)
    assert str(link) == vector["link"]
    assert link.has_password == (vector["password"] is not None)
    assert str(link.share) == vector["share"]
    assert keys.key.hex() == vector["key"]
    assert keys.access_token.hex() == vector["accessToken"]
    assert keys.chunk_id_key.hex() == vector["chunkIdKey"]
    sealed = b64decode(vector["manifest"])
    manifest = keys.open_manifest(sealed, link.manifest_hash)
    assert manifest.encode() == b64decode(vector["plaintext"])
    assert keys.seal_manifest(manifest) == sealed
    assert manifest.expires == vector["expires"]
    assert [record.encode().hex() for record in manifest.records] == vector["records"]
    chunks: dict[bytes, bytes] = {}
    for record, shards, key in zip(
        manifest.records, vector["shards"], vector["packKeys"], strict=True
    ):
        assert keys.pack_key(record.pack).hex() == key
        # One warehouse is gone.
        found = [Shard.decode(b64decode(shard)) for shard in shards[1:]]
        name = keys.pack_name(record.pack)
        pack = recover_pack(found, name, record)
        for chunk in read_pack(pack, name, keys.pack_key(record.pack), keys.chunk_id_key):
            chunks[chunk_id(keys.chunk_id_key, chunk)] = chunk
    for (path, item), expected in zip(manifest.items, vector["items"], strict=True):
        assert (path, item.modified) == (expected["path"], expected["modified"])
        if isinstance(item, File):
            content = b"".join(chunks[each] for each in item.chunks)
            assert content == b64decode(expected["content"])
        else:
            assert expected["content"] is None


def open_manifest(bad: Vector) -> Manifest:
    sealed = content(bad)
    expected = bytes.fromhex(bad["hash"]) if "hash" in bad else manifest_hash(sealed)
    return first_share_keys().open_manifest(sealed, expected)


def read_share_pack(bad: Vector) -> object:
    keys = first_share_keys()
    [record, _] = read_records(VECTORS["shares"][0]["records"])
    name = keys.pack_name(record.pack)
    return read_pack(content(bad), name, keys.pack_key(record.pack), keys.chunk_id_key)


# Requests


@cache
def the_request() -> tuple[Vector, RequestLink, RequestKeys]:
    [vector] = VECTORS["requests"]
    link = RequestLink.parse(vector["link"])
    keys = RequestKeys.derive(KEYRING, vector["generation"], company=COMPANY, request=link.request)
    return vector, link, keys


def check_request(vector: Vector) -> None:
    _, link, keys = the_request()
    assert str(keys.link(link.origin)) == str(link) == vector["link"]
    assert str(link.request) == vector["request"]
    assert keys.key.hex() == vector["key"]
    public = read_request_keys(b64decode(vector["publicKeys"]), link, company=COMPANY)
    assert public == keys.private.public
    assert keys.access.token == link.token
    assert keys.access.access_token.hex() == vector["accessToken"]
    sealed = b64decode(vector["details"])
    details = keys.access.open_details(sealed, public)
    assert (details.title, details.max_files, details.max_bytes) == (
        vector["title"], vector["maxFiles"], vector["maxBytes"],
    )  # fmt: skip
    assert keys.access.seal_details(details, keys.private) == sealed
    assert keys.open_folder(b64decode(vector["folder"])) == vector["path"]
    assert keys.seal_folder(vector["path"]) == b64decode(vector["folder"])
    assert keys.open_folder(b64decode(vector["wholeSpace"])) == ""
    upload, manifest = UUID(vector["upload"]), b64decode(vector["manifest"])
    found = keys.open_upload(upload, b64decode(vector["uploadKey"]), manifest)
    assert found.keys.key.hex() == vector["contentKey"]
    assert found.manifest.encode() == b64decode(vector["plaintext"])
    secret = bytes.fromhex(vector["secret"])
    own = upload_keys(secret, company=COMPANY, request=link.request, upload=upload)
    assert own == found.keys
    resealed = seal_upload_key(
        secret, manifest_hash(manifest), public,
        company=COMPANY, request=link.request, upload=upload,
    )  # fmt: skip
    assert keys.open_upload(upload, resealed, manifest) == found
    check_contents(found, vector)


def check_contents(found: ReceivedFiles, vector: Vector) -> None:
    chunks: dict[bytes, bytes] = {}
    for record, shards in zip(found.manifest.records, vector["shards"], strict=True):
        name, key = found.keys.pack_name(record.pack), found.keys.pack_key(record.pack)
        pack = recover_pack([Shard.decode(b64decode(each)) for each in shards[1:]], name, record)
        for chunk in read_pack(pack, name, key, found.keys.chunk_id_key):
            chunks[chunk_id(found.keys.chunk_id_key, chunk)] = chunk
    for (path, item), expected in zip(found.manifest.items, vector["items"], strict=True):
        assert path == expected["path"]
        if isinstance(item, File):
            content = b"".join(chunks[each] for each in item.chunks)
            assert content == b64decode(expected["content"])


def read_keys_of_request(bad: Vector) -> object:
    return read_request_keys(content(bad), the_request()[1], company=COMPANY)


def open_details(bad: Vector) -> object:
    keys = the_request()[2]
    return keys.access.open_details(content(bad), keys.private.public)


def open_upload(bad: Vector) -> object:
    vector, _, keys = the_request()
    manifest = b64decode(bad.get("manifest", vector["manifest"]))
    return keys.open_upload(UUID(vector["upload"]), content(bad), manifest)


def refused(read: Callable[[Vector], object]) -> Callable[[Vector], None]:
    return lambda bad: refuses(bad, lambda: read(bad))


def refused_text(read: Callable[[str], object]) -> Callable[[Vector], None]:
    return lambda text: refuses({"error": "malformed", "reason": text}, lambda: read(text))


GOOD: dict[str, Callable[[Vector], None]] = {
    "people": check_person,
    "keyEnvelope": check_key_envelope,
    "derivations": check_derivations,
    "padme": check_padding,
    "parities": check_parities,
    "signatures": check_signature,
    "grants": check_grant,
    "keyHandovers": check_key_handover,
    "packs": check_pack,
    "fullPack": check_full_pack,
    "tooLargePack": check_too_large_pack,
    "shardSets": check_shard_set,
    "log": check_log,
    "acceptedEntries": check_accepted,
    "changes": check_change,
    "checkpoints": check_checkpoint,
    "replays": check_replay,
    "recovery": check_recovery,
    "recoveryRecords": check_record,
    "recoveryHandovers": check_recovery_handover,
    "rescue": check_whole_log,
    "histories": check_history,
    "shares": check_share,
    "requests": check_request,
}
MUST_FAIL: dict[str, Callable[[Vector], None]] = {
    "publicKeys": refused(lambda bad: PublicKeys.decode(content(bad))),
    "signingKeys": refused(lambda bad: PublicKeys.decode(content(bad))),
    "sealed": refused(lambda bad: person_keys(1).open(content(bad), b"an info")),
    "grants": refused(open_bad_grant),
    "entryGrants": check_bad_entry_grants,
    "keyrings": check_bad_keyring,
    "keyHandovers": refused(open_key_handover),
    "packs": refused(read_bad_pack),
    "shards": refused(lambda bad: Shard.decode(content(bad))),
    "entries": refused(lambda bad: Entry.decode(content(bad))),
    "log": check_bad_entry,
    "bodies": refused(lambda bad: open_body(Entry.decode(content(bad)), KEYRING)),
    "storedBodies": refused(open_stored_body),
    "segments": refused(lambda bad: Segment.decode(content(bad))),
    "recovery": refused(open_recovery),
    "recoveryRecords": refused(read_bad_records),
    "recoveryHandovers": refused(open_recovery_handover),
    "changes": check_bad_change,
    "checkpoints": refused(read_vector_checkpoint),
    "keyEnvelopes": refused(lambda bad: open_envelope(bad["envelope"])),
    "keyBundles": refused(lambda bad: KeyBundle.decode(content(bad))),
    "shareLinks": refused_text(ShareLink.parse),
    "manifests": refused(open_manifest),
    "sharePacks": refused(read_share_pack),
    "requestLinks": refused_text(RequestLink.parse),
    "requestKeys": refused(read_keys_of_request),
    "requestDetails": refused(open_details),
    "requestFolders": refused(lambda bad: the_request()[2].open_folder(content(bad))),
    "uploads": refused(open_upload),
    "codes": refused_text(code_from_text),
    "words": refused_text(normalize_words),
    "objectNames": refused_text(parse_object_name),
}


def vectors_of(group: str) -> Iterator[Vector]:
    """The vectors of a group; those that must fail have a name like `mustFail.log`."""
    name = group.removeprefix("mustFail.")
    if name != group:
        yield from BAD[name]
    elif name == "histories":
        yield from VECTORS[name]["cases"]
    elif isinstance(VECTORS[name], list) and name != "log":
        yield from VECTORS[name]
    else:
        yield VECTORS[name]


def check(group: str, vector: Vector) -> None:
    name = group.removeprefix("mustFail.")
    (GOOD if name == group else MUST_FAIL)[name](vector)


GROUPS = [*GOOD, *(f"mustFail.{name}" for name in MUST_FAIL)]
