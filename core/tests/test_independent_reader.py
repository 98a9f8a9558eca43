"""A reader written from the document alone agrees with the vectors and with the product."""

import hashlib
import json
from base64 import b64decode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import given
from hypothesis import strategies as st

from core.tests import (
    independent_files,
    independent_keys,
    independent_log,
    independent_packs,
    independent_reader,
)
from core.tests.independent_keys import Refused
from core.tests.test_tree import head, operations
from core.tests.vector_checks import content, large_pack
from tessera_core.changes import ChangeBody, Operation
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.packs import PackBuilder, PackName
from tessera_core.shards import PackRecord, coding_for, split_pack
from tessera_core.tree import Tree

HERE = Path(__file__).parent
OFFICIAL = json.loads((HERE / "xwing.json").read_text("ascii"))
VECTORS: dict[str, Any] = json.loads(
    (HERE.parents[1] / "docs/vectors/storage-v1.json").read_text("ascii")
)
BAD = VECTORS["mustFail"]
# Only the server has a clock to compare an entry's time with.
BAD_LOG = [bad for bad in BAD["log"] if "now" not in bad]
MEMBER_KEYS = bytes.fromhex(VECTORS["people"][1]["privateKeys"])
LEADER_PUBLIC, MEMBER_PUBLIC = (b64decode(each["publicKeys"]) for each in VECTORS["people"])
COMPANY, SPACE = UUID(VECTORS["company"]), UUID(VECTORS["space"])
SEEDS = [bytes.fromhex(seed) for seed in VECTORS["derivations"]["seeds"]]


REPLAYS = [
    pytest.param(
        vector, id=vector["about"], marks=[pytest.mark.extended] if vector.get("slow") else []
    )
    for vector in VECTORS["replays"]
]


def refusals(group: str) -> Callable[[Callable[[Any, dict[str, Any]], None]], Any]:
    """A test of each vector of the group, which has to end in a refusal."""

    def decorate(read: Callable[[Any, dict[str, Any]], None]) -> Any:
        def test(self: object, bad: dict[str, Any]) -> None:
            with pytest.raises(Refused):
                read(self, bad)

        ids = [str(bad["reason"]) for bad in BAD[group]]
        return pytest.mark.parametrize("bad", BAD[group], ids=ids)(test)

    return decorate


@cache
def _log_after(count: int) -> independent_log.LogReader:
    if not count:
        return independent_log.LogReader(COMPANY.bytes, SPACE.bytes)
    log, vector = log_after(count - 1), VECTORS["log"][count - 1]
    entry = independent_log.read_entry(b64decode(vector["data"]))
    log.append(entry)
    log.check_grants(entry, [b64decode(grant) for grant in vector["grants"]])
    return log


def log_after(count: int) -> independent_log.LogReader:
    """The good log after so many entries."""
    return _log_after(count).copy()


def known_packs(records: list[str]) -> dict[bytes, independent_packs.PackRecord]:
    read = [
        independent_packs.PackRecord.read(independent_keys.Fields(bytes.fromhex(each)))
        for each in records
    ]
    return {record.pack: record for record in read}


def packs_before(sequence: int) -> dict[bytes, independent_packs.PackRecord]:
    log = log_after(len(VECTORS["log"]))
    return {pack: log.packs[pack] for pack, by in log.added_by.items() if by < sequence}


class TestOfficialVectors:
    def test_independent_xwing_passes_the_official_vectors(self) -> None:
        for vector in OFFICIAL["xwing"]:
            seed, ciphertext = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["ct"])
            assert independent_keys.decapsulate(seed, ciphertext).hex() == vector["ss"]
            assert (
                independent_keys.public_keys_of(b"\1" + bytes(32) + seed)[33:].hex() == vector["pk"]
            )

    def test_independent_hpke_passes_the_official_vectors(self) -> None:
        vector = {key: value for key, value in OFFICIAL["hpke"].items() if key != "encryption"}
        data = {key: bytes.fromhex(value) for key, value in vector.items()}
        shared = independent_keys.decapsulate(data["skRm"], data["enc"])
        assert shared == data["shared_secret"]
        key, nonce = independent_keys.hpke_key(shared, data["info"], data["suite_id"][4:].hex())
        assert (key, nonce) == (data["key"], data["base_nonce"])
        sealed = OFFICIAL["hpke"]["encryption"]
        ciphertext, associated = bytes.fromhex(sealed["ct"]), bytes.fromhex(sealed["aad"])
        opened = ChaCha20Poly1305(key).decrypt(nonce, ciphertext, associated)
        assert opened.hex() == sealed["pt"]


class TestGood:
    @pytest.mark.parametrize("person", VECTORS["people"], ids=["leader", "member"])
    def test_independent_reader_opens_the_key_pairs(self, person: dict[str, Any]) -> None:
        private, public = bytes.fromhex(person["privateKeys"]), b64decode(person["publicKeys"])
        assert independent_keys.public_keys_of(private) == public
        assert independent_keys.sha256(public).hex() == person["fingerprint"]
        signature, sealed = person["signature"], person["sealed"]
        independent_keys.verify(
            public, bytes.fromhex(signature["signature"]), signature["message"].encode()
        )
        opened = independent_keys.open_sealed_to(
            private, b64decode(sealed["data"]), sealed["info"].encode()
        )
        assert opened == sealed["plaintext"].encode()

    def test_independent_reader_opens_the_key_envelope(self) -> None:
        vector = VECTORS["keyEnvelope"]
        bundle = independent_keys.open_key_envelope(
            vector["envelope"],
            bytes.fromhex(vector["userKey"]),
            vector["user"],
            VECTORS["company"],
        )
        assert bundle["revision"] == vector["revision"]
        assert bundle["privateKeys"].hex() == vector["privateKeys"]
        leader, space, record = vector["leader"], vector["spaces"][0], vector["record"]
        assert bundle["record"] == (record["counter"], bytes.fromhex(record["hash"]))
        assert [pair.hex() for pair in bundle["pairs"]] == vector["pairs"]
        assert [fingerprint.hex() for fingerprint in bundle["removed"]] == vector["removed"]
        assert bundle["removesOnRequest"] == vector["removesOnRequest"]
        plain = independent_keys.read_key_bundle(b64decode(vector["plaintextWithoutPins"]))
        assert not any(plain[what] for what in ("leader", "record", "pairs", "removed", "spaces"))
        assert bundle["leader"].hex() == UUID(leader["user"]).hex + leader["fingerprint"]
        assert bundle["spaces"] == [
            (
                SPACE.bytes,
                bytes.fromhex(space["first"]),
                space["sequence"],
                bytes.fromhex(space["hash"]),
            )
        ]

    def test_independent_reader_derives_the_six_words(self) -> None:
        person = VECTORS["people"][1]
        public = b64decode(person["publicKeys"])
        numbers = independent_keys.word_numbers(public, COMPANY, UUID(person["user"]))
        assert numbers == person["wordNumbers"]

    def test_independent_reader_derives_the_same_keys(self) -> None:
        vector = VECTORS["derivations"]
        identifier = bytes.fromhex(vector["id"])
        for generation in range(1, len(SEEDS) + 1):
            at = generation - 1
            assert (
                independent_keys.pack_key(SEEDS, generation, identifier).hex()
                == vector["packKeys"][at]
            )
            assert (
                independent_keys.entry_key(SEEDS, generation, identifier).hex()
                == vector["entryKeys"][at]
            )
            committed = independent_keys.commitment(SEEDS, SPACE.bytes, generation)
            assert committed.hex() == vector["commitments"][at]
        assert independent_keys.chunk_id_key(SEEDS).hex() == vector["chunkIdKey"]

    def test_independent_reader_computes_the_same_padding_and_parities(self) -> None:
        assert [[size, independent_keys.padme(size)] for size, _ in VECTORS["padme"]] == VECTORS[
            "padme"
        ]
        for vector in VECTORS["parities"]:
            data = [bytes.fromhex(part) for part in vector["data"]]
            k = len(data)
            made = [
                independent_packs.combine(independent_packs.coefficients(k, k + at), data).hex()
                for at in (0, 1)
            ]
            assert made == vector["parities"]

    def test_independent_reader_opens_the_grants(self) -> None:
        for vector in VECTORS["grants"]:
            keys = bytes.fromhex(vector["privateKeys"])
            data = b64decode(vector["data"])
            assert independent_keys.open_grant(data, keys, COMPANY.bytes, SPACE.bytes) == SEEDS

    @pytest.mark.parametrize("vector", VECTORS["packs"], ids=lambda each: str(each["pack"]))
    def test_independent_reader_opens_the_packs(self, vector: dict[str, Any]) -> None:
        place = independent_packs.PackPlace(
            SPACE.bytes, vector["generation"], bytes.fromhex(vector["pack"])
        )
        key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
        pack = b64decode(vector["data"])
        chunks = independent_packs.read_pack(pack, place, key, id_key)
        assert list(chunks.values()) == [b64decode(chunk) for chunk in vector["chunks"]]
        record = independent_packs.PackRecord.read(
            independent_keys.Fields(bytes.fromhex(vector["record"])), vector["generation"]
        )
        shards = [independent_packs.read_shard(b64decode(shard)) for shard in vector["shards"]]
        for lost in range(record.n):
            left = shards[:lost] + shards[lost + 1 :]
            assert independent_packs.rebuild_pack(record, SPACE.bytes, left) == pack

    @pytest.mark.parametrize("vector", VECTORS["shardSets"], ids=lambda each: str(each["about"]))
    def test_shards_of_which_some_lie(self, vector: dict[str, Any]) -> None:
        record = independent_packs.PackRecord.read(
            independent_keys.Fields(bytes.fromhex(vector["record"])), vector["generation"]
        )
        space = UUID(vector["space"]).bytes
        shards = [independent_packs.read_shard(b64decode(shard)) for shard in vector["shards"]]
        if vector["pack"] is None:
            with pytest.raises(Refused):
                independent_packs.rebuild_pack(record, space, shards)
        else:
            pack = independent_packs.rebuild_pack(record, space, shards)
            assert pack == b64decode(vector["pack"])

    @pytest.mark.parametrize("vector", VECTORS["signatures"], ids=lambda each: str(each["about"]))
    def test_independent_reader_verifies_the_signatures(self, vector: dict[str, Any]) -> None:
        """The equation of the document, and the library that is used elsewhere."""
        keys = independent_keys.check_public_keys(b64decode(vector["publicKeys"]))
        signature, message = bytes.fromhex(vector["signature"]), vector["message"].encode()
        assert independent_keys.equation(keys, signature, message) == vector["valid"]
        try:
            independent_keys.verify(keys, signature, message)
        except Refused:
            assert not vector["valid"]
        else:
            assert vector["valid"]

    def test_independent_reader_accepts_the_recovery_records(self) -> None:
        vectors = VECTORS["recoveryRecords"]
        for count, vector in enumerate(vectors, 1):
            chain = [b64decode(each["data"]) for each in vectors[:count]]
            leader = b64decode(vector["leaderPublicKeys"])
            records = independent_keys.read_records(chain, COMPANY.bytes, leader)
            assert records[-1]["hash"].hex() == vector["hash"]
            assert records[-1]["leader"] == UUID(vector["leader"]).bytes
            assert records[-1]["time"] == vector["time"]

    def test_independent_reader_opens_the_recovery_handovers(self) -> None:
        for vector in VECTORS["recoveryHandovers"]:
            opened = independent_keys.open_recovery_handover(
                b64decode(vector["data"]), LEADER_PUBLIC, MEMBER_KEYS, COMPANY.bytes
            )
            assert opened.hex() == vector["pair"]

    def test_independent_reader_opens_the_key_handovers(self) -> None:
        for vector in VECTORS["keyHandovers"]:
            opened = independent_keys.open_key_handover(
                b64decode(vector["data"]), LEADER_PUBLIC, MEMBER_KEYS, COMPANY.bytes
            )
            assert opened.hex() == vector["companyKey"]

    @pytest.mark.parametrize("vector", VECTORS["acceptedEntries"], ids=lambda each: each["about"])
    def test_independent_reader_accepts_the_entries(self, vector: dict[str, Any]) -> None:
        log = log_after(vector["after"])
        for data in vector["entries"]:
            log.append(independent_log.read_entry(b64decode(data)))

    @pytest.mark.parametrize("vector", VECTORS["changes"], ids=lambda each: str(each["about"]))
    def test_independent_reader_decodes_the_changes(self, vector: dict[str, Any]) -> None:
        independent_files.read_change(content(vector), known_packs(vector["records"]))

    @pytest.mark.parametrize("vector", VECTORS["checkpoints"], ids=lambda each: each["about"])
    def test_independent_reader_decodes_the_checkpoints(self, vector: dict[str, Any]) -> None:
        independent_files.read_checkpoint(b64decode(vector["data"]), 9, packs_before(9))

    @pytest.mark.parametrize("vector", REPLAYS)
    def test_independent_reader_replays_to_the_same_tree(self, vector: dict[str, Any]) -> None:
        files, set_aside = independent_files.Files(), []
        for sequence, body in enumerate(vector["changes"], 1):
            try:
                files = files.change(b64decode(body), sequence)
            except Refused:
                set_aside.append(sequence)
        assert (files.name, set_aside) == (vector["name"], vector["setAside"])
        current = [path for path in files.versions if files.current(path)]
        assert len(current) == vector["current"]
        if vector["versions"] is not None:
            assert {
                path: [
                    [
                        each.sequence,
                        each.operation,
                        (each.item or {"type": 0})["type"],
                        each.conflict,
                    ]
                    for each in versions
                ]
                for path, versions in files.versions.items()
            } == vector["versions"]

    @pytest.mark.parametrize(
        "case", VECTORS["histories"]["cases"], ids=lambda case: str(case["about"])
    )
    def test_independent_reader_chooses_the_same_histories(self, case: dict[str, Any]) -> None:
        pool = [
            VECTORS["log"][each["log"]] if "log" in each else each
            for each in VECTORS["histories"]["pool"]
        ]
        pair = bytes.fromhex(case["pair"])
        printed = case["printed"] and (case["printed"][0], bytes.fromhex(case["printed"][1]))
        search = independent_reader.Histories(independent_keys.public_keys_of(pair), printed)
        for number, copy in enumerate(case["copies"]):
            for each in copy:
                entry = independent_log.read_entry(b64decode(pool[each]["data"]))
                search.add(number, (entry, [b64decode(grant) for grant in pool[each]["grants"]]))
        left_over = search.search(COMPANY.bytes, SPACE.bytes)
        assert case["found"] == [
            {
                "last": history.entries[-1].sequence,
                "hash": history.entries[-1].hash.hex(),
                "readable": history.readable,
                "generation": len(history.open_seeds(pair)),
                "isPrinted": history.shows(printed),
            }
            for history in search.found
        ]
        assert [key.hex() for key in left_over] == case["leftOver"]
        assert sorted(search.liars) == case["liars"]

    def test_independent_reader_opens_the_recovery_file(self) -> None:
        vector = VECTORS["recovery"]
        for each in vector["codes"]:
            assert independent_reader.code_from_text(each["text"]).hex() == each["code"]
        opened = independent_reader.open_recovery(
            b64decode(vector["data"]), vector["passphrase"], bytes.fromhex(vector["code"])
        )
        assert opened.hex() == vector["privateKeys"]

    @pytest.mark.parametrize("lost", [None, 0, 1, 2, 3, 4])
    def test_rescue_from_the_warehouses_that_are_left(self, lost: int | None) -> None:
        vector = VECTORS["rescue"]
        objects = {name: [b64decode(data)] for name, data in vector["everywhere"].items()}
        for index, warehouse in enumerate(vector["warehouses"]):
            if index != lost:
                objects |= {name: [b64decode(data)] for name, data in warehouse.items()}
        space = independent_reader.rescue(objects, vector["passphrase"], vector["codeText"])
        assert space.files.name == vector["spaceName"]
        assert (space.set_aside, space.missing) == (vector["setAside"], vector["missing"])
        expected = {item["path"]: item for item in vector["items"]}
        live = {path for path in space.files.versions if space.files.current(path)}
        assert live == set(expected)
        for path, item in expected.items():
            version = space.files.current(path)
            assert version is not None
            assert version.item is not None
            assert version.item["modified"] == item["modified"]
            assert version.item.get("target") == item.get("link")
            assert version.item.get("private") == item.get("private")
            if "content" in item:
                assert space.contents[path] == b64decode(item["content"])
                assert version.item["executable"] == item["executable"]
        for each in vector["versions"]:
            assert each["versions"] == [
                {
                    "sequence": version.sequence,
                    "operation": version.operation,
                    "removed": version.item is None,
                    "conflict": version.conflict,
                }
                for version in space.files.versions[each["path"]]
            ]

    def test_reads_a_full_pack_of_the_product(self) -> None:
        name = PackName(SPACE, 1, b"p" * 16)
        builder = PackBuilder(b"k" * 32, name)
        chunks = [hashlib.shake_256(bytes([at])).digest(CHUNK_BYTES) for at in range(16)]
        for chunk in chunks:
            builder.add(chunk_id(b"i" * 32, chunk), chunk)
        pack = bytes(builder.finish(last=False))
        place = independent_packs.PackPlace(SPACE.bytes, 1, b"p" * 16)
        assert (
            list(independent_packs.read_pack(pack, place, b"k" * 32, b"i" * 32).values()) == chunks
        )
        shards = split_pack(pack, name, coding_for(5, len(pack)))
        record = independent_packs.PackRecord.read(
            independent_keys.Fields(PackRecord.of(shards).encode()), 1
        )
        stored = [independent_packs.read_shard(shard.encode()) for shard in shards[2:]]
        assert independent_packs.rebuild_pack(record, SPACE.bytes, stored) == pack


class TestMustFail:
    """What both readers refuse. The rules of the log are compared entry by entry."""

    @pytest.mark.parametrize("bad", BAD_LOG, ids=lambda bad: str(bad["reason"]))
    def test_independent_reader_refuses_bad_logs(self, bad: dict[str, Any]) -> None:
        if "afterGenerations" in bad:
            log = independent_log.LogReader(COMPANY.bytes, SPACE.bytes)
            log.append(independent_log.read_entry(b64decode(VECTORS["log"][0]["data"])))
            # The entries before are as many, and say nothing else that a rule looks at.
            entry = independent_log.read_entry(b64decode(bad["data"]))
            log.generation, log.sequence = bad["afterGenerations"], entry.sequence - 1
            log.previous = entry.previous
        else:
            log = log_after(bad["after"])
            entry = independent_log.read_entry(b64decode(bad["data"]))
        if "before" in bad:
            log.append(independent_log.read_entry(b64decode(bad["before"])))
        with pytest.raises(Refused, match=r"rule|signature"):
            log.append(entry)

    @refusals("publicKeys")
    def test_independent_reader_refuses_bad_public_keys(self, bad: dict[str, Any]) -> None:
        independent_keys.check_public_keys(content(bad))

    @refusals("signingKeys")
    def test_independent_reader_refuses_bad_signing_keys(self, bad: dict[str, Any]) -> None:
        independent_keys.check_public_keys(content(bad))

    @refusals("sealed")
    def test_independent_reader_refuses_bad_sealed_messages(self, bad: dict[str, Any]) -> None:
        independent_keys.open_sealed_to(MEMBER_KEYS, content(bad), b"an info")

    @refusals("grants")
    def test_independent_reader_refuses_bad_grants(self, bad: dict[str, Any]) -> None:
        independent_keys.open_grant(content(bad), MEMBER_KEYS, COMPANY.bytes, SPACE.bytes)

    @refusals("keyrings")
    def test_independent_reader_refuses_bad_keyrings(self, bad: dict[str, Any]) -> None:
        log_after(bad["after"]).check_seeds([bytes.fromhex(seed) for seed in bad["seeds"]])

    @pytest.mark.parametrize("bad", BAD["entryGrants"], ids=lambda bad: str(bad["reason"]))
    def test_independent_reader_refuses_grants_that_do_not_fit_their_entry(
        self, bad: dict[str, Any]
    ) -> None:
        log = log_after(bad["after"])
        entry = independent_log.read_entry(b64decode(bad["entry"]))
        log.append(entry)
        with pytest.raises(Refused):
            log.check_grants(entry, [b64decode(grant) for grant in bad["grants"]])

    @refusals("entries")
    def test_independent_reader_refuses_bad_entries(self, bad: dict[str, Any]) -> None:
        independent_log.read_entry(content(bad))

    @refusals("bodies")
    def test_independent_reader_refuses_bad_bodies(self, bad: dict[str, Any]) -> None:
        independent_log.open_body(independent_log.read_entry(content(bad)), SEEDS)

    @refusals("storedBodies")
    def test_independent_reader_refuses_bad_stored_bodies(self, bad: dict[str, Any]) -> None:
        objects = {
            name: [b64decode(data)]
            for warehouse in VECTORS["rescue"]["warehouses"]
            for name, data in warehouse.items()
        }
        packs = independent_reader.PackReader(log_after(17), SEEDS, objects)
        independent_reader.read_body(independent_log.read_entry(content(bad)), SEEDS, packs)

    @refusals("segments")
    def test_independent_reader_refuses_bad_segments(self, bad: dict[str, Any]) -> None:
        list(independent_reader.read_segment(content(bad)))

    @refusals("shards")
    def test_independent_reader_refuses_bad_shards(self, bad: dict[str, Any]) -> None:
        independent_packs.read_shard(content(bad))

    @refusals("packs")
    def test_independent_reader_refuses_bad_packs(self, bad: dict[str, Any]) -> None:
        vector = VECTORS["packs"][0]
        place = independent_packs.PackPlace(
            SPACE.bytes, vector["generation"], bytes.fromhex(vector["pack"])
        )
        key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
        independent_packs.read_pack(content(bad), place, key, id_key)

    def test_a_pack_that_is_too_large(self) -> None:
        vector = VECTORS["tooLargePack"]
        pack, name = large_pack(vector)
        assert hashlib.sha256(pack).hexdigest() == vector["sha256"]
        place = independent_packs.PackPlace(name.space.bytes, 1, name.pack)
        key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
        with pytest.raises(Refused):
            independent_packs.read_pack(pack, place, key, id_key)

    @refusals("changes")
    def test_independent_reader_refuses_bad_changes(self, bad: dict[str, Any]) -> None:
        independent_files.read_change(content(bad), known_packs(bad.get("records", [])))

    @refusals("checkpoints")
    def test_independent_reader_refuses_bad_checkpoints(self, bad: dict[str, Any]) -> None:
        independent_files.read_checkpoint(content(bad), 9, packs_before(9))

    @refusals("recovery")
    def test_independent_reader_refuses_bad_recovery_files(self, bad: dict[str, Any]) -> None:
        vector = VECTORS["recovery"]
        code = bytes.fromhex(vector["code"])
        independent_reader.open_recovery(content(bad), vector["passphrase"], code)

    @refusals("recoveryRecords")
    def test_independent_reader_refuses_bad_recovery_records(self, bad: dict[str, Any]) -> None:
        good = [b64decode(each["data"]) for each in VECTORS["recoveryRecords"]]
        chain = [
            good[each] if isinstance(each, int) else b64decode(each) for each in bad["records"]
        ]
        independent_keys.read_records(chain, COMPANY.bytes, MEMBER_PUBLIC)

    @refusals("recoveryHandovers")
    def test_independent_reader_refuses_bad_recovery_handovers(self, bad: dict[str, Any]) -> None:
        independent_keys.open_recovery_handover(
            content(bad), LEADER_PUBLIC, MEMBER_KEYS, COMPANY.bytes
        )

    @refusals("keyHandovers")
    def test_independent_reader_refuses_bad_key_handovers(self, bad: dict[str, Any]) -> None:
        independent_keys.open_key_handover(content(bad), LEADER_PUBLIC, MEMBER_KEYS, COMPANY.bytes)

    @refusals("keyBundles")
    def test_independent_reader_refuses_bad_key_bundles(self, bad: dict[str, Any]) -> None:
        independent_keys.read_key_bundle(content(bad))

    @refusals("keyEnvelopes")
    def test_independent_reader_refuses_bad_key_envelopes(self, bad: dict[str, Any]) -> None:
        vector = VECTORS["keyEnvelope"]
        user_key = bytes.fromhex(vector["userKey"])
        independent_keys.open_key_envelope(
            bad["envelope"], user_key, vector["user"], VECTORS["company"]
        )

    @pytest.mark.parametrize("code", BAD["codes"])
    def test_independent_reader_refuses_bad_recovery_codes(self, code: str) -> None:
        with pytest.raises(Refused):
            independent_reader.code_from_text(code)


class TestTogether:
    @given(st.lists(st.lists(operations, max_size=4), max_size=6))
    def test_both_readers_make_the_same_tree_of_any_changes(
        self, changes: list[list[Operation]]
    ) -> None:
        tree, files = Tree(), independent_files.Files()
        for sequence, change in enumerate(changes, 1):
            body = ChangeBody((), tuple(change))
            tree.apply(head(sequence), body)
            files = files.change(body.encode(), sequence)
        assert {
            path: [(each.sequence, each.operation, each.conflict) for each in versions]
            for path, versions in tree.versions.items()
        } == {
            path: [(each.sequence, each.operation, each.conflict) for each in versions]
            for path, versions in files.versions.items()
        }
        assert {path for path, _ in tree.walk()} == {
            path for path in files.versions if files.current(path)
        }
        again = independent_files.read_checkpoint(
            tree.to_checkpoint(()).encode(), len(changes) + 1, {}
        )
        assert again.versions.keys() == files.versions.keys()
