"""Seals chunks into packs, codes them, and sends their shards to all warehouses in parallel."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit
from uuid import UUID

from tessera_client.errors import Refused
from tessera_client.texts import translate
from tessera_client.transfer.answers import (
    CompletedUploads,
    Link,
    PlacementRow,
    ShardToSend,
    Uploads,
)
from tessera_client.transfer.api import Api
from tessera_client.transfer.journal import SpooledPack, read_spooled
from tessera_client.transfer.links import WarehouseError, Warehouses
from tessera_client.transfer.threads import start
from tessera_core import base64url
from tessera_core.binary import Buffer
from tessera_core.compression import Compressor
from tessera_core.erasure import MAX_SHARDS
from tessera_core.packs import PACK_BYTES, PACK_ID_BYTES, ChunkRecord, PackBuilder, PackName
from tessera_core.shards import TRAILER_BYTES, Coding, PackRecord, Shard, coding_for, split_pack

PACKS_IN_FLIGHT = 3
MAX_ROUNDS = 3
MIN_WAREHOUSES = 3


class SpoolOfPacks(Protocol):
    """Where packs wait until they are sent: the journal, or nowhere."""

    def add(self, pack: SpooledPack, content: Buffer) -> None: ...
    def remove(self, pack: bytes) -> None: ...
    def set_stored(self, pack: SpooledPack) -> None: ...
    def path(self, pack: bytes) -> Path: ...


class PackSink(Protocol):
    """What takes finished packs: the uploader, or that of a guest."""

    def buffer(self) -> bytearray: ...
    def submit_new(self, pack: "SealedPack", buffer: bytearray) -> None: ...


class SealingKeys(Protocol):
    """A space's keyring, or the keys of a share."""

    @property
    def generation(self) -> int: ...
    def pack_key(self, generation: int, pack: bytes) -> bytes: ...


Failures = Mapping[int, WarehouseError | None]

# What a create-only upload answers if the object exists, and an expired link.
_ASK_AGAIN = {403, 409, 410, 412}


@dataclass(frozen=True)
class Placement:
    """How packs are coded now."""

    k: int
    n: int

    @classmethod
    def load(cls, api: Api) -> "Placement":
        answer = api.get("/storage/placement", PlacementRow)
        return cls.checked(answer.k, answer.n)

    @classmethod
    def checked(cls, k: int, n: int) -> "Placement":
        """A service that asks for another code would have less survive than was promised."""
        if not MIN_WAREHOUSES <= n <= MAX_SHARDS or coding_for(n, n).k != k:
            raise Refused.from_code("placement_refused")
        return cls(k, n)


@dataclass(frozen=True)
class SendResult:
    pack: SpooledPack
    stored: int
    abandoned: bool = False
    """Another object has the name of a shard: the pack must be made again."""
    refusals: Mapping[str, str] = field(default_factory=dict)
    """Why shards are missing, by the names of their warehouses."""


@dataclass(frozen=True)
class SealedPack:
    """A pack that is neither coded nor spooled yet."""

    name: PackName
    coding: Coding
    content: memoryview
    chunks: tuple[ChunkRecord, ...]
    is_body: bool


class Uploader:
    """Codes, spools and sends packs of one space, a few at a time."""

    def __init__(
        self,
        api: Api,
        warehouses: Warehouses,
        journal: SpoolOfPacks,
        on_sent: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._sender = _Sender(api, warehouses, journal, on_sent)
        self._journal = journal
        self._running: dict[Future[SendResult], bytearray | None] = {}
        self._free: list[bytearray] = []
        self.sent: dict[bytes, SpooledPack] = {}
        self.refusals = dict[str, str]()
        """Why shards are missing, by the names of their warehouses."""
        self.lost: list[bytes] = []
        """Packs whose spool file or name is gone; their chunks have to be read again."""

    def buffer(self) -> bytearray:
        """Returns memory for a pack that `submit_new` gets."""
        return self._free.pop() if self._free else bytearray(PACK_BYTES)

    def submit_new(self, pack: SealedPack, buffer: bytearray) -> None:
        """Waits while enough packs are on their way, which bounds memory."""
        self._reap(PACKS_IN_FLIGHT - 1)
        self._running[start(self._sender.send_new, pack)] = buffer

    def submit(self, pack: SpooledPack) -> None:
        """Sends what is missing of a pack of an earlier run."""
        if pack.is_complete:
            self.sent[pack.name.pack] = pack
            return
        self._reap(PACKS_IN_FLIGHT - 1)
        self._running[start(self._sender.send_spooled, pack)] = None

    def finish(self) -> None:
        self._reap(0)

    def _reap(self, most: int) -> None:
        while len(self._running) > most:
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            for future in done:
                buffer = self._running.pop(future)
                if buffer is not None:
                    self._free.append(buffer)
                self._note(future.result())

    def _note(self, result: SendResult) -> None:
        pack = replace(result.pack, stored=result.stored)
        if result.abandoned:
            self._journal.remove(pack.name.pack)
            self.lost.append(pack.name.pack)
            return
        self._journal.set_stored(pack)
        self.refusals.update(result.refusals)
        self.sent[pack.name.pack] = pack


class PackWriter:
    """Collects chunks into packs and hands each finished one to the uploader."""

    def __init__(
        self,
        uploader: PackSink,
        placement: Placement,
        space: UUID,
        keyring: SealingKeys,
        *,
        is_body: bool = False,
        is_compressed: bool = False,
    ) -> None:
        self._uploader = uploader
        self._placement = placement
        self._space = space
        self._keyring = keyring
        self._is_body = is_body
        self._compressor = Compressor() if is_compressed else None
        self._builder: PackBuilder | None = None
        self._name: PackName | None = None
        self._buffer = bytearray()
        self.packs: list[bytes] = []

    def add(self, identifier: bytes, chunk: bytes | memoryview) -> None:
        content = self._compressor.compress(chunk) if self._compressor else chunk
        if self._builder and not self._builder.fits(len(content)):
            self._finish(last=False)
        if self._builder is None:
            self._begin()
        assert self._builder is not None
        self._builder.add(identifier, content, len(chunk))

    def finish(self) -> None:
        """Closes the last pack of a batch."""
        if self._builder:
            self._finish(last=True)

    def _begin(self) -> None:
        generation, pack = self._keyring.generation, secrets.token_bytes(PACK_ID_BYTES)
        self._name = PackName(self._space, generation, pack)
        key = self._keyring.pack_key(generation, pack)
        self._buffer = self._uploader.buffer()
        self._builder = PackBuilder(key, self._name, self._buffer)

    def _finish(self, *, last: bool) -> None:
        assert self._builder is not None
        assert self._name is not None
        content = self._builder.finish(last=last)
        coding = Coding(self._placement.k, self._placement.n, len(content))
        chunks = tuple(self._builder.chunks)
        sealed = SealedPack(self._name, coding, content, chunks, self._is_body)
        self.packs.append(self._name.pack)
        self._uploader.submit_new(sealed, self._buffer)
        self._builder = self._name = None


@dataclass(frozen=True)
class _Sender:
    api: Api
    warehouses: Warehouses
    journal: SpoolOfPacks
    on_sent: Callable[[int], None]

    def send_new(self, sealed: SealedPack) -> SendResult:
        shards = split_pack(sealed.content, sealed.name, sealed.coding)
        record = PackRecord.of(shards)
        pack = SpooledPack(sealed.name, record, sealed.chunks, sealed.is_body)
        self.journal.add(pack, sealed.content)
        return self._send(pack, shards)

    def send_spooled(self, pack: SpooledPack) -> SendResult:
        content = read_spooled(self.journal.path(pack.name.pack), pack)
        if content is None:
            return SendResult(pack, 0, abandoned=True)
        return self._send(pack, split_pack(content, pack.name, pack.record.coding))

    def _send(self, pack: SpooledPack, shards: Sequence[Shard]) -> SendResult:
        """Uploads the missing shards, asks the service what arrived, and repeats the rest."""
        stored, refusals = pack.stored, dict[str, str]()
        for _ in range(MAX_ROUNDS):
            rows = self._ask_for_links(pack, shards)
            stored = sum(1 << row.index for row in rows if row.is_stored)
            links = {row.index: row.link for row in rows if row.link and not row.is_stored}
            attempts = {
                index: start(self._upload, link, shards[index]) for index, link in links.items()
            }
            failures = {index: attempt.result() for index, attempt in attempts.items()}
            done = self._complete(pack, [i for i in links if _may_be_stored(failures[i])])
            if "different" in done.values():
                return SendResult(pack, stored, abandoned=True)
            stored |= sum(1 << index for index, state in done.items() if state == "stored")
            missing = [row for row in rows if not stored >> row.index & 1]
            refusals = {row.warehouse_name: _reason(row, failures) for row in missing}
            if not _worth_repeating(failures, done):
                break
        return SendResult(pack, stored, refusals=refusals)

    def _upload(self, link: Link, shard: Shard) -> WarehouseError | None:
        """Returns what went wrong."""
        try:
            self.warehouses.upload(link, shard.data, shard.trailer.encode())
        except WarehouseError as error:
            return error
        self.on_sent(len(shard.data))
        return None

    def _ask_for_links(self, pack: SpooledPack, shards: Sequence[Shard]) -> list[ShardToSend]:
        body = {"spaceId": str(pack.name.space), "packs": [describe_pack(shards)]}
        (answer,) = self.api.post("/storage/uploads", Uploads, body, repeat=True).packs
        return answer.shards

    def _complete(self, pack: SpooledPack, indexes: Sequence[int]) -> dict[int, str]:
        if not indexes:
            return {}
        body = {
            "spaceId": str(pack.name.space),
            "packs": [{"id": base64url.encode(pack.name.pack), "shards": list(indexes)}],
        }
        path = "/storage/uploads/complete"
        (answer,) = self.api.post(path, CompletedUploads, body, repeat=True).packs
        return {shard.index: shard.state for shard in answer.shards}


def describe_pack(shards: Sequence[Shard]) -> dict[str, object]:
    """What the service is told of a pack before it is sent."""
    name, coding = shards[0].trailer.name, shards[0].trailer.coding
    described = [
        {
            "index": shard.trailer.index,
            "size": TRAILER_BYTES + len(shard.data),
            "sha256": base64url.encode(shard.object_digest),
        }
        for shard in shards
    ]
    return {
        "id": base64url.encode(name.pack),
        "generation": name.generation,
        "k": coding.k,
        "n": coding.n,
        "length": coding.length,
        "shards": described,
    }


def _reason(row: ShardToSend, failures: Failures) -> str:
    """What the warehouse of a missing shard has answered."""
    if row.link is None:
        return translate("errors.no_upload_link")
    failure = failures[row.index]
    if failure and failure.blocked:
        return str(failure.blocked)
    host, status = urlsplit(row.link.url).hostname, failure.status if failure else None
    key = "errors.host_silent" if status is None else "errors.host_refused"
    return translate(key, host=host, status=status)


def _may_be_stored(failure: WarehouseError | None) -> bool:
    """An upload whose answer was lost may have arrived, and so may one of an earlier run."""
    return failure is None or failure.status is None or failure.status in _ASK_AGAIN


def _worth_repeating(failures: Failures, done: dict[int, str]) -> bool:
    """A new link helps where the old one was refused and nothing is stored."""
    return any(
        done.get(index) == "absent" and failure and failure.status in _ASK_AGAIN
        for index, failure in failures.items()
    )
