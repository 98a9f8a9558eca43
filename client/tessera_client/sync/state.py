"""The last common state: what each path was when folder and space were last the same. Sealed."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import msgspec

from tessera_client.vault.index import Index
from tessera_core.binary import Reader
from tessera_core.errors import Malformed
from tessera_core.files import Item, encode_item, read_item
from tessera_core.log import LogState

_NOT_SURE = -1


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """What the system says about a file, without reading it."""

    size: int
    modified: int
    changed: int
    """When anything about it changed, which no program can set."""
    inode: int
    executable: bool
    private: bool

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        mode = status.st_mode
        return cls(
            status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino,
            bool(mode & stat.S_IXUSR), not mode & (stat.S_IRWXG | stat.S_IRWXO),
        )  # fmt: skip

    def not_sure(self) -> "Stamp":
        """One that no file has, so that the file is read again."""
        return msgspec.structs.replace(self, changed=_NOT_SURE)

    @property
    def modes(self) -> tuple[bool, bool]:
        return self.executable, self.private

    @property
    def identity(self) -> tuple[int, int, int]:
        """What a file takes along when it is moved."""
        return self.inode, self.size, self.modified


@dataclass(frozen=True, slots=True)
class Known:
    item: Item
    sequence: int
    """The entry that put it into the space."""
    stamp: Stamp


class Pair(msgspec.Struct, frozen=True, rename="camel"):
    """A folder of this computer, and the one of a space that is kept the same."""

    folder: str
    space: UUID
    path: str
    """In the space; empty for the whole space."""
    skip: tuple[str, ...] = ()
    """Subfolders that are left out."""

    def id(self, index: Index) -> bytes:
        return index.name(self.space, "sync", self.folder, self.path)


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    pair: Pair
    place: tuple[int, int] | None
    known: dict[str, tuple[bytes, int, Stamp]]
    rewinds: int = 0


@dataclass
class SyncState:
    pair: Pair
    place: tuple[int, int] | None = None
    """Device and inode of the folder: another disk, or none, may be mounted there now."""
    known: dict[str, Known] = field(default_factory=dict)
    rewinds: int = 0
    """Of the space's log, when the two were last the same."""
    _saved: bytes = b""

    @classmethod
    def load(cls, index: Index, pair: Pair) -> "SyncState":
        for state in load_states(index):
            if state.pair.id(index) == pair.id(index):
                return state
        return cls(pair)

    def follow(self, log: LogState) -> None:
        """What came from entries that the leader has given up since is no common state any more:
        such files are stored again."""
        kept = log.kept_since(self.rewinds)
        if kept is not None:
            self.known = {path: each for path, each in self.known.items() if each.sequence <= kept}
            self.rewinds = len(log.rewinds)

    def save(self, index: Index) -> None:
        known = {
            path: (encode_item(each.item), each.sequence, each.stamp)
            for path, each in self.known.items()
        }
        stored = _Stored(self.pair, self.place, known, self.rewinds)
        encoded = msgspec.msgpack.encode(stored)
        if encoded != self._saved:
            index.save_sync(self.pair.id(index), self.pair.space, encoded)
            self._saved = encoded


def load_states(index: Index) -> Iterable[SyncState]:
    for encoded in index.syncs():
        # What is damaged counts as absent: then nothing is removed, and everything compared.
        with suppress(ValueError, Malformed):
            stored = msgspec.msgpack.decode(encoded, type=_Stored)
            known = {
                path: Known(item, sequence, stamp)
                for path, (data, sequence, stamp) in stored.known.items()
                if (item := read_item(Reader(data)))
            }
            yield SyncState(stored.pair, stored.place, known, stored.rewinds, encoded)


def place_of(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino
