"""Files that are being written, or wait to be sent. They lie here sealed."""

import time
from pathlib import Path
from threading import RLock

import msgspec

from tessera_client.drive.chunks import Chunks, StoredContent
from tessera_client.drive.first_blocks import FirstBlocks
from tessera_client.drive.sealed_files import (
    BLOCK_BYTES,
    FILE_ID_BYTES,
    SealedFile,
    new_file_key,
)
from tessera_core.binary import Buffer, Reader
from tessera_core.chunks import CHUNK_BYTES, chunk_length
from tessera_core.files import File, encode_item, read_item

_BLOCKS_PER_CHUNK = CHUNK_BYTES // BLOCK_BYTES


class StagedRecord(msgspec.Struct, frozen=True):
    """What the journal keeps about a staged file."""

    id: bytes
    key: bytes
    size: int
    modified: int
    executable: bool
    private: bool
    base: bytes
    """The version that it was made from, if it was not made from nothing."""
    base_end: int
    written: bytes = b""
    """Which blocks lie here."""


class StagedFile:
    """A file's content above a version of the space: only what was written lies here. Thread-safe.

    `changes` counts what was written, so that whoever has read it can tell whether it still is so.
    """

    def __init__(
        self, folder: Path, first_blocks: FirstBlocks, record: StagedRecord, chunks: Chunks
    ) -> None:
        base = read_item(Reader(record.base)) if record.base else None
        self.base = StoredContent(chunks, base) if isinstance(base, File) else None
        self._lock = RLock()
        self._record = record
        self._base_end = record.base_end
        path = folder / record.id.hex()
        self._sealed = SealedFile(path, first_blocks, record.key, record.written)
        self.size = record.size
        self.modified = record.modified
        self.executable = record.executable
        self.private = record.private
        self.changes = 0
        self.changed_at = 0.0
        """By a clock that only counts on."""
        self.writers = 0
        self.path: str | None = None
        """Where it is in the space now; None if it was removed."""
        self.seen = 0
        """The log's last entry that its writer knew of."""
        self.is_noted = False
        """Whether the journal knows its present state."""

    @property
    def id(self) -> bytes:
        return self._record.id

    def record(self) -> StagedRecord:
        return msgspec.structs.replace(
            self._record,
            size=self.size,
            modified=self.modified,
            executable=self.executable,
            private=self.private,
            base_end=self._base_end,
            written=self._sealed.written(),
        )

    def read(self, offset: int, size: int) -> bytes:
        with self._lock:
            end = min(offset + size, self.size)
            parts = []
            while offset < end:
                number, begin = divmod(offset, BLOCK_BYTES)
                length = min(end - offset, BLOCK_BYTES - begin)
                block = bytes(self._block(number)[begin : begin + length])
                parts.append(block.ljust(length, b"\0"))
                offset += length
            return parts[0] if len(parts) == 1 else b"".join(parts)

    def write(self, offset: int, data: Buffer) -> None:
        view = memoryview(data)
        with self._lock:
            self.touch()
            end = offset + len(view)
            while offset < end:
                number, begin = divmod(offset, BLOCK_BYTES)
                part = view[: BLOCK_BYTES - begin]
                block: Buffer
                if len(part) == BLOCK_BYTES:
                    block = part if isinstance(data, bytes) else bytearray(part)
                else:
                    known = self._block(number)
                    block = known if isinstance(known, bytearray) else bytearray(known)
                    if len(block) < begin:
                        block.extend(bytes(begin - len(block)))
                    block[begin : begin + len(part)] = part
                self._sealed.write(number, block)
                view, offset = view[len(part) :], offset + len(part)
                self.size = max(self.size, offset)
            self.modified = time.time_ns()

    def truncate(self, size: int) -> None:
        with self._lock:
            self.touch()
            if size < self.size:
                self._base_end = min(self._base_end, size)
                number, begin = divmod(size, BLOCK_BYTES)
                if begin and self._sealed.is_written(number):
                    self._sealed.write(number, bytearray(self._block(number)[:begin]))
                    number += 1
                self._sealed.cut(number)
            self.size = size
            self.modified = time.time_ns()

    def touch(self) -> None:
        """Its content or what is known about it has changed."""
        with self._lock:
            self.changes += 1
            self.changed_at = time.monotonic()
            self.is_noted = False

    def known_chunk(self, position: int) -> bytes | None:
        """The id of a chunk that is still the one of the version it was made from."""
        if self.base is None or position >= len(self.base.item.chunks):
            return None
        begin, length = position * CHUNK_BYTES, chunk_length(self.size, position)
        if length != chunk_length(self.base.item.size, position) or begin + length > self._base_end:
            return None
        first = position * _BLOCKS_PER_CHUNK
        blocks = range(first, first + _BLOCKS_PER_CHUNK)
        if any(self._sealed.is_written(number) for number in blocks):
            return None
        return self.base.item.chunks[position]

    @property
    def lock(self) -> RLock:
        """While it is held, nobody writes."""
        return self._lock

    def seal(self, *, is_durable: bool) -> None:
        with self._lock:
            self._sealed.seal(is_durable=is_durable)

    def close(self) -> None:
        """It can be used again afterwards."""
        with self._lock:
            self._sealed.close()

    def remove(self) -> None:
        self._sealed.remove()

    def _block(self, number: int) -> Buffer:
        """What lies in a block, without the zeros at its end."""
        block = self._sealed.read(number)
        if block is not None:
            return block
        begin = number * BLOCK_BYTES
        if self.base is None or begin >= self._base_end:
            return b""
        return self.base.read(begin, min(BLOCK_BYTES, self._base_end - begin))


def new_record(base: File | None, *, executable: bool, private: bool) -> StagedRecord:
    return StagedRecord(
        id=new_file_key()[:FILE_ID_BYTES],
        key=new_file_key(),
        size=base.size if base else 0,
        modified=base.modified if base else time.time_ns(),
        executable=executable,
        private=private,
        base=encode_item(base) if base else b"",
        base_end=base.size if base else 0,
    )
