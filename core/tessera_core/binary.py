"""Fields of the binary formats: big-endian numbers, raw bytes, text with its length in front; and
structures whose fields follow each other."""

import dataclasses
from collections.abc import Callable
from functools import cache, lru_cache
from struct import Struct
from typing import Annotated, Any, Generic, Self, TypeVar, get_args, get_type_hints
from uuid import UUID

from tessera_core.errors import Malformed

Buffer = bytes | bytearray | memoryview
T = TypeVar("T")


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

    def flag(self) -> bool:
        number = self.u8()
        if number > 1:
            raise Malformed("a flag is 0 or 1")
        return bool(number)

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


@dataclasses.dataclass(frozen=True)
class Form(Generic[T]):
    """How a field is written and read."""

    encode: Callable[[T], bytes]
    read: Callable[[Reader], T]


def raw(size: int) -> Form[bytes]:
    return Form(bytes, lambda reader: reader.take(size))


def listed(item: Form[T]) -> Form[tuple[T, ...]]:
    """Items with their number in front, in two bytes."""
    return Form(
        lambda items: u16(len(items)) + b"".join(map(item.encode, items)),
        lambda reader: tuple(item.read(reader) for _ in range(reader.u16())),
    )


U8 = Annotated[int, Form(u8, Reader.u8)]
U16 = Annotated[int, Form(u16, Reader.u16)]
U32 = Annotated[int, Form(u32, Reader.u32)]
U64 = Annotated[int, Form(u64, Reader.u64)]
Uuid = Annotated[UUID, Form[UUID](lambda value: value.bytes, Reader.uuid)]


class Structure:
    """A dataclass whose fields follow each other, each in the form that annotates it."""

    __slots__ = ()

    def encode(self) -> bytes:
        return b"".join(form.encode(getattr(self, name)) for name, form in self._forms())

    @classmethod
    def read(cls, reader: Reader) -> Self:
        return cls(*[form.read(reader) for _, form in cls._forms()])

    @classmethod
    @cache
    def _forms(cls) -> list[tuple[str, Form[Any]]]:
        """A field without a form knows itself how it is written and read."""
        hints = get_type_hints(cls, include_extras=True)
        types = [(field.name, hints[field.name]) for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
        return [
            (name, get_args(type_)[1] if get_args(type_) else Form(type_.encode, type_.read))
            for name, type_ in types
        ]
