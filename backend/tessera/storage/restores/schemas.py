from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel, Base64Url
from tessera.storage.log.schemas import MAX_ENTRIES, MAX_GRANTS, Sequence


class FormerEntry(ApiModel):
    """A whole entry as its author signed it, with the grants whose hash it carries."""

    entry: Base64Url
    grants: Annotated[list[Base64Url], Field(max_length=MAX_GRANTS, default_factory=list)]


class FormerEntries(ApiModel):
    # Consecutive. Those that the log has already are compared.
    entries: Annotated[list[FormerEntry], Field(max_length=MAX_ENTRIES)]
    # How far the caller has seen the log.
    seen: Sequence


class ExtendedLog(ApiModel):
    sequence: int
    head: Base64Url
    # Packs that the next entry adds and of which the warehouses have too few pieces.
    missing_packs: int
    # Whether the next entry needs grants that were not sent.
    needs_grants: bool


class WaitingSpace(ApiModel):
    """A log of which somebody has seen more."""

    id: UUID
    # 0 if the service does not know the space.
    sequence: int
    seen: int
    members: int
    # Whether a warehouse has later entries, of which a pack or grants are missing.
    is_in_warehouses: bool


class RestoreRead(ApiModel):
    # When the database was last restored from a backup; None if it never was.
    began_at: datetime | None
    # When the warehouses had been read to their ends.
    read_at: datetime | None
    closed_at: datetime | None
    # How many entries came back.
    entries: int
    spaces: int
    waiting: list[WaitingSpace]
