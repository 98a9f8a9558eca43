"""What every vector that must be refused is made of."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

MALFORMED, NOT_AUTHENTIC = "malformed", "not_authentic"

Bad = dict[str, Any]


def text(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def bad(error: str, reason: str, data: bytes, **more: object) -> Bad:
    return {"reason": reason, "error": error, "data": text(data), **more}


def parts(*pieces: tuple[bytes, int]) -> list[list[object]]:
    """Bytes too long to be written down: each piece, so many times."""
    return [[text(piece), times] for piece, times in pieces]


def bad_parts(error: str, reason: str, *pieces: tuple[bytes, int], **more: object) -> Bad:
    return {"reason": reason, "error": error, "parts": parts(*pieces), **more}


def at(data: bytes, offset: int, value: bytes) -> bytes:
    """Replaces bytes at an offset."""
    return data[:offset] + value + data[offset + len(value) :]


def flip(data: bytes, offset: int) -> bytes:
    return at(data, offset, bytes([data[offset] ^ 1]))


def any_object(good: bytes) -> Iterator[Bad]:
    """What is wrong with any object, whatever it is."""
    yield bad(MALFORMED, "empty", b"")
    yield bad(MALFORMED, "one byte", good[:1])
