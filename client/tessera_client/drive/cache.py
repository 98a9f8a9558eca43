"""Chunks that were read lately, sealed on disk. The least recently used ones go first."""

import os
import secrets
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from queue import Queue
from threading import Lock, Thread
from uuid import UUID

from tessera_client.drive.sealed_files import BlockDamaged, new_file_key, open_block, seal_block
from tessera_core.binary import u32
from tessera_core.errors import NoSeed
from tessera_core.keyring import Keyring

DEFAULT_LIMIT = 2 * 1024**3

_WAITING_CHUNKS = 16
_GENERATION_BYTES = 4
_SEALED_KEY_BYTES = len(seal_block(bytes(32), b"", 0, bytes(32)))


class ChunkCache:
    """Keeps at most `limit` bytes below a folder, across restarts. Thread-safe.

    A file's own key is sealed by one that comes from the space's seed: whoever is removed from the
    space and loses the seeds cannot open it any more."""

    def __init__(self, folder: Path, limit: int = DEFAULT_LIMIT) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder = folder
        self._limit = limit
        self._lock = Lock()
        found = sorted((entry.stat().st_mtime_ns, entry.name, entry.stat().st_size)
                       for entry in os.scandir(folder))  # fmt: skip
        self._sizes = OrderedDict((name, size) for _, name, size in found)
        self._total = sum(self._sizes.values())
        self._kept: dict[UUID, frozenset[str]] = {}
        """What stays beyond the limit, of each space."""
        self._waiting: Queue[tuple[Keyring, bytes, bytes]] = Queue(_WAITING_CHUNKS)
        Thread(target=self._write, daemon=True).start()

    def keep(self, space: UUID, names: Iterable[bytes]) -> None:
        """Chunks with these names are never removed for others, and do not count."""
        with self._lock:
            self._kept[space] = frozenset(name.hex() for name in names)
            self._total = sum(
                size for name, size in self._sizes.items() if not self._is_kept(name)
            )  # fmt: skip

    def missing(self, names: Iterable[bytes]) -> list[bytes]:
        with self._lock:
            return [name for name in names if name.hex() not in self._sizes]

    def get(self, keyring: Keyring, name: bytes) -> bytes | None:
        """Returns None for what is not there, was damaged, or cannot be opened."""
        path = self.folder / name.hex()
        try:
            content = memoryview(path.read_bytes())
            # The order survives a restart.
            os.utime(path)
            generation = int.from_bytes(content[:_GENERATION_BYTES], "big")
            sealed_key = content[_GENERATION_BYTES:][:_SEALED_KEY_BYTES]
            key = open_block(keyring.local_key(generation), name, 0, sealed_key)
            chunk = open_block(key, name, 1, content[_GENERATION_BYTES + _SEALED_KEY_BYTES :])
        except FileNotFoundError:
            return None
        except (BlockDamaged, NoSeed, OSError):
            self._remove(name.hex())
            return None
        with self._lock:
            if name.hex() in self._sizes:
                self._sizes.move_to_end(name.hex())
        return chunk

    def add_later(self, keyring: Keyring, name: bytes, chunk: bytes) -> None:
        """Stores a chunk in the background: whoever reads on does not wait for the disk."""
        self._waiting.put((keyring, name, chunk))

    def finish(self) -> None:
        """Waits until everything is stored."""
        self._waiting.join()

    def _write(self) -> None:
        while True:
            keyring, name, chunk = self._waiting.get()
            # Whatever goes wrong, those who add more must not wait for ever.
            with suppress(Exception):
                self.add(keyring, name, chunk)
            self._waiting.task_done()

    def add(self, keyring: Keyring, name: bytes, chunk: bytes) -> None:
        """A full disk only means that the chunk is fetched again."""
        key, generation = new_file_key(), keyring.generation
        content = (
            u32(generation),
            seal_block(keyring.local_key(generation), name, 0, key),
            seal_block(key, name, 1, chunk),
        )
        path = self.folder / name.hex()
        unfinished = path.with_suffix(f".{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.writelines(content)
            unfinished.replace(path)
        except OSError:
            unfinished.unlink(missing_ok=True)
            self._remove(name.hex())
            return
        size = sum(map(len, content))
        with self._lock:
            self._forget(name.hex())
            self._sizes[name.hex()] = size
            if not self._is_kept(name.hex()):
                self._total += size
            superfluous = self._drop_oldest()
        for oldest in superfluous:
            with suppress(OSError):
                (self.folder / oldest).unlink()

    def _drop_oldest(self) -> list[str]:
        dropped, excess = list[str](), self._total - self._limit
        for name, size in self._sizes.items():
            if excess <= 0:
                break
            if not self._is_kept(name):
                dropped.append(name)
                excess -= size
        for name in dropped:
            self._forget(name)
        return dropped

    def _is_kept(self, name: str) -> bool:
        return any(name in names for names in self._kept.values())

    def _forget(self, name: str) -> None:
        size = self._sizes.pop(name, 0)
        if not self._is_kept(name):
            self._total -= size

    def _remove(self, name: str) -> None:
        with self._lock:
            self._forget(name)
        with suppress(OSError):
            (self.folder / name).unlink()
