"""What can be done to the segments of any envelope, whatever it holds."""

import base64
import json
from collections.abc import Iterator
from typing import Literal

from tessera_core import base64url

Bad = dict[str, str]

HEADER, ENCRYPTED_KEY, IV, CIPHERTEXT, TAG = range(5)
NAMES = ["header", "encrypted key", "IV", "ciphertext", "tag"]


def bad(sees: Literal["shape", "open"], reason: str, text: str) -> Bad:
    return {"sees": sees, "reason": reason, "text": text}


def bad_segments(good: str) -> Iterator[Bad]:
    """The right header, and something wrong with how the envelope is written."""
    parts = good.split(".")

    def with_part(index: int, text: str) -> str:
        return ".".join([*parts[:index], text, *parts[index + 1 :]])

    for index in (HEADER, IV, CIPHERTEXT, TAG):
        name, part = NAMES[index], parts[index]
        data = base64url.decode(part)
        yield bad("shape", f"{name} empty", with_part(index, ""))
        yield bad(
            "shape", f"{name} padded with =", with_part(index, part + "=" * (-len(part) % 4 or 1))
        )
        yield bad("shape", f"{name} with a blank", with_part(index, part[:2] + " " + part[2:]))
        yield bad("shape", f"{name} with a line break", with_part(index, part + "\n"))
        yield bad("shape", f"{name} with + for -", with_part(index, "+" + part[1:]))
        yield bad("shape", f"{name} with / for _", with_part(index, "/" + part[1:]))
        yield bad("shape", f"{name} with a full-width letter", with_part(index, "Ａ" + part[1:]))
        yield bad("shape", f"{name} with a single character more", with_part(index, part + "A"))
        yield bad("shape", f"{name} a byte shorter", with_part(index, base64url.encode(data[:-1])))
        yield bad(
            "shape", f"{name} a byte longer", with_part(index, base64url.encode(data + b"\0"))
        )
        if len(data) % 3:
            yield bad("shape", f"{name} with stray trailing bits", with_part(index, _stray(part)))
    yield bad("shape", "encrypted key not empty", with_part(ENCRYPTED_KEY, "AA"))
    yield bad(
        "shape", "encrypted key of 32 bytes", with_part(ENCRYPTED_KEY, base64url.encode(bytes(32)))
    )
    yield bad("shape", "encrypted key a blank", with_part(ENCRYPTED_KEY, " "))
    yield bad("shape", "IV of 16 bytes", with_part(IV, base64url.encode(bytes(16))))
    yield bad("shape", "IV of 8 bytes", with_part(IV, base64url.encode(bytes(8))))
    yield bad("shape", "tag of 12 bytes", with_part(TAG, base64url.encode(bytes(12))))
    yield bad("shape", "tag of 4 bytes", with_part(TAG, base64url.encode(bytes(4))))
    yield bad("shape", "header in standard base64", with_part(HEADER, _standard(parts[HEADER])))
    yield bad(
        "shape", "header not encoded", with_part(HEADER, base64url.decode(parts[HEADER]).decode())
    )
    yield bad("shape", "header with a flipped bit", with_part(HEADER, _flip(parts[HEADER], 20)))
    yield bad("shape", "a segment missing", ".".join(parts[:4]))
    yield bad("shape", "a segment too many", good + ".")
    yield bad("shape", "a sixth segment", good + ".AA")
    yield bad(
        "shape", "IV and tag exchanged", ".".join([parts[0], "", parts[4], parts[3], parts[2]])
    )
    yield bad("shape", "blank in front", " " + good)
    yield bad("shape", "line break at the end", good + "\n")
    yield bad("shape", "in quotes", f'"{good}"')
    yield bad("shape", "the JSON form of JWE", _as_json(parts))
    yield bad("shape", "a signed token, not an envelope", f"{parts[0]}.{parts[3]}.{parts[4]}")
    yield bad("shape", "empty", "")
    yield bad("shape", "dots only", "....")

    for index in (IV, CIPHERTEXT, TAG):
        size = len(base64url.decode(parts[index]))
        for at in (0, size // 2, size - 1):
            flipped = with_part(index, _flip(parts[index], at))
            yield bad("open", f"{NAMES[index]}, byte {at} flipped", flipped)
    zeros = base64url.encode(bytes(16))
    yield bad("open", "tag of zeros", with_part(TAG, zeros))
    yield bad("open", "IV of zeros", with_part(IV, base64url.encode(bytes(12))))


def _flip(part: str, at: int) -> str:
    data = bytearray(base64url.decode(part))
    data[at] ^= 1
    return base64url.encode(bytes(data))


def _stray(part: str) -> str:
    """The same bytes to a careless decoder: the lowest bit of the last character carries none."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return part[:-1] + alphabet[alphabet.index(part[-1]) ^ 1]


def _standard(part: str) -> str:
    return base64.b64encode(base64url.decode(part)).decode() + "="


def _as_json(parts: list[str]) -> str:
    return json.dumps(
        {"protected": parts[0], "iv": parts[2], "ciphertext": parts[3], "tag": parts[4]}
    )
