"""One company with one space, made of fixed randomness: keys, log, packs and recovery kit."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from uuid import UUID

import frames
import msgspec
import xwing

from tessera_core import recovery
from tessera_core.binary import u32
from tessera_core.bodies import ChunkReference, StoredBody, seal_body
from tessera_core.changes import ChangeBody, Move, NameSpace, PackContents, Put, Remove
from tessera_core.chunks import chunk_id
from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    Entry,
    Generation,
    Genesis,
    Head,
    KeepRule,
    KeepUnit,
    LeaderChanged,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    Retire,
    Rewound,
    SetAside,
    Settings,
    Unretire,
    sign_entry,
)
from tessera_core.files import File, Folder, Link
from tessera_core.grants import RECOVERY, Grant, grants_hash
from tessera_core.handovers import KeyHandover, RecoveryHandover
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.objects import RecoveryObject, SegmentObject, ShardObject
from tessera_core.packs import PackBuilder, PackName, chunk_offsets
from tessera_core.recovery_records import RecoveryRecord, sign_record
from tessera_core.segments import Segment, SegmentEntry
from tessera_core.shards import PackRecord, Shard, coding_for, split_pack
from tessera_core.tree import Tree
from tessera_core.user_keys import SUITE, PrivateKeys

COMPANY = UUID("22222222-2222-4222-8222-222222222222")
SPACE = UUID("44444444-4444-4444-8444-444444444444")
LEADER = UUID("11111111-1111-4111-8111-111111111111")
MEMBER = UUID("55555555-5555-4555-8555-555555555555")
LEAVER = UUID("66666666-6666-4666-8666-666666666666")
PASSPHRASE = "three clouds, one mosaic"
START = 1_790_000_000_000


def fixed(label: str, size: int) -> bytes:
    """Bytes that look random and come out the same each time."""
    return hashlib.shake_256(f"tessera storage vectors: {label}".encode()).digest(size)


def keys(name: str) -> PrivateKeys:
    return PrivateKeys(fixed(f"{name} sign", 32), fixed(f"{name} kem", 32))


KEYS = {LEADER: keys("leader"), MEMBER: keys("member"), LEAVER: keys("leaver")}
NEW_LEADER_KEYS = keys("leader, second device")
OLD_RECOVERY, NEW_RECOVERY = keys("recovery 1"), keys("recovery 2")
CODE = fixed("file recovery code", 16)
COMPANY_KEY = fixed("company key", 32)


def seal_to(recipient: PrivateKeys, info: bytes, plaintext: bytes, label: str) -> bytes:
    return xwing.seal(recipient.public.kem, info, plaintext, fixed(f"{label} hpke", 64))


def key_handover(epoch: int, signer: PrivateKeys) -> KeyHandover:
    """The company key, from the leader to the member."""
    bound = bytes([SUITE]) + COMPANY.bytes + LEADER.bytes + MEMBER.bytes + u32(epoch)
    info = b"tessera/v1/company-key" + bound
    sealed = seal_to(KEYS[MEMBER], info, COMPANY_KEY, f"key handover {epoch}")
    signed = b"tessera/v1/key-handover" + bound + hashlib.sha256(sealed).digest()
    return KeyHandover(LEADER, MEMBER, epoch, sealed, signer.sign(signed))


def grant(keyring: Keyring, member: UUID, recipient: PrivateKeys) -> Grant:
    generation = keyring.generation
    info = b"tessera/v1/grant" + bytes([SUITE]) + COMPANY.bytes + SPACE.bytes + member.bytes
    label = f"grant {member} {generation} {recipient.public.fingerprint.hex()}"
    sealed = seal_to(recipient, info + u32(generation), keyring.encode(), label)
    made = Grant(member, generation, sealed)
    assert made.open(recipient, company=COMPANY, space=SPACE) == keyring
    return made


def sealed_recovery(
    private: PrivateKeys,
    counter: int,
    record: int,
    code: bytes = CODE,
    passphrase: str = PASSPHRASE,
) -> recovery.SealedRecovery:
    salt = fixed(f"recovery salt {counter}", recovery.SALT_BYTES)
    key = recovery._key(passphrase, code, salt)
    header = recovery._header(COMPANY, counter, record, salt)
    sealed = recovery.AESGCM(key).encrypt(bytes(12), private.encode(), header)
    return recovery.SealedRecovery(COMPANY, counter, record, salt, sealed)


def recovery_handover(
    pair: PrivateKeys, counter: int, signer: PrivateKeys, *, sealed_for: int | None = None
) -> RecoveryHandover:
    """The recovery pair, from the leader to the member."""
    people = bytes([SUITE]) + COMPANY.bytes + LEADER.bytes + MEMBER.bytes
    info = b"tessera/v1/recovery-pair" + people + u32(sealed_for or counter)
    sealed = seal_to(KEYS[MEMBER], info, pair.encode(), f"recovery handover {counter}")
    signed = people + u32(counter) + hashlib.sha256(sealed).digest()
    signature = signer.sign(b"tessera/v1/recovery-handover" + signed)
    return RecoveryHandover(LEADER, MEMBER, counter, sealed, signature)


def recovery_records() -> list[RecoveryRecord]:
    """The first pair; its replacement after the leader's device was lost; a new leader's."""
    first = sign_record(OLD_RECOVERY, KEYS[LEADER], company=COMPANY, leader=LEADER, time=START)
    second = sign_record(
        NEW_RECOVERY,
        NEW_LEADER_KEYS,
        company=COMPANY,
        leader=LEADER,
        time=START + 840_000,
        before=first,
        pair_before=OLD_RECOVERY,
    )
    third = sign_record(
        keys("recovery 3"),
        KEYS[MEMBER],
        company=COMPANY,
        leader=MEMBER,
        time=START,
        before=second,
        pair_before=NEW_RECOVERY,
    )
    return [first, second, third]


@dataclass
class Space:
    """Writes a log and packs, and keeps everything that is stored."""

    state: LogState = field(default_factory=lambda: LogState(COMPANY, SPACE))
    keyring: Keyring = field(default_factory=lambda: Keyring((fixed("seed 1", 32),)))
    keys: dict[UUID, PrivateKeys] = field(default_factory=lambda: {**KEYS, RECOVERY: OLD_RECOVERY})
    tree: Tree = field(default_factory=Tree)
    entries: list[SegmentEntry] = field(default_factory=list)
    packs: list[list[Shard]] = field(default_factory=list)
    lost_packs: set[bytes] = field(default_factory=set)
    """In no warehouse."""

    def head(self, author: UUID = LEADER) -> Head:
        state = self.state
        sequence = state.sequence + 1
        return Head(
            company=COMPANY,
            space=SPACE,
            sequence=sequence,
            previous=state.head,
            id=fixed(f"entry {sequence}", 16),
            generation=state.generation,
            author=author,
            time=START + sequence * 60_000,
        )

    def append(
        self,
        clear: Clear,
        author: UUID = LEADER,
        *,
        grants: Sequence[Grant] = (),
        content: bytes | StoredBody | None = None,
        recovery_keys: PrivateKeys | None = None,
        signer: PrivateKeys | None = None,
    ) -> Entry:
        head = self.head(author)
        if isinstance(clear, Generation):
            head = replace(head, generation=head.generation + 1)
        sealed = b"" if content is None else seal_body(content, head, clear.kind, self.keyring)
        entry = sign_entry(
            head,
            clear,
            signer or self.keys[author],
            body=sealed,
            recovery_keys=recovery_keys,
        )
        self.state.append(entry)
        self.state.check_grants(entry, grants)
        self.entries.append(SegmentEntry(entry, tuple(grants)))
        return entry

    def genesis(self) -> None:
        clear = Genesis(LEADER, KEYS[LEADER].public, OLD_RECOVERY.public)
        self.append(clear, recovery_keys=OLD_RECOVERY)

    def generation(self, author: UUID = LEADER) -> None:
        number = self.state.generation + 1
        if number > 1:
            self.keyring = Keyring((*self.keyring.seeds, fixed(f"seed {number}", 32)))
        recipients = (RECOVERY, *self.state.members)
        grants = [grant(self.keyring, each, self.keys[each]) for each in recipients]
        commitment = self.keyring.commitment(SPACE, number)
        self.append(Generation(commitment, grants_hash(grants)), author, grants=grants)

    def add(self, member: UUID) -> None:
        made = [grant(self.keyring, member, self.keys[member])]
        clear = MemberAdded(member, self.keys[member].public, grants_hash(made))
        self.append(clear, grants=made)

    def replace_leader_keys(self) -> None:
        self.keys[LEADER] = NEW_LEADER_KEYS
        made = [grant(self.keyring, LEADER, self.keys[LEADER])]
        clear = LeaderChanged(LEADER, self.keys[LEADER].public, grants_hash(made))
        self.append(clear, RECOVERY, grants=made)

    def replace_recovery(self) -> None:
        self.keys[RECOVERY] = NEW_RECOVERY
        self.append(RecoveryChanged(NEW_RECOVERY.public), recovery_keys=NEW_RECOVERY)

    def pack(
        self, chunks: Sequence[bytes], warehouses: int = 3, *, frames: Sequence[bytes] = ()
    ) -> PackContents:
        """Seals chunks into a pack, the last of its batch, and codes it; `frames` are the
        compressed forms of the first chunks."""
        name = PackName(SPACE, self.state.generation, fixed(f"pack {len(self.packs)}", 16))
        builder = PackBuilder(self.keyring.pack_key(name.generation, name.pack), name)
        for chunk, content in zip(chunks, [*frames, *chunks[len(frames) :]], strict=True):
            identifier = chunk_id(self.keyring.chunk_id_key, chunk)
            builder.add(identifier, content, len(chunk))
        pack = builder.finish(last=True)
        self.packs.append(split_pack(pack, name, coding_for(warehouses, len(pack))))
        return PackContents(name.pack, tuple(builder.chunks))

    def record(self, contents: PackContents) -> PackRecord:
        return next(
            record for record in map(PackRecord.of, self.packs) if record.pack == contents.pack
        )

    def file(self, content: bytes, modified: int = 0, *, executable: bool = False) -> File:
        chunks = (chunk_id(self.keyring.chunk_id_key, content),) if content else ()
        return File(len(content), modified, executable, chunks)

    def rubbish(self, author: UUID) -> None:
        """A change whose body nobody can open: it is set aside."""
        entry = sign_entry(
            self.head(author), Change(()), self.keys[author], body=fixed("rubbish", 272)
        )
        self.state.append(entry)
        self.entries.append(SegmentEntry(entry))

    def change(
        self,
        body: ChangeBody,
        author: UUID = LEADER,
        *,
        warehouses: int = 3,
        is_lost: bool = False,
    ) -> None:
        packs = [self.record(contents) for contents in body.packs]
        content: bytes | StoredBody = body.encode()
        assert isinstance(content, bytes)
        if len(content) > 64 * 1024:
            content, stored = self.store_body(content, warehouses)
            packs.append(stored)
            if is_lost:
                self.lost_packs.add(stored.pack)
        entry = self.append(Change(tuple(packs)), author, content=content)
        if not is_lost:
            self.tree.apply(entry.head, body)

    def store_body(self, content: bytes, warehouses: int) -> tuple[StoredBody, PackRecord]:
        contents = self.pack([content], warehouses)
        offset = chunk_offsets(contents.chunks)[0]
        reference = ChunkReference(contents.pack, 0, offset, contents.chunks[0].id)
        return StoredBody(len(content), (reference,)), self.record(contents)

    def checkpoint(self, packs: Sequence[bytes]) -> None:
        body = self.tree.to_checkpoint(packs)
        self.append(Checkpoint(()), content=body.encode())

    def common_objects(self) -> dict[str, bytes]:
        """What lies in every warehouse: log segments and recovery kits."""
        objects: dict[str, bytes] = {}
        for first, last in ((0, 6), (4, 12), (12, len(self.entries))):
            segment = Segment(tuple(self.entries[first:last]))
            random = fixed(f"segment {first}", 8)
            name = SegmentObject(COMPANY, SPACE, segment.first, segment.last, random)
            objects[str(name)] = segment.encode()
        for counter, private in ((1, OLD_RECOVERY), (2, NEW_RECOVERY)):
            kit = RecoveryObject(COMPANY, counter, fixed(f"kit {counter}", 8))
            code = CODE if counter == 2 else fixed("old code", 16)
            objects[str(kit)] = sealed_recovery(private, counter, counter, code).encode()
        return objects

    def shard_objects(self) -> list[dict[str, bytes]]:
        """The shards in each of five warehouses."""
        warehouses: list[dict[str, bytes]] = [{} for _ in range(5)]
        for shard in chain.from_iterable(self.packs):
            if shard.trailer.name.pack in self.lost_packs:
                continue
            name = ShardObject(COMPANY, shard.trailer.name.pack, shard.trailer.index)
            data = shard.encode()
            warehouses[shard.trailer.index][str(name)] = data
        return warehouses


README = b"# Northwind\nEverything is in here.\n"
README_2 = b"# Northwind\nEverything is in here, and more.\n"
PICTURE = fixed("picture", 3000)
REPORT = "Jahresbericht für Straße 7\n".encode()
SCRIPT = b"#!/bin/sh\necho mosaic\n"
# The first is compressed by hand, the second by a library, the third not at all.
COMPRESSIBLE = (bytes(3000), b"Tessera keeps what it is given. " * 9, b"short")
FRAMES = (
    frames.frame(*frames.repeated(b"\0", 3000), size=3000),
    bytes.fromhex(
        "28b52ffd6020004d0100040254657373657261206b65657073207768617420697420697320676976"
        "656e2e200100e80f4a3d01"
    ),
)
# Long enough that the body of their change does not fit into an entry.
LONG_NAMES = [
    "/".join(f"{number:02}-{part}-".ljust(250, "x") for part in range(16)) for number in range(17)
]


def example() -> Space:
    """A life of a space: people come and go, keys are lost, files change and are moved."""
    space = Space()
    space.genesis()
    space.generation()
    first = space.pack([README, PICTURE, REPORT])
    space.change(
        ChangeBody(
            (first,),
            (
                NameSpace("Northwind / Büro"),
                Put("README.md", 0, space.file(README, 1_790_000_000_123_456_789)),
                Put("pictures/mosaic.png", 0, space.file(PICTURE, -1)),
                Put("reports/2026/Straße.txt", 0, space.file(REPORT)),
                Put("empty.txt", 0, space.file(b"")),
                Put("inbox", 0, Folder(1_790_000_000_000_000_000)),
                Put("latest", 0, Link(0, "reports/2026/Straße.txt")),
            ),
        )
    )
    space.add(MEMBER)
    space.add(LEAVER)
    second = space.pack([README_2, SCRIPT], warehouses=4)
    space.change(
        ChangeBody(
            (second,),
            (
                Put("README.md", 3, space.file(README_2)),
                Put("bin/mosaic", 0, space.file(SCRIPT, executable=True)),
            ),
        ),
        MEMBER,
    )
    space.append(MemberRemoved(LEAVER))
    space.generation()
    space.checkpoint([first.pack, second.pack])
    space.change(ChangeBody((), (Move("reports", "archive"), Remove("latest", 3))), MEMBER)
    third = space.pack([b"conflicting\n"], warehouses=5)
    space.change(ChangeBody((third,), (Put("README.md", 3, space.file(b"conflicting\n")),)), MEMBER)
    space.append(Retire((second.pack,)))
    space.append(Unretire((second.pack,)), MEMBER)
    space.replace_leader_keys()
    space.replace_recovery()
    space.generation()
    empty = space.file(b"")
    space.change(ChangeBody((), tuple(Put(name, 0, empty) for name in LONG_NAMES)))
    space.rubbish(MEMBER)
    private = ChangeBody(
        (),
        (
            Put("keys", 0, Folder(7, private=True)),
            Put("keys/secret", 0, msgspec.structs.replace(empty, private=True)),
            Put("keys/tool", 0, msgspec.structs.replace(empty, executable=True, private=True)),
        ),
    )
    space.change(private, MEMBER)
    lost = ChangeBody((), tuple(Put(f"lost/{name[2:]}", 0, empty) for name in LONG_NAMES))
    space.change(lost, MEMBER, is_lost=True)
    space.append(SetAside((space.state.sequence,)))
    # As after a restore of the service: what was entry 30 is not to be found any more.
    space.append(Rewound(30, fixed("abandoned", 32), START + 31 * 60_000))
    space.generation()
    fourth = space.pack(COMPRESSIBLE, frames=FRAMES)
    puts = (Put(f"shorter/{at}", 0, space.file(each)) for at, each in enumerate(COMPRESSIBLE))
    space.change(ChangeBody((fourth,), tuple(puts)), MEMBER)
    space.append(Settings(True, (KeepRule(KeepUnit.ALL_DAYS, 30), KeepRule(KeepUnit.YEARLY, 7))))
    return space
