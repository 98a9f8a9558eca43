"""A second reader of the storage format, written from docs/storage-format.md alone.

It shares no code with tessera_core, and uses only `cryptography` and the standard library. It is
short rather than fast: one function for each section of the document. This part reads files,
stored objects and recovery kits, and restores a space.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from core.tests.independent_keys import (
    MIB,
    NOBODY,
    Fields,
    Refused,
    argon2id,
    chunk_id_key,
    commitment,
    hkdf,
    need,
    number,
    open_grant,
    open_sealed_to,
    pack_key,
    public_keys_of,
    sha256,
    unseal,
)
from core.tests.independent_log import (
    CHANGE,
    CHECKPOINT,
    LogEntry,
    LogReader,
    open_body,
    read_entry,
)
from core.tests.independent_packs import PackPlace, read_chunk, read_shard, rebuild_pack


@dataclass
class Version:
    sequence: int
    operation: int
    item: dict[str, Any] | None
    conflict: bool


@dataclass
class Files:
    name: str = ""
    versions: dict[str, list[Version]] = field(default_factory=dict)
    places: dict[bytes, tuple[bytes, int, int, int]] = field(default_factory=dict)
    """Where each chunk is: pack, position, offset, length."""

    def change(self, content: bytes, sequence: int) -> None:
        fields = Fields(content)
        need(fields.number(1) == 1, "the version")
        self._packs(fields)
        for operation in range(fields.number(4)):
            self._operation(fields, sequence, operation)
        fields.end()

    def checkpoint(self, content: bytes) -> None:
        fields = Fields(content)
        need(fields.number(1) == 1, "the version")
        self.name = fields.text(255)
        self._packs(fields)
        for _ in range(fields.number(4)):
            path, sequence, operation = read_path(fields), fields.number(8), fields.number(4)
            fields.take(8 + 16)
            conflict = bool(fields.number(1))
            version = Version(sequence, operation, read_item(fields), conflict)
            self.versions.setdefault(path, []).append(version)
        fields.end()

    def current(self, path: str) -> Version | None:
        versions = self.versions.get(path)
        return versions[-1] if versions and versions[-1].item else None

    def below(self, path: str, *, itself: bool = True) -> list[str]:
        found = [
            each
            for each in self.versions
            if self.current(each) and (each.startswith(f"{path}/") or (itself and each == path))
        ]
        return sorted(found, key=lambda each: [part.encode() for part in each.split("/")])

    def _packs(self, fields: Fields) -> None:
        for _ in range(fields.number(4)):
            pack, offset = fields.take(16), 0
            for position in range(fields.number(4)):
                identifier, size = fields.take(32), fields.number(4)
                need(1 <= size <= MIB, "a chunk's length")
                self.places[identifier] = (pack, position, offset, size)
                offset += size + 16

    def _operation(self, fields: Fields, sequence: int, operation: int) -> None:
        def add(path: str, item: dict[str, Any] | None, *, conflict: bool = False) -> None:
            version = Version(sequence, operation, item, conflict)
            self.versions.setdefault(path, []).append(version)

        def put(path: str, item: dict[str, Any], *, conflict: bool = False) -> None:
            parts = path.split("/")
            for count in range(1, len(parts)):
                above = self.current("/".join(parts[:count]))
                if above and above.item and above.item["type"] != 2:
                    add("/".join(parts[:count]), None)
            if item["type"] != 2:
                for each in self.below(path, itself=False):
                    add(each, None)
            add(path, item, conflict=conflict)

        code = fields.number(1)
        if code == 4:
            self.name = fields.text(255)
            return
        path = read_path(fields)
        if code == 3:
            target = read_path(fields)
            need(not f"{target}/".startswith(f"{path}/"), "a move into itself")
            moved = [(each, self.current(each)) for each in self.below(path)]
            for each, _ in moved:
                add(each, None)
            for each, version in moved:
                if version and version.item:
                    put(target + each[len(path) :], version.item)
            return
        need(code in (1, 2), "the operation")
        now, base = self.current(path), fields.number(8)
        conflict = (now.sequence if now else 0) != base
        if code == 1:
            item = read_item(fields)
            need(item, "a put of nothing")
            put(path, item or {}, conflict=conflict)
        else:
            for each in self.below(path):
                add(each, None, conflict=conflict and each == path)


def read_path(fields: Fields) -> str:
    path = fields.text(4096)
    for name in path.split("/"):
        need(name not in ("", ".", "..") and "\0" not in name, "a name")
        need(len(name.encode()) <= 1024, "a name's length")
    return path


def read_item(fields: Fields) -> dict[str, Any] | None:
    kind = fields.number(1)
    need(kind <= 3, "the type")
    if kind == 0:
        return None
    if kind == 1:
        size, modified, executable = fields.number(8), fields.signed(), fields.number(1)
        need(executable <= 1, "flags")
        count = -(-size // MIB)
        need(count * 32 <= len(fields.data), "more chunks than bytes")
        chunks = [fields.take(32) for _ in range(count)]
        return {
            "type": 1,
            "size": size,
            "modified": modified,
            "executable": bool(executable),
            "chunks": chunks,
        }
    item = {"type": kind, "modified": fields.signed()}
    return item | ({"target": fields.text(4096)} if kind == 3 else {})


# Objects, recovery, rescue


def read_segment(segment: bytes) -> Iterator[tuple[bytes, list[bytes]]]:
    need(sha256(segment[:-32]) == segment[-32:], "the checksum")
    fields = Fields(segment[:-32])
    need(fields.take(12) == b"TSRLOGSG\x01\0\0\0", "not a segment")
    count, company, space = fields.number(4), fields.take(16), fields.take(16)
    first, last = fields.number(8), fields.number(8)
    need(count >= 1 and last - first + 1 == count, "the sequences")
    for sequence in range(first, last + 1):
        entry = fields.take(fields.number(4))
        need(entry[16:48] == company + space, "an entry of another space")
        need(number(entry[48:56]) == sequence, "an entry in another place")
        yield entry, [fields.take(fields.number(4)) for _ in range(fields.number(4))]
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
    need(len(data) == 129 and data[:12] == b"TSRRECOV\x01\x01\0\0", "not a recovery half")
    blanks = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff"
    blanks += "".join(map(chr, range(0x2000, 0x200B)))
    typed = unicodedata.normalize("NFC", passphrase).strip(blanks).encode()
    key = hkdf(argon2id(typed, data[32:48]) + code, b"tessera/v1/recovery")
    return unseal(key, bytes(12), data[48:], data[:48])


def open_recovery_grant(sealed: bytes, keys: bytes, company: UUID, leader: UUID) -> bytes:
    info = b"tessera/v1/recovery-grant\x01" + company.bytes + leader.bytes
    return open_sealed_to(keys, sealed, info)


@dataclass
class RescuedSpace:
    files: Files
    contents: dict[str, bytes]


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
    entries: dict[int, tuple[LogEntry, list[bytes]]] = {}
    for name in objects:
        if "/log/" in name:
            for data, grants in read_segment(objects[name][0]):
                entry = read_entry(data)
                entries[entry.sequence] = (entry, grants)
    statement = entries[1][0].statement
    log = LogReader(statement[16:32], statement[32:48])
    granted = b""
    for sequence in sorted(entries):
        entry, grants = entries[sequence]
        log.append(entry, grants)
        granted = next((grant for grant in grants if grant[1:17] == NOBODY), granted)
    need(log.recovery == public_keys_of(private_keys), "a log of another recovery pair")
    seeds = open_grant(granted, private_keys, log.company, log.space)
    for generation, expected in enumerate(log.commitments[: len(seeds)], 1):
        need(commitment(seeds, log.space, generation) == expected, "a commitment")
    reader = PackReader(log, seeds, objects)
    files = read_files(entries, seeds, reader)
    contents = {}
    for path in files.versions:
        version = files.current(path)
        if version and version.item and version.item["type"] == 1:
            chunks = [reader.chunk(*files.places[each], each) for each in version.item["chunks"]]
            contents[path] = b"".join(chunks)
            need(len(contents[path]) == version.item["size"], "a file's size")
    return RescuedSpace(files, contents)


@dataclass
class PackReader:
    log: LogReader
    seeds: Sequence[bytes]
    objects: Mapping[str, Sequence[bytes]]

    def chunk(self, pack: bytes, position: int, offset: int, size: int, chunk: bytes) -> bytes:
        record = self.log.packs[pack]
        company, name = UUID(bytes=self.log.company), pack.hex()
        prefix = f".tessera/v1/{company}/packs/{name[:2]}/{name}"
        stored = [
            read_shard(copy)
            for index in range(record.n)
            for copy in self.objects.get(f"{prefix}.{index}", ())
        ]
        data = rebuild_pack(record, stored)
        place = PackPlace(self.log.space, record.generation, pack)
        key = pack_key(self.seeds, record.generation, pack)
        sealed = data[offset : offset + size + 16]
        return read_chunk(sealed, place, (key, chunk_id_key(self.seeds)), position, chunk)


def read_files(
    entries: Mapping[int, tuple[LogEntry, list[bytes]]], seeds: Sequence[bytes], packs: PackReader
) -> Files:
    files = Files()
    checkpoints = [each for each, (entry, _) in entries.items() if entry.kind == CHECKPOINT]
    for sequence in sorted(entries):
        entry = entries[sequence][0]
        if entry.kind not in (CHANGE, CHECKPOINT) or sequence < max(checkpoints, default=0):
            continue
        form, content = open_body(entry, seeds)
        if form == 1:
            content = stored_body(content, packs)
        if entry.kind == CHECKPOINT:
            files.checkpoint(content)
        else:
            files.change(content, sequence)
    return files


def stored_body(reference: bytes, packs: PackReader) -> bytes:
    fields = Fields(reference)
    size = fields.number(8)
    need(size > 65536, "the body's size")
    parts = []
    for at in range(-(-size // MIB)):
        pack, position, offset = fields.take(16), fields.number(4), fields.number(4)
        length = min(MIB, size - at * MIB)
        parts.append(packs.chunk(pack, position, offset, length, fields.take(32)))
    fields.end()
    return b"".join(parts)
