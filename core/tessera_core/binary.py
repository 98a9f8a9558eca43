"""Fields of the binary formats: big-endian numbers, raw bytes, text with its length in front."""

from functools import lru_cache
from struct import Struct
from typing import Any
from uuid import UUID

from tessera_core.errors import Malformed

Buffer = bytes | bytearray | memoryview


def u8(number: int) -> bytes:
    return number.to_bytes(1, "big")


def u16(number: int) -> bytes:
    return number.to_bytes(2, "big")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def i64(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


def text(value: str, limit: int, *, at_least: int = 1) -> bytes:
    data = value.encode("utf-8")
    if not at_least <= len(data) <= limit:
        raise Malformed(f"a text of {at_least} to {limit} bytes is expected")
    return u16(len(data)) + data


@lru_cache(maxsize=1024)
def read_uuid(data: bytes) -> UUID:
    """Versions repeat the few authors of a space."""
    return UUID(bytes=data)


class Reader:
    """Takes fields off the front of a byte string and refuses to read past its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._size = len(data)
        self._at = 0

    @property
    def left(self) -> int:
        return self._size - self._at

    def take(self, size: int) -> bytes:
        end = self._at + size
        if end > self._size:
            raise Malformed("the bytes end too early")
        field = self._data[self._at : end]
        self._at = end
        return field

    def fields(self, layout: Struct) -> tuple[Any, ...]:
        """Takes fields of fixed widths at once: a checkpoint has millions of them."""
        return layout.unpack(self.take(layout.size))

    def u8(self) -> int:
        return int.from_bytes(self.take(1), "big")

    def u16(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "big")

    def i64(self) -> int:
        return int.from_bytes(self.take(8), "big", signed=True)

    def uuid(self) -> UUID:
        return read_uuid(self.take(16))

    def text(self, limit: int, *, at_least: int = 1) -> str:
        size = self.u16()
        if not at_least <= size <= limit:
            raise Malformed(f"a text of {at_least} to {limit} bytes is expected")
        try:
            return self.take(size).decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("a text is not UTF-8") from None

    def count(self, item_bytes: int) -> int:
        """Reads the number of following items, each of at least `item_bytes` bytes."""
        count = self.u32()
        if count * item_bytes > self.left:
            raise Malformed("more items are announced than there are bytes")
        return count

    def end(self) -> None:
        if self.left:
            raise Malformed("there are bytes after the end")
