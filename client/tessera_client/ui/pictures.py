"""Which pictures the page shows: those of known kinds that do not need too much memory."""

from collections.abc import Iterator

MAX_PICTURE_BYTES = 8 * 2**20
MAX_PIXELS = 40_000_000

_JPEG_SEGMENTS = {*range(0xC0, 0xFF)} - {*range(0xD0, 0xDA)}
# Starts of a frame, in which the size stands; the others between them are tables.
_JPEG_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def is_picture(content: bytes) -> bool:
    """Whether a browser should draw it. A small file can claim to have billions of pixels."""
    width, height = _size(content)
    return 0 < width * height <= MAX_PIXELS


def _size(content: bytes) -> tuple[int, int]:
    """Width and height; (0, 0) of anything else."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR":
        return _number(content[16:20]), _number(content[20:24])
    if content.startswith(b"\xff\xd8"):
        for marker, segment in _jpeg_segments(content):
            if marker in _JPEG_FRAMES:
                return _number(segment[3:5]), _number(segment[1:3])
    return 0, 0


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    at = 2
    while at + 4 <= len(content):
        start, marker, length = content[at], content[at + 1], _number(content[at + 2 : at + 4])
        # Stricter than decoders, so that both read the same size.
        if start != 0xFF or marker not in _JPEG_SEGMENTS or length < 2:
            return
        yield marker, content[at + 4 : at + 2 + length]
        at += 2 + length


def _number(content: bytes) -> int:
    return int.from_bytes(content)
