"""The independent reader's third part: entries, the rules of the log, bodies."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from core.tests.independent_keys import (
    NOBODY,
    Fields,
    Refused,
    check_public_keys,
    commitment,
    entry_key,
    grants_hash,
    need,
    number,
    padme,
    read_grant,
    sha256,
    unseal,
    verify,
)
from core.tests.independent_packs import PackRecord

GENESIS, ADDED, REMOVED, LEADER, GENERATION, CHANGE, RETIRE, UNRETIRE, CHECKPOINT = range(1, 10)
RECOVERY, SET_ASIDE, FORMAT, REWOUND, SETTINGS = range(10, 15)
BODIES = (CHANGE, CHECKPOINT)
LEFT_OUT = 2**32 - 1


@dataclass
class LogEntry:
    statement: bytes
    kind: int
    clear: dict[str, Any]
    body: bytes | None
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
    def previous(self) -> bytes:
        return self.statement[56:88]

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
    clear = fields.take(clear_size)
    body = None if body_size == LEFT_OUT else fields.take(body_size)
    need(sha256(clear) == statement[132:164], "the clear part's hash")
    need(body is None or sha256(body) == statement[164:], "the body's hash")
    kind, parts = read_clear(Fields(clear), number(statement[104:108]))
    need((statement[164:] != sha256(b"")) == (kind in BODIES), "a body")
    signature = fields.take(64)
    countersignature = fields.take(64 if kind in (GENESIS, RECOVERY) else 0)
    fields.end()
    return LogEntry(statement, kind, parts, body, signature, countersignature)


def read_clear(fields: Fields, generation: int) -> tuple[int, dict[str, Any]]:
    need(fields.number(1) == 1, "the version")
    kind, found = fields.number(1), dict[str, Any]()
    need(GENESIS <= kind <= SETTINGS, "the kind")
    if kind in (GENESIS, ADDED, REMOVED, LEADER):
        found["person"] = fields.take(16)
    if kind in (GENESIS, ADDED, LEADER, RECOVERY):
        found["keys"] = check_public_keys(fields.take(1249))
    if kind == GENESIS:
        found["recovery"] = check_public_keys(fields.take(1249))
    if kind == GENERATION:
        found["commitment"] = fields.take(32)
    if kind in (ADDED, LEADER, GENERATION):
        found["grants"] = fields.take(32)
    if kind in (*BODIES, RETIRE, UNRETIRE):
        count = fields.number(2)
        need(count <= 1024 and (count or kind in BODIES), "the number of packs")
        found["packs"] = [
            PackRecord.read(fields, generation) if kind in BODIES else fields.take(16)
            for _ in range(count)
        ]
        ids = [each.pack if kind in BODIES else each for each in found["packs"]]
        need(len(set(ids)) == count, "a pack twice")
    if kind == SET_ASIDE:
        count = fields.number(2)
        found["sequences"] = [fields.number(8) for _ in range(count)]
        need(1 <= count <= 1024, "the number of sequences")
        need(all(one < other for one, other in pairwise(found["sequences"])), "their order")
    if kind == FORMAT:
        found["version"] = fields.number(2)
    if kind == REWOUND:
        found["sequence"], found["hash"] = fields.number(8), fields.take(32)
        found["time"] = fields.number(8)
    if kind == SETTINGS:
        found["uncompressed"] = fields.number(1)
        found["keep"] = [(fields.number(1), fields.number(2)) for _ in range(fields.number(2))]
        units = [unit for unit, _ in found["keep"]]
        need(found["uncompressed"] <= 1 and units == sorted({*units}), "the settings")
        need(all(1 <= unit <= 5 and count for unit, count in found["keep"]), "a rule")
    fields.end()
    return kind, found


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
    used: set[bytes] = field(default_factory=set)
    """Every signing key that anybody has or had."""
    commitments: list[bytes] = field(default_factory=list)
    packs: dict[bytes, PackRecord] = field(default_factory=dict)
    added_by: dict[bytes, int] = field(default_factory=dict)
    retired: set[bytes] = field(default_factory=set)
    aside: set[int] = field(default_factory=set)

    def copy(self) -> "LogReader":
        return deepcopy(self)

    def append(self, entry: LogEntry) -> None:
        """A refused entry may leave this reader half changed: it is not used any more then."""
        statement, clear, kind = entry.statement, entry.clear, entry.kind
        need(statement[16:48] == self.company + self.space, "rule 1")
        need(entry.sequence == self.sequence + 1 and entry.previous == self.previous, "rule 1")
        need((kind == GENESIS) == (entry.sequence == 1), "rule 1")
        need(entry.time >= self.time, "rule 2")
        self._check_author(entry)
        need(kind != GENERATION or self.generation < 4096, "rule 6")
        need(entry.generation == self.generation + (kind == GENERATION), "rule 6")
        if kind not in (GENESIS, GENERATION):
            need(self.generation, "rule 6")
            need(not self.awaiting or kind in (REMOVED, LEADER, RECOVERY), "rule 7")
        self._apply(kind, clear, entry)
        self.sequence, self.previous, self.time = entry.sequence, entry.hash, entry.time

    def check_grants(self, entry: LogEntry, grants: Sequence[bytes]) -> None:
        """Right after the entry."""
        members = {read_grant(grant)[0] for grant in grants}
        expected = set[bytes]()
        if entry.kind == GENERATION:
            expected = {NOBODY, *self.members}
        elif entry.kind in (ADDED, LEADER):
            expected = {entry.clear["person"]}
        need(members == expected, "the grants' members")
        need(all(read_grant(grant)[1] == self.generation for grant in grants), "their generation")
        if expected:
            need(grants_hash(grants) == entry.clear["grants"], "the grants' hash")

    def check_seeds(self, seeds: Sequence[bytes]) -> None:
        need(1 <= len(seeds) <= self.generation, "the number of seeds")
        for generation, expected in enumerate(self.commitments[: len(seeds)], 1):
            need(commitment(seeds, self.space, generation) == expected, "a commitment")

    def _check_author(self, entry: LogEntry) -> None:
        kind, author = entry.kind, entry.author
        if kind == GENESIS:
            need(author == entry.clear["person"], "rule 3")
            keys = entry.clear["keys"]
        elif author == NOBODY:
            need(kind == LEADER, "rule 3")
            keys = self.recovery
        else:
            need(author in self.members, "rule 3")
            keys = self.members[author]
            need(kind in (CHANGE, UNRETIRE) or author == self.leader, "rule 4")
        verify(keys, entry.signature, entry.statement)
        if kind in (GENESIS, RECOVERY):
            pair = entry.clear["recovery" if kind == GENESIS else "keys"]
            verify(pair, entry.countersignature, entry.statement)

    def _apply(self, kind: int, clear: dict[str, Any], entry: LogEntry) -> None:
        if kind == GENESIS:
            need(clear["person"] != NOBODY, "rule 8")
            self.leader, self.awaiting = clear["person"], True
            self._use(clear["keys"])
            self._use(clear["recovery"])
            self.members, self.recovery = {self.leader: clear["keys"]}, clear["recovery"]
        elif kind in (ADDED, LEADER):
            self._person(kind, clear["person"], clear["keys"])
        elif kind == REMOVED:
            need(clear["person"] in self.members, "rule 8")
            need(clear["person"] != self.leader, "rule 8")
            del self.members[clear["person"]]
            self.awaiting = True
        elif kind == GENERATION:
            self.commitments.append(clear["commitment"])
            self.generation, self.awaiting = entry.generation, False
        elif kind in BODIES:
            for record in clear["packs"]:
                need(record.pack not in self.packs, "rule 10")
                self.packs[record.pack] = record
                self.added_by[record.pack] = entry.sequence
        elif kind in (RETIRE, UNRETIRE):
            for pack in clear["packs"]:
                need(pack in self.packs, "rule 10")
                need((pack in self.retired) == (kind == UNRETIRE), "rule 10")
                self.retired ^= {pack}
        elif kind == RECOVERY:
            self._use(clear["keys"])
            self.recovery, self.awaiting = clear["keys"], True
        elif kind == SET_ASIDE:
            need(all(1 < each <= self.sequence for each in clear["sequences"]), "rule 11")
            self.aside.update(clear["sequences"])
        elif kind == FORMAT:
            raise Refused("rule 11: a newer program is needed, or no newer format")
        elif kind == REWOUND:
            need(clear["sequence"] > self.sequence, "rule 11")
            self.awaiting = True

    def _person(self, kind: int, person: bytes, keys: bytes) -> None:
        known = self.members.get(person)
        need(person != NOBODY, "rule 8")
        need(kind == LEADER or known is None, "rule 8")
        need(kind == ADDED or (person, keys) != (self.leader, known), "rule 8")
        if keys != known:
            self._use(keys)
            self.awaiting = self.awaiting or known is not None
        if kind == LEADER:
            self.leader = person
        self.members[person] = keys

    def _use(self, keys: bytes) -> None:
        need(keys[1:33] not in self.used, "rule 9")
        self.used.add(keys[1:33])


def open_body(entry: LogEntry, seeds: Sequence[bytes]) -> tuple[int, bytes]:
    """Returns the body's form and content; references of form 1 are checked."""
    need(entry.kind in BODIES and entry.body, "no body")
    place = entry.statement[32:48] + entry.generation.to_bytes(4, "big") + entry.id
    key = entry_key(seeds, entry.generation, entry.id)
    plaintext = unseal(key, bytes(12), entry.body or b"", bytes([1, entry.kind]) + place)
    fields = Fields(plaintext)
    form, content = fields.number(1), fields.take(fields.number(4))
    need(len(content) <= 65536 and form in (0, 1), "form and length")
    need(len(plaintext) == max(256, padme(5 + len(content))), "the padded length")
    need(not any(fields.rest()), "padding")
    if form == 1:
        added = {record.pack for record in entry.clear["packs"]}
        size, references = read_references(content)
        need(entry.kind == CHECKPOINT or size <= 67_108_864, "a change of more than 64 MiB")
        need({reference[0] for reference in references} <= added, "packs of another entry")
    return form, content


def read_references(content: bytes) -> tuple[int, list[tuple[bytes, int, int, bytes]]]:
    """Size, then pack, position, offset and chunk id of each chunk."""
    fields = Fields(content)
    size = fields.number(8)
    need(size > 65536, "the body's size")
    count = -(-size // 1048576)
    need(len(content) == 8 + 56 * count, "the number of references")
    return size, [
        (fields.take(16), fields.number(4), fields.number(4), fields.take(32)) for _ in range(count)
    ]
