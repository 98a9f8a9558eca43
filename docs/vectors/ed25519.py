"""Ed25519 with open arithmetic, to make the signatures about which libraries disagree.

Written from RFC 8032. Slow and not in constant time: for making vectors only.
"""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int]

IDENTITY: Point = (0, 1)
ORDER_EIGHT_Y = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7


def add(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, P - 2, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, P - 2, P)
    return x % P, y % P


def times(scalar: int, point: Point) -> Point:
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def with_y(y: int) -> Point:
    """The point with this y and an even x."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert x * x % P == square
    return (P - x if x & 1 else x), y


BASE = with_y(4 * pow(5, P - 2, P) % P)
ORDER_EIGHT = with_y(ORDER_EIGHT_Y)


def encode(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def expand(seed: bytes) -> int:
    """The private scalar."""
    number = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return number & (2**254 - 8) | 2**254


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def response(r: int, encoded_r: bytes, secret: int, key: bytes, message: bytes) -> bytes:
    """A signature with this R, and the s that fits r."""
    s = (r + challenge(encoded_r, key, message) * secret) % L
    return encoded_r + s.to_bytes(32, "little")
