"""Grants: a space's keyring, sealed to the keys of one member or of the recovery pair."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from tessera_core.binary import Reader, u8, u32
from tessera_core.errors import Malformed
from tessera_core.keyring import MAX_GENERATION, SEED_BYTES, Keyring
from tessera_core.user_keys import SUITE, PrivateKeys, PublicKeys

# The recovery pair receives grants and signs entries like a member, under this id.
RECOVERY = UUID(int=0)

_LABEL = b"tessera/v1/grant"
_HASH_LABEL = b"tessera/v1/grants"
_HEADER_BYTES = 1 + 16 + 4
_HPKE_BYTES = 1120 + 16


@dataclass(frozen=True, slots=True)
class Grant:
    """The keyring up to one generation, for one member."""

    member: UUID
    generation: int
    sealed: bytes

    def __post_init__(self) -> None:
        if not 1 <= self.generation <= MAX_GENERATION:
            raise Malformed("the generation is out of range")
        if len(self.sealed) != _HPKE_BYTES + self.generation * SEED_BYTES:
            raise Malformed("the grant's length does not match its generation")

    def encode(self) -> bytes:
        return u8(SUITE) + self.member.bytes + u32(self.generation) + self.sealed

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.encode()).digest()

    @classmethod
    def decode(cls, data: bytes) -> "Grant":
        reader = Reader(data)
        if reader.u8() != SUITE:
            raise Malformed("the grant's suite is unknown")
        return cls(reader.uuid(), reader.u32(), reader.take(reader.left))

    def open(self, keys: PrivateKeys, *, company: UUID, space: UUID) -> Keyring:
        info = _info(company, space, self.member, self.generation)
        return Keyring.decode(keys.open(self.sealed, info))


def seal_grant(
    keyring: Keyring, keys: PublicKeys, *, company: UUID, space: UUID, member: UUID
) -> Grant:
    info = _info(company, space, member, keyring.generation)
    return Grant(member, keyring.generation, keys.seal(keyring.encode(), info))


def grants_hash(grants: Iterable[Grant]) -> bytes:
    """Hashes the grants that belong to one entry; the entry carries it, signed."""
    ordered = sorted(grants, key=lambda grant: grant.member.bytes)
    if len({grant.member for grant in ordered}) != len(ordered):
        raise Malformed("a member has two grants")
    return hash_digests(grant.digest for grant in ordered)


def hash_digests(digests: Iterable[bytes]) -> bytes:
    """Hashes the digests of an entry's grants, in the order of their members."""
    return hashlib.sha256(_HASH_LABEL + b"".join(digests)).digest()


def _info(company: UUID, space: UUID, member: UUID, generation: int) -> bytes:
    return _LABEL + u8(SUITE) + company.bytes + space.bytes + member.bytes + u32(generation)
