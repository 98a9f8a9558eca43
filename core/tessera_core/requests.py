"""Requests: links by which people outside send files that only the members of a space can open."""

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self
from uuid import UUID

from tessera_core import base64url
from tessera_core.binary import Reader, text, u8, u32, u64
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.files import MAX_PATH_BYTES, check_path
from tessera_core.kdf import derive_key
from tessera_core.keyring import Keyring
from tessera_core.padded import open_padded, seal_padded, sealed_bytes
from tessera_core.shares import (
    MANIFEST_HASH_BYTES,
    SECRET_BYTES,
    LinkRefused,
    Manifest,
    ShareKeys,
)
from tessera_core.user_keys import SIGNATURE_BYTES, SUITE, PrivateKeys, PublicKeys

TOKEN_BYTES = 16
MAX_TITLE_BYTES = 255
MAX_FILES = 4000
MAX_BYTES = 10**12
MAX_DETAILS_BYTES = 2 + MAX_TITLE_BYTES + 4 + 8 + SIGNATURE_BYTES
MAX_SEALED_DETAILS_BYTES = sealed_bytes(MAX_DETAILS_BYTES)
MAX_FOLDER_BYTES = 2 + MAX_PATH_BYTES
MAX_SEALED_FOLDER_BYTES = sealed_bytes(MAX_FOLDER_BYTES)
UPLOAD_KEY_BYTES = 1 + 1120 + SECRET_BYTES + MANIFEST_HASH_BYTES + 16

_KEYS_LABEL = b"tessera/v1/request-keys"
_DETAILS_LABEL = b"tessera/v1/request-details"
_UPLOAD_LABEL = b"tessera/v1/upload-key"
_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_LINK = re.compile(rf"(https?://[^\s/?#@\\]+)/r/({_UUID})(?:#(.*))?", re.DOTALL)
_FRAGMENT = re.compile(r"1\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})")
_NEWER = re.compile(r"(?!1\.)[0-9]+[a-z]*\..*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RequestLink:
    """What the guest gets. Browsers send no part of the fragment to a server."""

    origin: str
    request: UUID
    keys_hash: bytes
    token: bytes = field(repr=False)

    def __str__(self) -> str:
        fragment = f"1.{base64url.encode(self.keys_hash)}.{base64url.encode(self.token)}"
        return f"{self.origin}/r/{self.request}#{fragment}"

    @classmethod
    def parse(cls, link_text: str) -> Self:
        link = _LINK.fullmatch(link_text)
        if not link:
            raise LinkRefused("no_link")
        origin, request, fragment = link.groups()
        if not fragment:
            raise LinkRefused("no_fragment")
        parts = _FRAGMENT.fullmatch(fragment)
        if not parts:
            raise LinkRefused("newer" if _NEWER.fullmatch(fragment) else "cut")
        try:
            keys_hash, token = map(base64url.decode, parts.groups())
        except ValueError:
            raise LinkRefused("cut") from None
        return cls(origin, UUID(request), keys_hash, token)


@dataclass(frozen=True, slots=True)
class RequestDetails:
    """What the guest is asked for."""

    title: str
    max_files: int
    max_bytes: int

    def __post_init__(self) -> None:
        if not 1 <= self.max_files <= MAX_FILES or not 1 <= self.max_bytes <= MAX_BYTES:
            raise Malformed("a request asks for 1 to 4000 files and up to a terabyte")

    def encode(self) -> bytes:
        return text(self.title, MAX_TITLE_BYTES) + u32(self.max_files) + u64(self.max_bytes)

    @classmethod
    def read(cls, reader: Reader) -> Self:
        return cls(reader.text(MAX_TITLE_BYTES), reader.u32(), reader.u64())


@dataclass(frozen=True, slots=True)
class GuestAccess:
    """What the token of a link is good for."""

    company: UUID
    request: UUID
    token: bytes = field(repr=False)

    @property
    def access_token(self) -> bytes:
        """What the service is shown; it stores the hash. The token itself is never sent."""
        return derive_key(self.token, "tessera/v1/access")

    def seal_details(self, details: RequestDetails, keys: PrivateKeys) -> bytes:
        content = details.encode()
        signature = keys.sign(self._signed(content))
        return seal_padded(self._details_key, content + signature, self._associated)

    def open_details(self, sealed: bytes, keys: PublicKeys) -> RequestDetails:
        """The signature keeps others who know the link from changing what is asked for."""
        data = open_padded(self._details_key, sealed, self._associated, MAX_DETAILS_BYTES)
        content = data[:-SIGNATURE_BYTES]
        keys.verify(data[-SIGNATURE_BYTES:], self._signed(content))
        reader = Reader(content)
        details = RequestDetails.read(reader)
        reader.end()
        return details

    @property
    def _details_key(self) -> bytes:
        return derive_key(self.token, "tessera/v1/details")

    @property
    def _associated(self) -> bytes:
        return u8(1) + self.company.bytes + self.request.bytes

    def _signed(self, content: bytes) -> bytes:
        return _DETAILS_LABEL + self._associated + content


@dataclass(frozen=True)
class RequestKeys:
    """What every member of the space derives from the seed of the request's generation."""

    company: UUID
    request: UUID
    key: bytes = field(repr=False)

    @classmethod
    def derive(cls, keyring: Keyring, generation: int, *, company: UUID, request: UUID) -> Self:
        return cls(company, request, keyring.request_key(generation, request))

    @cached_property
    def private(self) -> PrivateKeys:
        return PrivateKeys(
            derive_key(self.key, "tessera/v1/request-sign"),
            derive_key(self.key, "tessera/v1/request-kem"),
        )

    @property
    def access(self) -> GuestAccess:
        token = derive_key(self.key, "tessera/v1/request-token")[:TOKEN_BYTES]
        return GuestAccess(self.company, self.request, token)

    def link(self, origin: str) -> RequestLink:
        digest = keys_hash(self.private.public, company=self.company, request=self.request)
        return RequestLink(origin, self.request, digest, self.access.token)

    def seal_folder(self, path: str) -> bytes:
        """Where the files are meant to go; "" is the whole space."""
        data = text(_check_folder(path), MAX_PATH_BYTES, at_least=0)
        return seal_padded(self._folder_key, data, self._associated)

    def open_folder(self, sealed: bytes) -> str:
        reader = Reader(open_padded(self._folder_key, sealed, self._associated, MAX_FOLDER_BYTES))
        path = _check_folder(reader.text(MAX_PATH_BYTES, at_least=0))
        reader.end()
        return path

    def open_upload(self, upload: UUID, sealed_key: bytes, manifest: bytes) -> "ReceivedFiles":
        if len(sealed_key) != UPLOAD_KEY_BYTES or sealed_key[0] != SUITE:
            raise Malformed("the key of an upload has another length or an unknown suite")
        info = _upload_info(self.company, self.request, upload)
        payload = self.private.open(sealed_key[1:], info)
        keys = upload_keys(
            payload[:SECRET_BYTES], company=self.company, request=self.request, upload=upload
        )
        found = keys.open_manifest(manifest, payload[SECRET_BYTES:])
        if found.expires:
            raise Malformed("an upload does not expire")
        return ReceivedFiles(keys, found)

    @property
    def _folder_key(self) -> bytes:
        return derive_key(self.key, "tessera/v1/request-folder")

    @property
    def _associated(self) -> bytes:
        return u8(1) + self.company.bytes + self.request.bytes


@dataclass(frozen=True, slots=True)
class ReceivedFiles:
    """What somebody outside has sent. Nothing says who."""

    keys: ShareKeys
    manifest: Manifest


def keys_hash(keys: PublicKeys, *, company: UUID, request: UUID) -> bytes:
    bound = _KEYS_LABEL + company.bytes + request.bytes + keys.encode()
    return hashlib.sha256(bound).digest()


def read_request_keys(data: bytes, link: RequestLink, *, company: UUID) -> PublicKeys:
    """The service delivers the keys, and the link says which they are."""
    keys = PublicKeys.decode(data)
    digest = keys_hash(keys, company=company, request=link.request)
    if not hmac.compare_digest(digest, link.keys_hash):
        raise NotAuthentic("other keys than the link's")
    return keys


def upload_keys(secret: bytes, *, company: UUID, request: UUID, upload: UUID) -> ShareKeys:
    """Sealed like a share, under a secret that only the sender and the members know."""
    if len(secret) != SECRET_BYTES:
        raise Malformed("an upload's secret has 32 bytes")
    context = company.bytes + request.bytes + upload.bytes
    return ShareKeys(company, upload, derive_key(secret, "tessera/v1/upload", context))


def seal_upload_key(
    secret: bytes,
    manifest_hash: bytes,
    keys: PublicKeys,
    *,
    company: UUID,
    request: UUID,
    upload: UUID,
) -> bytes:
    info = _upload_info(company, request, upload)
    return u8(SUITE) + keys.seal(secret + manifest_hash, info)


def _upload_info(company: UUID, request: UUID, upload: UUID) -> bytes:
    return _UPLOAD_LABEL + u8(SUITE) + company.bytes + request.bytes + upload.bytes


def _check_folder(path: str) -> str:
    return check_path(path) if path else path
