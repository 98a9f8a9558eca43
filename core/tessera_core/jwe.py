"""Compact JWE with `dir` and `A256GCM`, whose header is compared and never interpreted.

The protected header is known byte for byte once user, company and number are known. The expected
header is built and compared. Anything else, down to the encoding, is rejected, which leaves no
room for other algorithms, `zip`, `crit`, extra members or a plaintext.
"""

import json
import re
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core import base64url
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.kdf import KEY_BYTES

Header = dict[str, str | int]

MAX_NUMBER = 2**31 - 1

_IV_BYTES = 12
_TAG_BYTES = 16
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def header(typ: str, **members: str | int) -> Header:
    """Builds a header; its members stay in the order in which they are given."""
    return {"alg": "dir", "enc": "A256GCM", "typ": typ, **members}


def check(text: str, expected: Header) -> int:
    """Checks an envelope without its key, and returns the length of its plaintext."""
    segments = text.split(".")
    if len(segments) != 5:
        raise Malformed("expected five segments: this is not a sealed envelope")
    head, encrypted_key, iv, ciphertext, tag = segments
    if head != base64url.encode(compact_json(expected)):
        raise Malformed(
            f"the header must hold exactly {', '.join(expected)}, in this order, "
            "and name this user, company and salt"
        )
    if encrypted_key:
        raise Malformed("the encrypted key must be empty")
    if len(_segment(iv, "IV")) != _IV_BYTES:
        raise Malformed("the IV must have 12 bytes")
    if len(_segment(tag, "tag")) != _TAG_BYTES:
        raise Malformed("the tag must have 16 bytes")
    return len(_segment(ciphertext, "ciphertext"))


def read_number(text: str, name: str) -> int:
    """Reads the number that ends the header; the header is then compared as a whole."""
    head = _segment(text.partition(".")[0], "header")
    match = re.search(rb'"%b":([1-9][0-9]{0,9})\}' % name.encode("ascii"), head)
    if not match:
        raise Malformed(f"the header names no {name}")
    return int(match[1])


def seal(head: Header, plaintext: bytes, key: bytes) -> str:
    encoded = base64url.encode(compact_json(head))
    iv = secrets.token_bytes(_IV_BYTES)
    sealed = AESGCM(check_key(key)).encrypt(iv, plaintext, encoded.encode("ascii"))
    ciphertext, tag = sealed[:-_TAG_BYTES], sealed[-_TAG_BYTES:]
    return ".".join([encoded, "", *map(base64url.encode, (iv, ciphertext, tag))])


def unseal(text: str, key: bytes) -> bytes:
    """Opens an envelope that was checked before."""
    head, _, *rest = text.split(".")
    iv, ciphertext, tag = map(base64url.decode, rest)
    try:
        return AESGCM(check_key(key)).decrypt(iv, ciphertext + tag, head.encode("ascii"))
    except InvalidTag:
        raise NotAuthentic("another key, or a changed envelope") from None


def check_uuid(text: str) -> str:
    if not _UUID.fullmatch(text):
        raise Malformed("expected a UUID in lower case")
    return text


def check_number(number: int) -> int:
    if not 1 <= number <= MAX_NUMBER:
        raise Malformed("the number in the header is out of range")
    return number


def check_key(data: bytes) -> bytes:
    if len(data) != KEY_BYTES:
        raise ValueError("a key has 32 bytes")
    return data


def compact_json(members: Header) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode("ascii")


def _segment(text: str, name: str) -> bytes:
    try:
        return base64url.decode(text)
    except ValueError:
        raise Malformed(f"the {name} is not canonical base64url") from None
