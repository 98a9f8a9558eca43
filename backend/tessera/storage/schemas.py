from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel, Storable
from tessera_core import base64url


def _decode(value: object) -> object:
    """Reads canonical base64url; bytes from our own code pass."""
    if not isinstance(value, str):
        return value
    try:
        return base64url.decode(value)
    except ValueError:
        raise FieldError("base64url") from None


Base64Url = Annotated[
    bytes,
    BeforeValidator(_decode),
    PlainSerializer(base64url.encode, return_type=str),
    WithJsonSchema({"type": "string", "contentEncoding": "base64url"}),
]
Sequence = Annotated[int, Field(ge=0, le=2**62)]

MAX_GRANTS = 200
MAX_PAGE = 256


class KeysWrite(ApiModel):
    public_keys: Base64Url
    envelope: Annotated[str, Field(max_length=400_000), Storable]


class KeysRead(ApiModel):
    public_keys: Base64Url
    # Null after a password reset.
    envelope: str | None
    revision: int


class MemberKeysRead(ApiModel):
    uuid: UUID
    first_name: str
    last_name: str
    email_address: str
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    public_keys: Base64Url


class MemberKeysPage(ApiModel):
    members: list[MemberKeysRead]
    # Pass as `after` to get the following members; null on the last page.
    next: UUID | None


class RecoveryWrite(ApiModel):
    counter: Annotated[int, Field(ge=1, le=2**31 - 1)]
    public_keys: Base64Url
    leader_grant: Base64Url
    sealed: Base64Url | None = None


class RecoveryRead(ApiModel):
    counter: int
    public_keys: Base64Url
    leader_uuid: UUID
    leader_grant: Base64Url
    # Of the newest recovery kit; null if there is none.
    sealed: Base64Url | None


class EntryWrite(ApiModel):
    entry: Base64Url


class SpaceRead(ApiModel):
    id: UUID
    sequence: int
    head: Base64Url
    generation: int
    awaiting_generation: bool
    leader: UUID
    is_member: bool
    date_created: datetime


class LogHead(ApiModel):
    sequence: int
    head: Base64Url


class LogPage(ApiModel):
    entries: list[Base64Url]
    # The last sequence of the whole log, which may lie behind this page.
    sequence: int
    head: Base64Url


class GrantsWrite(ApiModel):
    entry_id: Base64Url
    grants: Annotated[list[Base64Url], Field(min_length=1, max_length=MAX_GRANTS)]


class GrantRead(ApiModel):
    sequence: int
    member: UUID
    generation: int
    grant: Base64Url


class GrantsRead(ApiModel):
    grants: list[GrantRead]


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
