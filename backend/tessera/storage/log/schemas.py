from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel, Base64Url

Sequence = Annotated[int, Field(ge=0, le=2**62)]


MAX_ENTRIES = 64


MAX_GRANTS = 200


MAX_PAGE = 256


MAX_FOLLOWED = 200


class SpaceCreate(ApiModel):
    entry: Base64Url


class EntriesCreate(ApiModel):
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


class KnownSpace(ApiModel):
    id: UUID
    sequence: Sequence


class ChangesWanted(ApiModel):
    spaces: Annotated[list[KnownSpace], Field(min_length=1, max_length=MAX_FOLLOWED)]
    # How long the call may wait. Proxies often end calls after a minute.
    seconds: Annotated[int, Field(ge=0, le=50)] = 50


class ChangedSpaces(ApiModel):
    """Spaces whose logs have other entries than the caller knows."""

    changed: list[UUID]


class LogPage(ApiModel):
    entries: list[Base64Url]
    # The last sequence of the whole log, which may lie behind this page.
    sequence: int
    head: Base64Url


class GrantsCreate(ApiModel):
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
