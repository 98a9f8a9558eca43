"""The independent reader's third part: entries, the rules of the log, bodies."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.tests.independent_keys import (
    NOBODY,
    Fields,
    entry_key,
    grants_hash,
    need,
    number,
    sha256,
    unseal,
    verify,
)
from core.tests.independent_packs import PackRecord

GENESIS, ADDED, REMOVED, LEADER, GENERATION, CHANGE, RETIRE, UNRETIRE, CHECKPOINT, RECOVERY = range(
    1, 11
)


@dataclass
class LogEntry:
    statement: bytes
    kind: int
    clear: Fields
    body: bytes
    signature: bytes
    countersignature: bytes

    @property
    def id(self) -> bytes:
        return self.statement[88:104]

    @property
    def generation(self) -> int:
        return number(self.statement[104:108])

    @property
    def sequence(self) -> int:
        return number(self.statement[48:56])

    @property
    def author(self) -> bytes:
        return self.statement[108:124]

    @property
    def time(self) -> int:
        return number(self.statement[124:132])

    @property
    def hash(self) -> bytes:
        return sha256(self.statement + self.signature + self.countersignature)


def read_entry(data: bytes) -> LogEntry:
    need(len(data) <= 131072, "the entry's size")
    fields = Fields(data)
    statement = fields.take(196)
    need(statement[:16] == b"tessera/entry/v1", "not an entry")
    clear_size, body_size = fields.number(4), fields.number(4)
    clear, body = fields.take(clear_size), fields.take(body_size)
    need(sha256(clear) == statement[132:164] and sha256(body) == statement[164:], "hashes")
    parts = Fields(clear)
    need(parts.number(1) == 1, "the version")
    kind = parts.number(1)
    need(GENESIS <= kind <= RECOVERY, "the kind")
    need(bool(body) == (kind in (CHANGE, CHECKPOINT)), "a body")
    signature = fields.take(64)
    countersignature = fields.take(64 if kind in (GENESIS, RECOVERY) else 0)
    fields.end()
    return LogEntry(statement, kind, parts, body, signature, countersignature)


@dataclass
class LogReader:
    """The rules, numbered as in the document."""

    company: bytes
    space: bytes
    sequence: int = 0
    previous: bytes = bytes(32)
    time: int = 0
    generation: int = 0
    awaiting: bool = False
    leader: bytes = NOBODY
    members: dict[bytes, bytes] = field(default_factory=dict)
    recovery: bytes = b""
    commitments: list[bytes] = field(default_factory=list)
    packs: dict[bytes, PackRecord] = field(default_factory=dict)
    retired: set[bytes] = field(default_factory=set)

    def append(self, entry: LogEntry, grants: Sequence[bytes]) -> None:
        statement, clear, kind = entry.statement, entry.clear, entry.kind
        need(statement[16:48] == self.company + self.space, "rule 1")
        need(entry.sequence == self.sequence + 1 and statement[56:88] == self.previous, "rule 1")
        need((kind == GENESIS) == (entry.sequence == 1), "rule 1")
        need(entry.time >= self.time, "rule 2")
        need(kind != GENERATION or self.generation < 4096, "rule 6")
        need(entry.generation == self.generation + (kind == GENERATION), "rule 6")
        if kind not in (GENESIS, GENERATION):
            need(self.generation, "rule 6")
            need(not self.awaiting or kind in (ADDED, REMOVED, LEADER, RECOVERY), "rule 7")
        if kind == GENESIS:
            self.leader = clear.take(16)
            self.members = {self.leader: clear.take(1249)}
            self.recovery = clear.take(1249)
            need(self.leader != NOBODY and entry.author == self.leader, "rule 3")
        self._check_author(entry)
        expected = self._apply(entry)
        clear.end()
        given = {grant[1:17] for grant in grants}
        need(given == expected[0] and len(given) == len(grants), "the grants' members")
        if expected[0]:
            need(grants_hash(grants) == expected[1], "the grants' hash")
        need(all(number(grant[17:21]) == self.generation for grant in grants), "the grants")
        self.sequence, self.previous, self.time = entry.sequence, entry.hash, entry.time

    def _check_author(self, entry: LogEntry) -> None:
        kind, author = entry.kind, entry.author
        if author == NOBODY:
            need(kind in (ADDED, REMOVED, LEADER, RETIRE, CHECKPOINT), "rule 3")
            keys = self.recovery
        else:
            need(author in self.members, "rule 3")
            keys = self.members[author]
            if kind in (ADDED, REMOVED, LEADER, RETIRE, CHECKPOINT, RECOVERY):
                need(author == self.leader, "rule 4")
        verify(keys, entry.signature, entry.statement)

    def _apply(self, entry: LogEntry) -> tuple[set[bytes], bytes]:
        """Returns to whom the entry's grants are, and their hash."""
        clear = entry.clear
        match entry.kind:
            case 1:
                verify(self.recovery, entry.countersignature, entry.statement)
                need(self.recovery[1:33] != self.members[self.leader][1:33], "rule 8")
                self.awaiting = True
            case 2 | 4:
                return self._person(entry.kind, clear.take(16), clear.take(1249), clear.take(32))
            case 3:
                member = clear.take(16)
                need(member in self.members and member != self.leader, "rule 8")
                del self.members[member]
                self.awaiting = True
            case 5:
                self.commitments.append(clear.take(32))
                self.generation, self.awaiting = entry.generation, False
                return {NOBODY, *self.members}, clear.take(32)
            case 6 | 9:
                for _ in range(clear.number(2)):
                    record = PackRecord.read(clear, entry.generation)
                    need(record.pack not in self.packs, "rule 9")
                    self.packs[record.pack] = record
            case 7 | 8:
                for _ in range(clear.number(2)):
                    pack = clear.take(16)
                    need(pack in self.packs, "rule 9")
                    need((pack in self.retired) == (entry.kind == UNRETIRE), "rule 9")
                    self.retired ^= {pack}
            case 10:
                keys = clear.take(1249)
                verify(keys, entry.countersignature, entry.statement)
                self._check_unused(keys, NOBODY)
                self.recovery, self.awaiting = keys, True
                return {NOBODY}, clear.take(32)
        return set(), b""

    def _person(
        self, kind: int, person: bytes, keys: bytes, hashed: bytes
    ) -> tuple[set[bytes], bytes]:
        known = self.members.get(person)
        need(person != NOBODY and (kind == LEADER or not known), "rule 8")
        need(kind == ADDED or (person, keys) != (self.leader, known), "rule 8")
        if keys != known:
            self._check_unused(keys, person)
        if kind == LEADER:
            self.leader = person
            self.awaiting = self.awaiting or known not in (None, keys)
        self.members[person] = keys
        return {person}, hashed

    def _check_unused(self, keys: bytes, besides: bytes) -> None:
        others = [known for member, known in self.members.items() if member != besides]
        need(all(keys[1:33] != known[1:33] for known in [*others, self.recovery]), "rule 8")


def open_body(entry: LogEntry, seeds: Sequence[bytes]) -> tuple[int, bytes]:
    """Returns the body's form and content."""
    place = entry.statement[32:48] + entry.generation.to_bytes(4, "big") + entry.id
    key = entry_key(seeds, entry.generation, entry.id)
    fields = Fields(unseal(key, bytes(12), entry.body, bytes([1, entry.kind]) + place))
    form, content = fields.number(1), fields.take(fields.number(4))
    need(not any(fields.rest()), "padding")
    need(form in (0, 1), "the form")
    return form, content
