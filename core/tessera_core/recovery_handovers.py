"""Recovery handovers: the private half of the recovery pair, from a leader to the next one."""

import hashlib
from dataclasses import dataclass, field
from uuid import UUID

from tessera_core.binary import Reader, u8, u32
from tessera_core.errors import Malformed
from tessera_core.user_keys import (
    PRIVATE_KEYS_BYTES,
    SIGNATURE_BYTES,
    SUITE,
    PrivateKeys,
    PublicKeys,
)

_LABEL = b"tessera/v1/recovery-pair"
_SIGNATURE_LABEL = b"tessera/v1/recovery-handover"
_SEALED_BYTES = 1120 + PRIVATE_KEYS_BYTES + 16


@dataclass(frozen=True, slots=True)
class RecoveryHandover:
    """The pair of one recovery record. It is signed: sealing proves nothing about the sender."""

    sender: UUID
    recipient: UUID
    counter: int
    """Of the recovery record that names the pair."""
    sealed: bytes = field(repr=False)
    signature: bytes

    def __post_init__(self) -> None:
        if self.sender == self.recipient:
            raise Malformed("the sender is the recipient")
        if len(self.sealed) != _SEALED_BYTES or len(self.signature) != SIGNATURE_BYTES:
            raise Malformed("a recovery handover has 1302 bytes")

    def encode(self) -> bytes:
        people = self.sender.bytes + self.recipient.bytes
        return u8(SUITE) + people + u32(self.counter) + self.sealed + self.signature

    @classmethod
    def decode(cls, data: bytes) -> "RecoveryHandover":
        reader = Reader(data)
        if reader.u8() != SUITE:
            raise Malformed("the recovery handover's suite is unknown")
        sender, recipient, counter = reader.uuid(), reader.uuid(), reader.u32()
        return cls(sender, recipient, counter, reader.take(_SEALED_BYTES), reader.take(reader.left))

    def verify(self, sender_keys: PublicKeys, *, company: UUID) -> None:
        sender_keys.verify(self.signature, _signed(self._context(company), self.sealed))

    def open(self, sender_keys: PublicKeys, keys: PrivateKeys, *, company: UUID) -> PrivateKeys:
        """Returns the pair, if these keys of the sender's have signed the handover."""
        self.verify(sender_keys, company=company)
        return PrivateKeys.decode(keys.open(self.sealed, _LABEL + self._context(company)))

    def _context(self, company: UUID) -> bytes:
        return _context(company, self.sender, self.recipient, self.counter)


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
    context = _context(company, sender, recipient, counter)
    sealed = keys.seal(pair.encode(), _LABEL + context)
    signature = signer.sign(_signed(context, sealed))
    return RecoveryHandover(sender, recipient, counter, sealed, signature)


def _context(company: UUID, sender: UUID, recipient: UUID, counter: int) -> bytes:
    return b"".join((u8(SUITE), company.bytes, sender.bytes, recipient.bytes, u32(counter)))


def _signed(context: bytes, sealed: bytes) -> bytes:
    return _SIGNATURE_LABEL + context + hashlib.sha256(sealed).digest()
