"""Key handovers: a company key, sealed by its holder to the keys of one other member."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from tessera_core.binary import Reader, u8, u32
from tessera_core.envelopes import MAX_EPOCH
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.jwe import check_key
from tessera_core.kdf import KEY_BYTES
from tessera_core.user_keys import SIGNATURE_BYTES, SUITE, PrivateKeys, PublicKeys

_LABEL = b"tessera/v1/company-key"
_SIGNATURE_LABEL = b"tessera/v1/key-handover"
_SEALED_BYTES = 1120 + KEY_BYTES + 16


@dataclass(frozen=True, slots=True)
class KeyHandover:
    """The company key of one epoch. Not signed when its sender has no keys."""

    sender: UUID
    recipient: UUID
    epoch: int
    sealed: bytes
    signature: bytes

    def __post_init__(self) -> None:
        if self.sender == self.recipient:
            raise Malformed("the sender is the recipient")
        if not 1 <= self.epoch <= MAX_EPOCH:
            raise Malformed("the epoch is out of range")
        if len(self.sealed) != _SEALED_BYTES or len(self.signature) not in (0, SIGNATURE_BYTES):
            raise Malformed("a key handover has 1205 bytes, or 1269 with its signature")

    def encode(self) -> bytes:
        return b"".join(
            (
                u8(SUITE),
                self.sender.bytes,
                self.recipient.bytes,
                u32(self.epoch),
                self.sealed,
                self.signature,
            )
        )

    @classmethod
    def decode(cls, data: bytes) -> "KeyHandover":
        reader = Reader(data)
        if reader.u8() != SUITE:
            raise Malformed("the key handover's suite is unknown")
        sender, recipient, epoch = reader.uuid(), reader.uuid(), reader.u32()
        return cls(sender, recipient, epoch, reader.take(_SEALED_BYTES), reader.take(reader.left))

    def verify(self, keys: PublicKeys, *, company: UUID) -> None:
        """Checks the sender's signature; one that is missing is refused."""
        if not self.signature:
            raise NotAuthentic("the key handover is not signed")
        keys.verify(self.signature, _signed(company, self))

    def open(self, keys: PrivateKeys, *, company: UUID) -> bytes:
        """Returns the company key; the right one opens the passphrase of its epoch."""
        return keys.open(self.sealed, _info(company, self.sender, self.recipient, self.epoch))


def seal_key_handover(
    company_key: bytes,
    keys: PublicKeys,
    *,
    company: UUID,
    sender: UUID,
    recipient: UUID,
    epoch: int,
    signer: PrivateKeys | None,
) -> KeyHandover:
    info = _info(company, sender, recipient, epoch)
    sealed = keys.seal(check_key(company_key), info)
    handover = KeyHandover(sender, recipient, epoch, sealed, b"")
    if signer is None:
        return handover
    signature = signer.sign(_signed(company, handover))
    return KeyHandover(sender, recipient, epoch, sealed, signature)


def _info(company: UUID, sender: UUID, recipient: UUID, epoch: int) -> bytes:
    return b"".join((_LABEL, u8(SUITE), company.bytes, sender.bytes, recipient.bytes, u32(epoch)))


def _signed(company: UUID, handover: KeyHandover) -> bytes:
    return b"".join(
        (
            _SIGNATURE_LABEL,
            u8(SUITE),
            company.bytes,
            handover.sender.bytes,
            handover.recipient.bytes,
            u32(handover.epoch),
            hashlib.sha256(handover.sealed).digest(),
        )
    )
