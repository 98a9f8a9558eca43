"""The private half of the recovery pair, sealed for the recovery kit."""

import hashlib
import secrets
from dataclasses import dataclass
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tessera_core.binary import Reader, u8, u16, u32
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.kdf import KDF_VERSION, derive_key, stretch
from tessera_core.passphrases import normalize_passphrase
from tessera_core.recovery_records import MAX_RECORDS
from tessera_core.user_keys import PRIVATE_KEYS_BYTES, PrivateKeys

CODE_BYTES = 16
SALT_BYTES = 16

_MAGIC = b"TSRRECOV"
_VERSION = 1
_SEALED_BYTES = PRIVATE_KEYS_BYTES + 16
_NONCE = bytes(12)

# The file recovery code: 128 bits and a checksum of 12, in Crockford's base 32.

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ALIKE = str.maketrans("OIL", "011", "- ")
_CODE_CHARACTERS = 28
_CHECK_BITS = 12


def new_code() -> bytes:
    return secrets.token_bytes(CODE_BYTES)


def code_to_text(code: bytes) -> str:
    number = int.from_bytes(code, "big") << _CHECK_BITS | _checksum(code)
    shifts = range((_CODE_CHARACTERS - 1) * 5, -1, -5)
    text = "".join(_ALPHABET[number >> shift & 31] for shift in shifts)
    return "-".join(text[at : at + 4] for at in range(0, _CODE_CHARACTERS, 4))


def code_from_text(text: str) -> bytes:
    """Reads a typed code; case, hyphens and blanks do not matter, nor do O, I and L."""
    letters = "".join(text.split()).upper().translate(_ALIKE)
    if len(letters) != _CODE_CHARACTERS or not set(letters) <= set(_ALPHABET):
        raise Malformed("a file recovery code has 28 letters and digits")
    number = 0
    for letter in letters:
        number = number << 5 | _ALPHABET.index(letter)
    code = (number >> _CHECK_BITS).to_bytes(CODE_BYTES, "big")
    if number & (1 << _CHECK_BITS) - 1 != _checksum(code):
        raise Malformed("the file recovery code is mistyped")
    return code


def _checksum(code: bytes) -> int:
    if len(code) != CODE_BYTES:
        raise Malformed("a file recovery code has 16 bytes")
    digest = hashlib.sha256(b"tessera/v1/recovery-code" + code).digest()
    return int.from_bytes(digest[:2], "big") >> 16 - _CHECK_BITS


@dataclass(frozen=True, slots=True)
class SealedRecovery:
    """One file of a recovery kit, as it lies in every warehouse."""

    company: UUID
    counter: int
    record: int
    """Counter of the recovery record that names the pair."""
    salt: bytes
    sealed: bytes

    def encode(self) -> bytes:
        return self._header() + self.sealed

    @classmethod
    def decode(cls, data: bytes) -> "SealedRecovery":
        reader = Reader(data)
        if reader.take(8) != _MAGIC:
            raise Malformed("this is not a sealed recovery half")
        if reader.u8() != _VERSION or reader.u8() != KDF_VERSION:
            raise Malformed("the version of the recovery half is unknown")
        record, counter, company = reader.u16(), reader.u32(), reader.uuid()
        if not 1 <= record <= MAX_RECORDS:
            raise Malformed("the counter of the record is out of range")
        salt = reader.take(SALT_BYTES)
        sealed = reader.take(_SEALED_BYTES)
        reader.end()
        return cls(company, counter, record, salt, sealed)

    def open(self, passphrase: str, code: bytes) -> PrivateKeys:
        """Takes a good part of a second; a wrong passphrase and a wrong code look alike."""
        key = _key(passphrase, code, self.salt)
        try:
            return PrivateKeys.decode(AESGCM(key).decrypt(_NONCE, self.sealed, self._header()))
        except InvalidTag:
            raise NotAuthentic("another passphrase or code, or a changed file") from None

    def _header(self) -> bytes:
        return _header(self.company, self.counter, self.record, self.salt)


def seal_recovery(
    keys: PrivateKeys, passphrase: str, code: bytes, *, company: UUID, counter: int, record: int
) -> SealedRecovery:
    """Reseals the private half, with a code that was never used before."""
    salt = secrets.token_bytes(SALT_BYTES)
    key = _key(passphrase, code, salt)
    sealed = AESGCM(key).encrypt(_NONCE, keys.encode(), _header(company, counter, record, salt))
    return SealedRecovery(company, counter, record, salt, sealed)


def _header(company: UUID, counter: int, record: int, salt: bytes) -> bytes:
    return b"".join(
        (_MAGIC, u8(_VERSION), u8(KDF_VERSION), u16(record), u32(counter), company.bytes, salt)
    )


def _key(passphrase: str, code: bytes, salt: bytes) -> bytes:
    if len(code) != CODE_BYTES:
        raise Malformed("a file recovery code has 16 bytes")
    stretched = stretch(normalize_passphrase(passphrase), salt)
    return derive_key(stretched + code, "tessera/v1/recovery")
