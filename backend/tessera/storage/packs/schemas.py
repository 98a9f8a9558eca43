"""Bodies and answers of the calls about packs: placement, uploads, links, usage and health."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel, Base64Url
from tessera_core.erasure import MAX_SHARDS
from tessera_core.keyring import MAX_GENERATION
from tessera_core.packs import PACK_BYTES, PACK_ID_BYTES
from tessera_core.shards import MAX_SHARD_BYTES, TRAILER_BYTES

MAX_PACKS = 64

# Unknown if the warehouse did not answer.
ShardReport = Literal["stored", "absent", "different", "unknown"]


def _exactly(size: int) -> Callable[[bytes], bytes]:
    def check(data: bytes) -> bytes:
        if len(data) != size:
            raise FieldError("base64url")
        return data

    return check


PackId = Annotated[Base64Url, AfterValidator(_exactly(PACK_ID_BYTES))]
Digest = Annotated[Base64Url, AfterValidator(_exactly(32))]
ShardIndex = Annotated[int, Field(ge=0, lt=MAX_SHARDS)]


class PlacementWarehouse(ApiModel):
    id: int
    name: str
    type: int


class SharedAccount(ApiModel):
    """Warehouses with one provider account whose loss would lose data."""

    type: int
    warehouses: list[str]


class PlacementRead(ApiModel):
    k: int
    n: int
    warehouses: list[PlacementWarehouse]
    # Null if no single account holds more than n - k shards of a pack.
    shared_account: SharedAccount | None


class ShardLink(ApiModel):
    method: str
    url: str
    headers: dict[str, str]
    expires_at: datetime


class ShardCreate(ApiModel):
    """Size and checksum of the whole object, trailer included."""

    index: ShardIndex
    size: Annotated[int, Field(gt=TRAILER_BYTES, le=MAX_SHARD_BYTES + TRAILER_BYTES)]
    sha256: Digest


class PackCreate(ApiModel):
    id: PackId
    generation: Annotated[int, Field(ge=0, le=MAX_GENERATION)]
    k: Annotated[int, Field(ge=1, lt=MAX_SHARDS)]
    n: Annotated[int, Field(ge=2, le=MAX_SHARDS)]
    length: Annotated[int, Field(ge=1, le=PACK_BYTES)]
    shards: Annotated[list[ShardCreate], Field(min_length=2, max_length=MAX_SHARDS)]


class UploadsCreate(ApiModel):
    # Or of a share that is not published yet.
    space_id: UUID
    packs: Annotated[list[PackCreate], Field(min_length=1, max_length=MAX_PACKS)]


class UploadShard(ApiModel):
    index: int
    # Null if the warehouse was removed.
    warehouse_id: int | None
    warehouse_name: str
    # Null if the shard is stored, or if its warehouse gave no link.
    link: ShardLink | None
    is_stored: bool


class UploadPack(ApiModel):
    id: Base64Url
    shards: list[UploadShard]


class UploadsRead(ApiModel):
    packs: list[UploadPack]
    # Of this month's quota.
    remaining_bytes: int


class CompletePack(ApiModel):
    id: PackId
    shards: Annotated[list[ShardIndex], Field(min_length=1, max_length=MAX_SHARDS)]


class CompletionCreate(ApiModel):
    space_id: UUID
    packs: Annotated[list[CompletePack], Field(min_length=1, max_length=MAX_PACKS)]


class CompletedShard(ApiModel):
    index: int
    state: ShardReport


class CompletedPack(ApiModel):
    id: Base64Url
    # k shards are stored: the log may name the pack.
    is_readable: bool
    # k + 1 shards are stored: it survives the loss of a warehouse.
    is_safe: bool
    shards: list[CompletedShard]


class CompletionRead(ApiModel):
    packs: list[CompletedPack]


class LinksCreate(ApiModel):
    space_id: UUID
    packs: Annotated[list[PackId], Field(min_length=1, max_length=MAX_PACKS)]


class LinkShard(ApiModel):
    index: int
    size: int
    sha256: Base64Url
    warehouse_id: int | None
    # Null if the shard is not stored, or if its warehouse gave no link.
    link: ShardLink | None


class LinkPack(ApiModel):
    id: Base64Url
    generation: int
    k: int
    n: int
    length: int
    shards: list[LinkShard]


class LinksRead(ApiModel):
    packs: list[LinkPack]
