"""Asks people outside for files, and stores anew what they have sent, without deduplication."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from tessera_client.errors import ClientError, Refused, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.answers import (
    ArrivalContents,
    ArrivalRow,
    Links,
    RequestCreated,
    RequestRow,
    Requests,
    ShardToRead,
    SharePolicy,
    Unread,
)
from tessera_client.transfer.api import Api
from tessera_client.transfer.download import ChunkReader, PackSource
from tessera_client.vault.changes import ChangeWriter, writing
from tessera_client.vault.guest_shares import places_of
from tessera_client.vault.progress import ShowProgress
from tessera_client.vault.put import PutSummary, note_result, with_restarts
from tessera_client.vault.restore import Restored, Restorer, Task, noting
from tessera_client.vault.scan import Problem, name_problem
from tessera_client.vault.share_keys import ShareKeyring
from tessera_client.vault.shares import check_origin
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core import base64url
from tessera_core.changes import Put
from tessera_core.errors import Malformed, NoSeed, NotAuthentic
from tessera_core.files import File, Folder
from tessera_core.log import PackState
from tessera_core.requests import (
    MAX_BYTES,
    MAX_FILES,
    MAX_TITLE_BYTES,
    ReceivedFiles,
    RequestDetails,
    RequestKeys,
)
from tessera_core.shares import SHARE_GENERATION
from tessera_core.tree import Tree

MAX_DAYS = 365


@dataclass(frozen=True)
class RequestOptions:
    days: int = 7
    files: int = 100
    bytes: int = 10**9


@dataclass(frozen=True)
class NewRequest:
    id: UUID
    link: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True)
class OpenedRequest:
    """A request as a member of its space sees it."""

    row: RequestRow
    space: Space
    keys: RequestKeys
    details: RequestDetails
    folder: str
    link: str = field(repr=False)


@dataclass(frozen=True)
class ListedRequest:
    row: RequestRow
    opened: OpenedRequest | None
    """None if the user has no access to its space, or it is forged."""
    is_forged: bool = False
    """Made without the keys of its space, which the service cannot know."""


@dataclass
class Accepted:
    request: OpenedRequest
    summary: PutSummary
    paths: list[str]
    """Where the files are, or would be, in the space."""


def create_request(
    vault: Vault, space: Space, folder: str, title: str, options: RequestOptions
) -> NewRequest:
    space.check_writable()
    if not title.strip() or len(title.encode()) > MAX_TITLE_BYTES:
        raise WrongUsage.from_code("bad_request_title")
    if not 1 <= options.bytes <= MAX_BYTES or not 1 <= options.files <= MAX_FILES:
        raise WrongUsage.from_code("bad_request_limit", files=MAX_FILES)
    api, company = vault.account.api, vault.account.profile.company
    request, generation = uuid4(), space.keyring.generation
    keys = RequestKeys.derive(space.keyring, generation, company=company, request=request)
    details = RequestDetails(title, options.files, options.bytes)
    body = {
        "id": str(request),
        "spaceId": str(space.id),
        "generation": generation,
        "publicKeys": base64url.encode(keys.private.public.encode()),
        "tokenHash": base64url.encode(hashlib.sha256(keys.access.access_token).digest()),
        "details": base64url.encode(keys.access.seal_details(details, keys.private)),
        "folder": base64url.encode(keys.seal_folder(folder)),
        "days": options.days,
        "bytes": options.bytes,
    }
    created = api.post("/storage/requests", RequestCreated, body)
    origin = check_origin(created.origin)
    return NewRequest(request, str(keys.link(origin)), created.expires_at)


def list_requests(vault: Vault) -> list[ListedRequest]:
    """Those of the user's spaces; the team leader sees that there are others."""
    answer = vault.account.api.get("/storage/requests", Requests)
    spaces = {space.id: space for space in vault.spaces()} if answer.requests else {}
    origin = check_origin(answer.origin)
    return [_open_request(vault, row, spaces.get(row.space_id), origin) for row in answer.requests]


def read_policy(api: Api) -> SharePolicy:
    """What the team leader allows; the service holds to it too."""
    return api.get("/storage/request-policy", SharePolicy)


def end_request(api: Api, request: UUID) -> None:
    api.call("DELETE", f"/storage/requests/{request}", Unread, repeat=True)


def refuse_arrival(api: Api, arrival: UUID) -> None:
    _decide(api, arrival, is_accepted=False)


def accept_arrival(
    vault: Vault, arrival: UUID, show: ShowProgress, *, dry_run: bool = False
) -> Accepted:
    """Nothing of what came is opened before."""
    request, row = _find(list_requests(vault), arrival)
    received = _open_arrival(vault, request, row)
    paths = _free_paths(request.space.tree, request.folder, received)
    notices: list[str] = []
    if dry_run:
        sizes = [item.size for _, item in received.manifest.items if isinstance(item, File)]
        return Accepted(request, PutSummary(bytes=sum(sizes)), list(paths.values()))

    def run() -> PutSummary:
        summary = PutSummary(notices=notices)
        _store(vault, request, row, received, paths, summary=summary, show=show)
        return summary

    summary = with_restarts(request.space, notices, run)
    if not summary.failed:
        _decide(vault.account.api, arrival, is_accepted=True)
    return Accepted(request, summary, summary.stored)


def _open_request(vault: Vault, row: RequestRow, space: Space | None, origin: str) -> ListedRequest:
    if space is None:
        return ListedRequest(row, None)
    company = vault.account.profile.company
    try:
        keys = RequestKeys.derive(space.keyring, row.generation, company=company, request=row.id)
        details = keys.access.open_details(row.details, keys.private.public)
        folder = keys.open_folder(row.folder)
    except NoSeed:
        return ListedRequest(row, None, is_forged=row.generation > space.state.generation)
    except (Malformed, NotAuthentic):
        return ListedRequest(row, None, is_forged=True)
    return ListedRequest(
        row, OpenedRequest(row, space, keys, details, folder, str(keys.link(origin)))
    )


def _find(requests: Iterable[ListedRequest], arrival: UUID) -> tuple[OpenedRequest, ArrivalRow]:
    for request in requests:
        for row in request.row.arrivals:
            if row.id == arrival and request.is_forged:
                raise Refused.from_code("request_forged", id=request.row.id)
            if row.id == arrival and request.opened:
                return request.opened, row
    raise ClientError.from_code("no_such_arrival", id=arrival)


def _open_arrival(vault: Vault, request: OpenedRequest, row: ArrivalRow) -> ReceivedFiles:
    contents = vault.account.api.get(f"/storage/arrivals/{row.id}", ArrivalContents)
    try:
        received = request.keys.open_upload(row.id, contents.upload_key, contents.manifest)
    except (Malformed, NotAuthentic):
        raise ClientError.from_code("arrival_damaged", id=row.id) from None
    sizes = [item.size for _, item in received.manifest.items if isinstance(item, File)]
    details = request.details
    if len(received.manifest.items) > 2 * details.max_files or len(sizes) > details.max_files:
        raise ClientError.from_code("arrival_too_large", id=row.id)
    if sum(sizes) > details.max_bytes:
        raise ClientError.from_code("arrival_too_large", id=row.id)
    return received


def _free_paths(tree: Tree, folder: str, received: ReceivedFiles) -> dict[str, str]:
    """Where each item goes. Nothing from outside takes the place of what is there."""
    tops: dict[str, str] = {}
    paths = {}
    for path, _ in received.manifest.items:
        top, slash, rest = path.partition("/")
        if top not in tops:
            tops[top] = _free_path(tree, f"{folder}/{top}" if folder else top, set(tops.values()))
        paths[path] = f"{tops[top]}{slash}{rest}"
    return paths


def _free_path(tree: Tree, path: str, taken: set[str]) -> str:
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    number, candidate = 1, path
    while candidate in taken or any(tree.walk(candidate)):
        number += 1
        candidate = f"{folder}{slash}{stem} ({number}){dot}{ending}"
    return candidate


def _store(
    vault: Vault,
    request: OpenedRequest,
    row: ArrivalRow,
    received: ReceivedFiles,
    paths: dict[str, str],
    *,
    summary: PutSummary,
    show: ShowProgress,
) -> None:
    space, restored = request.space, Restored()
    tasks = []
    for path, item in received.manifest.items:
        if problem := name_problem(paths[path]):
            summary.failed.append(Problem(paths[path], problem))
        else:
            tasks.append(Task(paths[path], (), item))
    total = sum(task.item.size for task in tasks if isinstance(task.item, File))
    source = _ArrivalPacks(vault, row.id, received)
    reader = ChunkReader(source, ShareKeyring(received.keys))
    with (
        show(translate("progress.accepting"), total) as advance,
        writing(vault, space, deduplicate=False) as writer,
    ):
        _add_all(writer, Restorer(reader, places_of(received.manifest), advance), tasks, restored)
        writer.commit()
        note_result(space, writer, summary, {})
    summary.failed += restored.failed
    summary.bytes = restored.bytes
    space.flush()


def _add_all(
    writer: ChangeWriter, restorer: Restorer, tasks: Sequence[Task], restored: Restored
) -> None:
    for task in restorer.plan(tasks):
        with noting(task, restored):
            item = task.item
            if isinstance(item, Folder):
                writer.add(Put(task.path, 0, Folder(item.modified)), _is_unseen)
            elif isinstance(item, File):
                chunks = tuple(writer.add_chunk(chunk) for chunk in restorer.read_content(item))
                # Nothing from outside can be started by itself.
                stored = File(item.size, item.modified, executable=False, chunks=chunks)
                writer.add(Put(task.path, 0, stored), _is_unseen)
                restored.bytes += item.size


def _is_unseen(_: str, __: object) -> bool:
    """Whoever is faster keeps the name."""
    return False


def _decide(api: Api, arrival: UUID, *, is_accepted: bool) -> None:
    api.put(f"/storage/arrivals/{arrival}/decision", Unread, {"isAccepted": is_accepted})


class _ArrivalPacks(PackSource):
    def __init__(self, vault: Vault, arrival: UUID, received: ReceivedFiles) -> None:
        records = received.manifest.records
        packs = {record.pack: PackState(record, SHARE_GENERATION) for record in records}
        super().__init__(vault.account.api, vault.warehouses, arrival, packs)

    def _request(self, packs: Sequence[bytes]) -> dict[bytes, list[ShardToRead]]:
        body = {"packs": [base64url.encode(pack) for pack in packs]}
        path = f"/storage/arrivals/{self._space}/links"
        answer = self._api.post(path, Links, body, repeat=True)
        return {pack.id: pack.shards for pack in answer.packs if pack.id in packs}
