from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from tessera.auth.schemas import Envelope, LinkToken, Salt, Secret, UserRead
from tessera.auth.two_factor.schemas import Code
from tessera.companies.schemas import Address, NeededLine
from tessera.kit.schemas import ApiModel, EmailAddress, Label, PersonName, PhoneNumber, SecretBody
from tessera.subscription.schemas import CardToken


class RegistrationPassword(SecretBody):
    password: Annotated[str, StringConstraints(min_length=8, max_length=200)]


class AccessRequestCreate(ApiModel):
    name: PersonName
    company_name: Label
    email_address: EmailAddress


class AccessRequestRead(ApiModel):
    id: int
    name: str
    company_name: str
    email_address: str
    state: Literal["open", "approved", "declined", "used"]
    date_created: datetime
    decided_at: datetime | None
    expires_at: datetime | None = Field(description="When the mailed link expires.")


class TicketCreate(ApiModel):
    """The token of an approved request; none where registration is open to everyone."""

    token: LinkToken | None = None


class TicketRead(ApiModel):
    ticket: str
    expires_in: int = Field(description="Seconds until the registration password is asked again.")


class PhoneCodeCheck(SecretBody):
    phone_number: PhoneNumber
    otp: Code


class PhoneVerified(ApiModel):
    phone_number: str = Field(description="As it was understood: + and digits, no spaces.")


class NewPerson(ApiModel):
    """What the browser created is checked against the ids it was created for."""

    uuid: UUID
    first_name: PersonName
    last_name: PersonName
    phone_number: PhoneNumber
    password: Secret = Field(description="AUTH, derived from the password; never the password.")
    salt: Salt
    user_key: Envelope


class NewLeader(NewPerson):
    email_address: EmailAddress = Field(alias="email_address")


class NewCompany(ApiModel):
    uuid: UUID
    name: NeededLine
    email: EmailAddress
    phone_number: PhoneNumber
    pass_phrase: Envelope = Field(description="The sealed company key, ~, the sealed passphrase.")
    address: Address


class NewPayment(ApiModel):
    stripe_token: CardToken
    email: EmailAddress
    plan_id: int


class RegisterTeamLeader(ApiModel):
    user: NewLeader
    company: NewCompany
    payment: NewPayment


class Registered(ApiModel):
    access_token: str = Field(alias="access_token")
    user: UserRead


class MemberRegistered(ApiModel):
    """Without a session where the company requires single sign-on: the first login follows."""

    access_token: Annotated[str | None, Field(alias="access_token")]
    user: UserRead | None


class TeamLeaderRegistered(ApiModel):
    data: Registered
