from datetime import datetime
from typing import Literal
from uuid import UUID

from tessera.kit.schemas import ApiModel


class StorageDevice(ApiModel):
    """A session of the client program."""

    id: int
    user_uuid: UUID
    user_name: str
    name: str
    system: str
    version: str
    started_at: datetime
    last_used_at: datetime


class StorageDevices(ApiModel):
    devices: list[StorageDevice]


class WaitingMember(ApiModel):
    """Has keys, and no access to any space."""

    uuid: UUID
    name: str
    since: datetime


class WaitingMembers(ApiModel):
    members: list[WaitingMember]


class FormerMember(ApiModel):
    """Still a member of spaces, although the account is deleted or disabled."""

    uuid: UUID
    name: str
    email_address: str | None
    reason: Literal["deleted", "disabled"]
    spaces: int


class FormerMembers(ApiModel):
    members: list[FormerMember]
