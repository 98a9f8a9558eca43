import hashlib
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from tessera_core.envelopes import new_key
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.handovers import KeyHandover, seal_key_handover
from tessera_core.user_keys import PrivateKeys

COMPANY, SENDER, RECIPIENT = uuid4(), uuid4(), uuid4()
SENDER_KEYS, RECIPIENT_KEYS = PrivateKeys.generate(), PrivateKeys.generate()
COMPANY_KEY = new_key()


def sealed(
    signer: PrivateKeys = SENDER_KEYS,
    company_key: bytes = COMPANY_KEY,
    company: UUID = COMPANY,
    sender: UUID = SENDER,
    epoch: int = 7,
) -> KeyHandover:
    return seal_key_handover(
        company_key,
        RECIPIENT_KEYS.public,
        company=company,
        sender=sender,
        recipient=RECIPIENT,
        epoch=epoch,
        signer=signer,
    )


def opened(handover: KeyHandover, keys: PrivateKeys = RECIPIENT_KEYS) -> bytes:
    return handover.open(keys, sender=SENDER_KEYS.public, company=COMPANY)


class TestKeyHandover:
    def test_the_recipient_opens_it(self) -> None:
        data = sealed().encode()
        assert len(data) == 1269
        handover = KeyHandover.decode(data)
        assert (handover.sender, handover.recipient, handover.epoch) == (SENDER, RECIPIENT, 7)
        assert opened(handover) == COMPANY_KEY

    def test_key_handover_opens_for_its_recipient_only(self) -> None:
        with pytest.raises(NotAuthentic):
            opened(sealed(), PrivateKeys.generate())

    def test_key_handover_without_a_signature_is_malformed(self) -> None:
        data = sealed().encode()
        for length in (1205, 1206, 1268):
            with pytest.raises(Malformed, match="1269"):
                KeyHandover.decode(data[:length])
        with pytest.raises(Malformed, match="1269"):
            replace(sealed(), signature=b"")

    def test_a_key_of_another_length_is_not_sealed(self) -> None:
        with pytest.raises(ValueError, match="32 bytes"):
            sealed(company_key=b"short")

    def test_key_handover_to_oneself_is_refused(self) -> None:
        with pytest.raises(Malformed):
            sealed(sender=RECIPIENT)


class TestAttacks:
    """What a server, or a member with valid keys, can put in place of a genuine key handover."""

    def test_forged_by_somebody_else(self) -> None:
        """Sealed properly to the recipient: HPKE alone would open it."""
        forged = sealed(PrivateKeys.generate(), company_key=new_key())
        assert RECIPIENT_KEYS.open(
            forged.sealed,
            b"tessera/v1/company-key\1"
            + COMPANY.bytes
            + SENDER.bytes
            + RECIPIENT.bytes
            + (7).to_bytes(4),
        )
        with pytest.raises(NotAuthentic):
            opened(forged)

    def test_key_handover_of_another_company_is_refused(self) -> None:
        with pytest.raises(NotAuthentic):
            opened(sealed(company=uuid4()))

    @pytest.mark.parametrize(
        "change",
        [
            {"sender": uuid4()},
            {"recipient": uuid4()},
            {"number": 8},
            {"sealed": sealed(company_key=new_key()).sealed},
            {"signature": sealed(epoch=8).signature},
            {"signature": bytes(64)},
        ],
        ids=["sender", "recipient", "epoch", "another key", "another signature", "no signature"],
    )
    def test_key_handover_with_a_part_replaced_is_refused(self, change: dict[str, object]) -> None:
        with pytest.raises(NotAuthentic):
            opened(replace(sealed(), **change))  # type: ignore[arg-type]

    def test_signed_again_by_a_member_as_their_own(self) -> None:
        """The info names the sender, so another's sealed key does not open under a new name."""
        mallory, keys = uuid4(), PrivateKeys.generate()
        stolen = sealed().sealed
        own = sealed(keys, sender=mallory)
        signature = keys.sign(
            b"tessera/v1/key-handover\1"
            + COMPANY.bytes
            + mallory.bytes
            + RECIPIENT.bytes
            + (7).to_bytes(4)
            + hashlib.sha256(stolen).digest()
        )
        with pytest.raises(NotAuthentic):
            replace(own, sealed=stolen, signature=signature).open(
                RECIPIENT_KEYS, sender=keys.public, company=COMPANY
            )
