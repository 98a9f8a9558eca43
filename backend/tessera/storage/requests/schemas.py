from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel, Base64Url
from tessera.storage.packs.schemas import MAX_PACKS, Digest, PackCreate, PackId
from tessera_core.errors import Malformed
from tessera_core.keyring import MAX_GENERATION
from tessera_core.requests import (
    MAX_BYTES,
    MAX_SEALED_DETAILS_BYTES,
    MAX_SEALED_FOLDER_BYTES,
    UPLOAD_KEY_BYTES,
)
from tessera_core.shares import MAX_SEALED_BYTES
from tessera_core.user_keys import PublicKeys

MAX_DAYS = 365

# Superseded: the space has another generation, for which it has to be made anew.
RequestState = Literal["open", "expired", "ended", "superseded"]


def _public_keys(data: bytes) -> bytes:
    try:
        PublicKeys.decode(data)
    except Malformed:
        raise FieldError("base64url") from None
    return data


def _details(data: bytes) -> bytes:
    return _at_most(data, MAX_SEALED_DETAILS_BYTES)


def _folder(data: bytes) -> bytes:
    return _at_most(data, MAX_SEALED_FOLDER_BYTES)


def _manifest(data: bytes) -> bytes:
    return _at_most(data, MAX_SEALED_BYTES)


def _upload_key(data: bytes) -> bytes:
    if len(data) != UPLOAD_KEY_BYTES:
        raise FieldError("base64url")
    return data


def _at_most(data: bytes, size: int) -> bytes:
    if not 0 < len(data) <= size:
        raise FieldError("base64url")
    return data


class RequestCreate(ApiModel):
    """Nothing says what is asked for, or where in the space it is meant to go."""

    id: UUID = Field(description="Drawn by the client, at random.")
    space_id: UUID
    generation: int = Field(ge=1, le=MAX_GENERATION, description="The space’s current one.")
    public_keys: Annotated[Base64Url, AfterValidator(_public_keys)] = Field(
        description="What is sent will be encrypted for these keys."
    )
    token_hash: Digest = Field(description="SHA-256 of the access token.")
    details: Annotated[Base64Url, AfterValidator(_details)] = Field(
        description="What is asked for, encrypted for whoever has the link."
    )
    folder: Annotated[Base64Url, AfterValidator(_folder)] = Field(
        description="Where it is meant to go, encrypted for the members."
    )
    days: int = Field(ge=1, le=MAX_DAYS)
    bytes: int = Field(ge=1, le=MAX_BYTES, description="How much may be sent in all.")


class RequestCreated(ApiModel):
    expires_at: datetime
    origin: str = Field(description="Where links of requests begin.")


class ArrivalRead(ApiModel):
    id: UUID
    bytes: int
    arrived_at: datetime


class RequestRead(ApiModel):
    id: UUID
    space_id: UUID
    generation: int
    author: UUID
    author_name: str = Field(description="Empty if the member was removed.")
    state: RequestState
    details: Base64Url
    folder: Base64Url
    max_bytes: int
    received_bytes: int = Field(description="How many encrypted bytes were sent in all.")
    accepted: int = Field(description="How many uploads were accepted.")
    arrivals: list[ArrivalRead] = Field(
        description="Uploads from outside that nobody has accepted or refused yet."
    )
    created_at: datetime
    expires_at: datetime


class RequestsRead(ApiModel):
    origin: str = Field(description="Where links of requests begin.")
    requests: list[RequestRead] = Field(
        description="The newest first: of every space for the team leader, otherwise of the"
        " caller’s spaces."
    )


class RequestPolicy(ApiModel):
    is_allowed: bool = Field(description="Whether members may request files.")
    max_days: int = Field(ge=1, le=MAX_DAYS, description="How long a request may last.")


class ArrivalContents(ApiModel):
    """What opens an upload, for members. It proves nothing about its sender."""

    request_id: UUID
    upload_key: Base64Url
    manifest: Base64Url


class ArrivalLinksCreate(ApiModel):
    packs: Annotated[list[PackId], Field(min_length=1, max_length=MAX_PACKS)]


class ArrivalDecision(ApiModel):
    is_accepted: bool = Field(
        description="Whether its files were stored in the space. Either way it is deleted."
    )


class GuestRequest(ApiModel):
    """What files are encrypted for; the link says whether it is right."""

    company: UUID
    public_keys: Base64Url
    state: RequestState


class RequestOpen(ApiModel):
    token: Digest = Field(description="The access token, derived from the link.")


class OpenedRequest(ApiModel):
    details: Base64Url
    expires_at: datetime
    bytes_left: int
    k: int
    n: int


class GuestPacksCreate(RequestOpen):
    arrival_id: UUID = Field(description="Drawn by the sender’s program, at random.")
    packs: Annotated[list[PackCreate], Field(min_length=1, max_length=MAX_PACKS)]


class GuestPack(ApiModel):
    id: Base64Url
    missing: list[int] = Field(description="The pieces that have to be sent.")


class GuestPacks(ApiModel):
    packs: list[GuestPack]


class ArrivalCreate(RequestOpen):
    id: UUID
    upload_key: Annotated[Base64Url, AfterValidator(_upload_key)] = Field(
        description="The key of the files, encrypted for the request’s keys."
    )
    manifest: Annotated[Base64Url, AfterValidator(_manifest)] = Field(
        description="The list of the files, encrypted."
    )
