"""What a member with valid keys and access tries, through the service's own calls."""

import hashlib
import random
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from chaos.file_user import KNOWN_CONTENTS
from client.tests.hostile_entries import BODIES, build_pack, sign_next
from tessera_client.transfer.answers import (
    Answer,
    AnswerMalformed,
    Number,
    PackToSend,
    Unread,
    Uploads,
)
from tessera_client.transfer.upload import Placement, SealedPack, Uploader
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core import base64url
from tessera_core.bodies import ChunkReference, StoredBody
from tessera_core.changes import ChangeBody, Move, Operation, PackContents, Put
from tessera_core.chunks import CHUNK_BYTES, chunk_id, chunk_length
from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    Entry,
    FormatChanged,
    Generation,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    Rewound,
    SetAside,
)
from tessera_core.files import File, Folder
from tessera_core.grants import RECOVERY, seal_grant
from tessera_core.packs import PACK_BYTES, ChunkRecord, PackName
from tessera_core.shards import TRAILER_BYTES, Coding, PackRecord, split_pack
from tessera_core.user_keys import PrivateKeys

MAX_CLAIMED = 3
# Together they touch more than a change may.
MOVED_FOLDERS, MOVES = 500, 450


class _Appended(Answer):
    sequence: Number


@dataclass(frozen=True)
class Intruder:
    """A member's session, and the space as they see it."""

    vault: Vault
    space: Space
    dice: random.Random
    # Of their own in the space, so that it is known what the others have stored.
    folder: str

    def sign(
        self,
        clear: Clear,
        content: bytes | StoredBody | None = None,
        *,
        author: UUID | None = None,
        keys: PrivateKeys | None = None,
        recovery_keys: PrivateKeys | None = None,
    ) -> Entry:
        account = self.vault.account
        return sign_next(
            self.space.state,
            author or account.user,
            keys or account.keys,
            self.space.keyring,
            clear,
            content,
            recovery_keys=recovery_keys,
        )

    def send(self, *entries: Entry) -> int:
        """Returns the sequence of the last entry."""
        body = {"entries": [base64url.encode(entry.encode()) for entry in entries]}
        path = f"/storage/spaces/{self.space.id}/log"
        return self.vault.account.api.post(path, _Appended, body).sequence

    def change(
        self,
        *operations: Operation,
        packs: Sequence[PackContents] = (),
        records: Sequence[PackRecord] = (),
    ) -> int:
        content = ChangeBody(tuple(packs), tuple(operations)).encode()
        return self.send(self.sign(Change(tuple(records)), content))

    def store(self, name: PackName, content: bytes | memoryview) -> PackRecord:
        """Uploads a pack as the client does."""
        vault, placement = self.vault, Placement.load(self.vault.account.api)
        coding = Coding(placement.k, placement.n, len(content))
        uploader = Uploader(vault.account.api, vault.warehouses, vault.journal)
        pack = SealedPack(name, coding, memoryview(content), (), is_body=False)
        uploader.submit_new(pack, bytearray())
        uploader.finish()
        vault.journal.remove(name.pack)
        return PackRecord.of(split_pack(content, name, coding))

    def claim(self, contents: Sequence[bytes], ids: Sequence[bytes], *puts: Put) -> int:
        """Adds a pack which says of its chunks that they are others."""
        name, content = build_pack(self.space.id, self.space.keyring, contents, ids)
        record = self.store(name, content)
        chunks = (
            ChunkRecord(each, len(chunk), len(chunk))
            for each, chunk in zip(ids, contents, strict=True)
        )
        return self.change(*puts, packs=[PackContents(name.pack, tuple(chunks))], records=[record])

    def reserve(self, names: Sequence[PackName], coding: Coding, digest: bytes) -> list[PackToSend]:
        """Begins uploads of packs that all have this digest."""
        size = TRAILER_BYTES + coding.shard_length
        shard = {"size": size, "sha256": base64url.encode(digest)}
        rows = [
            {
                "id": base64url.encode(name.pack),
                "generation": name.generation,
                "k": coding.k,
                "n": coding.n,
                "length": coding.length,
                "shards": [{"index": index, **shard} for index in range(coding.n)],
            }
            for name in names
        ]
        body = {"spaceId": str(self.space.id), "packs": rows}
        return self.vault.account.api.post("/storage/uploads", Uploads, body).packs

    def new_name(self) -> PackName:
        return PackName(self.space.id, self.space.keyring.generation, secrets.token_bytes(16))

    def own_path(self) -> str:
        return f"{self.folder}/{uuid4().hex[:12]}"

    def others_pack(self) -> PackRecord:
        user = self.vault.account.user
        packs = [each for each in self.space.state.packs.values() if each.author != user]
        return self.dice.choice(packs).record

    def colleague(self) -> UUID:
        state, user = self.space.state, self.vault.account.user
        return self.dice.choice(sorted(state.members.keys() - {user, state.leader}))


# Entries that the service cannot judge, and that every reader sets aside.


def senseless_body(body: bytes | None, intruder: Intruder) -> int:
    return intruder.send(intruder.sign(Change(()), body))


def describe_others_pack(intruder: Intruder) -> int:
    pack = intruder.others_pack().pack
    return intruder.change(packs=[PackContents(pack, (ChunkRecord(bytes(32), 1, 1),))])


def body_in_others_pack(intruder: Intruder) -> int:
    reference = ChunkReference(intruder.others_pack().pack, 0, 0, bytes(32))
    return intruder.send(intruder.sign(Change(()), StoredBody(CHUNK_BYTES, (reference,))))


def body_in_garbage(intruder: Intruder) -> int:
    """The pack is stored as its record says, and cannot be opened."""
    name = intruder.new_name()
    record = intruder.store(name, secrets.token_bytes(100_000))
    stored = StoredBody(70_000, (ChunkReference(name.pack, 0, 0, bytes(32)),))
    return intruder.send(intruder.sign(Change((record,)), stored))


def move_too_much(intruder: Intruder) -> int:
    sides = (intruder.own_path(), intruder.own_path())
    intruder.change(*(Put(f"{sides[0]}/{n}", 0, Folder(0)) for n in range(MOVED_FOLDERS)))
    intruder.space.sync()
    return intruder.change(*(Move(sides[n % 2], sides[1 - n % 2]) for n in range(MOVES)))


# Entries that make sense, and that must harm nobody.


def claim_others_chunks(intruder: Intruder) -> int:
    files = [
        item
        for path, item in intruder.space.tree.walk()
        if isinstance(item, File) and item.chunks and not path.startswith(f"{intruder.folder}/")
    ]
    file = intruder.dice.choice(files)
    lengths = [chunk_length(file.size, number) for number in range(len(file.chunks))]
    contents = [intruder.dice.randbytes(length) for length in lengths[:MAX_CLAIMED]]
    return intruder.claim(contents, file.chunks[:MAX_CLAIMED])


def claim_known_contents(intruder: Intruder) -> int:
    """Chunks that colleagues will store, and that nothing holds."""
    contents = intruder.dice.sample(KNOWN_CONTENTS, MAX_CLAIMED)
    ids = [chunk_id(intruder.space.keyring.chunk_id_key, content) for content in contents]
    return intruder.claim([bytes(len(content)) for content in contents], ids)


def promise_a_file(intruder: Intruder) -> int:
    promised = chunk_id(intruder.space.keyring.chunk_id_key, b"promised")
    put = Put(intruder.own_path(), 0, File(8, 0, False, (promised,)))
    return intruder.claim([b"anything"], [promised], put)


def send_a_shard_and_leave(intruder: Intruder) -> int:
    """Fewer shards than a pack needs, and no word about them."""
    name, placement = intruder.new_name(), Placement.load(intruder.vault.account.api)
    coding = Coding(placement.k, placement.n, 50_000)
    shard = split_pack(secrets.token_bytes(coding.length), name, coding)[0]
    digest = hashlib.sha256(shard.encode()).digest()
    (pack,) = intruder.reserve([name], coding, digest)
    link = next(each.link for each in pack.shards if each.index == 0)
    if link:
        intruder.vault.warehouses.upload(link, shard.data, shard.trailer.encode())
    return 0


# What the service refuses.


def in_anothers_name(intruder: Intruder) -> int:
    return intruder.send(intruder.sign(Change(()), author=intruder.space.state.leader))


def with_other_keys(intruder: Intruder) -> int:
    return intruder.send(intruder.sign(Change(()), keys=PrivateKeys.generate()))


def make_generation(intruder: Intruder) -> int:
    keyring = intruder.space.keyring.next()
    commitment = keyring.commitment(intruder.space.id, keyring.generation)
    return intruder.send(intruder.sign(Generation(commitment, bytes(32))))


def store_grants(intruder: Intruder) -> int:
    state, account = intruder.space.state, intruder.vault.account
    grant = seal_grant(
        intruder.space.keyring,
        state.members[state.leader],
        company=state.company,
        space=state.space,
        member=state.leader,
    )
    body = {
        "entryId": base64url.encode(secrets.token_bytes(16)),
        "grants": [base64url.encode(grant.encode())],
    }
    account.api.post(f"/storage/spaces/{state.space}/grants", Unread, body)
    return 0


def remove_colleague(intruder: Intruder) -> int:
    return intruder.send(intruder.sign(MemberRemoved(intruder.colleague())))


def remove_after_a_change(intruder: Intruder) -> int:
    """One entry of a batch is allowed."""
    allowed = intruder.sign(Change(()), ChangeBody((), ()).encode())
    return intruder.send(allowed, intruder.sign(MemberRemoved(intruder.colleague())))


def add_member(intruder: Intruder) -> int:
    added = MemberAdded(uuid4(), PrivateKeys.generate().public, bytes(32))
    return intruder.send(intruder.sign(added))


def become_leader(intruder: Intruder) -> int:
    account = intruder.vault.account
    changed = LeaderChanged(account.user, account.keys.public, bytes(32))
    author = intruder.dice.choice([RECOVERY, account.user])
    return intruder.send(intruder.sign(changed, author=author))


def change_recovery(intruder: Intruder) -> int:
    pair = PrivateKeys.generate()
    return intruder.send(intruder.sign(RecoveryChanged(pair.public), recovery_keys=pair))


def leaders_entry(make: Callable[[Intruder], Clear], intruder: Intruder) -> int:
    return intruder.send(intruder.sign(make(intruder)))


def add_others_pack(intruder: Intruder) -> int:
    return intruder.send(intruder.sign(Change((intruder.others_pack(),))))


def add_unsent_pack(intruder: Intruder) -> int:
    name, placement = intruder.new_name(), Placement.load(intruder.vault.account.api)
    coding = Coding(placement.k, placement.n, 50_000)
    intruder.reserve([name], coding, bytes(32))
    return intruder.send(intruder.sign(Change((PackRecord(name.pack, coding, bytes(32)),))))


def upload_as_others_pack(intruder: Intruder) -> int:
    record = intruder.others_pack()
    name = PackName(intruder.space.id, intruder.space.keyring.generation, record.pack)
    intruder.reserve([name], record.coding, secrets.token_bytes(32))
    return 0


def reserve_everything(intruder: Intruder) -> int:
    """Full packs that are never sent, until the service says that it is enough."""
    placement = Placement.load(intruder.vault.account.api)
    coding = Coding(placement.k, placement.n, PACK_BYTES)
    for _ in range(64):
        # The client asks for one pack at a time, and takes an answer about more for a lie.
        with suppress(AnswerMalformed):
            intruder.reserve([intruder.new_name() for _ in range(64)], coding, bytes(32))
    return 0


def call(method: str, path: str, body: dict[str, Any], intruder: Intruder) -> int:
    leader = intruder.space.state.leader
    intruder.vault.account.api.call(method, path.format(leader=leader), Unread, body)
    return 0


HostileMove = Callable[[Intruder], int]

SENSELESS: dict[str, HostileMove] = {
    **{f"body: {name}": partial(senseless_body, body) for name, body in BODIES.items()},
    "contents of others' packs": describe_others_pack,
    "body in others' packs": body_in_others_pack,
    "body in garbage": body_in_garbage,
    "too many moves": move_too_much,
}
HARMLESS: dict[str, HostileMove] = {
    "claim of others' chunks": claim_others_chunks,
    "claim of chunks nobody holds": claim_known_contents,
    "file that is not there": promise_a_file,
    "one shard, not reported": send_a_shard_and_leave,
}
FORBIDDEN: dict[str, HostileMove] = {
    "entry in another's name": in_anothers_name,
    "entry with other keys": with_other_keys,
    "generation": make_generation,
    "grants": store_grants,
    "removal": remove_colleague,
    "removal in a batch": remove_after_a_change,
    "new member": add_member,
    "new leader": become_leader,
    "new recovery pair": change_recovery,
    "checkpoint": partial(leaders_entry, lambda _: Checkpoint(())),
    "retired pack": partial(leaders_entry, lambda own: Retire((own.others_pack().pack,))),
    "entry set aside": partial(leaders_entry, lambda _: SetAside((2,))),
    "newer format": partial(leaders_entry, lambda _: FormatChanged(2)),
    "rewound log": partial(
        leaders_entry, lambda own: Rewound(own.space.state.sequence + 9, bytes(32), 0)
    ),
    "others' pack": add_others_pack,
    "unsent pack": add_unsent_pack,
    "upload as others' pack": upload_as_others_pack,
    "reservations": reserve_everything,
    "recovery record": partial(call, "PUT", "/storage/recovery/record", {"record": "AAAA"}),
    "recovery kit": partial(
        call, "PUT", "/storage/recovery/kit", {"counter": 99, "sealed": "AAAA"}
    ),
    "leader's account": partial(call, "DELETE", "/user/{leader}", {}),
}
