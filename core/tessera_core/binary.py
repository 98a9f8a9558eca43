"""Fields of the binary formats: big-endian numbers, raw bytes, text with its length in front."""

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


def text(value: str, limit: int) -> bytes:
    data = value.encode("utf-8")
    if not 1 <= len(data) <= limit:
        raise Malformed(f"a text of 1 to {limit} bytes is expected")
    return u16(len(data)) + data


class Reader:
    """Takes fields off the front of a byte string and refuses to read past its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def take(self, size: int) -> bytes:
        if size > self.left:
            raise Malformed("the bytes end too early")
        field = self._data[self._at : self._at + size]
        self._at += size
        return field

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
        return UUID(bytes=self.take(16))

    def text(self, limit: int) -> str:
        size = self.u16()
        if not 1 <= size <= limit:
            raise Malformed(f"a text of 1 to {limit} bytes is expected")
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
