from uuid import uuid4

import pytest

from tessera_core.envelopes import new_key
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.key_handovers import KeyHandover, seal_key_handover
from tessera_core.user_keys import PrivateKeys

COMPANY, SENDER, RECIPIENT = uuid4(), uuid4(), uuid4()
SENDER_KEYS, RECIPIENT_KEYS = PrivateKeys.generate(), PrivateKeys.generate()
COMPANY_KEY = new_key()


def sealed(signer: PrivateKeys | None = SENDER_KEYS, company_key: bytes = COMPANY_KEY) -> bytes:
    return seal_key_handover(
        company_key,
        RECIPIENT_KEYS.public,
        company=COMPANY,
        sender=SENDER,
        recipient=RECIPIENT,
        epoch=7,
        signer=signer,
    ).encode()


class TestKeyHandover:
    @pytest.mark.parametrize(("signer", "size"), [(SENDER_KEYS, 1269), (None, 1205)])
    def test_the_recipient_opens_it(self, signer: PrivateKeys | None, size: int) -> None:
        data = sealed(signer)
        assert len(data) == size
        handover = KeyHandover.decode(data)
        assert (handover.sender, handover.recipient, handover.epoch) == (SENDER, RECIPIENT, 7)
        assert handover.open(RECIPIENT_KEYS, company=COMPANY) == COMPANY_KEY

    def test_nobody_else_opens_it(self) -> None:
        handover = KeyHandover.decode(sealed())
        with pytest.raises(NotAuthentic):
            handover.open(SENDER_KEYS, company=COMPANY)
        with pytest.raises(NotAuthentic):
            handover.open(RECIPIENT_KEYS, company=uuid4())

    def test_the_signature_names_the_company(self) -> None:
        handover = KeyHandover.decode(sealed())
        handover.verify(SENDER_KEYS.public, company=COMPANY)
        with pytest.raises(NotAuthentic):
            handover.verify(SENDER_KEYS.public, company=uuid4())

    def test_what_has_no_signature_is_not_authentic(self) -> None:
        with pytest.raises(NotAuthentic):
            KeyHandover.decode(sealed(None)).verify(SENDER_KEYS.public, company=COMPANY)

    def test_a_key_of_another_length_is_not_sealed(self) -> None:
        with pytest.raises(ValueError, match="32 bytes"):
            sealed(company_key=b"short")

    def test_to_oneself(self) -> None:
        with pytest.raises(Malformed):
            seal_key_handover(
                COMPANY_KEY,
                SENDER_KEYS.public,
                company=COMPANY,
                sender=SENDER,
                recipient=SENDER,
                epoch=1,
                signer=None,
            )
