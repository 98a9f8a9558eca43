"""Reads chunks out of packs: fetches the fastest k shards, checks them and rebuilds the rest."""

import hmac
import time
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from itertools import islice
from operator import itemgetter
from threading import Lock
from typing import NamedTuple, Protocol
from uuid import UUID

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.transfer.answers import Link, Links, ShardToRead
from tessera_client.transfer.api import Api
from tessera_client.transfer.links import MAX_ATTEMPTS, WarehouseError, Warehouses
from tessera_client.transfer.threads import start
from tessera_core import base64url
from tessera_core.binary import Buffer
from tessera_core.chunks import chunk_id
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.log import PackState
from tessera_core.packs import TAG_BYTES, ChunkRecord, PackName, open_chunk
from tessera_core.shards import TRAILER_BYTES, Coding, PackRecord, Shard, recover_pack

MAX_LINK_PACKS = 64
PREFETCHED_PACKS = 2
CACHED_PACKS = 1
OPENED_CHUNKS = 2
# A warehouse that takes longer is not waited for, if another one can replace it.
STALL_SECONDS = 4.0
# If less than this part of a pack is needed, only the ranges with those chunks are read. Ranges
# that lie close together are read as one, because each request takes its time.
RANGE_SHARE = 4
RANGE_GAP_BYTES = 256 * 1024
COMPARED_BATCH = 256

_EXPIRY_MARGIN_SECONDS = 60
# Links that were asked for a moment ago are not asked for again.
_OLD_SECONDS = 60
_MAX_LINKS = 4096


class ChunkPlace(NamedTuple):
    """Where one sealed chunk lies in a pack."""

    pack: bytes
    position: int
    offset: int
    chunk: ChunkRecord


class Damaged(ClientError):
    """A pack could not be read from the warehouses that answer."""

    def __init__(self, pack: bytes, intact: int, needed: int) -> None:
        if intact < needed:
            message = translate("errors.not_enough_pieces", intact=intact, needed=needed)
        else:
            message = translate("errors.pieces_do_not_fit")
        super().__init__(message, code="not_enough_pieces")
        self.pack = pack


@dataclass(frozen=True, slots=True)
class _ShardLink:
    index: int
    warehouse: int | None
    link: Link
    size: int
    """Of the whole object, as the log says."""


class PackKeys(Protocol):
    """A space's keyring, or the keys of a share."""

    @property
    def chunk_id_key(self) -> bytes: ...
    def pack_key(self, generation: int, pack: bytes) -> bytes: ...


class PackProvider(Protocol):
    """Where packs come from: warehouses by links, or folders."""

    def prepare(self, packs: Sequence[bytes]) -> None: ...
    def name(self, pack: bytes) -> PackName: ...
    def coding(self, pack: bytes) -> Coding: ...
    def fetch(self, pack: bytes, *, check: bool = True) -> bytes:
        """Without a check, whoever reads a chunk has to compare it with its id."""
        ...

    def fetch_range(self, pack: bytes, offset: int, size: int) -> Buffer: ...


class PackSource:
    """Fetches packs of one space or share by the service's links; thread-safe."""

    def __init__(
        self, api: Api, warehouses: Warehouses, space: UUID, packs: Mapping[bytes, PackState]
    ) -> None:
        self._api = api
        self._warehouses = warehouses
        self._space = space
        self._packs = packs
        self._links: dict[bytes, tuple[float, list[_ShardLink]]] = {}
        self._asked: dict[bytes, tuple[float, float]] = {}
        self._seconds: dict[int | None, float] = {}
        self._lock = Lock()
        # Rebuilding takes several times a pack's memory, so packs take turns.
        self._recovering = Lock()

    def follow(self, packs: Mapping[bytes, PackState]) -> None:
        """Knows more packs; what was learned about the warehouses stays."""
        self._packs = packs

    def prepare(self, packs: Sequence[bytes]) -> None:
        """Asks for the links of many packs in few calls."""
        with self._lock:
            missing = [pack for pack in dict.fromkeys(packs) if not self._is_fresh(pack)]
        for at in range(0, len(missing), MAX_LINK_PACKS):
            self._ask(missing[at : at + MAX_LINK_PACKS])

    def name(self, pack: bytes) -> PackName:
        state = self._packs.get(pack)
        if state is None:
            raise Malformed("the log does not know this pack")
        return PackName(self._space, state.generation, pack)

    def coding(self, pack: bytes) -> Coding:
        return self._packs[pack].record.coding

    def fetch(self, pack: bytes, *, check: bool = True) -> bytes:
        """Returns a whole pack that matches what the log says about it, or without a check one
        whose shards claim so: hashing them takes a tenth of the time of a large get."""
        load = partial(self._load, check=check)
        name, record = self.name(pack), self._packs[pack].record
        try:
            return self._collect(name, record, load)
        except Damaged:
            # If this computer's clock is wrong or stood still, the links may have expired.
            if not self._is_old(pack):
                raise
        self._ask([pack])
        return self._collect(name, record, load)

    def fetch_range(self, pack: bytes, offset: int, size: int) -> Buffer:
        """Returns bytes of a pack out of its data shards, unchecked: the seal of a chunk checks."""
        part_size = self.coding(pack).shard_length
        by_index = {link.index: link for link in self._shard_links(pack)}
        content = bytearray()
        while size:
            index, start_at = divmod(offset, part_size)
            length = min(size, part_size - start_at)
            if index not in by_index:
                raise WarehouseError(None)
            content += self._load_range(by_index[index], start_at, length)
            offset, size = offset + length, size - length
        return content

    def shards(self, pack: bytes) -> dict[int, Shard | None]:
        """Fetches every shard of a pack; None stands for one that is missing or damaged."""
        coding = self.coding(pack)
        shards: dict[int, Shard | None] = dict.fromkeys(range(coding.n))
        loads = {link.index: start(self._load, link) for link in self._shard_links(pack)}
        return shards | {index: _result(load) for index, load in loads.items()}

    def _collect(self, name: PackName, record: PackRecord, load: Callable[..., Shard]) -> bytes:
        """Asks each warehouse once, as long as others can replace it, then the failing ones more
        patiently."""
        k = record.coding.k
        candidates = self._by_speed(self._shard_links(name.pack))
        running = {start(load, each, attempts=1): each for each in candidates[:k]}
        waiting, failed = candidates[k:], list[_ShardLink]()
        attempts = 1
        intact: list[Shard] = []
        while running:
            done, _ = wait(running, STALL_SECONDS, FIRST_COMPLETED)
            replacements = 0 if done else 1
            if not done:
                for each in running.values():
                    self._note(each.warehouse, STALL_SECONDS)
            for future in done:
                each, shard = running.pop(future), _result(future)
                if shard is None:
                    replacements += 1
                    failed.append(each)
                else:
                    intact.append(shard)
            if len(intact) >= k:
                try:
                    with self._recovering:
                        return recover_pack(intact, name, record)
                except NotEnoughShards:
                    # A warehouse lies, or has an object of another pack: one more is needed.
                    replacements += 1
            if not running and not waiting and attempts == 1:
                waiting, failed = failed, []
                replacements, attempts = len(waiting), MAX_ATTEMPTS
            for each in waiting[:replacements]:
                running[start(load, each, attempts=attempts)] = each
            del waiting[:replacements]
        raise Damaged(name.pack, len(intact), k)

    def _load(self, each: _ShardLink, *, attempts: int = MAX_ATTEMPTS, check: bool = True) -> Shard:
        begun = time.monotonic()
        try:
            content = self._warehouses.download(each.link, limit=each.size, attempts=attempts)
        except WarehouseError:
            self._note(each.warehouse, float("inf"))
            raise
        self._note(each.warehouse, time.monotonic() - begun)
        return Shard.decode(content, check=check)

    def _load_range(self, each: _ShardLink, start_at: int, size: int) -> Buffer:
        """Asks once: the pack can be had from other warehouses."""
        if self._seconds.get(each.warehouse) == float("inf"):
            raise WarehouseError(None)
        try:
            return self._warehouses.download(
                each.link, start=start_at, size=size, limit=each.size, attempts=1
            )
        except WarehouseError:
            self._note(each.warehouse, float("inf"))
            raise

    def _note(self, warehouse: int | None, seconds: float) -> None:
        with self._lock:
            before = self._seconds.get(warehouse, seconds)
            mixed = seconds if before == float("inf") else (before + seconds) / 2
            self._seconds[warehouse] = mixed

    def _by_speed(self, links: Sequence[_ShardLink]) -> list[_ShardLink]:
        """Failing warehouses last, much slower ones behind others; data shards before parities."""
        fastest = min(self._seconds.values(), default=0.0)

        def order(each: _ShardLink) -> tuple[bool, int]:
            seconds = self._seconds.get(each.warehouse, 0.0)
            return seconds > 2 * fastest + 0.2, each.index

        with self._lock:
            return sorted(links, key=order)

    def _shard_links(self, pack: bytes) -> list[_ShardLink]:
        with self._lock:
            fresh = self._is_fresh(pack)
        if not fresh:
            self._ask([pack])
        with self._lock:
            return self._links.get(pack, (0.0, []))[1]

    def _is_old(self, pack: bytes) -> bool:
        """By either clock: one does not count while the computer sleeps, the other may be set."""
        if pack not in self._asked:
            return False
        counted, moment = self._asked[pack]
        return max(time.monotonic() - counted, time.time() - moment) > _OLD_SECONDS

    def _is_fresh(self, pack: bytes) -> bool:
        known = self._links.get(pack)
        return known is not None and known[0] > time.time()

    def _ask(self, packs: Sequence[bytes]) -> None:
        answer = self._request(packs)
        with self._lock:
            if len(self._links) > _MAX_LINKS:
                self._links.clear()
            for pack, shards in answer.items():
                self._links[pack] = self._read_links(shards, self.coding(pack))
                self._asked[pack] = time.monotonic(), time.time()

    def _request(self, packs: Sequence[bytes]) -> dict[bytes, list[ShardToRead]]:
        return ask_for_links(self._api, self._space, packs)

    @staticmethod
    def _read_links(
        shards: Sequence[ShardToRead], coding: Coding
    ) -> tuple[float, list[_ShardLink]]:
        """Links to shards that the pack has, and when the first one expires."""
        size = TRAILER_BYTES + coding.shard_length
        links = [
            _ShardLink(shard.index, shard.warehouse_id, shard.link, size)
            for shard in shards
            if shard.link and shard.index < coding.n
        ]
        expiries = (each.link.expires_at.timestamp() for each in links)
        return min(expiries, default=time.time()) - _EXPIRY_MARGIN_SECONDS, links


class ChunkReader:
    """Opens chunks, fetching the packs of a plan ahead of their use."""

    def __init__(
        self,
        source: PackProvider,
        keyring: PackKeys,
        on_compared: Callable[[Sequence[tuple[bytes, bytes]]], None] = lambda _: None,
    ) -> None:
        """`on_compared` is told which chunks of which packs were found to be what their ids say."""
        self._source = source
        self._keyring = keyring
        self._on_compared = on_compared
        self._compared: list[tuple[bytes, bytes]] = []
        self._id_key = keyring.chunk_id_key
        self._cache: OrderedDict[bytes, Future[_Ranges]] = OrderedDict()
        self._ahead: deque[bytes] = deque()
        self._ranges: dict[bytes, list[tuple[int, int]]] = {}
        """Where those packs begin and end of which only ranges are read."""
        self._doubted: set[bytes] = set()
        """Packs with a chunk that did not open; from then on, they are compared with the log."""
        self._current: _OpenPack | None = None
        """The pack that was read last, which has most often the next chunk too."""

    def plan(self, places: Sequence[ChunkPlace]) -> None:
        """Announces the chunks that will be read, in their order."""
        needed: dict[bytes, set[tuple[int, int]]] = {}
        for place in places:
            end = place.offset + place.chunk.stored + TAG_BYTES
            needed.setdefault(place.pack, set()).add((place.offset, end))
        for pack, spans in needed.items():
            ranges = _merge(sorted(spans))
            size = sum(end - offset for offset, end in ranges)
            if size * RANGE_SHARE < self._source.coding(pack).length:
                self._ranges[pack] = ranges
        self._ahead = deque(needed)
        self._source.prepare(list(needed))

    def is_chunk(self, content: bytes, identifier: bytes) -> bool:
        """Whether this is the content that a chunk's id stands for."""
        return hmac.compare_digest(chunk_id(self._id_key, content), identifier)

    def read_any(self, places: Sequence[ChunkPlace]) -> bytes:
        """Reads a chunk from the first place that has it: others may only claim to."""
        for place in places[:-1]:
            try:
                return self.read(place)
            except (ClientError, Malformed, NotAuthentic, NotEnoughShards):
                continue
        return self.read(places[-1])

    def read_each(self, chunks: Sequence[Sequence[ChunkPlace]]) -> Iterator[bytes]:
        """Reads the chunks of a file in their order, each from the first place that has it. The
        next ones are opened meanwhile: hashing one takes longer than writing it."""
        if len(chunks) == 1:
            yield self.read_any(chunks[0])
            return
        opening: deque[tuple[Sequence[ChunkPlace], Future[bytes] | None]] = deque()
        for places in chunks:
            opening.append((places, self._open_ahead(places[0])))
            if len(opening) > OPENED_CHUNKS:
                yield self._opened(*opening.popleft())
        while opening:
            yield self._opened(*opening.popleft())

    def _open_ahead(self, place: ChunkPlace) -> "Future[bytes] | None":
        try:
            return start(self._find(place))
        except (ClientError, Malformed, NotAuthentic, NotEnoughShards):
            return None  # Said when it is this chunk's turn.

    def _opened(self, places: Sequence[ChunkPlace], future: "Future[bytes] | None") -> bytes:
        if future is None:
            return self.read_any(places)
        try:
            chunk = future.result()
        except (Malformed, NotAuthentic):
            return self.read_any(places)
        self._note(places[0])
        return chunk

    def read(self, place: ChunkPlace) -> bytes:
        chunk = self._read(place)
        self._note(place)
        return chunk

    def _note(self, place: ChunkPlace) -> None:
        self._compared.append((place.chunk.id, place.pack))
        if len(self._compared) >= COMPARED_BATCH:
            self.note_compared()

    def note_compared(self) -> None:
        self._on_compared(self._compared)
        self._compared = []

    def _read(self, place: ChunkPlace) -> bytes:
        try:
            return self._open(place)
        except (Malformed, NotAuthentic):
            if place.pack in self._doubted:
                raise
        # A warehouse lies.
        self._doubted.add(place.pack)
        self._current = None
        self._cache.pop(place.pack, None)
        return self._open(place)

    def _open(self, place: ChunkPlace) -> bytes:
        return self._find(place)()

    def _find(self, place: ChunkPlace) -> Callable[[], bytes]:
        """Fetches what a chunk is opened from; opening it may happen in another thread."""
        current = self._current
        if current is None or current.name.pack != place.pack:
            name = self._source.name(place.pack)
            key = self._keyring.pack_key(name.generation, place.pack)
            current = self._current = _OpenPack(name, key, self._pack(place.pack))
        return partial(
            open_chunk,
            _cut(current.ranges, place.offset, place.chunk.stored + TAG_BYTES),
            place.position,
            place.chunk,
            key=current.key,
            name=current.name,
            id_key=self._id_key,
        )

    def _pack(self, pack: bytes) -> "_Ranges":
        if pack in self._ahead:
            while self._ahead.popleft() != pack:
                pass
        future = self._load(pack)
        for coming in islice(self._ahead, PREFETCHED_PACKS):
            self._load(coming)
        while len(self._cache) > CACHED_PACKS + PREFETCHED_PACKS:
            self._cache.popitem(last=False)
        return future.result()

    def _load(self, pack: bytes) -> "Future[_Ranges]":
        """Packs that are needed next are the last to be dropped."""
        if pack not in self._cache:
            self._cache[pack] = start(self._fetch, pack)
        self._cache.move_to_end(pack)
        return self._cache[pack]

    def _fetch(self, pack: bytes) -> "_Ranges":
        check = pack in self._doubted
        ranges = self._ranges.get(pack)
        if ranges and not check:
            try:
                return [
                    (offset, memoryview(self._source.fetch_range(pack, offset, end - offset)))
                    for offset, end in ranges
                ]
            except (WarehouseError, Malformed):
                del self._ranges[pack]
        return [(0, memoryview(self._source.fetch(pack, check=check)))]


_Ranges = list[tuple[int, memoryview]]
"""Parts of a pack, and where each begins."""


class _OpenPack(NamedTuple):
    name: PackName
    key: bytes
    ranges: _Ranges


def _cut(ranges: _Ranges, offset: int, size: int) -> memoryview:
    begin, content = ranges[bisect_right(ranges, offset, key=itemgetter(0)) - 1]
    return content[offset - begin : offset - begin + size]


def _merge(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for span in spans:
        if merged and span[0] - merged[-1][1] <= RANGE_GAP_BYTES:
            merged[-1] = merged[-1][0], max(span[1], merged[-1][1])
        else:
            merged.append(span)
    return merged


def _result(future: "Future[Shard]") -> Shard | None:
    try:
        return future.result()
    except (WarehouseError, Malformed, NotAuthentic):
        return None


def ask_for_links(api: Api, space: UUID, packs: Sequence[bytes]) -> dict[bytes, list[ShardToRead]]:
    """Links to the shards of at most 64 packs, by pack."""
    body = {"spaceId": str(space), "packs": [base64url.encode(pack) for pack in packs]}
    answer = api.post("/storage/links", Links, body, repeat=True)
    return {pack.id: pack.shards for pack in answer.packs if pack.id in packs}
