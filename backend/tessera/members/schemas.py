from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel, EmailAddress, PersonName, PhoneNumber

# Every login has a second step; this is where its code comes from.
TwoStep = Literal["sms", "authenticator"]


class MemberRead(ApiModel):
    uuid: UUID
    first_name: str
    last_name: str
    email_address: str = Field(alias="email_address")
    phone_number: str
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    date_created: datetime
    # None for someone who has never logged in.
    last_login: datetime | None
    two_step: TwoStep
    # Entered by the leader and not yet confirmed by the member.
    pending_email_address: str | None = None
    pending_phone_number: str | None = None


class MemberUpdate(ApiModel):
    uuid: UUID
    first_name: PersonName
    last_name: PersonName
    email_address: EmailAddress = Field(alias="email_address")
    phone_number: PhoneNumber
