"""Files, folders and links of a space, as changes and checkpoints describe them."""

from struct import Struct
from typing import ClassVar

import msgspec

from tessera_core.binary import Reader, i64, text, u8, u64
from tessera_core.chunks import CHUNK_ID_BYTES, chunk_count
from tessera_core.errors import Malformed

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 255
MAX_DEPTH = 100

_EXECUTABLE = 1
_PRIVATE = 2
_REMOVED = 0
_FILE_FIELDS = Struct(">QqB")
_FOLDER_FIELDS = Struct(">qB")
_NO_NAMES = frozenset(("", ".", ".."))


class File(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="file"):
    type: ClassVar[int] = 1
    size: int
    modified: int
    """Nanoseconds since 1970."""
    executable: bool
    chunks: tuple[bytes, ...]
    private: bool = False
    """Nobody but its owner may use it."""

    def __post_init__(self) -> None:
        if len(self.chunks) != chunk_count(self.size):
            raise Malformed("the number of chunks does not match the file's size")

    def fields(self) -> bytes:
        flags = self.executable * _EXECUTABLE | self.private * _PRIVATE
        return u64(self.size) + i64(self.modified) + u8(flags) + b"".join(self.chunks)

    @classmethod
    def read(cls, reader: Reader) -> "File":
        size, modified, flags = reader.fields(_FILE_FIELDS)
        if flags & ~(_EXECUTABLE | _PRIVATE):
            raise Malformed("a file has unknown flags")
        count = chunk_count(size)
        if count * CHUNK_ID_BYTES > reader.left:
            raise Malformed("the bytes end too early")
        chunks = tuple(reader.take(CHUNK_ID_BYTES) for _ in range(count))
        return cls(size, modified, bool(flags & _EXECUTABLE), chunks, bool(flags & _PRIVATE))


class Folder(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="folder"):
    """Only needed for folders that are empty, or whose time matters."""

    type: ClassVar[int] = 2
    modified: int
    private: bool = False

    def fields(self) -> bytes:
        return i64(self.modified) + u8(_PRIVATE if self.private else 0)

    @classmethod
    def read(cls, reader: Reader) -> "Folder":
        modified, flags = reader.fields(_FOLDER_FIELDS)
        if flags & ~_PRIVATE:
            raise Malformed("a folder has unknown flags")
        return cls(modified, bool(flags))


class Link(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="link"):
    """A symbolic link. Readers never follow one while they write."""

    type: ClassVar[int] = 3
    modified: int
    target: str

    def __post_init__(self) -> None:
        if "\0" in self.target:
            raise Malformed("no system has a link with such a target")

    def fields(self) -> bytes:
        return i64(self.modified) + text(self.target, MAX_PATH_BYTES)

    @classmethod
    def read(cls, reader: Reader) -> "Link":
        return cls(reader.i64(), reader.text(MAX_PATH_BYTES))


Item = File | Folder | Link
_TYPES: dict[int, type[Item]] = {each.type: each for each in (File, Folder, Link)}


def encode_item(item: Item | None) -> bytes:
    """An item that was removed is encoded as a single zero byte."""
    return u8(item.type) + item.fields() if item else u8(_REMOVED)


def read_item(reader: Reader) -> Item | None:
    code = reader.u8()
    if code == _REMOVED:
        return None
    kind = _TYPES.get(code)
    if not kind:
        raise Malformed("the item's type is unknown")
    return kind.read(reader)


def check_path(path: str) -> str:
    """Returns the path if it is relative and its parts are names on every system's terms."""
    names = path.split("/")
    if (
        "\0" in path
        or not _NO_NAMES.isdisjoint(names)
        or len(names) > MAX_DEPTH
        or max(len(name.encode()) for name in names) > MAX_NAME_BYTES
    ):
        raise Malformed("the path has too many parts, or one that cannot be a name")
    return path


def encode_path(path: str) -> bytes:
    return text(check_path(path), MAX_PATH_BYTES)


def read_path(reader: Reader) -> str:
    return check_path(reader.text(MAX_PATH_BYTES))
