"""Handovers: a secret, sealed by its holder to the keys of one other member, and signed."""

import hashlib
from dataclasses import dataclass, field
from typing import ClassVar, Self
from uuid import UUID

from tessera_core.binary import Reader, u8, u32
from tessera_core.envelopes import MAX_EPOCH
from tessera_core.errors import Malformed
from tessera_core.jwe import check_key
from tessera_core.kdf import KEY_BYTES
from tessera_core.user_keys import (
    PRIVATE_KEYS_BYTES,
    SIGNATURE_BYTES,
    SUITE,
    PrivateKeys,
    PublicKeys,
)

_HEADER_BYTES = 1 + 16 + 16 + 4
_HPKE_BYTES = 1120 + 16


@dataclass(frozen=True, slots=True)
class _Handover:
    """Signed, because anyone can seal: sealing proves nothing about the sender."""

    name: ClassVar[str]
    sealed_label: ClassVar[bytes]
    signed_label: ClassVar[bytes]
    secret_bytes: ClassVar[int]
    sender: UUID
    recipient: UUID
    number: int
    """Which of the company's secrets of this kind it is."""
    sealed: bytes = field(repr=False)
    signature: bytes

    def __post_init__(self) -> None:
        if self.sender == self.recipient:
            raise Malformed("the sender is the recipient")
        sealed_bytes = _HPKE_BYTES + self.secret_bytes
        if len(self.sealed) != sealed_bytes or len(self.signature) != SIGNATURE_BYTES:
            size = _HEADER_BYTES + sealed_bytes + SIGNATURE_BYTES
            raise Malformed(f"a {self.name} has {size} bytes")

    def encode(self) -> bytes:
        people = self.sender.bytes + self.recipient.bytes
        return u8(SUITE) + people + u32(self.number) + self.sealed + self.signature

    @classmethod
    def decode(cls, data: bytes) -> Self:
        reader = Reader(data)
        if reader.u8() != SUITE:
            raise Malformed(f"the {cls.name}'s suite is unknown")
        sender, recipient, number = reader.uuid(), reader.uuid(), reader.u32()
        sealed = reader.take(_HPKE_BYTES + cls.secret_bytes)
        return cls(sender, recipient, number, sealed, reader.take(reader.left))

    def verify(self, keys: PublicKeys, *, company: UUID) -> None:
        """Checks the signature by the keys that the caller knows as the sender's."""
        context = _context(company, self.sender, self.recipient, self.number)
        keys.verify(self.signature, self._signed(context, self.sealed))

    def _open(self, sender_keys: PublicKeys, keys: PrivateKeys, company: UUID) -> bytes:
        self.verify(sender_keys, company=company)
        context = _context(company, self.sender, self.recipient, self.number)
        return keys.open(self.sealed, self.sealed_label + context)

    @classmethod
    def seal(
        cls,
        secret: bytes,
        keys: PublicKeys,
        signer: PrivateKeys,
        *,
        company: UUID,
        sender: UUID,
        recipient: UUID,
        number: int,
    ) -> Self:
        context = _context(company, sender, recipient, number)
        sealed = keys.seal(secret, cls.sealed_label + context)
        signature = signer.sign(cls._signed(context, sealed))
        return cls(sender, recipient, number, sealed, signature)

    @classmethod
    def _signed(cls, context: bytes, sealed: bytes) -> bytes:
        return cls.signed_label + context + hashlib.sha256(sealed).digest()


class KeyHandover(_Handover):
    """The company key of one epoch."""

    name = "key handover"
    sealed_label = b"tessera/v1/company-key"
    signed_label = b"tessera/v1/key-handover"
    secret_bytes = KEY_BYTES

    def __post_init__(self) -> None:
        if not 1 <= self.epoch <= MAX_EPOCH:
            raise Malformed("the epoch is out of range")
        super().__post_init__()

    @property
    def epoch(self) -> int:
        return self.number

    def open(self, keys: PrivateKeys, *, sender: PublicKeys, company: UUID) -> bytes:
        """Returns the company key; the right one opens the passphrase of its epoch."""
        return self._open(sender, keys, company)


class RecoveryHandover(_Handover):
    """The private half of the recovery pair, from a leader to the next one."""

    name = "recovery handover"
    sealed_label = b"tessera/v1/recovery-pair"
    signed_label = b"tessera/v1/recovery-handover"
    secret_bytes = PRIVATE_KEYS_BYTES

    @property
    def counter(self) -> int:
        """Of the recovery record that names the pair."""
        return self.number

    def open(self, sender_keys: PublicKeys, keys: PrivateKeys, *, company: UUID) -> PrivateKeys:
        return PrivateKeys.decode(self._open(sender_keys, keys, company))


def seal_key_handover(
    company_key: bytes,
    keys: PublicKeys,
    *,
    company: UUID,
    sender: UUID,
    recipient: UUID,
    epoch: int,
    signer: PrivateKeys,
) -> KeyHandover:
    return KeyHandover.seal(
        check_key(company_key), keys, signer,
        company=company, sender=sender, recipient=recipient, number=epoch,
    )  # fmt: skip


def seal_recovery_handover(
    pair: PrivateKeys,
    keys: PublicKeys,
    signer: PrivateKeys,
    *,
    company: UUID,
    sender: UUID,
    recipient: UUID,
    counter: int,
) -> RecoveryHandover:
    return RecoveryHandover.seal(
        pair.encode(), keys, signer,
        company=company, sender=sender, recipient=recipient, number=counter,
    )  # fmt: skip


def _context(company: UUID, sender: UUID, recipient: UUID, number: int) -> bytes:
    return b"".join((u8(SUITE), company.bytes, sender.bytes, recipient.bytes, u32(number)))
