"""Shares: what a reader has to open, and what it has to refuse."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from bad_case import MALFORMED, NOT_AUTHENTIC, Bad, bad, flip, text
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from storage_example import COMPANY, SPACE, START, fixed

from tessera_core import base64url
from tessera_core.binary import u32, u64
from tessera_core.changes import PackContents, encode_packs
from tessera_core.chunks import chunk_id
from tessera_core.files import File, Folder, Item, Link, encode_item
from tessera_core.kdf import derive_key
from tessera_core.packs import ChunkRecord, PackBuilder, PackName, padme
from tessera_core.shards import PackRecord, Shard, coding_for, split_pack
from tessera_core.shares import Manifest, ShareKeys, ShareLink, manifest_hash

ORIGIN = "https://share.example"
SHARE = UUID("77777777-7777-4777-8777-777777777777")
OTHER = UUID("88888888-8888-4888-8888-888888888888")
SECRET, SALT = fixed("share secret", 32), fixed("share salt", 16)
# Typed with a ligature, which NFKC takes apart.
PASSWORD = "o\ufb03ce mosaic"
EXPIRES = START + 7 * 86_400_000
NOTE, PICTURE = b"A note for the guest.\n", fixed("a shared picture", 3000)
ZEROS = bytes(5000)
CONTENTS = {"album/Stra\u00dfe.png": PICTURE, "album/zeros": ZEROS, "note.txt": NOTE}


def share_keys(secret: bytes = SECRET, password: str | None = None) -> ShareKeys:
    return ShareKeys.derive(secret, password, SALT, company=COMPANY, share=SHARE)


def sealed_packs(keys: ShareKeys) -> list[list[Shard]]:
    """The contents in two packs, cut for three warehouses."""
    packs = []
    for number, contents in enumerate(((PICTURE, NOTE), (ZEROS,))):
        identifier = fixed(f"share pack {number}", 16)
        name = keys.pack_name(identifier)
        builder = PackBuilder(keys.pack_key(identifier), name)
        for content in contents:
            builder.add(chunk_id(keys.chunk_id_key, content), content)
        pack = bytes(builder.finish(last=True))
        packs.append(split_pack(pack, name, coding_for(3, len(pack))))
    return packs


def manifest(keys: ShareKeys, packs: Sequence[Sequence[Shard]]) -> Manifest:
    records = tuple(PackRecord.of(shards) for shards in packs)

    def chunk(content: bytes) -> ChunkRecord:
        return ChunkRecord(chunk_id(keys.chunk_id_key, content), len(content), len(content))

    contents = tuple(
        PackContents(record.pack, tuple(chunk(each) for each in parts))
        for record, parts in zip(records, ((PICTURE, NOTE), (ZEROS,)), strict=True)
    )

    def file(content: bytes) -> File:
        ids = (chunk_id(keys.chunk_id_key, content),) if content else ()
        return File(len(content), START * 1_000_000, executable=False, chunks=ids)

    items = (
        ("album", Folder(START * 1_000_000)),
        *((path, file(content)) for path, content in CONTENTS.items()),
        ("z-empty", file(b"")),
    )
    return Manifest(EXPIRES, records, contents, items)


def shares() -> list[dict[str, Any]]:
    made = []
    for password in (None, PASSWORD):
        keys = share_keys(password=password)
        packs = sealed_packs(keys)
        content = manifest(keys, packs)
        sealed = keys.seal_manifest(content)
        link = ShareLink(ORIGIN, SHARE, password is not None, SECRET, manifest_hash(sealed))
        made.append(
            {
                "about": "with a password" if password else "without a password",
                "link": str(link),
                "password": password,
                "salt": SALT.hex(),
                "share": str(SHARE),
                "key": keys.key.hex(),
                "accessToken": keys.access_token.hex(),
                "chunkIdKey": keys.chunk_id_key.hex(),
                "packKeys": [keys.pack_key(each.pack).hex() for each in content.records],
                "manifest": text(sealed),
                "plaintext": text(content.encode()),
                "expires": EXPIRES,
                "records": [record.encode().hex() for record in content.records],
                "shards": [[text(shard.encode()) for shard in shards] for shards in packs],
                "items": [
                    {
                        "path": path,
                        "modified": item.modified,
                        "content": None
                        if isinstance(item, Folder)
                        else text(CONTENTS.get(path, b"")),
                    }
                    for path, item in content.items
                ],
            }
        )
    return made


def bad_share_links() -> list[str]:
    sealed = base64url.encode(fixed("a manifest's hash", 16))
    secret = base64url.encode(SECRET)
    good = f"{ORIGIN}/s/{SHARE}#1.{secret}.{sealed}"
    begin = f"{ORIGIN}/s/{SHARE}"
    return [
        "",
        ORIGIN,
        begin,
        f"{begin}#",
        f"{begin}#1",
        f"{begin}#1.{secret}",
        f"{begin}#1.{secret}.",
        good[:-1],
        f"{good}=",
        f"{good}.",
        f"{good} ",
        f" {good}",
        f"{begin}#1.{secret[:-1]}.{sealed}",
        f"{begin}#1.{secret[:-1]}~.{sealed}",
        f"{begin}#2.{secret}.{sealed}",
        f"{begin}#1q.{secret}.{sealed}",
        f"{begin}#1pp.{secret}.{sealed}",
        f"{begin}#p1.{secret}.{sealed}",
        # Bits after the end of the secret, and of the hash.
        f"{begin}#1.{secret[:-1]}{_next_letter(secret)}.{sealed}",
        f"{begin}#1.{secret}.{sealed[:-1]}{_next_letter(sealed)}",
        f"{begin}?x#1.{secret}.{sealed}",
        f"{begin}/#1.{secret}.{sealed}",
        f"{ORIGIN}/s/{str(SHARE).replace('-', '')}#1.{secret}.{sealed}",
        f"{ORIGIN}/s/../{SHARE}#1.{secret}.{sealed}",
        f"https://user@share.example/s/{SHARE}#1.{secret}.{sealed}",
        f"ftp://share.example/s/{SHARE}#1.{secret}.{sealed}",
        f"{begin}%231.{secret}.{sealed}",
    ]


def _next_letter(encoded: str) -> str:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return alphabet[alphabet.index(encoded[-1]) + 1]


def bad_manifests() -> Iterator[Bad]:
    """Opened with the first share's keys; the link has the hash of the data unless one is given."""
    keys = share_keys()
    good = manifest(keys, sealed_packs(keys))
    sealed = keys.seal_manifest(good)
    data = good.encode()
    yield bad(NOT_AUTHENTIC, "empty", b"")
    yield bad(NOT_AUTHENTIC, "a tag alone", bytes(16))
    yield bad(NOT_AUTHENTIC, "changed", flip(sealed, 0))
    yield bad(NOT_AUTHENTIC, "the tag changed", flip(sealed, len(sealed) - 1))
    older = keys.seal_manifest(Manifest(EXPIRES, (), (), (("a", Folder(0)),)))
    yield bad(NOT_AUTHENTIC, "genuine, but not the link's", older, hash=manifest_hash(sealed).hex())
    other = ShareKeys(COMPANY, OTHER, keys.key)
    yield bad(NOT_AUTHENTIC, "sealed for another share", other.seal_manifest(good))
    other = ShareKeys(SHARE, SHARE, keys.key)
    yield bad(NOT_AUTHENTIC, "sealed for another company", other.seal_manifest(good))
    with_password = share_keys(password=PASSWORD)
    yield bad(NOT_AUTHENTIC, "sealed with a password", with_password.seal_manifest(good))

    def sealed_plaintext(plaintext: bytes) -> bytes:
        key = derive_key(keys.key, "tessera/v1/manifest")
        associated = b"\1" + COMPANY.bytes + SHARE.bytes
        return AESGCM(key).encrypt(bytes(12), plaintext, associated)

    def padded(content: bytes, *, version: bytes = b"\1", more: int = 0) -> bytes:
        plaintext = version + u32(len(content)) + content
        return sealed_plaintext(plaintext.ljust(max(256, padme(len(plaintext))) + more, b"\0"))

    yield bad(MALFORMED, "no plaintext", sealed_plaintext(b""))
    yield bad(MALFORMED, "version 2", padded(data, version=b"\2"))
    yield bad(MALFORMED, "padded too far", padded(data, more=1))
    yield bad(MALFORMED, "not padded", sealed_plaintext(b"\1" + u32(len(data)) + data))
    small = Manifest(EXPIRES, (), (), (("a", Folder(0)),)).encode()
    filled = (b"\1" + u32(len(small)) + small).ljust(255, b"\0") + b"\1"
    yield bad(MALFORMED, "padding that is not zero", sealed_plaintext(filled))
    yield bad(MALFORMED, "a byte missing", padded(data[:-1]))
    yield bad(MALFORMED, "a byte too many", padded(data + b"\0"))
    announced = u64(0) + u32(0) + u32(0) + u32(2) + _item("a", Folder(0))
    yield bad(MALFORMED, "more items announced than there are", padded(announced))

    def content(
        *items: tuple[str, Item | None],
        records: Sequence[PackRecord] = (),
        packs: Sequence[PackContents] = (),
    ) -> bytes:
        return b"".join(
            (
                u64(EXPIRES),
                u32(len(records)),
                *(record.encode() for record in records),
                encode_packs(packs),
                u32(len(items)),
                *(_item(*item) for item in items),
            )
        )

    folder, empty = Folder(0), File(0, 0, executable=False, chunks=())
    for reason, items in (
        ("no item", ()),
        ("a symbolic link", (("a", Link(0, "t")),)),
        ("a removed item", (("a", None),)),
        ("not sorted", (("b", folder), ("a", folder))),
        ("sorted by parts, not by bytes", (("a/b", empty), ("a-b", empty))),
        ("a path twice", (("a", folder), ("a", folder))),
        ("a file below a file", (("a", empty), ("a/b", empty))),
        ("a folder far below a file", (("a", empty), ("a-", folder), ("a/b/c", folder))),
        ("a folder below a file in a folder", (("a/b", empty), ("a/b/c", folder))),
        ("an absolute path", (("/a", empty),)),
        ("a path that leaves its folder", (("../a", empty),)),
        ("a path that leaves its folder later", (("a/../../b", empty),)),
        ("a part without a name", (("a//b", empty),)),
        ("a name with NUL", (("a\0b", empty),)),
        ("a name of 256 bytes", (("n" * 256, empty),)),
        ("a path of 101 parts", (("/".join("d" * 101), empty),)),
    ):
        yield bad(MALFORMED, reason, padded(content(*items)))
    records, packs = good.records, good.packs
    files = dict(good.items)
    note, zeros = files["note.txt"], files["album/zeros"]
    assert isinstance(zeros, File)
    shorter = File(zeros.size - 1, 0, executable=False, chunks=zeros.chunks)
    for reason, chosen, described, item in (
        ("a pack that is not described", records, packs[:1], note),
        ("a pack without a record", records[:1], packs, note),
        ("packs in another order", records, packs[::-1], note),
        ("a pack twice", (records[0], records[0]), (packs[0], packs[0]), note),
        ("a pack without chunks", records[:1], (PackContents(packs[0].pack, ()),), empty),
        (
            "more than fits into a pack",
            records[:1],
            (PackContents(packs[0].pack, (ChunkRecord(bytes(32), 9000, 9000),)),),
            empty,
        ),
        (
            "a chunk twice",
            records,
            (packs[0], PackContents(packs[1].pack, (packs[0].chunks[1],))),
            note,
        ),
        ("a chunk that no pack holds", records[:1], packs[:1], zeros),
        ("a chunk of another length", records, packs, shorter),
    ):
        yield bad(MALFORMED, reason, padded(content(("a", item), records=chosen, packs=described)))


def bad_share_packs() -> Iterator[Bad]:
    """Read with the first share's keys as its first pack."""
    keys = share_keys()
    identifier = fixed("share pack 0", 16)

    def pack(sealing: ShareKeys, name: PackName) -> bytes:
        builder = PackBuilder(sealing.pack_key(name.pack), name)
        builder.add(chunk_id(keys.chunk_id_key, NOTE), NOTE)
        return bytes(builder.finish(last=True))

    other = ShareKeys.derive(SECRET, None, SALT, company=COMPANY, share=OTHER)
    second = fixed("share pack 1", 16)
    for reason, sealing, name in (
        ("another share's, with its key", other, other.pack_name(identifier)),
        ("another share's name", keys, PackName(OTHER, 0, identifier)),
        ("another share's key", other, keys.pack_name(identifier)),
        ("a space's", keys, PackName(SPACE, 0, identifier)),
        ("generation 1", keys, PackName(SHARE, 1, identifier)),
        ("the second pack", keys, keys.pack_name(second)),
    ):
        yield bad(NOT_AUTHENTIC, reason, pack(sealing, name))


def _item(path: str, item: Item | None) -> bytes:
    """Without the checks of a path."""
    encoded = path.encode()
    return len(encoded).to_bytes(2, "big") + encoded + encode_item(item)
