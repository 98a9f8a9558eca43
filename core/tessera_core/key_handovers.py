"""Key handovers: a company key, sealed by its holder to the keys of one other member."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from tessera_core.binary import Reader, u8, u32
from tessera_core.envelopes import MAX_EPOCH
from tessera_core.errors import Malformed
from tessera_core.jwe import check_key
from tessera_core.kdf import KEY_BYTES
from tessera_core.user_keys import SIGNATURE_BYTES, SUITE, PrivateKeys, PublicKeys

_LABEL = b"tessera/v1/company-key"
_SIGNATURE_LABEL = b"tessera/v1/key-handover"
_SEALED_BYTES = 1120 + KEY_BYTES + 16


@dataclass(frozen=True, slots=True)
class KeyHandover:
    """The company key of one epoch, signed by its sender."""

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
        if len(self.sealed) != _SEALED_BYTES or len(self.signature) != SIGNATURE_BYTES:
            raise Malformed("a key handover has 1269 bytes")

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
        """Checks the sender's signature."""
        signed = _signed(company, self.sender, self.recipient, self.epoch, self.sealed)
        keys.verify(self.signature, signed)

    def open(self, keys: PrivateKeys, *, sender: PublicKeys, company: UUID) -> bytes:
        """Checks the signature by the keys that the caller knows as the sender's, since anyone can
        seal, and returns the company key; the right one opens the passphrase of its epoch."""
        self.verify(sender, company=company)
        return keys.open(self.sealed, _info(company, self.sender, self.recipient, self.epoch))


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
    info = _info(company, sender, recipient, epoch)
    sealed = keys.seal(check_key(company_key), info)
    signature = signer.sign(_signed(company, sender, recipient, epoch, sealed))
    return KeyHandover(sender, recipient, epoch, sealed, signature)


def _info(company: UUID, sender: UUID, recipient: UUID, epoch: int) -> bytes:
    return _LABEL + _bound(company, sender, recipient, epoch)


def _signed(company: UUID, sender: UUID, recipient: UUID, epoch: int, sealed: bytes) -> bytes:
    bound = _bound(company, sender, recipient, epoch)
    return _SIGNATURE_LABEL + bound + hashlib.sha256(sealed).digest()


def _bound(company: UUID, sender: UUID, recipient: UUID, epoch: int) -> bytes:
    return b"".join((u8(SUITE), company.bytes, sender.bytes, recipient.bytes, u32(epoch)))
