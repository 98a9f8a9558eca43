"""The independent reader's first part: conventions, keys of people and of spaces, grants."""

import hashlib
import hmac
import re
from base64 import urlsafe_b64decode
from collections.abc import Sequence
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
    try:
        Ed25519PublicKey.from_public_bytes(public_keys[1:33]).verify(signature, message)
    except InvalidSignature:
        raise Refused("a signature does not match") from None


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
    x25519_secret = x25519.exchange(X25519PublicKey.from_public_bytes(enc[1088:]))
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
    head, empty, *rest = envelope.split(".")
    header, iv, ciphertext, tag = (from_base64url(part) for part in (head, *rest))
    found = re.fullmatch(
        r'\{"alg":"dir","enc":"A256GCM","typ":"tessera-kp\+1","uid":"(.+)","cid":"(.+)",'
        r'"rev":([1-9][0-9]*)\}',
        header.decode("ascii"),
    )
    need(found and found[1] == uid and found[2] == cid and not empty, "the header")
    fields = Fields(unseal(user_key, iv, ciphertext + tag, head.encode()))
    need(fields.number(1) == 1, "the version")
    keys = fields.take(65)
    leader = fields.take(48) if fields.number(1) else b""
    spaces = [
        (fields.take(16), fields.take(32), fields.number(8), fields.take(32))
        for _ in range(fields.number(4))
    ]
    need(not any(fields.rest()), "padding")
    revision = int(found[3]) if found else 0
    return {"revision": revision, "privateKeys": keys, "leader": leader, "spaces": spaces}


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


def open_grant(grant: bytes, private_keys: bytes, company: bytes, space: bytes) -> list[bytes]:
    fields = Fields(grant)
    need(fields.number(1) == 1, "the suite")
    member, generation = fields.take(16), fields.number(4)
    need(1 <= generation <= 4096, "the generation")
    sealed = fields.take(1120 + 32 * generation + 16)
    fields.end()
    info = b"tessera/v1/grant\x01" + company + space + member + generation.to_bytes(4, "big")
    seeds = open_sealed_to(private_keys, sealed, info)
    return [seeds[at : at + 32] for at in range(0, len(seeds), 32)]


def grants_hash(grants: Sequence[bytes]) -> bytes:
    ordered = sorted(grants, key=lambda grant: grant[1:17])
    return sha256(b"tessera/v1/grants" + b"".join(map(sha256, ordered)))
