from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, RootModel, StringConstraints

from tessera.kit.schemas import ApiModel

MAX_AT_ONCE = 2_000


class Invitee(ApiModel):
    """Any text: an invalid address is rejected on its own and the rest is accepted."""

    email_address: Annotated[str, StringConstraints(max_length=320)] = Field(alias="email_address")


class Invitees(RootModel[Annotated[list[Invitee], Field(min_length=1, max_length=MAX_AT_ONCE)]]):
    pass


MAX_RESENT = 100


class BulkInvites(ApiModel):
    keys: Annotated[list[UUID], Field(min_length=1, max_length=MAX_RESENT)]


class InviteResult(ApiModel):
    email_address: str = Field(alias="email_address")
    state: Literal["invited", "alreadyMember", "alreadyInvited", "invalid"]


class InviteRead(ApiModel):
    company_id: int
    email_address: str = Field(alias="email_address")
    key: UUID
    state: Literal["open", "expired", "cancelled"]
    date_created: datetime
    expires_at: datetime


class InviteProgress(ApiModel):
    total: int
    sent: int
    failed: int


class InviteState(ApiModel):
    state: Literal["open", "expired", "cancelled", "used"]
    email_address: str = Field(alias="email_address")
    company_name: str
    company_uuid: UUID


class InviteToken(ApiModel):
    token: Annotated[str, StringConstraints(min_length=20, max_length=100)]
