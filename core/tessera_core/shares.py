"""Shares: files sealed anew for whoever has the link, whose fragment never leaves the reader."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self
from uuid import UUID

from tessera_core import base64url
from tessera_core.binary import Reader, u8, u32, u64
from tessera_core.changes import PackContents, check_contents, encode_packs, read_packs
from tessera_core.chunks import chunk_length
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.files import File, Folder, encode_item, encode_path, read_item, read_path
from tessera_core.kdf import KEY_BYTES, derive_key, derive_master_key
from tessera_core.packs import PackName
from tessera_core.padded import open_padded, seal_padded, sealed_bytes
from tessera_core.shards import PackRecord

SECRET_BYTES = 32
MANIFEST_HASH_BYTES = 16
SHARE_GENERATION = 0
# Four thousand files, or nine gigabytes; as a text it fits into one call of the service.
MAX_MANIFEST_BYTES = 640 * 1024
MAX_SEALED_BYTES = sealed_bytes(MAX_MANIFEST_BYTES)

_VERSION = 1
_NO_PASSWORD = bytes(KEY_BYTES)
_RECORD_BYTES = 54
_SMALLEST_ITEM = 2 + 1 + 1 + 8 + 1
_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_LINK = re.compile(rf"(https?://[^\s/?#@\\]+)/s/({_UUID})(?:#(.*))?", re.DOTALL)
_FRAGMENT = re.compile(r"1(p?)\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})")
_NEWER = re.compile(r"(?!1[p.])[0-9]+[a-z]*\..*", re.DOTALL)


class LinkRefused(Malformed):
    """`reason`: no_link, no_fragment, cut or newer."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the link cannot be used: {reason}")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ShareLink:
    origin: str
    share: UUID
    has_password: bool
    secret: bytes = field(repr=False)
    manifest_hash: bytes

    def __str__(self) -> str:
        fragment = ".".join(
            (
                f"{_VERSION}{'p' if self.has_password else ''}",
                base64url.encode(self.secret),
                base64url.encode(self.manifest_hash),
            )
        )
        return f"{self.origin}/s/{self.share}#{fragment}"

    @classmethod
    def parse(cls, text: str) -> Self:
        link = _LINK.fullmatch(text)
        if not link:
            raise LinkRefused("no_link")
        origin, share, fragment = link.groups()
        if not fragment:
            raise LinkRefused("no_fragment")
        parts = _FRAGMENT.fullmatch(fragment)
        if not parts:
            raise LinkRefused("newer" if _NEWER.fullmatch(fragment) else "cut")
        flag, secret, manifest_hash = parts.groups()
        try:
            return cls(
                origin,
                UUID(share),
                bool(flag),
                base64url.decode(secret),
                base64url.decode(manifest_hash),
            )
        except ValueError:
            raise LinkRefused("cut") from None


@dataclass(frozen=True, slots=True)
class ShareKeys:
    """What is derived from a share's key: nobody can tell a wrong link from a wrong password."""

    company: UUID
    share: UUID
    key: bytes = field(repr=False)

    @classmethod
    def derive(
        cls, secret: bytes, password: str | None, salt: bytes, *, company: UUID, share: UUID
    ) -> Self:
        """With a password slow on purpose; the salt is then the share's."""
        if len(secret) != SECRET_BYTES:
            raise Malformed("a share's secret has 32 bytes")
        stretched = _NO_PASSWORD if password is None else derive_master_key(password, salt)
        flag = u8(0 if password is None else 1)
        context = flag + company.bytes + share.bytes
        return cls(company, share, derive_key(secret + stretched, "tessera/v1/share", context))

    @property
    def access_token(self) -> bytes:
        return derive_key(self.key, "tessera/v1/access")

    @property
    def chunk_id_key(self) -> bytes:
        return derive_key(self.key, "tessera/v1/chunk-id")

    def pack_key(self, pack: bytes) -> bytes:
        return derive_key(self.key, "tessera/v1/pack", pack)

    def pack_name(self, pack: bytes) -> PackName:
        return PackName(self.share, SHARE_GENERATION, pack)

    def seal_manifest(self, manifest: "Manifest") -> bytes:
        """Once for a share: the key has no second nonce."""
        data = manifest.encode()
        if len(data) > MAX_MANIFEST_BYTES:
            raise Malformed("a manifest has at most 640 KiB")
        return seal_padded(self._manifest_key, data, self._associated)

    def open_manifest(self, sealed: bytes, expected_hash: bytes) -> "Manifest":
        """The hash is the link's: neither the service nor another recipient can swap it."""
        if not hmac.compare_digest(manifest_hash(sealed), expected_hash):
            raise NotAuthentic("another manifest than the link's")
        key, associated = self._manifest_key, self._associated
        return Manifest.decode(open_padded(key, sealed, associated, MAX_MANIFEST_BYTES))

    @property
    def _manifest_key(self) -> bytes:
        return derive_key(self.key, "tessera/v1/manifest")

    @property
    def _associated(self) -> bytes:
        return u8(_VERSION) + self.company.bytes + self.share.bytes


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a share holds, and where."""

    expires: int
    """Milliseconds since 1970. What the maker asked for; the service ends the share."""
    records: tuple[PackRecord, ...]
    packs: tuple[PackContents, ...]
    """What each of these packs holds, in the same order."""
    items: tuple[tuple[str, File | Folder], ...]
    """In ascending order of the path's UTF-8."""

    def __post_init__(self) -> None:
        if not self.items:
            raise Malformed("a share holds something")
        if [record.pack for record in self.records] != [contents.pack for contents in self.packs]:
            raise Malformed("the packs are not described in their order")
        check_contents(self.packs, self.records)
        if any(one.encode() >= other.encode() for (one, _), (other, _) in pairwise(self.items)):
            raise Malformed("the items are not sorted by path, or one is there twice")
        files = {path for path, item in self.items if isinstance(item, File)}
        if any(parent in files for path, _ in self.items for parent in _parents(path)):
            raise Malformed("something lies below a file")
        chunks = [chunk for pack in self.packs for chunk in pack.chunks]
        lengths = {chunk.id: chunk.length for chunk in chunks}
        if len(lengths) != len(chunks):
            raise Malformed("a chunk is there twice")
        for _, item in self.items:
            if isinstance(item, File) and any(
                lengths.get(chunk) != chunk_length(item.size, number)
                for number, chunk in enumerate(item.chunks)
            ):
                raise Malformed("a file has chunks that no pack holds")

    def encode(self) -> bytes:
        return b"".join(
            (
                u64(self.expires),
                u32(len(self.records)),
                *(record.encode() for record in self.records),
                encode_packs(self.packs),
                u32(len(self.items)),
                *(encode_path(path) + encode_item(item) for path, item in self.items),
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> Self:
        reader = Reader(data)
        expires = reader.u64()
        records = tuple(PackRecord.read(reader) for _ in range(reader.count(_RECORD_BYTES)))
        packs = read_packs(reader)
        items = tuple(_read_item(reader) for _ in range(reader.count(_SMALLEST_ITEM)))
        reader.end()
        return cls(expires, records, packs, items)


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def manifest_hash(sealed: bytes) -> bytes:
    return hashlib.sha256(sealed).digest()[:MANIFEST_HASH_BYTES]


def _parents(path: str) -> Iterator[str]:
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _read_item(reader: Reader) -> tuple[str, File | Folder]:
    path, item = read_path(reader), read_item(reader)
    if not isinstance(item, File | Folder):
        raise Malformed("a share holds files and folders")
    return path, item
