"""Spaces written with the core alone, and copies of the clouds that hold them, for tests."""

import copy
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from uuid import UUID, uuid4

from client.tests.service import PASSPHRASE
from tessera_core.bodies import MAX_INLINE_BYTES, ChunkReference, StoredBody, seal_body
from tessera_core.changes import ChangeBody, NameSpace, Operation, PackContents, Put
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.entries import (
    Change,
    Checkpoint,
    Clear,
    Entry,
    Generation,
    Genesis,
    Head,
    MemberAdded,
    MemberRemoved,
    RecoveryChanged,
    sign_entry,
)
from tessera_core.files import File
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.keyring import Keyring
from tessera_core.log import LogState
from tessera_core.objects import RecoveryObject, SegmentObject, ShardObject
from tessera_core.packs import PackBuilder, PackName, chunk_offsets
from tessera_core.recovery import new_code, seal_recovery
from tessera_core.segments import Segment, SegmentEntry
from tessera_core.shards import PackRecord, Shard, coding_for, split_pack
from tessera_core.tree import Tree
from tessera_core.user_keys import PrivateKeys

COMPANY = UUID("c0000000-0000-4000-8000-000000000001")
LEADER, MEMBER = UUID(int=1), UUID(int=2)
CODE = new_code()
LEADER_KEYS, MEMBER_KEYS, PAIR = (PrivateKeys.generate() for _ in range(3))


@dataclass
class Pack:
    record: PackRecord
    contents: PackContents
    shards: list[Shard]


@dataclass
class Space:
    """One space's log with all secrets, as honest and hostile people write it."""

    id: UUID = field(default_factory=uuid4)
    name: str = "Designs"
    pair: PrivateKeys = PAIR
    leader_keys: PrivateKeys = LEADER_KEYS
    clouds: int = 3
    entries: list[SegmentEntry] = field(default_factory=list)
    packs: list[Pack] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = LogState(COMPANY, self.id)
        self.keys = {LEADER: self.leader_keys, MEMBER: MEMBER_KEYS}
        self.keyring = Keyring.create()
        self.tree = Tree()
        self.append(
            Genesis(LEADER, self.leader_keys.public, self.pair.public), countersigner=self.pair
        )
        self.generation()
        self.change([NameSpace(self.name)])

    def fork(self) -> "Space":
        """Another history from here on."""
        other = copy.copy(self)
        other.entries, other.packs = [*self.entries], [*self.packs]
        other.state, other.tree = self.state.copy(), copy.deepcopy(self.tree)
        return other

    @property
    def hash(self) -> bytes:
        return self.state.head

    # Entries

    def head(self, clear: Clear, author: UUID = LEADER) -> Head:
        return self.state.next_head(clear, author, self.state.time + 1000)

    def append(
        self,
        clear: Clear,
        author: UUID = LEADER,
        *,
        head: Head | None = None,
        body: bytes = b"",
        grants: Sequence[Grant] = (),
        signer: PrivateKeys | None = None,
        countersigner: PrivateKeys | None = None,
    ) -> Entry:
        entry = sign_entry(
            head or self.head(clear, author),
            clear,
            signer or self.keys[author],
            body=body,
            recovery_keys=countersigner,
        )
        if signer is None:
            self.state.append(entry)
        self.entries.append(SegmentEntry(entry, tuple(grants)))
        return entry

    def generation(self, *, recovery_grant: Grant | None = None) -> None:
        if self.state.generation:
            self.keyring = self.keyring.next()
        grants = [self.grant(member) for member in self.state.members]
        grants.append(recovery_grant or self.grant(RECOVERY))
        commitment = self.keyring.commitment(self.id, self.keyring.generation)
        self.append(Generation(commitment, grants_hash(grants)), grants=grants)

    def grant(self, member: UUID) -> Grant:
        keys = self.state.recovery_keys if member == RECOVERY else self.keys[member].public
        assert keys is not None
        return seal_grant(self.keyring, keys, company=COMPANY, space=self.id, member=member)

    def add_member(self) -> None:
        grants = [self.grant(MEMBER)]
        clear = MemberAdded(MEMBER, MEMBER_KEYS.public, grants_hash(grants))
        self.append(clear, grants=grants)

    def remove_member(self) -> None:
        self.append(MemberRemoved(MEMBER))
        self.generation()

    def replace_pair(self, pair: PrivateKeys) -> None:
        self.append(RecoveryChanged(pair.public), countersigner=pair)
        self.pair = pair
        self.generation()

    # Changes

    def put(
        self, path: str, content: bytes, author: UUID = LEADER, *, stored: bool = False
    ) -> Pack:
        pack = self.pack(_cut(content))
        self.change([self.file(path, content)], [pack], author, stored=stored)
        return pack

    def file(self, path: str, content: bytes) -> Put:
        identifiers = tuple(chunk_id(self.keyring.chunk_id_key, each) for each in _cut(content))
        version = self.tree.current(path)
        base = version.sequence if version else 0
        return Put(path, base, File(len(content), 0, False, identifiers))

    def change(
        self,
        operations: Sequence[Operation],
        packs: Sequence[Pack] = (),
        author: UUID = LEADER,
        *,
        stored: bool = False,
    ) -> Entry:
        body = ChangeBody(tuple(pack.contents for pack in packs), tuple(operations))
        entry = self.raw_change(body.encode(), packs, author, stored=stored)
        self.tree.apply(entry.head, body)
        return entry

    def raw_change(
        self,
        content: bytes,
        packs: Sequence[Pack] = (),
        author: UUID = LEADER,
        *,
        stored: bool = False,
        kind: type[Change | Checkpoint] = Change,
    ) -> Entry:
        """`stored`: in a pack of its own, as bodies that are too long for an entry are."""
        sealed: bytes | StoredBody = content
        if stored:
            body_pack = self.pack(_cut(content))
            packs = [*packs, body_pack]
            sealed = _reference(content, body_pack)
        clear = kind(tuple(pack.record for pack in packs))
        head = self.head(clear, author)
        body = seal_body(sealed, head, clear.kind, self.keyring)
        return self.append(clear, author, head=head, body=body)

    def garbage(self, author: UUID = MEMBER) -> Entry:
        return self.append(Change(()), author, body=secrets.token_bytes(272))

    def checkpoint(self, *, content: bytes | None = None) -> Entry:
        packs = [pack.contents.pack for pack in self.packs]
        content = content or self.tree.to_checkpoint(packs).encode()
        return self.raw_change(content, stored=len(content) > MAX_INLINE_BYTES, kind=Checkpoint)

    def pack(self, chunks: Sequence[bytes], identifiers: Sequence[bytes] | None = None) -> Pack:
        """`identifiers`: what a liar calls the chunks."""
        name = PackName(self.id, self.state.generation, secrets.token_bytes(16))
        builder = PackBuilder(self.keyring.pack_key(name.generation, name.pack), name)
        own = [chunk_id(self.keyring.chunk_id_key, chunk) for chunk in chunks]
        for identifier, chunk in zip(identifiers or own, chunks, strict=True):
            builder.add(identifier, chunk)
        content = bytes(builder.finish(last=True))
        shards = split_pack(content, name, coding_for(self.clouds, len(content)))
        contents = PackContents(name.pack, tuple(builder.chunks))
        made = Pack(PackRecord.of(shards), contents, shards)
        self.packs.append(made)
        return made


def large_change(space: Space) -> list[Operation]:
    """Operations whose encoding is too long for an entry."""
    return [space.file(f"empty/{number:05}{'n' * 60}", b"") for number in range(700)]


def write_copies(target: Path, spaces: Sequence[Space], *, cut: Sequence[int] = ()) -> list[Path]:
    """Copies of all clouds. A new segment begins after each sequence in `cut`."""
    folders = [target / f"cloud{number}" for number in range(spaces[0].clouds)]
    sealed = seal_recovery(PAIR, PASSPHRASE, CODE, company=COMPANY, counter=1, record=1)
    for number, folder in enumerate(folders):
        write_object(folder, RecoveryObject(COMPANY, 1, bytes(8)), sealed.encode())
        for space in spaces:
            write_log(folder, space, cut=cut)
            for pack in space.packs:
                write_shard(folder, pack, number)
    return folders


def write_shard(folder: Path, pack: Pack, index: int) -> Path:
    shard = pack.shards[index]
    name = ShardObject(COMPANY, pack.record.pack, index)
    return write_object(folder, name, shard.encode())


def write_log(folder: Path, space: Space, *, cut: Sequence[int] = ()) -> list[Path]:
    bounds = [0, *(at for at in cut if at < len(space.entries)), len(space.entries)]
    return [write_segment(folder, space.entries[start:end]) for start, end in pairwise(bounds)]


def write_segment(
    folder: Path, entries: Sequence[SegmentEntry], *, space: UUID | None = None
) -> Path:
    segment = Segment(tuple(entries))
    name = SegmentObject(
        COMPANY, space or segment.space, segment.first, segment.last, secrets.token_bytes(8)
    )
    return write_object(folder, name, segment.encode())


def write_object(folder: Path, name: object, content: bytes) -> Path:
    path = folder / "vault" / str(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def with_grants(
    entries: Sequence[SegmentEntry], sequence: int, *grants: Grant
) -> list[SegmentEntry]:
    """The same entries, with other grants beside one of them."""
    return [
        replace(each, grants=grants) if each.entry.head.sequence == sequence else each
        for each in entries
    ]


def _cut(content: bytes) -> list[bytes]:
    return [content[at : at + CHUNK_BYTES] for at in range(0, len(content), CHUNK_BYTES)]


def _reference(content: bytes, pack: Pack) -> StoredBody:
    chunks = pack.contents.chunks
    places = enumerate(zip(chunks, chunk_offsets(chunks), strict=True))
    return StoredBody(
        len(content),
        tuple(ChunkReference(pack.record.pack, at, where, each.id) for at, (each, where) in places),
    )
