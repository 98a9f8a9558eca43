"""Sends files to a request by its link, without an account and without the service's page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

from tessera_client.errors import ClientError, Refused
from tessera_client.texts import show_bytes, translate
from tessera_client.transfer.answers import GuestPacks, GuestRequest, OpenedRequest, Unread
from tessera_client.transfer.api import Api, ApiError, normalize_origin
from tessera_client.transfer.threads import start
from tessera_client.transfer.upload import PackWriter, Placement, SealedPack, describe_pack
from tessera_client.vault.guest_shares import read_link
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.progress import Advance, ShowProgress
from tessera_client.vault.scan import LocalFile, Problem, Unreadable, read_chunks, scan
from tessera_client.vault.share_keys import ShareKeyring
from tessera_client.vault.shares import manifest_size
from tessera_core import base64url
from tessera_core.changes import PackContents
from tessera_core.chunks import chunk_count, chunk_id
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.files import File, Folder
from tessera_core.packs import PACK_BYTES
from tessera_core.requests import (
    GuestAccess,
    RequestDetails,
    RequestLink,
    read_request_keys,
    seal_upload_key,
    upload_keys,
)
from tessera_core.shards import PackRecord, Shard, split_pack
from tessera_core.shares import (
    MAX_MANIFEST_BYTES,
    Manifest,
    ShareKeys,
    manifest_hash,
    new_secret,
)
from tessera_core.user_keys import PublicKeys

UPLOAD_HEADER = "Tessera-Upload-Token"
# A piece whose cloud did not answer is sent again.
_MAX_ROUNDS = 3


@dataclass(frozen=True)
class Sent:
    title: str
    files: int
    bytes: int
    left_out: list[str]
    """Symbolic links, which mean nothing elsewhere."""
    failed: list[Problem]


class _Request(NamedTuple):
    api: Api
    link: RequestLink
    company: UUID
    keys: PublicKeys
    details: RequestDetails
    placement: Placement
    bytes_left: int
    token: str


def parse_request_link(text: str) -> RequestLink:
    return read_link(text, RequestLink.parse, "errors.not_a_request_link")


def send_files(
    link: RequestLink,
    sources: Sequence[Path],
    patterns: Patterns,
    show: ShowProgress,
    *,
    dry_run: bool = False,
) -> Sent:
    """The service is the link's: it learns nothing of an account here."""
    request = _open(link)
    scanned = [
        item for source in sources for item in scan(source, source.absolute().name, patterns)
    ]
    failed = [item for item in scanned if isinstance(item, Problem)]
    local = [item for item in scanned if isinstance(item, LocalFile)]
    left_out = [file.path for file in local if not file.is_file and not file.is_folder]
    chosen = [file for file in local if file.is_file or file.is_folder]
    files = [file for file in chosen if file.is_file]
    total = sum(file.status.st_size for file in files)
    _check(request, chosen, files, total)
    if not dry_run:
        with show(translate("progress.sending"), total) as advance:
            failed += _send(request, chosen, advance)
    broken = {problem.path for problem in failed}
    done = [file for file in files if file.place not in broken]
    size = sum(file.status.st_size for file in done)
    return Sent(request.details.title, len(done), size, left_out, failed)


def _open(link: RequestLink) -> _Request:
    api = Api(normalize_origin(link.origin))
    path = f"/requests/{link.request}"
    guest_request = api.get(path, GuestRequest)
    access = GuestAccess(guest_request.company, link.request, link.token)
    token = base64url.encode(access.access_token)
    try:
        keys = read_request_keys(guest_request.public_keys, link, company=guest_request.company)
        opened = api.post(f"{path}/open", OpenedRequest, {"token": token}, repeat=True)
        details = access.open_details(opened.details, keys)
    except ApiError as error:
        if error.code != "request_token_wrong":
            raise
        raise ClientError.from_code("share_link_wrong") from None
    except (Malformed, NotAuthentic):
        raise Refused.from_code("request_swapped") from None
    placement = Placement.checked(opened.k, opened.n)
    return _Request(
        api, link, guest_request.company, keys, details, placement, opened.bytes_left, token
    )


def _check(
    request: _Request, chosen: Sequence[LocalFile], files: Sequence[LocalFile], total: int
) -> None:
    """Said before anything is sent."""
    if not chosen:
        raise ClientError.from_code("nothing_to_send")
    names = [file.path for file in chosen]
    if len(set(names)) < len(names):
        raise ClientError.from_code("send_name_twice")
    details = request.details
    if len(files) > details.max_files or total > min(details.max_bytes, request.bytes_left):
        raise ClientError.from_code(
            "request_limit",
            files=details.max_files,
            size=show_bytes(min(details.max_bytes, request.bytes_left)),
        )
    planned = {
        file.path: File(
            file.status.st_size,
            0,
            executable=False,
            chunks=(b"",) * chunk_count(file.status.st_size),
        )
        for file in files
    }
    if manifest_size(planned) > MAX_MANIFEST_BYTES:
        raise ClientError.from_code("send_too_large")


def _send(request: _Request, chosen: Sequence[LocalFile], advance: Advance) -> list[Problem]:
    upload, secret = uuid4(), new_secret()
    context = {"company": request.company, "request": request.link.request, "upload": upload}
    keys = upload_keys(secret, **context)
    sink = _GuestUploader(request, upload)
    writer = PackWriter(sink, request.placement, upload, ShareKeyring(keys), is_compressed=True)
    items, failed = list[tuple[str, File | Folder]](), list[Problem]()
    chunk_ids = set[bytes]()
    for file in chosen:
        if file.is_folder:
            items.append((file.path, Folder(file.status.st_mtime_ns)))
            continue
        try:
            items.append((file.path, _seal_file(keys, writer, file, chunk_ids, advance)))
        except OSError as error:
            failed.append(Problem(file.place, str(error)))
        except Unreadable as error:
            failed.append(Problem(file.place, str(error)))
    writer.finish()
    if not items:
        return failed
    items.sort(key=lambda each: each[0].encode())
    manifest = Manifest(0, tuple(sink.records), tuple(sink.contents), tuple(items))
    sealed = keys.seal_manifest(manifest)
    key = seal_upload_key(secret, manifest_hash(sealed), request.keys, **context)
    body = {
        "token": request.token,
        "id": str(upload),
        "uploadKey": base64url.encode(key),
        "manifest": base64url.encode(sealed),
    }
    request.api.post(f"/requests/{request.link.request}/arrivals", Unread, body, repeat=True)
    return failed


def _seal_file(
    keys: ShareKeys,
    writer: PackWriter,
    file: LocalFile,
    known: set[bytes],
    advance: Advance,
) -> File:
    chunks, size = list[bytes](), 0
    id_key = keys.chunk_id_key
    for chunk in read_chunks(file):
        identifier = chunk_id(id_key, chunk)
        if identifier not in known:
            known.add(identifier)
            writer.add(identifier, chunk)
        chunks.append(identifier)
        size += len(chunk)
        advance(len(chunk))
    return File(size, file.status.st_mtime_ns, executable=False, chunks=tuple(chunks))


class _GuestUploader:
    """Sends packs through the service, one after another, the pieces of each at once."""

    def __init__(self, request: _Request, upload: UUID) -> None:
        self._request = request
        self._upload = upload
        self._buffer = bytearray(PACK_BYTES)
        self.records: list[PackRecord] = []
        self.contents: list[PackContents] = []

    def buffer(self) -> bytearray:
        return self._buffer

    def submit_new(self, pack: SealedPack, buffer: bytearray) -> None:
        assert buffer is self._buffer
        shards = split_pack(pack.content, pack.name, pack.coding)
        missing, failure = self._announce(shards), None
        for _ in range(_MAX_ROUNDS):
            attempts = [start(self._send_piece, shards[index]) for index in missing]
            failure = next(filter(None, [attempt.result() for attempt in attempts]), None)
            missing = self._announce(shards) if failure else []
            if not missing:
                break
        if len(shards) - len(missing) < pack.coding.k:
            raise failure or ClientError.from_code("send_not_stored")
        self.records.append(PackRecord.of(shards))
        self.contents.append(PackContents(pack.name.pack, pack.chunks))

    def _announce(self, shards: Sequence[Shard]) -> list[int]:
        """Returns what the service lacks."""
        body = {
            "token": self._request.token,
            "arrivalId": str(self._upload),
            "packs": [describe_pack(shards)],
        }
        path = f"/requests/{self._request.link.request}/packs"
        answer = self._request.api.post(path, GuestPacks, body, repeat=True)
        missing = {index for pack in answer.packs for index in pack.missing}
        return sorted(missing & set(range(len(shards))))

    def _send_piece(self, shard: Shard) -> ClientError | None:
        """Returns what went wrong."""
        name = shard.trailer.name
        place = f"{base64url.encode(name.pack)}/{shard.trailer.index}"
        headers = {UPLOAD_HEADER: self._request.token}
        try:
            self._request.api.send_bytes(
                f"/requests/pieces/{self._request.link.request}/{place}", shard.encode(), headers
            )
        except ApiError as error:
            if error.status < 500:
                raise
            return error
        return None
