"""Keys, signatures and sealed messages that libraries judge differently, and key envelopes."""

import hashlib
from collections.abc import Iterator
from typing import Any

import ed25519
import xwing
from bad_case import MALFORMED, NOT_AUTHENTIC, Bad, any_object, at, bad, flip, text
from by_hand import seal
from ed25519 import IDENTITY, ORDER_EIGHT, ORDER_EIGHT_Y, L, P
from storage_example import COMPANY, KEYS, LEADER, LEAVER, MEMBER, SPACE, Space, fixed

from tessera_core.binary import u16, u32
from tessera_core.user_keys import PrivateKeys

# A point of order eight, as X25519 knows it.
X25519_ORDER_EIGHT = bytes.fromhex(
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"
)


def bad_public_keys() -> Iterator[Bad]:
    good = KEYS[LEADER].public.encode()
    yield from any_object(good)
    yield bad(MALFORMED, "suite 2", at(good, 0, b"\2"))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(MALFORMED, "a coefficient of 4095", at(good, 33, b"\xff\xff\xff"))
    yield bad(MALFORMED, "X25519 zero", at(good, 1217, bytes(32)))
    yield bad(MALFORMED, "X25519 one", at(good, 1217, b"\1" + bytes(31)))


def bad_signing_keys() -> Iterator[Bad]:
    """Public keys whose Ed25519 key is not canonical, or of small order."""
    good, sign_bit = KEYS[LEADER].public.encode(), 1 << 255
    for what, number in (
        ("order 4", 0),
        ("order 4, the other sign", sign_bit),
        ("the identity", 1),
        ("the identity with a sign", 1 | sign_bit),
        ("order 2", P - 1),
        ("order 2 with a sign", P - 1 | sign_bit),
        ("order 8", ORDER_EIGHT_Y),
        ("order 8, the other sign", ORDER_EIGHT_Y | sign_bit),
        ("order 8, the other y", P - ORDER_EIGHT_Y),
        ("order 8, the other y and sign", P - ORDER_EIGHT_Y | sign_bit),
        ("y of p", P),
        ("y of p + 3", P + 3),
        ("y of p + 3 with a sign", P + 3 | sign_bit),
        ("y of 2^255 - 1", sign_bit - 1),
    ):
        yield bad(MALFORMED, what, at(good, 1, number.to_bytes(32, "little")))


def signatures() -> list[dict[str, Any]]:
    """Signatures of a message, and whether they are valid."""
    secret = ed25519.expand(KEYS[LEADER].sign_seed)
    key, message = KEYS[LEADER].public.sign, b"tessera"
    good = KEYS[LEADER].sign(message)
    r = int.from_bytes(fixed("ed25519 r", 32), "little") % L
    with_torsion = ed25519.encode(ed25519.add(ed25519.times(r, ed25519.BASE), ORDER_EIGHT))
    mixed = ed25519.encode(ed25519.add(ed25519.times(secret, ed25519.BASE), ORDER_EIGHT))
    encoded_r = ed25519.encode(ed25519.times(r, ed25519.BASE))

    def message_with(divisible: bool) -> bytes:
        texts = (f"tessera {number}".encode() for number in range(1000))
        return next(
            each
            for each in texts
            if (ed25519.challenge(encoded_r, mixed, each) % 8 == 0) == divisible
        )

    odd, even = message_with(False), message_with(True)
    identity, other_identity = ed25519.encode(IDENTITY), (P + 1).to_bytes(32, "little")
    signed_identity = (1 | 1 << 255).to_bytes(32, "little")
    higher = (int.from_bytes(good[32:], "little") + L).to_bytes(32, "little")
    made = [
        ("as it should be", True, key, message, good),
        ("s + L", False, key, message, good[:32] + higher),
        ("another message", False, key, b"tesserae", good),
        ("R changed", False, key, message, flip(good, 0)),
        ("s changed", False, key, message, flip(good, 32)),
        (
            "valid with a cofactor only: R has a part of small order",
            False,
            key,
            message,
            ed25519.response(r, with_torsion, secret, key, message),
        ),
        (
            "valid with a cofactor only: the key has a part of small order",
            False,
            mixed,
            odd,
            ed25519.response(r, encoded_r, secret, mixed, odd),
        ),
        (
            "the key has a part of small order that does not matter here",
            True,
            mixed,
            even,
            ed25519.response(r, encoded_r, secret, mixed, even),
        ),
        (
            "R is the identity",
            True,
            key,
            message,
            ed25519.response(0, identity, secret, key, message),
        ),
        (
            "R is the identity with y of p + 1",
            False,
            key,
            message,
            ed25519.response(0, other_identity, secret, key, message),
        ),
        (
            "R is the identity with a sign",
            False,
            key,
            message,
            ed25519.response(0, signed_identity, secret, key, message),
        ),
    ]
    kem = KEYS[LEADER].public.kem
    return [
        {
            "about": about,
            "valid": valid,
            "publicKeys": text(b"\1" + sign + kem),
            "message": each.decode(),
            "signature": signature.hex(),
        }
        for about, valid, sign, each, signature in made
    ]


def bad_sealed() -> Iterator[Bad]:
    """Messages to the member, with the info `an info`, whose X25519 share gives no secret."""
    for what, point in (("zero", bytes(32)), ("order 8", X25519_ORDER_EIGHT)):
        yield bad(NOT_AUTHENTIC, f"X25519 {what}", _sealed_with(point))


def _sealed_with(point: bytes) -> bytes:
    kem, seed = KEYS[MEMBER].public.kem, fixed("a point of small order", 32)
    ciphertext, secret = xwing.mlkem_encapsulate(kem[:1184], seed)
    shared = hashlib.sha3_256(secret + bytes(32) + point + kem[1184:] + b"\\.//^\\").digest()
    return xwing.seal_with(ciphertext + point, shared, b"an info", b"a plaintext")


def bad_grants(space: Space) -> Iterator[Bad]:
    good = next(each for each in space.entries[22].grants if each.member == MEMBER).encode()
    yield from any_object(good)
    yield bad(MALFORMED, "suite 2", at(good, 0, b"\2"))
    yield bad(MALFORMED, "generation 0", at(good, 17, u32(0)))
    yield bad(MALFORMED, "generation 4097", at(good, 17, u32(4097)))
    yield bad(MALFORMED, "a generation fewer than sealed", at(good, 17, u32(3)))
    yield bad(MALFORMED, "a byte missing", good[:-1])
    yield bad(MALFORMED, "a byte too many", good + b"\0")
    yield bad(NOT_AUTHENTIC, "another member", at(good, 1, LEAVER.bytes))
    yield bad(NOT_AUTHENTIC, "ML-KEM ciphertext changed", flip(good, 21))
    yield bad(NOT_AUTHENTIC, "X25519 ciphertext changed", flip(good, 21 + 1088))
    yield bad(NOT_AUTHENTIC, "seed changed", flip(good, 21 + 1120))
    yield bad(NOT_AUTHENTIC, "tag changed", flip(good, len(good) - 1))


def bad_key_envelopes() -> Iterator[dict[str, str]]:
    """Envelopes of the member's keys, and what is wrong with each."""
    user_key, keys = fixed("user key", 32), KEYS[MEMBER].encode()
    plaintext = (b"\1" + keys).ljust(4096, b"\0")

    def envelope(
        *, typ: str = "kp", uid: object = MEMBER, rev: str = "7", plain: bytes = plaintext
    ) -> str:
        header = (
            f'{{"alg":"dir","enc":"A256GCM","typ":"tessera-{typ}+1",'
            f'"uid":"{uid}","cid":"{COMPANY}","rev":{rev}}}'
        )
        return seal(header, plain, user_key, b"\5" * 12)

    for error, reason, made in (
        (MALFORMED, "another type", envelope(typ="ck")),
        (MALFORMED, "another user", envelope(uid=LEADER)),
        (MALFORMED, "revision 0", envelope(rev="0")),
        (MALFORMED, "a revision over 2147483647", envelope(rev="2147483648")),
        (MALFORMED, "a revision as text", envelope(rev='"7"')),
        (MALFORMED, "an extra member", envelope(rev='7,"zip":"DEF"')),
        (MALFORMED, "no plaintext", envelope(plain=b"")),
        (MALFORMED, "a length that is not padded", envelope(plain=bytes(4095))),
        (MALFORMED, "good keys, not padded", envelope(plain=b"\1" + keys + bytes(8))),
        (MALFORMED, "version 0 inside", envelope(plain=bytes(4096))),
        (NOT_AUTHENTIC, "another tag", envelope()[:-22] + "A" * 22),
    ):
        yield {"reason": reason, "error": error, "envelope": made}


def bad_key_bundles() -> Iterator[Bad]:
    """Plaintexts of such envelopes."""
    keys = b"\1" + KEYS[MEMBER].encode()
    pair = PrivateKeys(bytes(32), bytes(32)).encode()
    # No flags, no pairs, no removed keys.
    nothing = keys + b"\0\0" + u16(0)
    pin = SPACE.bytes + bytes(72)
    yield bad(MALFORMED, "version 2", b"\2" + keys[1:] + bytes(8))
    yield bad(MALFORMED, "suite 2", b"\1\2" + keys[2:] + bytes(8))
    yield bad(MALFORMED, "unknown flags", keys + b"\x10" + bytes(100))
    yield bad(MALFORMED, "a leader cut off", keys + b"\1" + bytes(47))
    yield bad(MALFORMED, "a record cut off", keys + b"\2" + bytes(35))
    yield bad(MALFORMED, "seventeen pairs", keys + b"\0\x11" + pair * 17 + bytes(6))
    yield bad(MALFORMED, "a pair of suite 2", keys + b"\0\1\2" + pair[1:] + bytes(6))
    removed = u16(1025) + bytes(32) * 1025
    yield bad(MALFORMED, "1025 removed keys", keys + b"\0\0" + removed + bytes(4))
    yield bad(MALFORMED, "more removed keys than bytes", keys + b"\0\0" + u16(2) + bytes(40))
    yield bad(MALFORMED, "more spaces than bytes", nothing + u32(2) + pin)
    yield bad(MALFORMED, "a space pinned twice", nothing + u32(2) + pin + pin)
    other = bytes(16) + bytes(72)
    yield bad(MALFORMED, "spaces not sorted", nothing + u32(2) + pin + other)
    yield bad(MALFORMED, "padding not zero", nothing + u32(1) + pin + b"\0\1")
    pinned = keys + b"\x08\0" + u16(0) + u32(1) + pin
    rewind, unpinned = SPACE.bytes + bytes(12), bytes(16) + bytes(12)
    yield bad(MALFORMED, "no space that was rewound", pinned + bytes(100))
    yield bad(MALFORMED, "more rewound spaces than bytes", pinned + u32(2) + rewind)
    yield bad(MALFORMED, "a space rewound twice", pinned + u32(2) + rewind + rewind)
    yield bad(MALFORMED, "a rewound space without a pin", pinned + u32(1) + unpinned)
