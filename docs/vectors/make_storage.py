"""Writes storage-v1.json, the vectors of docs/storage-format.md.

    PYTHONPATH=core python docs/vectors/make_storage.py           writes the file
    PYTHONPATH=core python docs/vectors/make_storage.py --check   fails when the file is stale

All randomness is fixed, so the file comes out the same each time. What the product seals with
its own randomness (HPKE, the recovery kit) is put together by hand here, and the product has to
open it.
"""

import hashlib
import json
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

from bad_bodies import good_changes, good_checkpoints
from bad_keys import signatures
from bad_log import accepted
from bad_storage import must_fail
from by_hand import seal
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from history_cases import histories
from replays import replays
from request_cases import requests
from shard_sets import shard_sets
from share_cases import shares
from storage_example import (
    CODE,
    COMPANY,
    COMPANY_KEY,
    COMPRESSIBLE,
    FRAMES,
    KEYS,
    LEADER,
    LEAVER,
    LONG_NAMES,
    MEMBER,
    NEW_LEADER_KEYS,
    NEW_RECOVERY,
    OLD_RECOVERY,
    PASSPHRASE,
    PICTURE,
    README,
    README_2,
    REPORT,
    SCRIPT,
    SPACE,
    Space,
    example,
    fixed,
    key_handover,
    recovery_handover,
    recovery_records,
    seal_to,
    sealed_recovery,
)

from tessera_core import erasure
from tessera_core.binary import u32
from tessera_core.bip39_english import WORDS
from tessera_core.bodies import open_body
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.errors import NotAuthentic
from tessera_core.files import File, Folder, Link
from tessera_core.kdf import stretch
from tessera_core.key_envelopes import (
    KeyBundle,
    LeaderPin,
    RecordPin,
    RewindPin,
    SpacePin,
    open_keys,
)
from tessera_core.packs import PACK_BYTES, PackName, padme
from tessera_core.recovery import code_to_text
from tessera_core.shards import PackRecord, coding_for, split_pack
from tessera_core.words import words_for

TARGET = Path(__file__).with_name("storage-v1.json")


def text(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def people() -> list[dict[str, Any]]:
    made = []
    for user in (LEADER, MEMBER):
        private = KEYS[user]
        words = words_for(private.public, COMPANY, user)
        made.append(
            {
                "user": str(user),
                "privateKeys": private.encode().hex(),
                "publicKeys": text(private.public.encode()),
                "fingerprint": private.public.fingerprint.hex(),
                "words": words,
                "wordNumbers": [WORDS.index(word) for word in words.split()],
                "signature": {
                    "message": "tessera",
                    "signature": private.sign(b"tessera").hex(),
                },
                "sealed": {
                    "info": "an info",
                    "plaintext": "a plaintext",
                    "data": text(seal_to(private, b"an info", b"a plaintext", f"sealed {user}")),
                },
            }
        )
    return made


def key_envelope(space: Space) -> dict[str, Any]:
    entries = [each.entry for each in space.entries]
    leader = LeaderPin(LEADER, KEYS[LEADER].public.fingerprint)
    pin = SpacePin(entries[0].hash, 9, entries[8].hash)
    rewind = RewindPin(1, 30)
    newest = recovery_records()[1]
    bundle = KeyBundle(
        keys=KEYS[MEMBER],
        leader=leader,
        record=RecordPin(newest.counter, newest.hash),
        pairs=(OLD_RECOVERY, NEW_RECOVERY),
        removed=(KEYS[LEAVER].public.fingerprint, leader.fingerprint),
        removes_on_request=True,
        spaces={SPACE: pin},
        rewinds={SPACE: rewind},
    )
    user_key = fixed("user key", 32)
    header = (
        '{"alg":"dir","enc":"A256GCM","typ":"tessera-kp+1",'
        f'"uid":"{MEMBER}","cid":"{COMPANY}","rev":7}}'
    )
    sealed = seal(header, bundle.encode(), user_key, b"\4" * 12)
    assert open_keys(sealed, user_key=user_key, uid=str(MEMBER), cid=str(COMPANY)) == (bundle, 7)
    plain = KeyBundle(KEYS[MEMBER])
    return {
        "user": str(MEMBER),
        "userKey": user_key.hex(),
        "revision": 7,
        "envelope": sealed,
        "plaintext": text(bundle.encode()),
        "privateKeys": KEYS[MEMBER].encode().hex(),
        "leader": {"user": str(LEADER), "fingerprint": leader.fingerprint.hex()},
        "record": {"counter": newest.counter, "hash": newest.hash.hex()},
        "pairs": [pair.encode().hex() for pair in bundle.pairs],
        "removed": [fingerprint.hex() for fingerprint in bundle.removed],
        "removesOnRequest": True,
        "spaces": [
            {
                "space": str(SPACE),
                "first": pin.first.hex(),
                "sequence": pin.sequence,
                "hash": pin.hash.hex(),
            }
        ],
        "rewinds": [{"space": str(SPACE), "count": rewind.count, "abandoned": rewind.abandoned}],
        "plaintextWithoutPins": text(plain.encode()),
    }


def derivations(space: Space) -> dict[str, Any]:
    ring, identifier = space.keyring, fixed("an id", 16)
    return {
        "seeds": [seed.hex() for seed in ring.seeds],
        "id": identifier.hex(),
        "packKeys": [ring.pack_key(each, identifier).hex() for each in (1, 2, 3, 4)],
        "entryKeys": [ring.entry_key(each, identifier).hex() for each in (1, 2, 3, 4)],
        "chunkIdKey": ring.chunk_id_key.hex(),
        "commitments": [ring.commitment(SPACE, each).hex() for each in (1, 2, 3, 4)],
        "argon2id": {
            "secret": "secret",
            "salt": bytes(range(16)).hex(),
            "output": stretch(b"secret", bytes(range(16))).hex(),
        },
    }


def grants(space: Space) -> list[dict[str, Any]]:
    return [
        {
            "member": str(grant.member),
            "privateKeys": space.keys[grant.member].encode().hex(),
            "generation": grant.generation,
            "data": text(grant.encode()),
        }
        for grant in space.entries[22].grants
    ]


def key_handovers() -> list[dict[str, Any]]:
    return [
        {
            "sender": str(LEADER),
            "recipient": str(MEMBER),
            "epoch": epoch,
            "companyKey": COMPANY_KEY.hex(),
            "data": text(key_handover(epoch, KEYS[LEADER]).encode()),
        }
        for epoch in (3, 2_147_483_647)
    ]


def packs(space: Space) -> list[dict[str, Any]]:
    ring, made = space.keyring, []
    contents = [[README, PICTURE, REPORT], [README_2, SCRIPT], [b"conflicting\n"], COMPRESSIBLE]
    for shards, chunks in zip([*space.packs[:3], space.packs[-1]], contents, strict=True):
        name, coding = shards[0].trailer.name, shards[0].trailer.coding
        data = b"".join(bytes(shard.data) for shard in shards[: coding.k])[: coding.length]
        made.append(
            {
                "space": str(name.space),
                "generation": name.generation,
                "pack": name.pack.hex(),
                "key": ring.pack_key(name.generation, name.pack).hex(),
                "chunkIdKey": ring.chunk_id_key.hex(),
                "chunks": [text(chunk) for chunk in chunks],
                "compressed": [text(each) for each in FRAMES] if chunks == COMPRESSIBLE else [],
                "data": text(data),
                "record": PackRecord.of(shards).encode().hex(),
                "shards": [text(shard.encode()) for shard in shards],
            }
        )
    return made


def full_pack(more: int = 0) -> dict[str, Any]:
    """Sixteen whole chunks; too long to be written down, so only hashes are."""
    name = PackName(SPACE, 1, fixed("full pack", 16))
    key, id_key = fixed("full pack key", 32), fixed("full pack id key", 32)
    pack = sealed_pack(key, id_key, name, more)
    return {
        "about": "chunk i is SHAKE256('tessera full pack ' + i in decimal), 1 MiB",
        "space": str(name.space),
        "generation": 1,
        "pack": name.pack.hex(),
        "key": key.hex(),
        "chunkIdKey": id_key.hex(),
        "size": len(pack),
        "sha256": hashlib.sha256(pack).hexdigest(),
        "shards": {
            str(count): [
                shard.trailer.digest.hex()
                for shard in split_pack(pack, name, coding_for(count, len(pack)))
            ]
            for count in (() if more else (3, 4, 5, 16))
        },
    }


def sealed_pack(key: bytes, id_key: bytes, name: PackName, more: int) -> bytes:
    """The full pack, with so many zeros more in its index."""
    chunks = [full_pack_chunk(number) for number in range(16)]
    ids = [chunk_id(id_key, chunk) for chunk in chunks]
    index = u32(16) + b"".join(each + 2 * u32(CHUNK_BYTES) for each in ids)
    used = 16 * (CHUNK_BYTES + 16) + 16 + 20
    index = index.ljust(PACK_BYTES + more - used, b"\0")
    sealed = [
        *((at, chunk, ids[at]) for at, chunk in enumerate(chunks)),
        (2**32 - 1, index, b""),
        (2**32 - 2, u32(len(index) + 16), b""),
    ]
    return b"".join(
        AESGCM(key).encrypt(at.to_bytes(12, "big"), plaintext, name.associated(at, identifier))
        for at, plaintext, identifier in sealed
    )


def full_pack_chunk(number: int) -> bytes:
    return hashlib.shake_256(f"tessera full pack {number}".encode()).digest(CHUNK_BYTES)


def parities() -> list[dict[str, Any]]:
    made = []
    for k in (2, 3, 4, 14):
        data = [fixed(f"data shard {k} {index}", 24) for index in range(k)]
        made.append(
            {
                "data": [part.hex() for part in data],
                "parities": [bytes(part).hex() for part in erasure.parities(data, 2)],
            }
        )
    return made


def log(space: Space) -> list[dict[str, Any]]:
    made = []
    for each in space.entries:
        entry = each.entry
        try:
            content = open_body(entry, space.keyring) if entry.body else None
        except NotAuthentic:
            content = None
        made.append(
            {
                "kind": entry.clear.kind.name.lower(),
                "data": text(entry.encode()),
                "hash": entry.hash.hex(),
                "grants": [text(grant.encode()) for grant in each.grants],
                "body": text(content) if isinstance(content, bytes) else None,
            }
        )
    return made


def recovery() -> dict[str, Any]:
    sealed = sealed_recovery(NEW_RECOVERY, 2, 2)
    assert sealed.open(PASSPHRASE, CODE) == NEW_RECOVERY
    return {
        "company": str(COMPANY),
        "passphrase": PASSPHRASE,
        "code": CODE.hex(),
        "codeText": code_to_text(CODE),
        "codes": [
            {"code": code.hex(), "text": code_to_text(code)}
            for code in (bytes(16), b"\xff" * 16, bytes(range(16)))
        ],
        "counter": 2,
        "record": 2,
        "data": text(sealed.encode()),
        "privateKeys": NEW_RECOVERY.encode().hex(),
    }


def records() -> list[dict[str, Any]]:
    leaders = KEYS[LEADER], NEW_LEADER_KEYS, KEYS[MEMBER]
    return [
        {
            "counter": record.counter,
            "leader": str(record.leader),
            "leaderPublicKeys": text(leader.public.encode()),
            "time": record.time,
            "hash": record.hash.hex(),
            "data": text(record.encode()),
        }
        for record, leader in zip(recovery_records(), leaders, strict=True)
    ]


def recovery_handovers() -> list[dict[str, Any]]:
    handover = recovery_handover(NEW_RECOVERY, 2, KEYS[LEADER])
    return [
        {
            "sender": str(LEADER),
            "recipient": str(MEMBER),
            "counter": 2,
            "pair": NEW_RECOVERY.encode().hex(),
            "data": text(handover.encode()),
        }
    ]


CONTENTS = {
    "README.md": b"conflicting\n",
    "archive/2026/Straße.txt": REPORT,
    "bin/mosaic": SCRIPT,
    "pictures/mosaic.png": PICTURE,
    "empty.txt": b"",
    "keys/secret": b"",
    "keys/tool": b"",
    **dict.fromkeys(LONG_NAMES, b""),
    **{f"shorter/{at}": content for at, content in enumerate(COMPRESSIBLE)},
}


def rescue(space: Space) -> dict[str, Any]:
    items = []
    for path, item in space.tree.walk():
        described: dict[str, Any] = {"path": path, "modified": item.modified}
        match item:
            case File():
                described |= {
                    "content": text(CONTENTS[path]),
                    "executable": item.executable,
                    "private": item.private,
                }
                assert len(CONTENTS[path]) == item.size
            case Folder():
                described |= {"folder": True, "private": item.private}
            case Link():
                described |= {"link": item.target}
        items.append(described)
    return {
        "passphrase": PASSPHRASE,
        "codeText": code_to_text(CODE),
        "everywhere": {name: text(data) for name, data in space.common_objects().items()},
        "warehouses": [
            {name: text(data) for name, data in warehouse.items()}
            for warehouse in space.shard_objects()
        ],
        "spaceName": space.tree.name,
        "setAside": [18],
        "missing": [],
        "items": items,
        "versions": [
            {
                "path": path,
                "versions": [
                    {
                        "sequence": version.sequence,
                        "operation": version.operation,
                        "removed": version.item is None,
                        "conflict": version.conflict,
                    }
                    for version in versions
                ],
            }
            for path, versions in sorted(
                space.tree.versions.items(), key=lambda item: item[0].encode()
            )
            if path not in LONG_NAMES
        ],
    }


def build() -> dict[str, Any]:
    space = example()
    return {
        "about": "Made by make_storage.py from fixed randomness. Base64 where the key is `data` or"
        " the value is long, else hexadecimal. `parts`: pieces of the data, each so many times."
        " `error`: what a reader says, malformed or not_authentic, or the name of the rule of the"
        " log that is broken.",
        "company": str(COMPANY),
        "space": str(SPACE),
        "recoveryPublicKeys": [text(pair.public.encode()) for pair in (OLD_RECOVERY, NEW_RECOVERY)],
        "people": people(),
        "keyEnvelope": key_envelope(space),
        "derivations": derivations(space),
        "padme": [[size, padme(size)] for size in (1, 2, 9, 100, 1000, 65541, 10**6, 16777217)],
        "parities": parities(),
        "signatures": signatures(),
        "grants": grants(space),
        "keyHandovers": key_handovers(),
        "packs": packs(space),
        "fullPack": full_pack(),
        "tooLargePack": full_pack(1),
        "shardSets": shard_sets(space),
        "log": log(space),
        "acceptedEntries": accepted(space),
        "changes": good_changes(),
        "checkpoints": good_checkpoints(),
        "replays": replays(),
        "recovery": recovery(),
        "recoveryRecords": records(),
        "recoveryHandovers": recovery_handovers(),
        "rescue": rescue(space),
        "histories": histories(space),
        "shares": shares(),
        "requests": requests(space),
        "mustFail": must_fail(space),
    }


def main() -> None:
    made = json.dumps(build(), indent=1, ensure_ascii=True) + "\n"
    if "--check" in sys.argv:
        if TARGET.read_text("ascii") != made:
            sys.exit("storage-v1.json is stale: run make_storage.py")
        return
    TARGET.write_text(made, "ascii")


if __name__ == "__main__":
    main()
