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

MAX_ENTRIES = 64
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
    # Null, like the keys, of colleagues to whom the caller does not grant.
    email_address: str | None
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    public_keys: Base64Url | None


class MemberKeysPage(ApiModel):
    members: list[MemberKeysRead]
    # Pass as `after` to get the following members; null on the last page.
    next: UUID | None


class RecordWrite(ApiModel):
    record: Base64Url


class KitWrite(ApiModel):
    counter: Annotated[int, Field(ge=1, le=2**31 - 1)]
    sealed: Base64Url


class RecoveryRead(ApiModel):
    # The chain that names the company's recovery pairs, the oldest first.
    records: list[Base64Url]
    # Zero if no recovery kit was made.
    kit_counter: int
    # Of the newest recovery kit; for the team leader only.
    sealed: Base64Url | None


class RecoveryHandoverWrite(ApiModel):
    handover: Base64Url


class RecoveryHandoverRead(ApiModel):
    # Addressed to the caller.
    handover: Base64Url | None


class EntryWrite(ApiModel):
    entry: Base64Url


class EntriesWrite(ApiModel):
    # Appended together or not at all.
    entries: Annotated[list[Base64Url], Field(min_length=1, max_length=MAX_ENTRIES)]


class SpaceRead(ApiModel):
    id: UUID
    sequence: int
    head: Base64Url
    generation: int
    awaiting_generation: bool
    leader: UUID
    is_member: bool
    # Members who could not open their newest grant; for whoever can grant again.
    refused_grants: list[UUID]
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
    # SHA-256 of every grant of the same entry, in the order of their members: the entry's hash of
    # grants is made of them.
    digests: list[Base64Url]


class GrantsRead(ApiModel):
    grants: list[GrantRead]


class RefusedGrant(ApiModel):
    """The caller's grant does not open although its hash is right."""

    sequence: Sequence


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
