"""Bodies that are set aside, and the largest and smallest that are not."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bad_case import MALFORMED, NOT_AUTHENTIC, Bad, bad, bad_parts, parts, text
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from storage_example import KEYS, LEADER, MEMBER, NEW_LEADER_KEYS, Space

from tessera_core.binary import u16, u32, u64
from tessera_core.bodies import ChunkReference, StoredBody, open_body, seal_body
from tessera_core.changes import CheckpointBody, PackContents, Version
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.entries import Entry, Kind, sign_entry
from tessera_core.files import File, Folder, Item, Link
from tessera_core.packs import ChunkRecord
from tessera_core.shards import Coding, PackRecord

EMPTY = File(0, 0, False, ())
# One pack with room for one chunk of 100 bytes: 100 + 16 + 40 + 40.
RECORD = PackRecord(b"p" * 16, Coding(2, 3, 196), b"d" * 32)
CHUNK = b"c" * 32
NAME = b"\4\0\1x"


def change(operations: bytes, count: int = 1, packs: bytes = u32(0)) -> bytes:
    return b"\1" + packs + u32(count) + operations


def contents(*packs: tuple[bytes, list[int]]) -> bytes:
    return u32(len(packs)) + b"".join(
        pack + u32(len(lengths)) + b"".join(CHUNK + 2 * u32(length) for length in lengths)
        for pack, lengths in packs
    )


def path(text_of_it: bytes) -> bytes:
    return u16(len(text_of_it)) + text_of_it


def put(where: bytes, item: bytes, base: int = 0) -> bytes:
    return b"\1" + path(where) + u64(base) + item


FILE, FOLDER = b"\1" + bytes(17), b"\2" + bytes(9)


def link(target: bytes) -> bytes:
    return b"\3" + bytes(8) + path(target)


def good_changes() -> list[dict[str, Any]]:
    """Bodies of changes that are just within the limits."""
    deep, name = b"/".join([b"d"] * 100), b"n" * 255
    long = b"/".join([b"x" * 255] * 16)
    records = [RECORD.encode().hex()]
    made = [
        ("no operation", parts((change(b"", 0), 1)), []),
        ("the smallest operations", parts((change(NAME * 3, 3), 1)), []),
        ("20,000 operations", parts((change(b"", 20_000), 1), (NAME, 20_000)), []),
        ("a depth of 100", parts((change(put(deep, FILE)), 1)), []),
        ("a name of 255 bytes", parts((change(put(name, FILE)), 1)), []),
        ("a path of 4095 bytes", parts((change(put(long, FILE)), 1)), []),
        ("a link to 4096 bytes", parts((change(put(b"a", link(b"t" * 4096))), 1)), []),
        ("a name of 255 bytes for the space", parts((change(b"\4" + path(b"n" * 255)), 1)), []),
        (
            "a private file and folder",
            parts(
                (
                    change(
                        put(b"a", b"\1" + bytes(16) + b"\3") + put(b"b", b"\2" + bytes(8) + b"\2"),
                        2,
                    ),
                    1,
                )
            ),
            [],
        ),
        (
            "a pack that is full",
            parts((change(b"", 0, contents((RECORD.pack, [100]))), 1)),
            records,
        ),
        ("a pack that is not described", parts((change(b"", 0), 1)), records),
    ]
    return [{"about": about, "parts": data, "records": known} for about, data, known in made]


def bad_changes() -> Iterator[Bad]:
    """Bodies of changes, already opened; `records` are the packs that the entry adds."""
    one = put(b"a", b"")
    yield bad(MALFORMED, "empty", b"")
    yield bad(MALFORMED, "version 2", b"\2" + bytes(8))
    yield bad(MALFORMED, "a byte too many", change(b"", 0) + b"\0")
    yield bad(MALFORMED, "operation 5", change(b"\5\0\1a" + bytes(8)))
    yield bad(MALFORMED, "operation 0", change(b"\0\0\1a" + bytes(8)))
    yield bad(MALFORMED, "more operations announced than there are", change(b"", 9))
    yield bad(MALFORMED, "2^32 - 1 operations announced", change(NAME, 2**32 - 1))
    yield bad(MALFORMED, "a put of nothing", change(one + b"\0"))
    yield bad(MALFORMED, "an item of type 4", change(one + b"\4" + bytes(8)))
    yield bad(MALFORMED, "unknown flags of a file", change(one + b"\1" + bytes(16) + b"\4"))
    yield bad(MALFORMED, "an executable folder", change(one + b"\2" + bytes(8) + b"\1"))
    yield bad(MALFORMED, "unknown flags of a folder", change(one + b"\2" + bytes(8) + b"\4"))
    yield bad(MALFORMED, "a chunk missing", change(one + b"\1" + bytes(7) + b"\1" + bytes(9)))
    yield bad(MALFORMED, "a file of 2^64 - 1 bytes", change(one + b"\1" + b"\xff" * 8 + bytes(9)))
    yield bad(MALFORMED, "a move into itself", change(b"\3\0\1a\0\3a/b"))
    yield bad(MALFORMED, "a move to the same place", change(b"\3\0\1a\0\1a"))
    yield bad(MALFORMED, "an empty name of the space", change(b"\4\0\0"))
    yield bad(MALFORMED, "a space's name of 256 bytes", change(b"\4" + path(b"n" * 256)))
    yield bad(MALFORMED, "a space's name with NUL", change(b"\4" + path(b"a\0b")))
    yield bad(MALFORMED, "a link to nothing", change(one + b"\3" + bytes(8) + b"\0\0"))
    yield bad(MALFORMED, "a link to a target with NUL", change(put(b"a", link(b"a\0b"))))
    yield bad(MALFORMED, "a link to 4097 bytes", change(put(b"a", link(b"t" * 4097))))
    yield bad(MALFORMED, "a path of 101 parts", change(put(b"/".join([b"d"] * 101), FILE)))
    yield bad_parts(MALFORMED, "20,001 operations", (change(b"", 20_001), 1), (NAME, 20_001))
    # 8172 links of 8213 bytes are more than 64 MiB; all of them are good.
    large = put(b"/".join([b"x" * 255] * 16), link(b"t" * 4096))
    yield bad_parts(MALFORMED, "more than 64 MiB", (change(b"", 8172), 1), (large, 8172))
    for where in (
        b"",
        b"/a",
        b"a/",
        b"a//b",
        b".",
        b"a/..",
        b"a/./b",
        b"a\0b",
        b"\xff",
        b"x" * 256,
        "ä".encode() * 128,
    ):
        yield bad(MALFORMED, f"the path {where[:8]!r}", change(b"\2" + path(where) + bytes(8)))
    long = b"/".join([b"x" * 240] * 17) + b"/yyyy"
    assert len(long) > 4096
    yield bad(MALFORMED, f"a path of {len(long)} bytes", change(b"\2" + path(long) + bytes(8)))
    yield from bad_contents()


def bad_contents() -> Iterator[Bad]:
    """What a change says about packs."""
    added = [RECORD.encode().hex()]
    one = (RECORD.pack, [100])
    for reason, packs, records in (
        ("a chunk of no length", contents((RECORD.pack, [0])), added),
        ("a chunk of more than 1 MiB", contents((RECORD.pack, [2**20 + 1])), added),
        ("a pack that another entry added", contents((b"q" * 16, [100])), added),
        ("a pack, though none is added", contents(one), []),
        ("a pack twice", contents((RECORD.pack, [10]), (RECORD.pack, [10])), added),
        ("a pack without chunks", contents((RECORD.pack, [])), added),
        ("a chunk larger than its pack", contents((RECORD.pack, [101])), added),
        ("chunks that do not fit together", contents((RECORD.pack, [50, 50])), added),
        ("more packs announced than there are", u32(2) + contents(one)[4:], added),
        (
            "more chunks announced than there are",
            contents(one)[:20] + u32(9) + contents(one)[24:],
            added,
        ),
    ):
        yield bad(MALFORMED, reason, change(b"", 0, packs), records=records)


def bad_bodies(space: Space) -> Iterator[Bad]:
    """Entries whose body a member sealed wrongly; to be opened with the good keyring."""
    good = space.entries[2].entry
    pack = good.clear.packs[0].pack  # type: ignore[union-attr]

    def entry(plaintext: bytes, **changes: object) -> Entry:
        place = replace(good.head, **changes)  # type: ignore[arg-type]
        key = space.keyring.entry_key(good.head.generation, good.head.id)
        associated = b"\1\6" + place.space.bytes + u32(place.generation) + place.id
        body = AESGCM(key).encrypt(bytes(12), plaintext, associated)
        return sign_entry(good.head, good.clear, KEYS[LEADER], body=body)

    def stored(size: int, count: int, where: bytes = pack) -> bytes:
        reference = u64(size) + (where + u32(0) + u32(0) + bytes(32)) * count
        plain = b"\1" + u32(len(reference)) + reference
        return entry(plain.ljust(_padded(len(plain)), b"\0")).encode()

    empty = b"\0" + u32(9) + change(b"", 0)
    yield bad(MALFORMED, "form 2", entry(b"\2" + empty[1:].ljust(255, b"\0")).encode())
    yield bad(MALFORMED, "longer than it is", entry(b"\0" + u32(300) + bytes(251)).encode())
    yield bad(MALFORMED, "padding not zero", entry(empty.ljust(255, b"\0") + b"\1").encode())
    yield bad(MALFORMED, "padded to 255", entry(empty.ljust(255, b"\0")).encode())
    yield bad(MALFORMED, "padded to 272", entry(empty.ljust(272, b"\0")).encode())
    name = b"\4" + path(b"n" * 250)
    longer = b"\0" + u32(9 + len(name)) + change(name)
    yield bad(MALFORMED, "not padded to a Padmé size", entry(longer).encode())
    many = change(NAME * 16_382, 16_382)
    assert len(many) > 65_536
    inline = b"\0" + u32(len(many)) + many
    yield bad(
        MALFORMED, "65,537 bytes inline", entry(inline.ljust(_padded(len(inline)), b"\0")).encode()
    )
    yield bad(MALFORMED, "stored, but short", stored(65_536, 1))
    yield bad(MALFORMED, "stored, a reference missing", stored(CHUNK_BYTES + 1, 1))
    yield bad(MALFORMED, "stored, a reference too many", stored(CHUNK_BYTES, 2))
    yield bad(MALFORMED, "stored, no reference", stored(0, 0))
    yield bad(
        MALFORMED, "stored in a pack that the entry does not add", stored(70_000, 1, b"q" * 16)
    )
    yield bad(MALFORMED, "stored, more than 64 MiB", stored(64 * CHUNK_BYTES + 1, 65))
    yield bad(NOT_AUTHENTIC, "rubbish", space.entries[17].entry.encode())
    yield bad(NOT_AUTHENTIC, "another space", entry(bytes(256), space=MEMBER).encode())
    yield bad(NOT_AUTHENTIC, "another generation", entry(bytes(256), generation=2).encode())
    yield bad(NOT_AUTHENTIC, "another entry", entry(bytes(256), id=bytes(16)).encode())


def _padded(size: int) -> int:
    exponent = size.bit_length() - 1
    unit = 1 << (exponent - exponent.bit_length())
    return max(256, -(-size // unit) * unit)


def bad_stored_bodies(space: Space) -> Iterator[Bad]:
    """Like entry 17, whose pack is there; the references are wrong."""
    good = space.entries[16].entry
    stored = open_body(good, space.keyring)
    assert isinstance(stored, StoredBody)
    (reference,) = stored.chunks

    def entry(size: int = stored.size, **changes: object) -> bytes:
        made: ChunkReference = replace(reference, **changes)  # type: ignore[arg-type]
        head = replace(good.head, id=bytes(16))
        body = seal_body(StoredBody(size, (made,)), head, Kind.CHANGE, space.keyring)
        return sign_entry(head, good.clear, NEW_LEADER_KEYS, body=body).encode()

    yield bad(NOT_AUTHENTIC, "another position", entry(position=1))
    yield bad(NOT_AUTHENTIC, "another offset", entry(offset=1))
    yield bad(MALFORMED, "an offset behind the pack", entry(offset=2**32 - 1))
    yield bad(NOT_AUTHENTIC, "another chunk id", entry(id=bytes(32)))
    yield bad(NOT_AUTHENTIC, "another size", entry(stored.size - 1))


# Checkpoints


def version(sequence: int, item: Item | None = EMPTY, operation: int = 0) -> Version:
    return Version(sequence, operation, 0, LEADER, item)


def good_checkpoints() -> list[dict[str, Any]]:
    """Bodies that could stand in entry 9."""
    smallest = version(1, None)
    made = [
        ("nothing at all", CheckpointBody("", (), ())),
        ("the smallest versions", CheckpointBody("x", (), (("a", smallest), ("b", smallest)))),
        (
            "two versions of one operation",
            CheckpointBody("x", (), (("a", version(3, None)), ("a", version(3)))),
        ),
        (
            "something below a folder, and below a file that was removed",
            CheckpointBody(
                "x",
                (),
                (
                    ("a", version(3, Folder(0))),
                    ("a/b", version(3)),
                    ("c", version(3)),
                    ("c", version(6, None)),
                    ("c/d", version(6)),
                ),
            ),
        ),
        (
            "sorted by bytes, not by parts",
            CheckpointBody("x", (), (("a-b", version(3)), ("a/b", version(3)))),
        ),
    ]
    return [{"about": about, "data": text(body.encode())} for about, body in made]


def bad_checkpoints(space: Space) -> Iterator[Bad]:
    """The same, to be set aside. All entries of the log are known."""
    good = CheckpointBody("x", (), (("a", version(3)), ("b", version(3))))
    data, first = good.encode(), space.tree.packs
    yield bad(MALFORMED, "empty", b"")
    yield bad(MALFORMED, "version 2", b"\2" + data[1:])
    yield bad(MALFORMED, "a byte missing", data[:-1])
    yield bad(MALFORMED, "a byte too many", data + b"\0")
    yield bad(MALFORMED, "a name with NUL", b"\1" + path(b"a\0b") + data[4:])
    yield bad(MALFORMED, "a name of 256 bytes", b"\1" + path(b"n" * 256) + data[4:])
    announced = b"\1\0\0" + u32(0) + u32(3) + data[12:]
    yield bad(MALFORMED, "more versions announced than there are", announced)
    for reason, versions in (
        ("paths not sorted", (("b", version(3)), ("a", version(3)))),
        ("sequences not sorted", (("a", version(6)), ("a", version(3)))),
        ("operations not sorted", (("a", version(3, operation=1)), ("a", version(3)))),
        ("a version of entry 0", (("a", version(0)),)),
        ("a version of the checkpoint itself", (("a", version(9)),)),
        ("a version of a later entry", (("a", version(10)),)),
        ("something below a file", (("a", version(3)), ("a/b", version(3)))),
        ("something far below a link", (("a", version(3, Link(0, "t"))), ("a/b/c", version(3)))),
    ):
        yield bad(MALFORMED, reason, _unchecked("x", (), versions))
    one = version(3)
    flags = CheckpointBody("x", (), (("a", one),)).encode()
    at = len(flags) - 18 - 1
    yield bad(MALFORMED, "unknown flags of a version", flags[:at] + b"\2" + flags[at + 1 :])
    yield bad(MALFORMED, "an item of type 4", flags[: at + 1] + b"\4" + flags[at + 2 :])
    deep = "/".join("d" * 101)
    encoded = path(deep.encode()) + version(3).encode()
    yield bad(MALFORMED, "a path of 101 parts", b"\1\0\0" + u32(0) + u32(1) + encoded)
    packs = [each[0].trailer.name.pack for each in space.packs]
    chunk = first[packs[0]].chunks[0]
    for reason, described in (
        ("a pack that no entry adds", ((b"q" * 16, (chunk,)),)),
        ("a pack that a later entry adds", ((packs[2], (ChunkRecord(CHUNK, 12, 12),)),)),
        ("a pack twice", ((packs[0], (chunk,)), (packs[0], (chunk,)))),
        ("a pack without chunks", ((packs[0], ()),)),
        ("more than fits into a pack", ((packs[0], (ChunkRecord(CHUNK, 100_000, 100_000),)),)),
    ):
        yield bad(
            MALFORMED,
            reason,
            _unchecked("x", tuple(PackContents(*each) for each in described), ()),
        )


def _unchecked(
    name: str, packs: tuple[PackContents, ...], versions: tuple[tuple[str, Version], ...]
) -> bytes:
    """Encodes what a checkpoint must not say."""
    made = object.__new__(CheckpointBody)
    for field, value in (("name", name), ("packs", packs), ("versions", versions)):
        object.__setattr__(made, field, value)
    return made.encode()
