"""Chunks of stored files: from memory, from the cache on disk, or from the warehouses."""

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Lock

from tessera_client.drive.cache import ChunkCache
from tessera_client.transfer.download import ChunkPlace, ChunkReader
from tessera_client.transfer.threads import start
from tessera_client.vault.snapshot import ChunkPlaces, Snapshot
from tessera_client.vault.spaces import Space
from tessera_core.chunks import CHUNK_BYTES, chunk_length
from tessera_core.errors import Malformed
from tessera_core.files import File
from tessera_core.tree import Tree

# Nothing that a program waits for hangs longer.
MAX_SECONDS = 25
MEMORY_BYTES = 48 * 1024**2
AHEAD_CHUNKS = 16

# After so many misses in one pack, its other chunks are expected to be read too.
_MISSES_FOR_PACK = 2


class Chunks:
    """Gives out the chunks of one space. Thread-safe."""

    def __init__(self, space: Space, cache: ChunkCache) -> None:
        self.cache = cache
        self._lock = Lock()
        self._memory: dict[bytes, bytes] = {}
        self._memory_bytes = 0
        self._coming: dict[bytes, Future[bytes]] = {}
        self._misses: Counter[bytes] = Counter()
        self._source = space.source()
        self._known_places = _KnownPlaces()
        self.follow(space)

    def follow(self, space: Space) -> None:
        """Takes the packs and keys of the space as it is now."""
        places, keyring = self._known_places.follow(space.snapshot), space.keyring
        contents = space.tree.packs
        with self._lock:
            self._source.follow(space.state.packs)
            self._places, self._keyring = places, keyring
            self._contents, self._id = contents, space.id

    def read(self, chunk: bytes) -> bytes:
        """Raises TimeoutError, or what the warehouses have answered."""
        return self._get(chunk).result(MAX_SECONDS)

    def fetch(self, chunks: Sequence[bytes]) -> list["Future[bytes]"]:
        """Begins to fetch chunks that nobody has asked for yet, into the cache."""
        return list(self._fetch(chunks).values())

    def pack_end(self, chunks: Sequence[bytes], position: int) -> int:
        """Where the pack ends that holds the chunk before a position: it is fetched once."""
        end = position
        while 0 < end < len(chunks) and self._pack(chunks[end]) == self._pack(chunks[end - 1]):
            end += 1
        return end

    def _pack(self, chunk: bytes) -> bytes | None:
        places = self._places.get(chunk)
        return places[0].pack if places else None

    def read_ahead(self, chunks: Sequence[bytes]) -> None:
        """Begins to fetch what will be read soon: of each pack everything at once."""
        by_pack: dict[bytes, list[bytes]] = {}
        for chunk in chunks:
            if places := self._places.get(chunk):
                by_pack.setdefault(places[0].pack, []).append(chunk)
        for group in by_pack.values():
            self._fetch(group)

    def _get(self, chunk: bytes) -> "Future[bytes]":
        with self._lock:
            known = self._memory.get(chunk)
            if known is not None:
                return _done(known)
            if chunk in self._coming:
                return self._coming[chunk]
        stored = self.cache.get(self._keyring, chunk_name(chunk))
        if stored is not None:
            self._remember(chunk, stored)
            return _done(stored)
        return self._fetch([chunk, *self._neighbours(chunk)], missing=chunk)[chunk]

    def _neighbours(self, chunk: bytes) -> Iterable[bytes]:
        """Small files lie together: a folder that is read is fetched pack by pack."""
        places = self._places.get(chunk)
        if not places:
            return ()
        pack = places[0].pack
        self._misses[pack] += 1
        if self._misses[pack] < _MISSES_FOR_PACK or pack not in self._contents:
            return ()
        self._misses[pack] = 0
        return (record.id for record in self._contents[pack].chunks if record.id != chunk)

    def _fetch(
        self, chunks: Sequence[bytes], missing: bytes | None = None
    ) -> dict[bytes, "Future[bytes]"]:
        """Returns what comes for each chunk; one that is on its way is not asked for again.
        `missing` was looked for in the cache already."""
        answers, wanted = dict[bytes, Future[bytes]](), dict[bytes, Future[bytes]]()
        with self._lock:
            for chunk in dict.fromkeys(chunks):
                if chunk in self._memory:
                    answers[chunk] = _done(self._memory[chunk])
                elif chunk in self._coming:
                    answers[chunk] = self._coming[chunk]
                else:
                    answers[chunk] = wanted[chunk] = self._coming[chunk] = Future()
            places, reader = self._places, ChunkReader(self._source, self._keyring)
        if wanted:
            start(partial(self._load, wanted, missing, places, reader))
        return answers

    def _load(
        self,
        wanted: dict[bytes, "Future[bytes]"],
        not_cached: bytes | None,
        places: dict[bytes, list[ChunkPlace]],
        reader: ChunkReader,
    ) -> None:
        missing = []
        for chunk, answer in wanted.items():
            is_cached = chunk != not_cached
            stored = self.cache.get(self._keyring, chunk_name(chunk)) if is_cached else None
            if stored is not None:
                self._settle(chunk, answer, stored)
            elif chunk in places:
                missing.append(chunk)
            else:
                self._fail(chunk, answer, Malformed("no pack holds this chunk"))
        try:
            reader.plan([places[chunk][0] for chunk in missing])
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            for chunk in missing:
                self._fail(chunk, wanted[chunk], error)
            return
        contents = reader.read_each([places[chunk] for chunk in missing])
        for number, chunk in enumerate(missing, 1):
            try:
                content = next(contents)
            except Exception as error:  # noqa: BLE001 - whoever waits gets it
                self._fail(chunk, wanted[chunk], error)
                contents = reader.read_each([places[each] for each in missing[number:]])
            else:
                self._settle(chunk, wanted.pop(chunk), content)
                self.cache.add_later(self._keyring, chunk_name(chunk), content)

    def _settle(self, chunk: bytes, answer: "Future[bytes]", content: bytes) -> None:
        self._remember(chunk, content)
        with self._lock:
            self._coming.pop(chunk, None)
        answer.set_result(content)

    def _fail(self, chunk: bytes, answer: "Future[bytes]", error: Exception) -> None:
        with self._lock:
            self._coming.pop(chunk, None)
        answer.set_exception(error)

    def _remember(self, chunk: bytes, content: bytes) -> None:
        with self._lock:
            self._memory_bytes += len(content) - len(self._memory.pop(chunk, b""))
            self._memory[chunk] = content
            # What was fetched first goes first: what was read lately may be needed less than what
            # was read ahead.
            while self._memory_bytes > MEMORY_BYTES:
                self._memory_bytes -= len(self._memory.pop(next(iter(self._memory))))


def chunk_name(chunk: bytes) -> bytes:
    """In the cache. A chunk's id is a keyed hash already; ids of two spaces never meet."""
    return chunk[:16]


class StoredContent:
    """The content of a file as a version of the space has it."""

    def __init__(self, chunks: Chunks, item: File) -> None:
        self.item = item
        self._chunks = chunks
        self._end = 0
        self._ahead = 0

    def read(self, offset: int, size: int) -> bytes:
        end = min(offset + size, self.item.size)
        if offset >= end:
            return b""
        first, last = offset // CHUNK_BYTES, (end - 1) // CHUNK_BYTES
        parts = []
        for number in range(first, last + 1):
            begin = number * CHUNK_BYTES
            chunk = self._chunks.read(self.item.chunks[number])
            if len(chunk) != chunk_length(self.item.size, number):
                raise Malformed("the chunks do not have the file's size")
            parts.append(chunk[max(0, offset - begin) : end - begin])
        self._read_ahead(offset, end)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _read_ahead(self, offset: int, end: int) -> None:
        """Who has read on where the last read ended will most likely go on."""
        # The system may ask for neighbouring parts out of order.
        is_sequential = self._end > 0 and abs(offset - self._end) <= CHUNK_BYTES
        self._end = max(end, self._end) if is_sequential else end
        if not is_sequential:
            self._ahead = 0
            return
        position = self._end // CHUNK_BYTES
        if self._ahead - position < AHEAD_CHUNKS:
            begin = max(position, self._ahead)
            self._ahead = self._chunks.pack_end(self.item.chunks, position + AHEAD_CHUNKS)
            self._chunks.read_ahead(self.item.chunks[begin : self._ahead])


class _KnownPlaces:
    """Where chunks lie. Of a large space, only packs that are new are looked at, as long as no
    chunk lies in two: then the order of its places may change with anything that is written."""

    def __init__(self) -> None:
        self._tree: Tree | None = None
        self._packs = set[bytes]()
        self._places: ChunkPlaces = {}
        self._is_clear = False

    def follow(self, snapshot: Snapshot) -> ChunkPlaces:
        tree, packs = snapshot.tree, snapshot.tree.packs.keys() & snapshot.state.packs.keys()
        if tree is not self._tree or not self._is_clear or not self._packs <= packs:
            self._places = snapshot.chunk_places()
            self._is_clear = all(len(places) == 1 for places in self._places.values())
        elif not self._add(snapshot, packs - self._packs):
            self._places, self._is_clear = snapshot.chunk_places(), False
        self._tree, self._packs = tree, packs
        return self._places

    def _add(self, snapshot: Snapshot, packs: set[bytes]) -> bool:
        """Returns False for a chunk that lies in another pack too."""
        for pack in packs:
            for place in snapshot.places_in(pack):
                if self._places.setdefault(place.chunk.id, [place])[0] is not place:
                    return False
        return True


def _done(content: bytes) -> "Future[bytes]":
    future: Future[bytes] = Future()
    future.set_result(content)
    return future
