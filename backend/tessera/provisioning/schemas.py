from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel

MAX_AT_ONCE = 100


class ScimTokenRead(ApiModel):
    created_by: Annotated[str, Field(description="The name of the leader who made it.")]
    created_at: datetime
    expires_at: Annotated[
        datetime | None, Field(description="Set once it was rotated; until then it works.")
    ]
    last_used_at: datetime | None
    last_origin: str | None


class ProvisioningRead(ApiModel):
    base_url: Annotated[str, Field(description="What the directory is given as the SCIM address.")]
    tokens: Annotated[
        list[ScimTokenRead],
        Field(description="The current one first, then one that was rotated and still works."),
    ]
    confirm_deletions: Annotated[
        bool,
        Field(description="Whether the leader confirms before members are removed."),
    ]
    users: Annotated[int, Field(description="How many people the directory manages.")]
    groups: int
    deletions: Annotated[int, Field(description="How many deletions wait for the leader.")]


class ProvisioningUpdate(ApiModel):
    confirm_deletions: bool


class ScimTokenCreated(ApiModel):
    token: Annotated[str, Field(description="`tscim_…`; it cannot be shown again.")]
    provisioning: ProvisioningRead


class RequestedDeletion(ApiModel):
    uuid: UUID
    name: str
    email_address: str
    requested_at: datetime


class RequestedDeletions(ApiModel):
    members: Annotated[list[RequestedDeletion], Field(description="The oldest first.")]
    total: int


class MemberDeletions(ApiModel):
    uuids: Annotated[list[UUID], Field(min_length=1, max_length=MAX_AT_ONCE)]
