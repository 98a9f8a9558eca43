from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel, Base64Url
from tessera.storage.packs.schemas import MAX_PACKS, Digest, PackId, ShardIndex
from tessera_core.shares import MAX_SEALED_BYTES

MAX_DAYS = 365
MAX_DOWNLOADS = 1000

ShareState = Literal["open", "expired", "used", "ended", "guessed"]


def _salt(data: bytes) -> bytes:
    if len(data) != 16:
        raise FieldError("base64url")
    return data


def _manifest(data: bytes) -> bytes:
    if not 0 < len(data) <= MAX_SEALED_BYTES:
        raise FieldError("base64url")
    return data


class ShareCreate(ApiModel):
    """Nothing says what is shared, from which space, or whether there is a password."""

    id: UUID = Field(description="Drawn by the client, at random.")
    salt: Annotated[Base64Url, AfterValidator(_salt)] = Field(
        description="Of a password, whether there is one or not."
    )
    token_hash: Digest = Field(description="SHA-256 of the access token.")
    days: int = Field(ge=1, le=MAX_DAYS)
    downloads: int = Field(ge=1, le=MAX_DOWNLOADS)


class ShareCreated(ApiModel):
    expires_at: datetime
    origin: str = Field(description="Where links to shares begin.")


class SharePublish(ApiModel):
    manifest: Annotated[Base64Url, AfterValidator(_manifest)] = Field(
        description="What the share holds, encrypted."
    )


class ShareRead(ApiModel):
    id: UUID
    author: UUID
    author_name: str = Field(description="Empty if the member was removed.")
    state: ShareState
    bytes: int
    downloads: int
    max_downloads: int
    created_at: datetime
    expires_at: datetime
    last_download_at: datetime | None
    ended_at: datetime | None


class SharesRead(ApiModel):
    shares: list[ShareRead] = Field(
        description="The newest first: everybody’s for the team leader, otherwise the caller’s."
    )


class SharePolicy(ApiModel):
    is_allowed: bool = Field(description="Whether members may create shares.")
    max_days: int = Field(ge=1, le=MAX_DAYS, description="How long a share may last.")


class GuestShare(ApiModel):
    """What the keys of a share are derived with, besides its link."""

    company: UUID
    salt: Base64Url
    state: ShareState


class ShareOpen(ApiModel):
    token: Digest = Field(description="The access token, derived from the link and the password.")


class OpenedShare(ApiModel):
    manifest: Base64Url
    ticket: str = Field(description="Allows further calls for the share’s pieces for four hours.")
    expires_at: datetime
    downloads_left: int


Ticket = Annotated[str, Field(max_length=100, description="From opening the share.")]


class ShareLinksCreate(ApiModel):
    ticket: Ticket
    packs: Annotated[list[PackId], Field(min_length=1, max_length=MAX_PACKS)]


class SharePiece(ApiModel):
    ticket: Ticket
    pack: PackId
    index: ShardIndex
