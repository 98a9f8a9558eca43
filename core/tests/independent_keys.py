"""The independent reader's first part: conventions, keys of people and of spaces, grants."""

import hashlib
import hmac
import re
from base64 import urlsafe_b64decode
from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

MIB = 1024 * 1024
NOBODY = bytes(16)


class Refused(Exception):
    """The bytes are not what the document describes."""


def need(condition: object, why: str) -> None:
    if not condition:
        raise Refused(why)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def number(data: bytes) -> int:
    return int.from_bytes(data, "big")


class Fields:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        need(self.at + size <= len(self.data), "ends too early")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int) -> int:
        return number(self.take(size))

    def signed(self) -> int:
        return int.from_bytes(self.take(8), "big", signed=True)

    def text(self, limit: int) -> str:
        size = self.number(2)
        need(1 <= size <= limit, "a text's length")
        try:
            return self.take(size).decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("not UTF-8") from None

    def rest(self) -> bytes:
        return self.take(len(self.data) - self.at)

    def end(self) -> None:
        need(self.at == len(self.data), "bytes after the end")


# Conventions


def hkdf(secret: bytes, info: bytes) -> bytes:
    return hmac.digest(hmac.digest(bytes(32), secret, "sha256"), info + b"\x01", "sha256")


def argon2id(secret: bytes, salt: bytes) -> bytes:
    return Argon2id(salt=salt, length=32, iterations=3, lanes=1, memory_cost=65536).derive(secret)


def unseal(key: bytes, nonce: bytes, sealed: bytes, associated: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(nonce, sealed, associated)
    except (InvalidTag, ValueError):
        raise Refused("a seal does not open") from None


def verify(public_keys: bytes, signature: bytes, message: bytes) -> None:
    """By a library; `equation` shows on crafted signatures that it judges as the document does."""
    try:
        Ed25519PublicKey.from_public_bytes(public_keys[1:33]).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise Refused("a signature does not match") from None


# Ed25519, with points as fractions: (X : Y : Z), x = X / Z, y = Y / Z

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SMALL_ORDER_Y = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7


def ed_add(p: tuple[int, int, int], q: tuple[int, int, int]) -> tuple[int, int, int]:
    a = p[2] * q[2] % P
    b, c, d = a * a % P, p[0] * q[0] % P, p[1] * q[1] % P
    e = D * c * d % P
    f, g = (b - e) % P, (b + e) % P
    x = a * f * ((p[0] + p[1]) * (q[0] + q[1]) - c - d) % P
    return x, a * g * (d + c) % P, f * g % P


def ed_times(n: int, p: tuple[int, int, int]) -> tuple[int, int, int]:
    q = (0, 1, 1)
    for bit in f"{n:b}":
        q = ed_add(q, q)
        if bit == "1":
            q = ed_add(q, p)
    return q


def ed_encode(p: tuple[int, int, int]) -> bytes:
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y + ((x & 1) << 255)).to_bytes(32, "little")


def ed_decode(key: bytes) -> tuple[int, int, int]:
    value = int.from_bytes(key, "little")
    y, sign = value % 2**255, value >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    need(x * x % P == square, "no point")
    return (P - x if x & 1 != sign else x), y, 1


def equation(public_keys: bytes, signature: bytes, message: bytes) -> bool:
    """s < L, and the encoding of [s]B - [k]A equals R."""
    key, r, s = public_keys[1:33], signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    x, y, z = ed_decode(key)
    base = ed_decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    return s < L and ed_encode(ed_add(ed_times(s, base), ed_times(k, (P - x, y, z)))) == r


def check_public_keys(keys: bytes) -> bytes:
    need(len(keys) == 1249 and keys[0] == 1, "public keys")
    y = int.from_bytes(keys[1:33], "little") % 2**255
    need(y < P, "an Ed25519 key that is not canonical")
    need(y not in (0, 1, P - 1, SMALL_ORDER_Y, P - SMALL_ORDER_Y), "a key of small order")
    for at in range(33, 33 + 1152, 3):
        low, middle, high = keys[at : at + 3]
        need(low | (middle & 15) << 8 < 3329, "a coefficient")
        need(middle >> 4 | high << 4 < 3329, "a coefficient")
    try:
        probe = X25519PrivateKey.from_private_bytes(b"\1" * 32)
        probe.exchange(X25519PublicKey.from_public_bytes(keys[1217:]))
    except ValueError:
        raise Refused("an X25519 key of small order") from None
    return keys


def padme(size: int) -> int:
    if size < 2:
        return size
    exponent = size.bit_length() - 1
    unit = 1 << (exponent - exponent.bit_length())
    return -(-size // unit) * unit


# A person's keys


def xwing_halves(seed: bytes) -> tuple[MLKEM768PrivateKey, X25519PrivateKey]:
    expanded = hashlib.shake_256(seed).digest(96)
    mlkem = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
    return mlkem, X25519PrivateKey.from_private_bytes(expanded[64:])


def public_keys_of(private_keys: bytes) -> bytes:
    need(len(private_keys) == 65 and private_keys[0] == 1, "private keys")
    sign = Ed25519PrivateKey.from_private_bytes(private_keys[1:33]).public_key()
    mlkem, x25519 = xwing_halves(private_keys[33:])
    kem = mlkem.public_key().public_bytes_raw() + x25519.public_key().public_bytes_raw()
    return b"\x01" + sign.public_bytes_raw() + kem


def decapsulate(seed: bytes, enc: bytes) -> bytes:
    mlkem, x25519 = xwing_halves(seed)
    mlkem_secret = mlkem.decapsulate(enc[:1088])
    try:
        x25519_secret = x25519.exchange(X25519PublicKey.from_public_bytes(enc[1088:]))
    except ValueError:
        raise Refused("an X25519 result of zeros") from None
    own = x25519.public_key().public_bytes_raw()
    label = bytes.fromhex("5c2e2f2f5e5c")
    return hashlib.sha3_256(mlkem_secret + x25519_secret + enc[1088:] + own + label).digest()


def hpke_key(shared: bytes, info: bytes, algorithms: str = "647a00010002") -> tuple[bytes, bytes]:
    suite = b"HPKE" + bytes.fromhex(algorithms)

    def extract(salt: bytes, label: bytes, ikm: bytes) -> bytes:
        return hmac.digest(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, "sha256")

    def expand(prk: bytes, label: bytes, context: bytes, size: int) -> bytes:
        labeled = size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + context
        return hmac.digest(prk, labeled + b"\x01", "sha256")[:size]

    context = b"\0" + extract(b"", b"psk_id_hash", b"") + extract(b"", b"info_hash", info)
    secret = extract(shared, b"secret", b"")
    return expand(secret, b"key", context, 32), expand(secret, b"base_nonce", context, 12)


def open_sealed_to(private_keys: bytes, sealed: bytes, info: bytes) -> bytes:
    key, nonce = hpke_key(decapsulate(private_keys[33:], sealed[:1120]), info)
    return unseal(key, nonce, sealed[1120:], b"")


def word_numbers(public_keys: bytes, company: UUID, user: UUID) -> list[int]:
    digest = argon2id(b"tessera/v1/words" + public_keys, company.bytes + user.bytes)
    bits = f"{number(digest):0256b}"
    return [int(bits[at : at + 11], 2) for at in range(0, 66, 11)]


def open_key_envelope(envelope: str, user_key: bytes, uid: str, cid: str) -> dict[str, Any]:
    parts = envelope.split(".")
    need(len(parts) == 5, "five parts")
    head, empty, *rest = parts
    header, iv, ciphertext, tag = (from_base64url(part) for part in (head, *rest))
    found = re.fullmatch(
        r'\{"alg":"dir","enc":"A256GCM","typ":"tessera-kp\+1","uid":"(.+)","cid":"(.+)",'
        r'"rev":([1-9][0-9]*)\}',
        header.decode("ascii"),
    )
    need(found and found[1] == uid and found[2] == cid and not empty, "the header")
    revision = int(found[3]) if found else 0
    need(revision <= 2147483647 and len(iv) == 12 and len(tag) == 16, "the header")
    need(len(ciphertext) % 4096 == 0 and 0 < len(ciphertext) <= 262144, "the length")
    plaintext = unseal(user_key, iv, ciphertext + tag, head.encode())
    return {"revision": revision} | read_key_bundle(plaintext)


def read_key_bundle(plaintext: bytes) -> dict[str, Any]:
    fields = Fields(plaintext)
    need(fields.number(1) == 1, "the version")
    keys, flags = read_private_keys(fields), fields.number(1)
    need(flags < 16, "the flags")
    leader = fields.take(48) if flags & 1 else b""
    record = (fields.number(4), fields.take(32)) if flags & 2 else None
    count = fields.number(1)
    need(count <= 16, "the pairs")
    pairs = [read_private_keys(fields) for _ in range(count)]
    count = fields.number(2)
    need(count <= 1024, "the removed keys")
    removed = [fields.take(32) for _ in range(count)]
    spaces = [
        (fields.take(16), fields.take(32), fields.number(8), fields.take(32))
        for _ in range(fields.number(4))
    ]
    rewinds = [
        (fields.take(16), fields.number(4), fields.number(8))
        for _ in range(fields.number(4) if flags & 8 else 0)
    ]
    names, rewound = [space[0] for space in spaces], [space[0] for space in rewinds]
    for each in (names, rewound):
        need(all(one < other for one, other in pairwise(each)), "the order of the spaces")
    need(bool(rewound) == bool(flags & 8) and {*rewound} <= {*names}, "the rewound spaces")
    need(not any(fields.rest()), "padding")
    return {
        "privateKeys": keys,
        "leader": leader,
        "record": record,
        "pairs": pairs,
        "removed": removed,
        "removesOnRequest": bool(flags & 4),
        "spaces": spaces,
        "rewinds": rewinds,
    }


def read_private_keys(fields: Fields) -> bytes:
    keys = fields.take(65)
    need(keys[0] == 1, "the suite")
    return keys


def from_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# Keys from a seed, grants


def pack_key(seeds: Sequence[bytes], generation: int, pack: bytes) -> bytes:
    return hkdf(seeds[generation - 1], b"tessera/v1/pack" + pack)


def entry_key(seeds: Sequence[bytes], generation: int, entry: bytes) -> bytes:
    return hkdf(seeds[generation - 1], b"tessera/v1/entry" + entry)


def chunk_id_key(seeds: Sequence[bytes]) -> bytes:
    return hkdf(seeds[0], b"tessera/v1/chunk-id")


def commitment(seeds: Sequence[bytes], space: bytes, generation: int) -> bytes:
    info = b"tessera/v1/commitment" + space + generation.to_bytes(4, "big")
    return hkdf(seeds[generation - 1], info)


def read_grant(grant: bytes) -> tuple[bytes, int, bytes]:
    """Returns member, generation and what is sealed."""
    fields = Fields(grant)
    need(fields.number(1) == 1, "the suite")
    member, generation = fields.take(16), fields.number(4)
    need(1 <= generation <= 4096, "the generation")
    sealed = fields.take(1120 + 32 * generation + 16)
    fields.end()
    return member, generation, sealed


def open_grant(grant: bytes, private_keys: bytes, company: bytes, space: bytes) -> list[bytes]:
    member, generation, sealed = read_grant(grant)
    info = b"tessera/v1/grant\x01" + company + space + member + generation.to_bytes(4, "big")
    seeds = open_sealed_to(private_keys, sealed, info)
    return [seeds[at : at + 32] for at in range(0, len(seeds), 32)]


def grants_hash(grants: Sequence[bytes]) -> bytes:
    ordered = sorted(grants, key=lambda grant: grant[1:17])
    need(len({grant[1:17] for grant in ordered}) == len(ordered), "two grants to one member")
    return sha256(b"tessera/v1/grants" + b"".join(map(sha256, ordered)))


# Recovery records and handovers


def read_record(data: bytes) -> dict[str, Any]:
    fields = Fields(data)
    need(fields.take(27) == b"tessera/v1/recovery-record\x01", "not a record")
    company, counter = fields.take(16), fields.number(4)
    need(1 <= counter <= 4096, "the counter")
    keys = check_public_keys(fields.take(1249))
    leader, fingerprint = fields.take(16), fields.take(32)
    time, previous = fields.number(8), fields.take(32)
    need((counter == 1) == (previous == bytes(32)), "the first record follows none")
    by_leader, by_pair = fields.take(64), fields.take(64)
    by_former = fields.take(64) if counter > 1 else b""
    fields.end()
    return {
        "statement": data[:1384],
        "hash": sha256(data),
        "company": company,
        "counter": counter,
        "keys": keys,
        "leader": leader,
        "fingerprint": fingerprint,
        "time": time,
        "previous": previous,
        "signatures": (by_leader, by_pair, by_former),
    }


def read_records(
    chain: Sequence[bytes], company: bytes, leader_keys: bytes
) -> list[dict[str, Any]]:
    """Checks a chain; the newest record is to be signed by the leader's keys."""
    records = [read_record(data) for data in chain]
    for at, record in enumerate(records):
        need(record["company"] == company and record["counter"] == at + 1, "a record left out")
        verify(record["keys"], record["signatures"][1], record["statement"])
        if at:
            before = records[at - 1]
            need(record["previous"] == before["hash"], "the hash of the record before")
            need(record["time"] >= before["time"], "the time of the record before")
            verify(before["keys"], record["signatures"][2], record["statement"])
    need(len({record["keys"][1:33] for record in records}) == len(records), "a pair twice")
    need(sha256(leader_keys) == records[-1]["fingerprint"], "the leader's fingerprint")
    verify(leader_keys, records[-1]["signatures"][0], records[-1]["statement"])
    return records


def open_recovery_handover(
    data: bytes, sender_keys: bytes, private_keys: bytes, company: bytes
) -> bytes:
    need(len(data) == 1302 and data[0] == 1, "a recovery handover")
    need(data[1:17] != data[17:33], "the sender is the recipient")
    bound = b"\x01" + company + data[1:37]
    signed = b"tessera/v1/recovery-handover" + bound + sha256(data[37:1238])
    verify(sender_keys, data[1238:], signed)
    return open_sealed_to(private_keys, data[37:1238], b"tessera/v1/recovery-pair" + bound)


def open_key_handover(
    data: bytes, sender_keys: bytes, private_keys: bytes, company: bytes
) -> bytes:
    """Returns the company key."""
    need(len(data) == 1269 and data[0] == 1, "a key handover")
    need(data[1:17] != data[17:33], "the sender is the recipient")
    need(1 <= number(data[33:37]) < 2**31, "the epoch")
    bound = b"\x01" + company + data[1:37]
    signed = b"tessera/v1/key-handover" + bound + sha256(data[37:1205])
    verify(sender_keys, data[1205:], signed)
    return open_sealed_to(private_keys, data[37:1205], b"tessera/v1/company-key" + bound)
