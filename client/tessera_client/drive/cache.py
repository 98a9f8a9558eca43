"""Chunks that were read lately, sealed on disk. The least recently used ones go first."""

import os
import secrets
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from threading import Lock

from tessera_client.drive.sealed_files import BlockDamaged, new_file_key, open_block, seal_block
from tessera_core.binary import u32
from tessera_core.errors import NoSeed
from tessera_core.keyring import Keyring

DEFAULT_LIMIT = 2 * 1024**3

_GENERATION_BYTES = 4
_SEALED_KEY_BYTES = len(seal_block(bytes(32), b"", 0, bytes(32)))


class ChunkCache:
    """Keeps at most `limit` bytes below a folder, across restarts. Thread-safe.

    A file's own key is sealed by one that comes from the space's seed: whoever is removed from the
    space and loses the seeds cannot open it any more."""

    def __init__(self, folder: Path, limit: int = DEFAULT_LIMIT) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self._limit = limit
        self._lock = Lock()
        found = sorted((entry.stat().st_mtime_ns, entry.name, entry.stat().st_size)
                       for entry in os.scandir(folder))  # fmt: skip
        self._sizes = OrderedDict((name, size) for _, name, size in found)
        self._total = sum(self._sizes.values())

    def get(self, keyring: Keyring, name: bytes) -> bytes | None:
        """Returns None for what is not there, was damaged, or cannot be opened."""
        path = self._folder / name.hex()
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

    def add(self, keyring: Keyring, name: bytes, chunk: bytes) -> None:
        """A full disk only means that the chunk is fetched again."""
        key, generation = new_file_key(), keyring.generation
        content = b"".join(
            (
                u32(generation),
                seal_block(keyring.local_key(generation), name, 0, key),
                seal_block(key, name, 1, chunk),
            )
        )
        path = self._folder / name.hex()
        unfinished = path.with_suffix(f".{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.write(content)
            unfinished.replace(path)
        except OSError:
            unfinished.unlink(missing_ok=True)
            self._remove(name.hex())
            return
        with self._lock:
            self._total += len(content) - self._sizes.pop(name.hex(), 0)
            self._sizes[name.hex()] = len(content)
            superfluous = []
            while self._total > self._limit and self._sizes:
                oldest, size = self._sizes.popitem(last=False)
                self._total -= size
                superfluous.append(oldest)
        for oldest in superfluous:
            with suppress(OSError):
                (self._folder / oldest).unlink()

    def _remove(self, name: str) -> None:
        with self._lock:
            self._total -= self._sizes.pop(name, 0)
        with suppress(OSError):
            (self._folder / name).unlink()
