"""The product against docs/vectors/storage-v1.json."""

import hashlib
import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tessera_core import combine_integers, erasure
from tessera_core.bip39_english import WORDS
from tessera_core.bodies import open_body
from tessera_core.changes import ChangeBody
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.entries import Entry
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.grants import Grant
from tessera_core.kdf import stretch
from tessera_core.key_envelopes import KeyBundle, check_keys, open_keys
from tessera_core.key_handovers import KeyHandover
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
from tessera_core.recovery import (
    SealedRecovery,
    code_from_text,
    code_to_text,
    open_recovery_grant,
)
from tessera_core.segments import Segment
from tessera_core.shards import PackRecord, Shard, coding_for, recover_pack, split_pack
from tessera_core.user_keys import PrivateKeys, PublicKeys
from tessera_core.words import normalize_words, words_for

ROOT = Path(__file__).parents[2]
VECTORS: dict[str, Any] = json.loads((ROOT / "docs/vectors/storage-v1.json").read_text("ascii"))
BAD = VECTORS["mustFail"]
COMPANY, SPACE = UUID(VECTORS["company"]), UUID(VECTORS["space"])
KEYRING = Keyring(tuple(bytes.fromhex(seed) for seed in VECTORS["derivations"]["seeds"]))
ERRORS = {"malformed": Malformed, "not_authentic": NotAuthentic}


def person_keys(index: int) -> PrivateKeys:
    return private_keys(VECTORS["people"][index]["privateKeys"])


def refusals(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bad", BAD[kind], ids=lambda bad: str(bad["reason"]))


def refuses(bad: dict[str, Any], read: Callable[[bytes], object]) -> None:
    with pytest.raises(ERRORS[bad["error"]]):
        read(b64decode(bad["data"]))


def private_keys(text: str) -> PrivateKeys:
    return PrivateKeys.decode(bytes.fromhex(text))


def open_key_envelope(envelope: str) -> KeyBundle:
    vector = VECTORS["keyEnvelope"]
    user_key = bytes.fromhex(vector["userKey"])
    return open_keys(envelope, user_key=user_key, uid=vector["user"], cid=str(COMPANY))


def read_pack(pack: bytes, name: PackName, key: bytes, id_key: bytes) -> list[bytes]:
    records = open_index(pack, key, name)
    return [
        open_chunk(
            pack[offset : offset + record.length + TAG_BYTES],
            position,
            record.id,
            key=key,
            name=name,
            id_key=id_key,
        )
        for position, (record, offset) in enumerate(
            zip(records, chunk_offsets(records), strict=True)
        )
    ]


def log_entries() -> Iterable[tuple[Entry, list[Grant]]]:
    for vector in VECTORS["log"]:
        grants = [Grant.decode(b64decode(grant)) for grant in vector["grants"]]
        yield Entry.decode(b64decode(vector["data"])), grants


class TestFile:
    def test_is_what_its_script_makes(self) -> None:
        subprocess.run(
            [sys.executable, ROOT / "docs/vectors/make_storage.py", "--check"],
            check=True,
            env={"PYTHONPATH": ":".join(sys.path)},
        )


class TestGood:
    @pytest.mark.parametrize("person", VECTORS["people"], ids=["leader", "member"])
    def test_people(self, person: dict[str, Any]) -> None:
        private = private_keys(person["privateKeys"])
        public = PublicKeys.decode(b64decode(person["publicKeys"]))
        assert private.public == public
        assert public.fingerprint.hex() == person["fingerprint"]
        signature, sealed = person["signature"], person["sealed"]
        public.verify(bytes.fromhex(signature["signature"]), signature["message"].encode())
        opened = private.open(b64decode(sealed["data"]), sealed["info"].encode())
        assert opened == sealed["plaintext"].encode()

    def test_key_envelope(self) -> None:
        vector = VECTORS["keyEnvelope"]
        assert check_keys(vector["envelope"], uid=vector["user"], cid=str(COMPANY)) == 7
        bundle = open_key_envelope(vector["envelope"])
        assert bundle.encode() == b64decode(vector["plaintext"])
        assert bundle.keys == private_keys(vector["privateKeys"])
        assert bundle.leader is not None
        assert str(bundle.leader.user) == vector["leader"]["user"]
        assert bundle.leader.fingerprint.hex() == vector["leader"]["fingerprint"]
        pin, expected = bundle.spaces[SPACE], vector["spaces"][0]
        assert (pin.first.hex(), pin.sequence, pin.hash.hex()) == (
            expected["first"],
            expected["sequence"],
            expected["hash"],
        )

    def test_words(self) -> None:
        person = VECTORS["people"][0]
        public = PublicKeys.decode(b64decode(person["publicKeys"]))
        assert words_for(public, COMPANY, UUID(person["user"])) == person["words"]
        assert [WORDS[number] for number in person["wordNumbers"]] == person["words"].split()

    def test_derivations(self) -> None:
        vector = VECTORS["derivations"]
        identifier = bytes.fromhex(vector["id"])
        for generation in (1, 2, 3):
            at = generation - 1
            assert KEYRING.pack_key(generation, identifier).hex() == vector["packKeys"][at]
            assert KEYRING.entry_key(generation, identifier).hex() == vector["entryKeys"][at]
            assert KEYRING.commitment(SPACE, generation).hex() == vector["commitments"][at]
        assert KEYRING.chunk_id_key.hex() == vector["chunkIdKey"]
        argon = vector["argon2id"]
        output = stretch(argon["secret"].encode(), bytes.fromhex(argon["salt"]))
        assert output.hex() == argon["output"]

    def test_padding(self) -> None:
        assert [[size, padme(size)] for size, _ in VECTORS["padme"]] == VECTORS["padme"]

    def test_parities(self) -> None:
        for vector in VECTORS["parities"]:
            data = [bytes.fromhex(part) for part in vector["data"]]
            made = [bytes(part).hex() for part in erasure.parities(data, 2)]
            assert made == vector["parities"]
            rows = [[1] * len(data), erasure._EXP[: len(data)]]
            assert erasure.parities(data, 2) == combine_integers.combine(rows, data)

    def test_grants(self) -> None:
        for vector in VECTORS["grants"]:
            grant = Grant.decode(b64decode(vector["data"]))
            assert (str(grant.member), grant.generation) == (
                vector["member"],
                vector["generation"],
            )
            keys = private_keys(vector["privateKeys"])
            assert grant.open(keys, company=COMPANY, space=SPACE) == KEYRING

    @pytest.mark.parametrize("vector", VECTORS["keyHandovers"], ids=["3", "the last"])
    def test_key_handovers(self, vector: dict[str, Any]) -> None:
        handover = KeyHandover.decode(b64decode(vector["data"]))
        assert handover.encode() == b64decode(vector["data"])
        assert (str(handover.sender), str(handover.recipient), handover.epoch) == (
            vector["sender"],
            vector["recipient"],
            vector["epoch"],
        )
        opened = handover.open(person_keys(1), sender=person_keys(0).public, company=COMPANY)
        assert opened.hex() == vector["companyKey"]

    @pytest.mark.parametrize("vector", VECTORS["packs"], ids=["k 2, n 3", "k 3, n 4", "k 3, n 5"])
    def test_packs(self, vector: dict[str, Any]) -> None:
        pack, pack_id = b64decode(vector["data"]), bytes.fromhex(vector["pack"])
        name = PackName(UUID(vector["space"]), vector["generation"], pack_id)
        key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
        assert key == KEYRING.pack_key(name.generation, name.pack)
        chunks = [b64decode(chunk) for chunk in vector["chunks"]]
        assert read_pack(pack, name, key, id_key) == chunks
        builder = PackBuilder(key, name)
        for chunk in chunks:
            builder.add(chunk_id(id_key, chunk), chunk)
        assert bytes(builder.finish(last=True)) == pack
        shards = [Shard.decode(b64decode(shard)) for shard in vector["shards"]]
        assert split_pack(pack, name, coding_for(len(shards), len(pack))) == shards
        record = PackRecord.of(shards)
        assert record.encode().hex() == vector["record"]
        assert recover_pack(shards[1:], name, record) == pack

    def test_full_pack(self) -> None:
        vector = VECTORS["fullPack"]
        name = PackName(UUID(vector["space"]), 1, bytes.fromhex(vector["pack"]))
        builder = PackBuilder(bytes.fromhex(vector["key"]), name)
        for number in range(16):
            text = f"tessera full pack {number}".encode()
            chunk = hashlib.shake_256(text).digest(CHUNK_BYTES)
            builder.add(chunk_id(bytes.fromhex(vector["chunkIdKey"]), chunk), chunk)
        pack = builder.finish(last=False)
        assert len(pack) == vector["size"]
        assert hashlib.sha256(pack).hexdigest() == vector["sha256"]
        for count, digests in vector["shards"].items():
            shards = split_pack(pack, name, coding_for(int(count), len(pack)))
            assert [shard.header.digest.hex() for shard in shards] == digests

    def test_log(self) -> None:
        state = LogState(COMPANY, SPACE)
        for vector, (entry, grants) in zip(VECTORS["log"], log_entries(), strict=True):
            state.append(entry)
            state.check_grants(entry, grants)
            assert entry.hash.hex() == vector["hash"]
            assert entry.clear.kind.name.lower() == vector["kind"]
            assert entry.encode() == b64decode(vector["data"])
            if vector["body"]:
                assert open_body(entry, KEYRING) == b64decode(vector["body"])
        state.check_keyring(KEYRING)

    def test_recovery(self) -> None:
        vector = VECTORS["recovery"]
        sealed = SealedRecovery.decode(b64decode(vector["data"]))
        code = code_from_text(vector["codeText"])
        assert code.hex() == vector["code"]
        keys = private_keys(vector["privateKeys"])
        assert sealed.open(vector["passphrase"], code) == keys
        assert sealed.counter == vector["counter"]
        for each in vector["codes"]:
            assert code_to_text(bytes.fromhex(each["code"])) == each["text"]
        opened = open_recovery_grant(
            b64decode(vector["grant"]),
            private_keys(vector["leaderPrivateKeys"]),
            company=COMPANY,
            leader=UUID(vector["leader"]),
        )
        assert opened == keys

    def test_objects(self) -> None:
        rescue = VECTORS["rescue"]
        for name, data in rescue["everywhere"].items():
            assert str(parse_object_name(name)) == name
            if "/log/" in name:
                assert Segment.decode(b64decode(data)).encode() == b64decode(data)


class TestMustFail:
    @refusals("publicKeys")
    def test_public_keys(self, bad: dict[str, Any]) -> None:
        refuses(bad, PublicKeys.decode)

    @refusals("grants")
    def test_grants(self, bad: dict[str, Any]) -> None:
        vector = next(
            each for each in VECTORS["grants"] if each["member"] == VECTORS["people"][1]["user"]
        )
        keys = private_keys(vector["privateKeys"])
        refuses(bad, lambda data: Grant.decode(data).open(keys, company=COMPANY, space=SPACE))

    @refusals("keyHandovers")
    def test_key_handovers(self, bad: dict[str, Any]) -> None:
        def read(data: bytes) -> object:
            handover = KeyHandover.decode(data)
            return handover.open(person_keys(1), sender=person_keys(0).public, company=COMPANY)

        refuses(bad, read)

    @refusals("packs")
    def test_packs(self, bad: dict[str, Any]) -> None:
        vector = VECTORS["packs"][0]
        name = PackName(SPACE, vector["generation"], bytes.fromhex(vector["pack"]))
        key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
        refuses(bad, lambda data: read_pack(data, name, key, id_key))

    @refusals("shards")
    def test_shards(self, bad: dict[str, Any]) -> None:
        refuses(bad, Shard.decode)

    @refusals("entries")
    def test_entries(self, bad: dict[str, Any]) -> None:
        refuses(bad, Entry.decode)

    @refusals("log")
    def test_log(self, bad: dict[str, Any]) -> None:
        state = LogState(COMPANY, SPACE)
        for entry, _ in list(log_entries())[: bad["after"]]:
            state.append(entry)
        entry = Entry.decode(b64decode(bad["data"]))
        with pytest.raises(EntryRefused) as refusal:
            state.append(entry, now=bad.get("now"))
        assert refusal.value.reason == bad["error"]

    @refusals("bodies")
    def test_bodies(self, bad: dict[str, Any]) -> None:
        refuses(bad, lambda data: open_body(Entry.decode(data), KEYRING))

    @refusals("segments")
    def test_segments(self, bad: dict[str, Any]) -> None:
        refuses(bad, Segment.decode)

    @refusals("recovery")
    def test_recovery(self, bad: dict[str, Any]) -> None:
        vector = VECTORS["recovery"]
        code = bytes.fromhex(vector["code"])
        refuses(bad, lambda data: SealedRecovery.decode(data).open(vector["passphrase"], code))

    @refusals("changes")
    def test_changes(self, bad: dict[str, Any]) -> None:
        refuses(bad, ChangeBody.decode)

    @refusals("keyEnvelopes")
    def test_key_envelopes(self, bad: dict[str, str]) -> None:
        with pytest.raises(ERRORS[bad["error"]]):
            open_key_envelope(bad["envelope"])

    @refusals("keyBundles")
    def test_key_bundles(self, bad: dict[str, Any]) -> None:
        refuses(bad, KeyBundle.decode)

    @pytest.mark.parametrize("code", BAD["codes"])
    def test_codes(self, code: str) -> None:
        with pytest.raises(Malformed):
            code_from_text(code)

    @pytest.mark.parametrize("words", BAD["words"])
    def test_words(self, words: str) -> None:
        with pytest.raises(Malformed):
            normalize_words(words)

    @pytest.mark.parametrize("name", BAD["objectNames"])
    def test_object_names(self, name: str) -> None:
        with pytest.raises(Malformed):
            parse_object_name(name)
