"""A reader written from the document alone agrees with the vectors and with the product."""

import hashlib
import json
from base64 import b64decode
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from core.tests import independent_keys, independent_log, independent_packs, independent_reader
from core.tests.independent_keys import Refused
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.packs import PackBuilder, PackName
from tessera_core.shards import PackRecord, coding_for, split_pack

HERE = Path(__file__).parent
OFFICIAL = json.loads((HERE / "xwing.json").read_text("ascii"))
VECTORS: dict[str, Any] = json.loads(
    (HERE.parents[1] / "docs/vectors/storage-v1.json").read_text("ascii")
)
BAD = VECTORS["mustFail"]
# Only the server has a clock to compare an entry's time with.
BAD_LOG = [bad for bad in BAD["log"] if "now" not in bad]
COMPANY, SPACE = UUID(VECTORS["company"]), UUID(VECTORS["space"])
SEEDS = [bytes.fromhex(seed) for seed in VECTORS["derivations"]["seeds"]]


class TestOfficialVectors:
    def test_of_xwing(self) -> None:
        for vector in OFFICIAL["xwing"]:
            seed, ciphertext = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["ct"])
            assert independent_keys.decapsulate(seed, ciphertext).hex() == vector["ss"]
            assert (
                independent_keys.public_keys_of(b"\1" + bytes(32) + seed)[33:].hex() == vector["pk"]
            )

    def test_of_hpke_with_xwing(self) -> None:
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
    def test_people(self, person: dict[str, Any]) -> None:
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

    def test_key_envelope(self) -> None:
        vector = VECTORS["keyEnvelope"]
        bundle = independent_keys.open_key_envelope(
            vector["envelope"],
            bytes.fromhex(vector["userKey"]),
            vector["user"],
            VECTORS["company"],
        )
        assert bundle["revision"] == vector["revision"]
        assert bundle["privateKeys"].hex() == vector["privateKeys"]
        leader, space = vector["leader"], vector["spaces"][0]
        assert bundle["leader"].hex() == UUID(leader["user"]).hex + leader["fingerprint"]
        assert bundle["spaces"] == [
            (
                SPACE.bytes,
                bytes.fromhex(space["first"]),
                space["sequence"],
                bytes.fromhex(space["hash"]),
            )
        ]

    def test_words(self) -> None:
        person = VECTORS["people"][1]
        public = b64decode(person["publicKeys"])
        numbers = independent_keys.word_numbers(public, COMPANY, UUID(person["user"]))
        assert numbers == person["wordNumbers"]

    def test_derivations(self) -> None:
        vector = VECTORS["derivations"]
        identifier = bytes.fromhex(vector["id"])
        for generation in (1, 2, 3):
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

    def test_padding_and_parities(self) -> None:
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

    def test_grants(self) -> None:
        for vector in VECTORS["grants"]:
            keys = bytes.fromhex(vector["privateKeys"])
            data = b64decode(vector["data"])
            assert independent_keys.open_grant(data, keys, COMPANY.bytes, SPACE.bytes) == SEEDS

    @pytest.mark.parametrize("vector", VECTORS["packs"], ids=["k 2, n 3", "k 3, n 4", "k 3, n 5"])
    def test_packs(self, vector: dict[str, Any]) -> None:
        place = independent_packs.PackPlace(
            SPACE.bytes, vector["generation"], bytes.fromhex(vector["pack"])
        )
        key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
        pack = b64decode(vector["data"])
        chunks = independent_packs.read_pack(pack, place, key, id_key)
        assert list(chunks.values()) == [b64decode(chunk) for chunk in vector["chunks"]]
        record = independent_packs.PackRecord.read(
            independent_keys.Fields(bytes.fromhex(vector["record"]))
        )
        shards = [independent_packs.read_shard(b64decode(shard)) for shard in vector["shards"]]
        for lost in range(record.n):
            assert (
                independent_packs.rebuild_pack(record, shards[:lost] + shards[lost + 1 :]) == pack
            )

    def test_recovery(self) -> None:
        vector = VECTORS["recovery"]
        for each in vector["codes"]:
            assert independent_reader.code_from_text(each["text"]).hex() == each["code"]
        keys = bytes.fromhex(vector["leaderPrivateKeys"])
        sealed = b64decode(vector["grant"])
        opened = independent_reader.open_recovery_grant(
            sealed, keys, COMPANY, UUID(vector["leader"])
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
        expected = {item["path"]: item for item in vector["items"]}
        live = {path for path in space.files.versions if space.files.current(path)}
        assert live == set(expected)
        for path, item in expected.items():
            version = space.files.current(path)
            assert version is not None
            assert version.item is not None
            assert version.item["modified"] == item["modified"]
            assert version.item.get("target") == item.get("link")
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
            independent_keys.Fields(PackRecord.of(shards).encode())
        )
        stored = [
            independent_packs.read_shard(shard.header.encode() + bytes(shard.data))
            for shard in shards[2:]
        ]
        assert independent_packs.rebuild_pack(record, stored) == pack


class TestMustFail:
    """What both readers refuse. The rules of the log are compared entry by entry."""

    @pytest.mark.parametrize("bad", BAD_LOG, ids=lambda bad: str(bad["reason"]))
    def test_log(self, bad: dict[str, Any]) -> None:
        log = independent_log.LogReader(COMPANY.bytes, SPACE.bytes)
        for vector in VECTORS["log"][: bad["after"]]:
            grants = [b64decode(grant) for grant in vector["grants"]]
            log.append(independent_log.read_entry(b64decode(vector["data"])), grants)
        entry = independent_log.read_entry(b64decode(bad["data"]))
        with pytest.raises(Refused, match=r"rule|signature"):
            log.append(entry, [])

    @pytest.mark.parametrize("bad", BAD["shards"], ids=lambda bad: str(bad["reason"]))
    def test_shards(self, bad: dict[str, Any]) -> None:
        with pytest.raises(Refused):
            independent_packs.read_shard(b64decode(bad["data"]))

    @pytest.mark.parametrize("bad", BAD["packs"], ids=lambda bad: str(bad["reason"]))
    def test_packs(self, bad: dict[str, Any]) -> None:
        vector = VECTORS["packs"][0]
        place = independent_packs.PackPlace(
            SPACE.bytes, vector["generation"], bytes.fromhex(vector["pack"])
        )
        key, id_key = bytes.fromhex(vector["key"]), bytes.fromhex(vector["chunkIdKey"])
        with pytest.raises(Refused):
            independent_packs.read_pack(b64decode(bad["data"]), place, key, id_key)

    @pytest.mark.parametrize("bad", BAD["changes"], ids=lambda bad: str(bad["reason"]))
    def test_changes(self, bad: dict[str, Any]) -> None:
        with pytest.raises(Refused):
            independent_reader.Files().change(b64decode(bad["data"]), 1)
