from datetime import datetime
from typing import Literal

from pydantic import Field

from tessera.auth.schemas import LinkToken
from tessera.auth.two_factor.schemas import Code
from tessera.kit.i18n import Language
from tessera.kit.schemas import ApiModel, EmailAddress, PersonName, PhoneNumber, SecretBody

ContactKind = Literal["email", "phone"]


class ProfileUpdate(ApiModel):
    first_name: PersonName
    last_name: PersonName
    language: Language


class NewAddress(ApiModel):
    email_address: EmailAddress = Field(alias="email_address")


class NewPhone(ApiModel):
    phone_number: PhoneNumber


class PhoneCode(SecretBody):
    otp: Code


class ConfirmEmail(ApiModel):
    token: LinkToken


class ConfirmLinkRead(ApiModel):
    """What opening the link would do. Only another address needs verified access."""

    current_email_address: str
    new_email_address: str
    is_change: bool


class PendingChange(ApiModel):
    kind: ContactKind
    value: str
    asked_by: str
    asked_at: datetime
