"""A person's keys: X-Wing (ML-KEM-768 and X25519) to receive, Ed25519 to sign."""

import hashlib
import secrets
from dataclasses import dataclass, field
from functools import cached_property

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM768PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import (
    AEAD,
    KDF,
    KEM,
    MLKEM768X25519PrivateKey,
    MLKEM768X25519PublicKey,
    Suite,
)

from tessera_core.binary import Reader, u8
from tessera_core.errors import Malformed, NotAuthentic

SUITE = 1
SEED_BYTES = 32
SIGN_KEY_BYTES = 32
SIGNATURE_BYTES = 64
KEM_KEY_BYTES = 1216
PUBLIC_KEYS_BYTES = 1 + SIGN_KEY_BYTES + KEM_KEY_BYTES
PRIVATE_KEYS_BYTES = 1 + 2 * SEED_BYTES

_MLKEM_KEY_BYTES = 1184
_HPKE = Suite(KEM.MLKEM768_X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)
_PROBE = X25519PrivateKey.from_private_bytes(bytes(32))

# Ed25519: the field's prime, and the y coordinates of the eight points of small order.
_PRIME = 2**255 - 19
_ORDER_EIGHT = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER = {0, 1, _PRIME - 1, _ORDER_EIGHT, _PRIME - _ORDER_EIGHT}


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """What others need to write to a person and to check their signatures."""

    sign: bytes
    kem: bytes

    def __post_init__(self) -> None:
        if len(self.sign) != SIGN_KEY_BYTES or len(self.kem) != KEM_KEY_BYTES:
            raise Malformed("public keys have 32 and 1216 bytes")
        # Libraries disagree about such keys, and readers must not.
        y = int.from_bytes(self.sign, "little") & ((1 << 255) - 1)
        if y >= _PRIME or y in _SMALL_ORDER:
            raise Malformed("the signing key is not canonical, or of small order")
        try:
            self._recipient()
            # A point of small order gives no secret: nobody could make a grant to these keys.
            _PROBE.exchange(X25519PublicKey.from_public_bytes(self.kem[_MLKEM_KEY_BYTES:]))
        except ValueError:
            raise Malformed("the public keys cannot be used") from None

    def encode(self) -> bytes:
        return u8(SUITE) + self.sign + self.kem

    @classmethod
    def read(cls, reader: Reader) -> "PublicKeys":
        if reader.u8() != SUITE:
            raise Malformed("the keys' suite is unknown")
        return cls(reader.take(SIGN_KEY_BYTES), reader.take(KEM_KEY_BYTES))

    @classmethod
    def decode(cls, data: bytes) -> "PublicKeys":
        reader = Reader(data)
        keys = cls.read(reader)
        reader.end()
        return keys

    @property
    def fingerprint(self) -> bytes:
        return hashlib.sha256(self.encode()).digest()

    def verify(self, signature: bytes, message: bytes) -> None:
        try:
            Ed25519PublicKey.from_public_bytes(self.sign).verify(signature, message)
        except (InvalidSignature, ValueError):
            raise NotAuthentic("the signature does not match") from None

    def seal(self, plaintext: bytes, info: bytes) -> bytes:
        """Encrypts to these keys with HPKE in base mode; `info` says what and for whom."""
        return _HPKE.encrypt(plaintext, self._recipient(), info)

    def _recipient(self) -> MLKEM768X25519PublicKey:
        return MLKEM768X25519PublicKey(
            MLKEM768PublicKey.from_public_bytes(self.kem[:_MLKEM_KEY_BYTES]),
            X25519PublicKey.from_public_bytes(self.kem[_MLKEM_KEY_BYTES:]),
        )


@dataclass(frozen=True)
class PrivateKeys:
    """The seeds of both key pairs. They never leave the client unsealed."""

    sign_seed: bytes = field(repr=False)
    kem_seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.sign_seed) != SEED_BYTES or len(self.kem_seed) != SEED_BYTES:
            raise Malformed("private keys have 32 bytes each")

    @classmethod
    def generate(cls) -> "PrivateKeys":
        return cls(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SEED_BYTES))

    def encode(self) -> bytes:
        return u8(SUITE) + self.sign_seed + self.kem_seed

    @classmethod
    def decode(cls, data: bytes) -> "PrivateKeys":
        reader = Reader(data)
        if reader.u8() != SUITE:
            raise Malformed("the keys' suite is unknown")
        keys = cls(reader.take(SEED_BYTES), reader.take(SEED_BYTES))
        reader.end()
        return keys

    @cached_property
    def public(self) -> PublicKeys:
        mlkem, x25519 = self._halves
        return PublicKeys(
            Ed25519PrivateKey.from_private_bytes(self.sign_seed).public_key().public_bytes_raw(),
            mlkem.public_key().public_bytes_raw() + x25519.public_key().public_bytes_raw(),
        )

    def sign(self, message: bytes) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(self.sign_seed).sign(message)

    def open(self, sealed: bytes, info: bytes) -> bytes:
        try:
            return _HPKE.decrypt(sealed, MLKEM768X25519PrivateKey(*self._halves), info)
        except (InvalidTag, ValueError):
            raise NotAuthentic("not sealed to these keys for this purpose") from None

    @property
    def _halves(self) -> tuple[MLKEM768PrivateKey, X25519PrivateKey]:
        expanded = hashlib.shake_256(self.kem_seed).digest(96)
        return (
            MLKEM768PrivateKey.from_seed_bytes(expanded[:64]),
            X25519PrivateKey.from_private_bytes(expanded[64:]),
        )
