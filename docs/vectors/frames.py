"""Zstandard frames put together by hand (RFC 8878), because libraries make different ones."""

from itertools import repeat

MAGIC = b"\x28\xb5\x2f\xfd"
_MAX_BLOCK = 128 * 1024


def frame(*blocks: bytes, size: int, dictionary: int | None = None) -> bytes:
    """A single segment with its size in four bytes; the last block is marked as such."""
    descriptor = 0x80 | 0x20 | (0 if dictionary is None else 1)
    named = b"" if dictionary is None else bytes([dictionary])
    return MAGIC + bytes([descriptor]) + named + size.to_bytes(4, "little") + _ended(blocks)


def unsized(*blocks: bytes) -> bytes:
    """A frame with a window of 1 KiB that does not say how much is in it."""
    return MAGIC + b"\0\0" + _ended(blocks)


def windowed(*blocks: bytes, size: int, log: int) -> bytes:
    """Like `frame`, with a window of 2 to the power of `log` in place of a single segment."""
    return MAGIC + bytes([0x80, (log - 10) << 3]) + size.to_bytes(4, "little") + _ended(blocks)


def repeated(value: bytes, size: int) -> list[bytes]:
    """Blocks that say one byte so many times."""
    whole, rest = divmod(size, _MAX_BLOCK)
    sizes = [*repeat(_MAX_BLOCK, whole), *([rest] if rest else [])]
    return [(1 << 1 | each << 3).to_bytes(3, "little") + value for each in sizes]


def _ended(blocks: tuple[bytes, ...]) -> bytes:
    return b"".join(blocks[:-1]) + bytes([blocks[-1][0] | 1]) + blocks[-1][1:]


def plain(content: bytes) -> bytes:
    return (len(content) << 3).to_bytes(3, "little") + content
