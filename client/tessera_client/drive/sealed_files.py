"""Files that lie on this computer only as sealed blocks.

Every write of a block draws a fresh value, and the block's key comes from it: a block that is
written again under one key and position never repeats a key with its nonce.
"""

import os
import secrets
from collections import OrderedDict
from contextlib import suppress
from errno import EIO
from pathlib import Path
from struct import Struct
from threading import RLock

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_client.drive.first_blocks import FirstBlocks
from tessera_core.binary import Buffer, u32, u64
from tessera_core.kdf import KEY_BYTES, derive_key

BLOCK_BYTES = 128 * 1024
FILE_ID_BYTES = 16

_VALUE_BYTES = 24
_TAG_BYTES = 16
_HEADER = Struct(f">{_VALUE_BYTES}sI")
_STRIDE = _HEADER.size + BLOCK_BYTES + _TAG_BYTES
_NONCE = bytes(12)
# Blocks that are kept until they are full or others are written.
_UNSEALED_BLOCKS = 16


class BlockDamaged(OSError):
    """A block is not what was written."""

    def __init__(self) -> None:
        super().__init__(EIO, os.strerror(EIO))


def new_file_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def seal_block(key: bytes, file: bytes, number: int, data: Buffer) -> Buffer:
    value = secrets.token_bytes(_VALUE_BYTES)
    sealed = bytearray(_HEADER.size + len(data) + _TAG_BYTES)
    _HEADER.pack_into(sealed, 0, value, len(data))
    _cipher(key, value).encrypt_into(
        _NONCE, data, _associated(file, number, len(data)), memoryview(sealed)[_HEADER.size :]
    )
    return sealed


def open_block(key: bytes, file: bytes, number: int, record: Buffer) -> bytes:
    """Raises BlockDamaged if it is another block, or was changed."""
    view = memoryview(record)
    if len(view) < _HEADER.size + _TAG_BYTES:
        raise BlockDamaged
    value, length = _HEADER.unpack_from(view)
    sealed = view[_HEADER.size : _HEADER.size + length + _TAG_BYTES]
    try:
        return _cipher(key, value).decrypt(_NONCE, sealed, _associated(file, number, length))
    except InvalidTag:
        raise BlockDamaged from None


class SealedFile:
    """Random access to blocks; what was never written is None. The first one lies in a database
    with those of other files. Thread-safe.

    `written` has a bit for each block that was: a block that the disk has lost is no empty one."""

    def __init__(
        self, path: Path, first_blocks: FirstBlocks, key: bytes, written: bytes = b""
    ) -> None:
        self.path = path
        self._first_blocks = first_blocks
        self._key = key
        self._id = bytes.fromhex(path.name)
        self._opened: int | None = None
        self._lock = RLock()
        self._unsealed: OrderedDict[int, Buffer] = OrderedDict()
        self._written = bytearray(written)

    def read(self, number: int) -> Buffer | None:
        with self._lock:
            if number in self._unsealed:
                return self._unsealed[number]
            if not self.is_written(number):
                return None
            if number:
                record = _read_at(self._descriptor, (number - 1) * _STRIDE, _STRIDE)
            else:
                record = self._first_blocks.get(self.path.name) or b""
            return open_block(self._key, self._id, number, record)

    def write(self, number: int, data: Buffer) -> None:
        """Takes the data over: the caller does not change it any more."""
        with self._lock:
            # Room is made first: what a full disk cannot take is not taken here either.
            while number not in self._unsealed and len(self._unsealed) >= _UNSEALED_BLOCKS:
                self._seal(*self._unsealed.popitem(last=False))
            self._unsealed[number] = data
            self._unsealed.move_to_end(number)
            self._mark(number)

    def is_written(self, number: int) -> bool:
        byte, bit = divmod(number, 8)
        with self._lock:
            return byte < len(self._written) and bool(self._written[byte] >> bit & 1)

    def cut(self, blocks: int) -> None:
        """Forgets every block from this number on."""
        with self._lock:
            for number in [each for each in self._unsealed if each >= blocks]:
                del self._unsealed[number]
            byte, bit = divmod(blocks, 8)
            if byte < len(self._written):
                self._written[byte] &= (1 << bit) - 1
                del self._written[byte + 1 :]

    def written(self) -> bytes:
        with self._lock:
            return bytes(self._written)

    def _mark(self, number: int) -> None:
        byte, bit = divmod(number, 8)
        if byte >= len(self._written):
            self._written.extend(bytes(byte + 1 - len(self._written)))
        self._written[byte] |= 1 << bit

    def seal(self, *, is_durable: bool = False) -> None:
        with self._lock:
            while self._unsealed:
                self._seal(*self._unsealed.popitem(last=False))
            if is_durable and self._has_file:
                os.fsync(self._descriptor)

    def close(self) -> None:
        """Thousands of files may wait: the system's file is open only while it is used."""
        with self._lock:
            self.seal()
            if self._opened is not None:
                os.close(self._opened)
                self._opened = None

    def remove(self) -> None:
        with self._lock:
            self._unsealed.clear()
            self.close()
            # What a full disk does not let go of is removed at the next start.
            with suppress(OSError):
                self._first_blocks.remove(self.path.name)
            self.path.unlink(missing_ok=True)

    @property
    def _has_file(self) -> bool:
        """Whether any other block than the first was written."""
        return int.from_bytes(self._written, "little") > 1

    @property
    def _descriptor(self) -> int:
        if self._opened is None:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._opened = os.open(self.path, flags, 0o600)
        return self._opened

    def _seal(self, number: int, data: Buffer) -> None:
        record = seal_block(self._key, self._id, number, data)
        try:
            if number:
                _write_at(self._descriptor, (number - 1) * _STRIDE, record)
            else:
                self._first_blocks.put(self.path.name, record)
        except OSError:
            self._unsealed[number] = data
            self._unsealed.move_to_end(number, last=False)
            raise


def _cipher(key: bytes, value: bytes) -> AESGCM:
    return AESGCM(derive_key(key, "tessera/client/block", value))


def _associated(file: bytes, number: int, length: int) -> bytes:
    return file + u64(number) + u32(length)


def _read_at(descriptor: int, offset: int, size: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, size)


def _write_at(descriptor: int, offset: int, data: Buffer) -> None:
    view = memoryview(data)
    while view:
        if hasattr(os, "pwrite"):
            written = os.pwrite(descriptor, view, offset)
        else:
            os.lseek(descriptor, offset, os.SEEK_SET)
            written = os.write(descriptor, view)
        view, offset = view[written:], offset + written
