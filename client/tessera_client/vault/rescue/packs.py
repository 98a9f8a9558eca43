"""Puts packs together from copied shards, whichever clouds lie."""

import itertools
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from tessera_client.texts import translate
from tessera_client.vault.rescue.copies import CompanyCopies, CopiedShard, Fault
from tessera_core.erasure import MAX_SHARDS
from tessera_core.errors import Malformed, NotAuthentic, NotEnoughShards
from tessera_core.log import PackState
from tessera_core.packs import PackName
from tessera_core.shards import TRAILER_BYTES, Coding, PackRecord, Shard, recover_pack, split_pack

_CACHED_PACKS = 2


@dataclass(frozen=True)
class _Piece:
    file: CopiedShard
    shard: Shard


class CopiedPacks:
    """The packs of one space; thread-safe."""

    def __init__(
        self, copies: CompanyCopies, space: UUID, packs: Mapping[bytes, PackState]
    ) -> None:
        self._copies = copies
        self._space = space
        self._packs = packs
        self._cache: OrderedDict[bytes, bytes] = OrderedDict()
        self._lost: dict[bytes, str] = {}
        self._counts: dict[bytes, int] = {}
        self._lock = Lock()

    def prepare(self, packs: Sequence[bytes]) -> None:
        pass

    def name(self, pack: bytes) -> PackName:
        return PackName(self._space, self._state(pack).generation, pack)

    def coding(self, pack: bytes) -> Coding:
        return self._state(pack).record.coding

    def fetch(self, pack: bytes, *, check: bool = True) -> bytes:  # noqa: ARG002 - it is cheap
        """Returns the pack that the log describes."""
        name, record = self.name(pack), self._state(pack).record
        with self._lock:
            if pack in self._lost:
                raise NotEnoughShards(self._lost[pack])
            if pack not in self._cache:
                self._cache[pack] = self._collect(name, record)
            self._cache.move_to_end(pack)
            while len(self._cache) > _CACHED_PACKS:
                self._cache.popitem(last=False)
            return self._cache[pack]

    def check(self, pack: bytes) -> None:
        """Counts the pieces that are there with their whole size, without reading them."""
        coding = self.coding(pack)
        if pack not in self._counts:
            size = coding.shard_length + TRAILER_BYTES
            files = self._files(pack, coding)
            self._counts[pack] = len({file.index for file in files if file.has_size(size)})
        if self._counts[pack] < coding.k:
            raise NotEnoughShards(_too_few(self._counts[pack], coding))

    def fetch_range(self, pack: bytes, offset: int, size: int) -> bytes:
        return self.fetch(pack)[offset : offset + size]

    def _state(self, pack: bytes) -> PackState:
        state = self._packs.get(pack)
        if state is None:
            raise Malformed("the log does not know this pack")
        return state

    def _collect(self, name: PackName, record: PackRecord) -> bytes:
        """Reads further shards only if the first ones do not give the pack."""
        pieces: list[_Piece] = []
        damaged: list[CopiedShard] = []
        for file in self._files(name.pack, record.coding):
            try:
                shard = Shard.decode(file.read(TRAILER_BYTES + record.coding.shard_length))
            except (OSError, Malformed, NotAuthentic):
                file.note(Fault.PIECE_DAMAGED)
                damaged.append(file)
                continue
            pieces.append(_Piece(file, shard))
            content = _join(pieces, name, record)
            if content is not None:
                break
        else:
            attempts = (_join(some, name, record) for some in _without_clouds(pieces))
            content = next((each for each in attempts if each is not None), None)
        if content is None:
            self._lost[name.pack] = _explain(pieces, name, record)
            raise NotEnoughShards(self._lost[name.pack])
        wrong = _wrong_pieces(pieces, content, name, record)
        for file in wrong:
            file.note(Fault.PIECE_WRONG)
        self._copies.corrected.update(file.path for file in (*damaged, *wrong))
        return content

    def _files(self, pack: bytes, coding: Coding) -> Iterator[CopiedShard]:
        """Data shards first. No cloud holds more than the n of a pack, so the rest is rubbish."""
        taken: Counter[int] = Counter()
        files = self._copies.shards.get(pack, [])
        for file in sorted(files, key=lambda each: (each.index >= coding.k, each.index)):
            taken[file.cloud.number] += 1
            if taken[file.cloud.number] <= MAX_SHARDS:
                yield file


def _join(pieces: Sequence[_Piece], name: PackName, record: PackRecord) -> bytes | None:
    try:
        return recover_pack([piece.shard for piece in pieces], name, record)
    except NotEnoughShards:
        return None


def _without_clouds(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Leaves out one cloud, then two: many false pieces of one would hide the true ones."""
    clouds = sorted({piece.file.cloud.number for piece in pieces})
    for count in (1, 2):
        for left_out in itertools.combinations(clouds, count):
            yield [each for each in pieces if each.file.cloud.number not in left_out]


def _wrong_pieces(
    pieces: Sequence[_Piece], content: bytes, name: PackName, record: PackRecord
) -> list[CopiedShard]:
    """Compares all pieces with the pack once it is known, to learn which cloud gave false ones."""
    if len(pieces) == record.coding.k:
        return []
    true = {
        each.trailer.index: each.trailer.digest for each in split_pack(content, name, record.coding)
    }
    return [
        piece.file
        for piece in pieces
        if not _belongs(piece.shard, name, record)
        or piece.shard.trailer.digest != true[piece.shard.trailer.index]
    ]


def _explain(pieces: Sequence[_Piece], name: PackName, record: PackRecord) -> str:
    """Enough pieces that do not fit together are another matter than too few."""
    for piece in pieces:
        if not _belongs(piece.shard, name, record):
            piece.file.note(Fault.PIECE_WRONG)
    intact = {p.shard.trailer.index for p in pieces if _belongs(p.shard, name, record)}
    if len(intact) >= record.coding.k:
        return translate("errors.pieces_do_not_fit")
    return _too_few(len(intact), record.coding)


def _too_few(intact: int, coding: Coding) -> str:
    return translate("errors.not_enough_copies", intact=intact, needed=coding.k)


def _belongs(shard: Shard, name: PackName, record: PackRecord) -> bool:
    return (shard.trailer.name, shard.trailer.coding) == (name, record.coding)
