"""A second reader of the storage format, written from docs/storage-format.md alone.

It shares no code with tessera_core, and uses only `cryptography` and the standard library. It is
short rather than fast: one function for each section of the document. This part reads stored
objects and recovery kits, chooses among histories, and restores a space.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from core.tests.independent_files import Files, read_checkpoint
from core.tests.independent_keys import (
    MIB,
    NOBODY,
    Fields,
    Refused,
    argon2id,
    chunk_id_key,
    hkdf,
    need,
    number,
    open_grant,
    pack_key,
    public_keys_of,
    read_grant,
    sha256,
    unseal,
    verify,
)
from core.tests.independent_log import (
    BODIES,
    CHECKPOINT,
    GENESIS,
    RECOVERY,
    REWOUND,
    LogEntry,
    LogReader,
    open_body,
    read_entry,
    read_references,
)
from core.tests.independent_packs import PackPlace, read_chunk, read_shard, rebuild_pack

Found = tuple[LogEntry, list[bytes]]


class Missing(Exception):
    """A body's pack cannot be fetched."""


def read_segment(segment: bytes) -> Iterator[Found]:
    need(sha256(segment[:-32]) == segment[-32:], "the checksum")
    fields = Fields(segment[:-32])
    need(fields.take(12) == b"TSRLOGSG\x01\0\0\0", "not a segment")
    count, company, space = fields.number(4), fields.take(16), fields.take(16)
    first, last = fields.number(8), fields.number(8)
    need(count >= 1 and last - first + 1 == count, "the sequences")
    for sequence in range(first, last + 1):
        data = fields.take(fields.number(4))
        need(data[16:48] == company + space, "an entry of another space")
        need(number(data[48:56]) == sequence, "an entry in another place")
        entry = read_entry(data)
        need(entry.body is not None, "a body left out")
        grants = [fields.take(fields.number(4)) for _ in range(fields.number(4))]
        for grant in grants:
            read_grant(grant)
        yield entry, grants
    fields.end()


def code_from_text(text: str) -> bytes:
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    letters = "".join(text.split()).upper().replace("-", "")
    letters = letters.replace("O", "0").replace("I", "1").replace("L", "1")
    need(len(letters) == 28 and all(letter in alphabet for letter in letters), "a code")
    bits = "".join(f"{alphabet.index(letter):05b}" for letter in letters)
    code = int(bits[:128], 2).to_bytes(16, "big")
    check = f"{number(sha256(b'tessera/v1/recovery-code' + code)):0256b}"[:12]
    need(bits[128:] == check, "a mistyped code")
    return code


def open_recovery(data: bytes, passphrase: str, code: bytes) -> bytes:
    """Returns the private keys of the recovery pair."""
    need(len(data) == 129 and data[:10] == b"TSRRECOV\x01\x01", "not a recovery half")
    need(1 <= number(data[10:12]) <= 4096, "the record")
    blanks = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
    blanks += "".join(map(chr, range(0x2000, 0x200B)))
    typed = unicodedata.normalize("NFC", passphrase).strip(blanks).encode()
    key = hkdf(argon2id(typed, data[32:48]) + code, b"tessera/v1/recovery")
    return unseal(key, bytes(12), data[48:], data[:48])


# Histories


@dataclass
class History:
    log: LogReader
    entries: list[LogEntry]
    grants: dict[int, list[bytes]]
    by_leader: int = 0
    copies: int = 0
    replaced: tuple[int, LogReader] | None = None

    @property
    def readable(self) -> int:
        return self.replaced[0] if self.replaced else len(self.entries)

    @property
    def state(self) -> LogReader:
        return self.replaced[1] if self.replaced else self.log

    def shows(self, printed: tuple[int, bytes] | None) -> bool:
        return any((entry.sequence, entry.hash) == printed for entry in self.entries)

    def open_seeds(self, private_keys: bytes) -> list[bytes]:
        """The newest grant to recovery that opens and keeps its commitments."""
        for sequence in sorted(self.grants, reverse=True):
            if sequence > self.readable:
                continue
            for grant in self.grants[sequence]:
                try:
                    need(grant[1:17] == NOBODY, "another's grant")
                    seeds = open_grant(grant, private_keys, self.log.company, self.log.space)
                    self.state.check_seeds(seeds)
                except Refused:
                    continue
                return seeds
        return []


@dataclass
class Histories:
    pair: bytes
    printed: tuple[int, bytes] | None = None
    entries: dict[bytes, LogEntry] = field(default_factory=dict)
    grants: dict[bytes, list[tuple[int, list[bytes]]]] = field(default_factory=dict)
    found: list[History] = field(default_factory=list)
    liars: set[int] = field(default_factory=set)

    def add(self, copy: int, found: Found) -> None:
        entry, grants = found
        self.entries.setdefault(entry.hash, entry)
        self.grants.setdefault(entry.hash, []).append((copy, grants))

    def search(self, company: bytes, space: bytes) -> list[bytes]:
        """Finds all histories, the one that counts first; returns what is in none of them."""
        leading = {key for key, entry in self.entries.items() if self._is_signed(entry)}
        waiting_for = [*leading]
        while waiting_for:
            before = self.entries[waiting_for.pop()].previous
            if before in self.entries and before not in leading:
                leading.add(before)
                waiting_for.append(before)
        ends: list[History] = []
        waiting = [History(LogReader(company, space), [], {})]
        while waiting:
            history = waiting.pop()
            was_signed = any(self._is_signed(entry) for entry in history.entries)
            following = [
                longer
                for key, entry in self.entries.items()
                if entry.previous == history.log.previous and (was_signed or key in leading)
                for longer in self._extend(history, entry)
            ]
            waiting += following
            if not following and was_signed:
                ends.append(history)
        for history in ends:
            last = history.entries[-1].hash
            history.copies = len({copy for copy, _ in self.grants[last]})
        abandoned = {
            (entry.clear["sequence"], entry.clear["hash"])
            for history in ends
            for entry in history.entries
            if entry.kind == REWOUND
        }
        ends.sort(
            key=lambda each: (
                not each.shows(self.printed),
                any(each.shows(end) for end in abandoned),
                -each.by_leader,
                -each.copies,
                -len(each.entries),
                each.entries[-1].hash,
            )
        )
        for history in ends:
            if history.state.previous not in {each.state.previous for each in self.found}:
                self.found.append(history)
        used = {entry.hash for history in ends for entry in history.entries}
        return sorted(set(self.entries) - used)

    def _is_signed(self, entry: LogEntry) -> bool:
        """A genesis or replacement that names the pair, and that the pair has signed."""
        if entry.kind not in (GENESIS, RECOVERY):
            return False
        if entry.clear["recovery" if entry.kind == GENESIS else "keys"] != self.pair:
            return False
        try:
            verify(self.pair, entry.countersignature, entry.statement)
        except Refused:
            return False
        return True

    def _extend(self, history: History, entry: LogEntry) -> list[History]:
        log, before = history.log.copy(), history.log
        try:
            log.append(entry)
        except Refused:
            return []
        grants, others = {**history.grants}, list[bytes]()
        for copy, offered in self.grants[entry.hash]:
            try:
                log.check_grants(entry, offered)
                grants[entry.sequence] = offered
            except Refused:
                self.liars.add(copy)
                others += offered
        grants.setdefault(entry.sequence, others)
        is_leaders = entry.kind == GENESIS or entry.author in (NOBODY, before.leader)
        replaced = history.replaced
        if before.recovery == self.pair and entry.kind == RECOVERY:
            replaced = len(history.entries), before
        entries = [*history.entries, entry]
        return [History(log, entries, grants, history.by_leader + is_leaders, 0, replaced)]


# Rescue


@dataclass
class RescuedSpace:
    files: Files
    contents: dict[str, bytes]
    set_aside: list[int]
    missing: list[int]


def rescue(objects: Mapping[str, Sequence[bytes]], passphrase: str, code: str) -> RescuedSpace:
    """Restores the one space that these objects hold; an object may be there in several copies."""
    kits = sorted((name for name in objects if "/recovery/" in name), reverse=True)
    secret = code_from_text(code)
    private_keys = b""
    for kit in kits:
        try:
            private_keys = open_recovery(objects[kit][0], passphrase, secret)
            break
        except Refused:
            continue
    need(private_keys, "no recovery half opens")
    histories = Histories(public_keys_of(private_keys))
    for name, copies in objects.items():
        if "/log/" in name:
            for number_of_copy, copy in enumerate(copies):
                for found in read_segment(copy):
                    histories.add(number_of_copy, found)
    statement = next(iter(histories.entries.values())).statement
    histories.search(statement[16:32], statement[32:48])
    need(histories.found, "a log of another recovery pair")
    history = histories.found[0]
    seeds = history.open_seeds(private_keys)
    need(seeds, "no grant opens")
    reader = PackReader(history.state, seeds, objects)
    rescued = replay(history.entries[: history.readable], history.state, seeds, reader)
    for path in rescued.files.versions:
        version = rescued.files.current(path)
        if version and version.item and version.item["type"] == 1:
            chunks = [reader.find(rescued.files, each) for each in version.item["chunks"]]
            rescued.contents[path] = b"".join(chunks)
            need(len(rescued.contents[path]) == version.item["size"], "a file's size")
    return rescued


@dataclass
class PackReader:
    log: LogReader
    seeds: Sequence[bytes]
    objects: Mapping[str, Sequence[bytes]]

    def pack(self, pack: bytes) -> bytes:
        record = self.log.packs[pack]
        company, name = UUID(bytes=self.log.company), pack.hex()
        prefix = f".tessera/v1/{company}/packs/{name[:2]}/{name}"
        stored = [
            read_shard(copy)
            for index in range(record.n)
            for copy in self.objects.get(f"{prefix}.{index}", ())
        ]
        return rebuild_pack(record, self.log.space, stored)

    def cut(self, sealed: bytes, pack: bytes, position: int, chunk: tuple[bytes, int]) -> bytes:
        record = self.log.packs[pack]
        place = PackPlace(self.log.space, record.generation, pack)
        key = pack_key(self.seeds, record.generation, pack)
        return read_chunk(sealed, place, (key, chunk_id_key(self.seeds)), position, chunk)

    def find(self, files: Files, chunk: bytes) -> bytes:
        """Looks in every pack that is said to hold a chunk, retired ones last."""
        places = sorted(files.places(chunk), key=lambda place: place[0] in self.log.retired)
        for pack, position, offset, size, stored in places:
            try:
                sealed = self.pack(pack)[offset : offset + stored + 16]
                return self.cut(sealed, pack, position, (chunk, size))
            except Refused:
                continue
        raise Refused("a chunk is nowhere")


def replay(
    entries: Sequence[LogEntry], log: LogReader, seeds: Sequence[bytes], packs: PackReader
) -> RescuedSpace:
    """What the document calls the state after the last entry."""
    bodies = [each for each in entries if each.kind in BODIES and each.sequence not in log.aside]
    result = RescuedSpace(Files(), {}, [], [])

    def take(entry: LogEntry) -> bool:
        try:
            content = read_body(entry, seeds, packs)
            if entry.kind == CHECKPOINT:
                before = {
                    pack: record
                    for pack, record in log.packs.items()
                    if log.added_by[pack] < entry.sequence
                }
                result.files = read_checkpoint(content, entry.sequence, before)
            else:
                added = entry.clear["packs"]
                result.files = result.files.change(content, entry.sequence, added)
        except Missing:
            result.missing.append(entry.sequence)
            return False
        except Refused:
            result.set_aside.append(entry.sequence)
            return False
        return True

    first = 0
    for at in reversed(range(len(bodies))):
        if bodies[at].kind == CHECKPOINT and take(bodies[at]):
            first = at
            break
    for entry in bodies[first:]:
        if entry.kind != CHECKPOINT:
            take(entry)
    return result


def read_body(entry: LogEntry, seeds: Sequence[bytes], packs: PackReader) -> bytes:
    form, content = open_body(entry, seeds)
    if form == 0:
        return content
    size, references = read_references(content)
    parts = []
    for at, (pack, position, offset, chunk) in enumerate(references):
        try:
            data = packs.pack(pack)
        except Refused:
            raise Missing from None
        length = min(MIB, size - at * MIB)
        sealed = data[offset : offset + length + 16]
        need(len(sealed) == length + 16, "a chunk behind the pack")
        parts.append(packs.cut(sealed, pack, position, (chunk, length)))
    return b"".join(parts)
