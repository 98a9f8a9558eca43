from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel, Base64Url, EmailAddress, PersonName, PhoneNumber
from tessera.members.queries import TwoFactorMethod


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
    two_factor: TwoFactorMethod = Field(alias="twoStep")
    # Entered by the leader and not yet confirmed by the member.
    pending_email_address: str | None = None
    pending_phone_number: str | None = None
    groups: Annotated[
        list[str], Field(description="Labels that the company's directory gives; at most 50.")
    ]


class MemberPublicKeys(ApiModel):
    public_keys: Base64Url | None = Field(description="Null until the member has made keys.")


class LeadershipTransfer(ApiModel):
    key_handover: Base64Url | None = Field(
        default=None, description="The company key, sealed to the new leader's keys."
    )


MAX_AT_ONCE = 100

# The order does not matter, nor does naming someone twice.
MemberIds = Annotated[list[UUID], Field(min_length=1, max_length=MAX_AT_ONCE)]


class BulkMembers(ApiModel):
    uuids: MemberIds


class BulkMemberStatus(BulkMembers):
    enabled: bool


class MemberUpdate(ApiModel):
    uuid: UUID
    first_name: PersonName
    last_name: PersonName
    email_address: EmailAddress = Field(alias="email_address")
    phone_number: PhoneNumber
