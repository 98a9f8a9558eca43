"""The data of a pending registration as stored in its row: sealed, without the derived secret."""

from uuid import UUID

from pydantic import BaseModel

from tessera.auth.errors import EnvelopeMalformed, PasswordNotDerived
from tessera.companies.passphrase.errors import PassphraseNotSealed
from tessera.companies.schemas import AddressRead
from tessera.kit.keys import Keys
from tessera.signup.schemas import NewPerson, RegisterTeamLeader
from tessera_core.envelopes import check_passphrase_pair, check_user_key
from tessera_core.kdf import is_auth_secret, salt_from_text


class Contents(BaseModel):
    first_name: str
    last_name: str
    email: str
    phone_number: str
    password_hash: str
    salt: str
    user_key: str
    company_name: str
    company_email: str
    company_phone_number: str
    pass_phrase: str
    address: AddressRead
    card_token: str
    billing_email: str
    plan_id: int


def contents_of(data: RegisterTeamLeader, password_hash: str) -> Contents:
    return Contents(
        first_name=data.user.first_name,
        last_name=data.user.last_name,
        email=data.user.email_address,
        phone_number=data.user.phone_number,
        password_hash=password_hash,
        salt=data.user.salt,
        user_key=data.user.user_key,
        company_name=data.company.name,
        company_email=data.company.email,
        company_phone_number=data.company.phone_number,
        pass_phrase=data.company.pass_phrase,
        address=AddressRead.of(data.company.address),
        card_token=data.payment.stripe_token,
        billing_email=data.payment.email,
        plan_id=data.payment.plan_id,
    )


def seal_contents(keys: Keys, registration_id: int, contents: Contents) -> bytes:
    plaintext = contents.model_dump_json().encode()
    return keys.seal("registrations", plaintext, f"registration|{registration_id}")


def open_contents(keys: Keys, registration_id: int, sealed: bytes | None) -> Contents:
    assert sealed is not None, "erased when the registration ended"
    plaintext = keys.open("registrations", sealed, f"registration|{registration_id}")
    return Contents.model_validate_json(plaintext)


def check_person(data: NewPerson, company_uuid: UUID, *, prefix: str = "") -> bytes:
    """Checks the form of the derived secret and the user key; returns the salt."""
    if not is_auth_secret(data.password):
        raise PasswordNotDerived(fields={f"{prefix}password": "derived"})
    try:
        salt = salt_from_text(data.salt)
        check_user_key(data.user_key, uid=str(data.uuid), cid=str(company_uuid), salt=salt)
    except ValueError:
        raise EnvelopeMalformed(fields={f"{prefix}userKey": "envelope"}) from None
    return salt


def check_first_passphrase(data: RegisterTeamLeader) -> None:
    try:
        epoch = check_passphrase_pair(
            data.company.pass_phrase, uid=str(data.user.uuid), cid=str(data.company.uuid)
        )
    except ValueError:
        epoch = 0
    if epoch != 1:
        raise PassphraseNotSealed(fields={"company.passPhrase": "envelope"})
