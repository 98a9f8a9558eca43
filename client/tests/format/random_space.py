"""Random spaces: honest people, a member who writes nonsense, and everything a log can hold."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from uuid import UUID

from client.tests.copies import COMPANY, LEADER, Pack, Space
from tessera_core.changes import ChangeBody, Move, NameSpace, Operation, PackContents, Put, Remove
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.compression import Compressor
from tessera_core.entries import (
    BODY_KINDS,
    COUNTERSIGNED_KINDS,
    Clear,
    Entry,
    Head,
    KeepRule,
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
from tessera_core.errors import Malformed
from tessera_core.files import File, Folder, Link
from tessera_core.grants import RECOVERY, Grant, grants_hash, seal_grant
from tessera_core.log import EntryRefused
from tessera_core.packs import PackBuilder, PackName
from tessera_core.segments import SegmentEntry
from tessera_core.shards import PackRecord, coding_for, split_pack
from tessera_core.user_keys import PrivateKeys

# Making keys is slow, and whose they are does not matter here.
KEYS = [PrivateKeys.generate() for _ in range(12)]
NAMES = ["a", "b", "ä", "notes", "Ω", "x.txt", "\U0001f4be", "\uff5e", "Z", "ß"]


@dataclass
class RandomSpace(Space):
    random: Random = field(default_factory=Random)

    def __post_init__(self) -> None:
        self.unused = [*KEYS]
        self.random.shuffle(self.unused)
        self.leader_keys = self.unused.pop()
        self.compressor = Compressor()
        self.lost: set[bytes] = set()
        """Packs that no cloud holds."""
        super().__post_init__()

    # The leader may be another than at first.

    def head(self, clear: Clear, author: UUID = LEADER) -> Head:
        step = self.random.choice((0, 1, 1000, 86_400_000))
        return self.state.next_head(clear, self._person(author), self.state.time + step)

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
        return super().append(
            clear,
            self._person(author),
            head=head,
            body=body,
            grants=grants,
            signer=signer,
            countersigner=countersigner,
        )

    def _person(self, author: UUID) -> UUID:
        return self.state.leader if author == LEADER and self.state.sequence else author

    def fork(self) -> "RandomSpace":
        other = super().fork()
        assert isinstance(other, RandomSpace)
        other.keys, other.unused, other.lost = {**self.keys}, [*self.unused], {*self.lost}
        return other

    # Moves

    def move(self) -> None:
        """Writes something; what the rules forbid here is not written."""
        moves: list[tuple[int, Callable[[], object]]] = [
            (10, self.write_files),
            (4, self.write_operations),
            (2, self.add_person),
            (1, self.remove_person),
            (1, self.generation),
            (1, self.change_leader),
            (1, self.leader_by_recovery),
            (1, self.change_pair),
            (2, self.checkpoint),
            (1, self.retire),
            (1, self.unretire),
            (1, self.set_aside),
            (1, self.garbage_of_anybody),
            (4, self.mutated_change),
            (2, self.mutated_checkpoint),
            (1, self.lost_body),
            (1, self.false_contents),
            (1, self.settings),
            (1, self.rewind),
        ]
        weights, calls = zip(*moves, strict=True)
        (call,) = self.random.choices(calls, weights)
        if self.state.awaiting_generation and call != self.generation:
            self.generation()
        try:
            call()
        except (EntryRefused, Malformed, IndexError):
            return

    def anybody(self) -> UUID:
        return self.random.choice([*self.state.members])

    def path(self) -> str:
        if self.tree.versions and self.random.random() < 0.4:
            return self.random.choice([*self.tree.versions])
        depth = self.random.choice((1, 1, 2, 2, 3, 5))
        return "/".join(self.random.choices(NAMES, k=depth))

    def content(self) -> bytes:
        kind, size = self.random.random(), self.random.randint(1, 5000)
        if kind < 0.1:
            return b""
        if kind < 0.2:
            size = CHUNK_BYTES + self.random.choice((-1, 0, 1, 5000))
        if self.random.random() < 0.5:
            return (b"Tessera keeps what it is given. " * (size // 32 + 1))[:size]
        return self.random.randbytes(size)

    def write_files(self) -> None:
        operations: list[Operation] = []
        chunks: list[bytes] = []
        for _ in range(self.random.randint(1, 4)):
            content = self.content()
            put = self.file(self.path(), content)
            item = put.item
            assert isinstance(item, File)
            flags = self.random.random() < 0.3, self.random.random() < 0.3
            modified = self.random.choice((0, -1, 1_700_000_000_123_456_789, -(2**63), 2**63 - 1))
            file = File(item.size, modified, flags[0], item.chunks, flags[1])
            base = put.base if self.random.random() < 0.8 else self.random.randint(0, 9)
            operations.append(Put(put.path, base, file))
            chunks += [content[at : at + CHUNK_BYTES] for at in range(0, len(content), CHUNK_BYTES)]
        chunks = list(dict.fromkeys(chunks))
        packs = [self.pack(chunks)] if chunks else []
        stored = self.random.random() < 0.1
        self.change(operations, packs, self.anybody(), stored=stored and self._is_long(operations))

    def _is_long(self, operations: Sequence[Operation]) -> bool:
        return len(ChangeBody((), tuple(operations)).encode()) > 65_536

    def write_operations(self) -> None:
        self.change(self.operations(), author=self.anybody())

    def operations(self) -> list[Operation]:
        makers: list[Callable[[], Operation]] = [
            lambda: Remove(self.path(), self.random.randint(0, 9)),
            lambda: Move(self.path(), self.path()),
            lambda: NameSpace("".join(self.random.choices(NAMES, k=2))),
            lambda: Put(self.path(), 0, Folder(self.random.randint(-9, 9), private=True)),
            lambda: Put(self.path(), 0, Link(7, self.random.choice(("/etc/passwd", "../a", "b")))),
        ]
        return [self.random.choice(makers)() for _ in range(self.random.randint(1, 4))]

    def pack(self, chunks: Sequence[bytes], identifiers: Sequence[bytes] | None = None) -> Pack:
        """As the client does, with the compressed form of what gets shorter by it."""
        name = PackName(self.id, self.state.generation, secrets.token_bytes(16))
        builder = PackBuilder(self.keyring.pack_key(name.generation, name.pack), name)
        own = [chunk_id(self.keyring.chunk_id_key, chunk) for chunk in chunks]
        for identifier, chunk in zip(identifiers or own, chunks, strict=True):
            builder.add(identifier, self.compressor.compress(chunk), len(chunk))
        content = bytes(builder.finish(last=True))
        shards = split_pack(content, name, coding_for(self.clouds, len(content)))
        made = Pack(PackRecord.of(shards), PackContents(name.pack, tuple(builder.chunks)), shards)
        self.packs.append(made)
        return made

    # People

    def add_person(self) -> None:
        member, keys = UUID(bytes=self.random.randbytes(16)), self.unused.pop()
        self.keys[member] = keys
        grants = [self.grant(member)]
        self.append(MemberAdded(member, keys.public, grants_hash(grants)), grants=grants)

    def remove_person(self) -> None:
        others = [member for member in self.state.members if member != self.state.leader]
        self.append(MemberRemoved(self.random.choice(others)))
        self.generation()

    def change_leader(self, author: UUID = LEADER) -> None:
        subject = self.anybody()
        is_new = subject == self.state.leader or self.random.random() < 0.3
        keys = self.unused.pop() if is_new else self.keys[subject]
        grant = seal_grant(
            self.keyring, keys.public, company=COMPANY, space=self.id, member=subject
        )
        clear = LeaderChanged(subject, keys.public, grants_hash([grant]))
        self.append(clear, author, grants=[grant])
        self.keys[subject] = keys
        if self.state.awaiting_generation:
            self.generation()

    def leader_by_recovery(self) -> None:
        self.keys[RECOVERY] = self.pair
        self.change_leader(RECOVERY)

    def change_pair(self) -> None:
        if self.random.random() < 0.3:
            self.replace_pair(self.unused.pop())

    def replace_pair(self, pair: PrivateKeys) -> None:
        self.append(RecoveryChanged(pair.public), countersigner=pair)
        self.pair = pair
        if self.random.random() < 0.9:
            self.generation()

    # Packs and bodies

    def checkpoint(self, *, content: bytes | None = None) -> Entry:
        if content is None and self.random.random() < 0.5:
            self.tree.expire(lambda *_: False)
        return super().checkpoint(content=content)

    def retire(self) -> None:
        present = [pack for pack, state in self.state.packs.items() if not state.retired]
        pack = self.random.choice(present)
        self.append(Retire((pack,)))
        if self.random.random() < 0.5:
            self.lost.add(pack)

    def unretire(self) -> None:
        retired = [pack for pack, state in self.state.packs.items() if state.retired]
        self.append(Unretire((self.random.choice(retired),)), self.anybody())

    def set_aside(self) -> None:
        last = self.state.sequence
        count = min(self.random.randint(1, 3), last - 1)
        self.append(SetAside(tuple(sorted(self.random.sample(range(2, last + 1), count)))))

    def garbage_of_anybody(self) -> None:
        self.garbage(self.anybody())

    def mutated_change(self) -> None:
        packs = [self.pack([self.content() or b"x"])] if self.random.random() < 0.5 else []
        contents = tuple(pack.contents for pack in packs)
        body = ChangeBody(contents, tuple(self.operations())).encode()
        self.raw_change(self.mutated(body), packs, self.anybody())

    def mutated_checkpoint(self) -> None:
        names = [pack.contents.pack for pack in self.packs]
        body = self.tree.to_checkpoint(names).encode()
        super().checkpoint(content=self.mutated(body))

    def mutated(self, data: bytes) -> bytes:
        """With a byte changed, left out or doubled, or cut off."""
        at = self.random.randrange(len(data))
        return self.random.choice(
            (
                data[:at] + bytes([self.random.randrange(256)]) + data[at + 1 :],
                data[:at] + bytes([data[at] ^ 1 << self.random.randrange(8)]) + data[at + 1 :],
                data[:at] + data[at + 1 :],
                data[:at] + data[at : at + 1] + data[at:],
                data[:at] or b"\1",
            )
        )

    def lost_body(self) -> None:
        operations = [
            self.file(f"{self.path()}/{number:05}{'n' * 60}", b"") for number in range(700)
        ]
        before = {pack.record.pack for pack in self.packs}
        self.change(operations, author=self.anybody(), stored=True)
        if self.random.random() < 0.6:
            self.lost |= {pack.record.pack for pack in self.packs} - before

    def false_contents(self) -> None:
        """A pack that is said to hold somebody else's chunk."""
        identifiers = [each.id for pack in self.packs for each in pack.contents.chunks]
        pack = self.pack([b"something else"], [self.random.choice(identifiers)])
        self.change([], [pack], self.anybody())

    def settings(self) -> None:
        self.append(Settings(uncompressed=True, keep=(KeepRule(1, 30), KeepRule(4, 12))))

    def rewind(self) -> None:
        sequence = self.state.sequence + self.random.randint(1, 5)
        self.append(Rewound(sequence, self.random.randbytes(32), self.state.time))
        self.generation()

    def forge(self) -> SegmentEntry:
        """A signed entry behind the last one, with something in it that may be wrong."""
        clear = self.random.choice(self.entries).entry.clear
        head = self.state.next_head(clear, self.anybody(), self.state.time + 1)
        author = self.random.choice([*self.keys])
        forged = replace(
            head,
            author=author,
            generation=max(0, head.generation + self.random.choice((-1, 0, 0, 1))),
            time=max(0, head.time + self.random.choice((-10, 0, 0, 10))),
        )
        signer = self.keys[self.random.choice([author, author, *self.keys])]
        body = self.random.randbytes(272) if isinstance(clear, BODY_KINDS) else b""
        pair = self.pair if isinstance(clear, COUNTERSIGNED_KINDS) else None
        return SegmentEntry(sign_entry(forged, clear, signer, body=body, recovery_keys=pair), ())
