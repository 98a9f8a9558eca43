"""Requests for files: what guests and members have to open, and what they have to refuse."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import xwing
from bad_case import MALFORMED, NOT_AUTHENTIC, Bad, bad, flip, text
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from share_cases import CONTENTS, manifest, sealed_packs
from storage_example import COMPANY, SPACE, Space, fixed

from tessera_core.binary import u8, u16, u32, u64
from tessera_core.files import Folder
from tessera_core.kdf import derive_key
from tessera_core.keyring import Keyring
from tessera_core.packs import padme
from tessera_core.requests import GuestAccess, RequestDetails, RequestKeys, upload_keys
from tessera_core.shares import Manifest, ShareKeys, manifest_hash

ORIGIN = "https://share.example"
REQUEST = UUID("99999999-9999-4999-8999-999999999999")
OTHER = UUID("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa")
UPLOAD = UUID("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
GENERATION = 2
DETAILS = RequestDetails("Steuerunterlagen für 2026", 100, 10**9)
FOLDER = "Taxes/2026"
SECRET = fixed("upload secret", 32)


def request_keys(keyring: Keyring, request: UUID = REQUEST) -> RequestKeys:
    return RequestKeys.derive(keyring, GENERATION, company=COMPANY, request=request)


def content_keys() -> ShareKeys:
    return upload_keys(SECRET, company=COMPANY, request=REQUEST, upload=UPLOAD)


def received() -> tuple[Manifest, bytes]:
    keys = content_keys()
    described = manifest(keys, sealed_packs(keys))
    content = Manifest(0, described.records, described.packs, described.items)
    return content, keys.seal_manifest(content)


def seal_key(
    keys: RequestKeys, plaintext: bytes, *, request: UUID = REQUEST, upload: UUID = UPLOAD
) -> bytes:
    label = b"tessera/v1/upload-key"
    info = label + u8(1) + COMPANY.bytes + request.bytes + upload.bytes
    sealed = xwing.seal(keys.private.public.kem, info, plaintext, fixed("upload hpke", 64))
    return u8(1) + sealed


def requests(space: Space) -> list[dict[str, Any]]:
    keys = request_keys(space.keyring)
    content, sealed = received()
    upload = content_keys()
    return [
        {
            "about": "a request of generation 2, and files that came",
            "link": str(keys.link(ORIGIN)),
            "request": str(REQUEST),
            "generation": GENERATION,
            "key": keys.key.hex(),
            "publicKeys": text(keys.private.public.encode()),
            "accessToken": keys.access.access_token.hex(),
            "details": text(keys.access.seal_details(DETAILS, keys.private)),
            "title": DETAILS.title,
            "maxFiles": DETAILS.max_files,
            "maxBytes": DETAILS.max_bytes,
            "folder": text(keys.seal_folder(FOLDER)),
            "path": FOLDER,
            "wholeSpace": text(keys.seal_folder("")),
            "upload": str(UPLOAD),
            "secret": SECRET.hex(),
            "uploadKey": text(seal_key(keys, SECRET + manifest_hash(sealed))),
            "contentKey": upload.key.hex(),
            "manifest": text(sealed),
            "plaintext": text(content.encode()),
            "shards": [
                [text(shard.encode()) for shard in shards] for shards in sealed_packs(upload)
            ],
            "items": [
                {
                    "path": path,
                    "content": None if isinstance(item, Folder) else text(CONTENTS.get(path, b"")),
                }
                for path, item in content.items
            ],
        }
    ]


def bad_request_links(space: Space) -> list[str]:
    good = str(request_keys(space.keyring).link(ORIGIN))
    begin, _, fragment = good.partition("#")
    _, digest, token = fragment.split(".")
    return [
        "",
        begin,
        f"{begin}#",
        f"{begin}#1",
        f"{begin}#1.{digest}",
        f"{begin}#1.{digest}.",
        good[:-1],
        f"{good}=",
        f"{good} ",
        f" {good}",
        f"{begin}#2.{digest}.{token}",
        f"{begin}#1p.{digest}.{token}",
        f"{begin}#1.{token}.{digest}",
        # Bits after the end of the token.
        f"{begin}#1.{digest}.{token[:-1]}{'B' if token[-1] in 'AQgw' else 'z'}",
        good.replace("/r/", "/s/"),
        good.replace("https://", "ftp://"),
        good.replace("https://", "https://user@"),
        f"{begin}/#{fragment}",
        f"{begin}?x#{fragment}",
        good.replace(str(REQUEST), str(REQUEST).replace("-", "")),
    ]


def bad_request_keys(space: Space) -> Iterator[Bad]:
    """Public keys that the service delivers for the good link."""
    keys = request_keys(space.keyring)
    good = keys.private.public.encode()
    yield bad(MALFORMED, "empty", b"")
    yield bad(MALFORMED, "suite 2", b"\2" + good[1:])
    yield bad(MALFORMED, "a byte missing", good[:-1])
    other = request_keys(space.keyring, OTHER).private.public.encode()
    yield bad(NOT_AUTHENTIC, "another request's", other)
    yield bad(NOT_AUTHENTIC, "another key to sign", good[:1] + other[1:33] + good[33:])


def bad_request_details(space: Space) -> Iterator[Bad]:
    """Opened with the good link's token and keys."""
    keys = request_keys(space.keyring)
    access = keys.access
    good = access.seal_details(DETAILS, keys.private)
    yield bad(NOT_AUTHENTIC, "empty", b"")
    yield bad(NOT_AUTHENTIC, "changed", flip(good, 0))
    stranger = request_keys(space.keyring, OTHER).private
    yield bad(NOT_AUTHENTIC, "signed by others", access.seal_details(DETAILS, stranger))
    other = GuestAccess(COMPANY, OTHER, access.token)
    yield bad(NOT_AUTHENTIC, "of another request", other.seal_details(DETAILS, keys.private))
    other = GuestAccess(SPACE, REQUEST, access.token)
    yield bad(NOT_AUTHENTIC, "of another company", other.seal_details(DETAILS, keys.private))
    associated = b"\1" + COMPANY.bytes + REQUEST.bytes

    def signed(content: bytes) -> bytes:
        label = b"tessera/v1/request-details"
        return content + keys.private.sign(label + associated + content)

    def sealed(data: bytes) -> bytes:
        return _sealed(derive_key(access.token, "tessera/v1/details"), data, associated)

    title = u16(1) + b"T"
    yield bad(NOT_AUTHENTIC, "another signature", sealed(title + u32(1) + u64(1) + bytes(64)))
    yield bad(NOT_AUTHENTIC, "a signature alone", sealed(keys.private.sign(b"")))
    yield bad(NOT_AUTHENTIC, "shorter than a signature", sealed(b"T"))
    for reason, content in (
        ("no title", u16(0) + u32(1) + u64(1)),
        ("a title of 256 bytes", u16(256) + b"T" * 256 + u32(1) + u64(1)),
        ("a title that is not UTF-8", u16(1) + b"\xff" + u32(1) + u64(1)),
        ("no files", title + u32(0) + u64(1)),
        ("4001 files", title + u32(4001) + u64(1)),
        ("no bytes", title + u32(1) + u64(0)),
        ("more than a terabyte", title + u32(1) + u64(10**12 + 1)),
        ("a byte missing", title + u32(1) + u64(1)[:-1]),
        ("a byte too many", title + u32(1) + u64(1) + b"\0"),
    ):
        yield bad(MALFORMED, reason, sealed(signed(content)))


def bad_request_folders(space: Space) -> Iterator[Bad]:
    keys = request_keys(space.keyring)
    good = keys.seal_folder(FOLDER)
    yield bad(NOT_AUTHENTIC, "changed", flip(good, 0))
    other = RequestKeys(COMPANY, OTHER, keys.key)
    yield bad(NOT_AUTHENTIC, "of another request", other.seal_folder(FOLDER))
    other = request_keys(space.keyring, OTHER)
    yield bad(NOT_AUTHENTIC, "another request's key", other.seal_folder(FOLDER))
    key = derive_key(keys.key, "tessera/v1/request-folder")
    associated = b"\1" + COMPANY.bytes + REQUEST.bytes
    for reason, path in (
        ("an absolute path", "/a"),
        ("a path that leaves its folder", "../a"),
        ("a part without a name", "a//b"),
        ("a name with NUL", "a\0b"),
    ):
        data = u16(len(path)) + path.encode()
        yield bad(MALFORMED, reason, _sealed(key, data, associated))
    yield bad(MALFORMED, "a byte too many", _sealed(key, u16(1) + b"ab", associated))


def bad_uploads(space: Space) -> Iterator[Bad]:
    """Opened as the good upload; `manifest` is the good one's unless one is given."""
    keys = request_keys(space.keyring)
    content, sealed = received()
    digest = manifest_hash(sealed)
    good = seal_key(keys, SECRET + digest)
    yield bad(MALFORMED, "empty", b"")
    yield bad(MALFORMED, "suite 2", b"\2" + good[1:])
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(MALFORMED, "a secret alone", seal_key(keys, SECRET))
    yield bad(NOT_AUTHENTIC, "ML-KEM ciphertext changed", flip(good, 1))
    yield bad(NOT_AUTHENTIC, "X25519 ciphertext changed", flip(good, 1 + 1088))
    yield bad(NOT_AUTHENTIC, "tag changed", flip(good, len(good) - 1))
    other = request_keys(space.keyring, OTHER)
    yield bad(NOT_AUTHENTIC, "to another request's keys", seal_key(other, SECRET + digest))
    replayed = seal_key(keys, SECRET + digest, upload=OTHER)
    yield bad(NOT_AUTHENTIC, "of another upload", replayed)
    moved = seal_key(keys, SECRET + digest, request=OTHER)
    yield bad(NOT_AUTHENTIC, "of another request", moved)
    older = content_keys().seal_manifest(Manifest(0, (), (), (("a", Folder(0)),)))
    yield bad(NOT_AUTHENTIC, "another manifest of the same keys", good, manifest=text(older))
    elsewhere = upload_keys(SECRET, company=COMPANY, request=OTHER, upload=UPLOAD)
    moved = elsewhere.seal_manifest(content)
    sealed_to = seal_key(keys, SECRET + manifest_hash(moved))
    yield bad(NOT_AUTHENTIC, "a manifest for another request", sealed_to, manifest=text(moved))
    elsewhere = upload_keys(SECRET, company=COMPANY, request=REQUEST, upload=OTHER)
    moved = ShareKeys(COMPANY, UPLOAD, elsewhere.key).seal_manifest(content)
    sealed_to = seal_key(keys, SECRET + manifest_hash(moved))
    yield bad(NOT_AUTHENTIC, "a manifest for another upload", sealed_to, manifest=text(moved))
    expiring = content_keys().seal_manifest(Manifest(1, (), (), (("a", Folder(0)),)))
    sealed_to = seal_key(keys, SECRET + manifest_hash(expiring))
    yield bad(MALFORMED, "an upload that expires", sealed_to, manifest=text(expiring))


def _sealed(key: bytes, data: bytes, associated: bytes) -> bytes:
    plaintext = b"\1" + u32(len(data)) + data
    padded = plaintext.ljust(max(256, padme(len(plaintext))), b"\0")
    return AESGCM(key).encrypt(bytes(12), padded, associated)
