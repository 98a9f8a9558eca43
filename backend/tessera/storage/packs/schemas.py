"""Bodies and answers of the calls about packs: placement, uploads, links, usage and health."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel
from tessera.storage.schemas import Base64Url
from tessera.warehouses.enums import StatusCode, TypeCode
from tessera_core.erasure import MAX_SHARDS
from tessera_core.keyring import MAX_GENERATION
from tessera_core.packs import PACK_BYTES, PACK_ID_BYTES
from tessera_core.shards import HEADER_BYTES, MAX_SHARD_BYTES

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
    type: TypeCode


class SharedAccount(ApiModel):
    """Warehouses with one provider account whose loss would lose data."""

    type: TypeCode
    warehouses: list[str]


class PlacementRead(ApiModel):
    k: int
    n: int
    warehouses: list[PlacementWarehouse]
    # Null if no single account holds more than n - k shards of a pack.
    shared_account: SharedAccount | None


class LinkRead(ApiModel):
    method: str
    url: str
    headers: dict[str, str]
    expires_at: datetime


class ShardWrite(ApiModel):
    """Size and checksum of the whole object, header included."""

    index: ShardIndex
    size: Annotated[int, Field(gt=HEADER_BYTES, le=MAX_SHARD_BYTES + HEADER_BYTES)]
    sha256: Digest


class PackWrite(ApiModel):
    id: PackId
    generation: Annotated[int, Field(ge=1, le=MAX_GENERATION)]
    k: Annotated[int, Field(ge=1, lt=MAX_SHARDS)]
    n: Annotated[int, Field(ge=2, le=MAX_SHARDS)]
    length: Annotated[int, Field(ge=1, le=PACK_BYTES)]
    shards: Annotated[list[ShardWrite], Field(min_length=2, max_length=MAX_SHARDS)]


class UploadsWrite(ApiModel):
    space_id: UUID
    packs: Annotated[list[PackWrite], Field(min_length=1, max_length=MAX_PACKS)]


class UploadShard(ApiModel):
    index: int
    # Null if the warehouse was removed.
    warehouse_id: int | None
    warehouse_name: str
    # Null if the shard is stored, or if its warehouse gave no link.
    link: LinkRead | None
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


class CompleteWrite(ApiModel):
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


class CompleteRead(ApiModel):
    packs: list[CompletedPack]


class LinksWrite(ApiModel):
    space_id: UUID
    packs: Annotated[list[PackId], Field(min_length=1, max_length=MAX_PACKS)]


class LinkShard(ApiModel):
    index: int
    size: int
    sha256: Base64Url
    warehouse_id: int | None
    # Null if the shard is not stored, or if its warehouse gave no link.
    link: LinkRead | None


class LinkPack(ApiModel):
    id: Base64Url
    generation: int
    k: int
    n: int
    length: int
    shards: list[LinkShard]


class LinksRead(ApiModel):
    packs: list[LinkPack]


class LogCopy(ApiModel):
    warehouse_id: int
    warehouse_name: str
    # The last entry that the warehouse has.
    sequence: int


class LogCopiesRead(ApiModel):
    # The last entry that every warehouse has.
    sequence: int
    copies: list[LogCopy]


class UsageMonth(ApiModel):
    starts_at: datetime
    bytes: int


class UsageMember(ApiModel):
    uuid: UUID
    # Empty if the member was removed.
    name: str
    bytes: int
    # Of uploads under way; they count until they are stored or released.
    reserved: int


class UsageWarehouse(ApiModel):
    id: int
    name: str
    type: TypeCode
    shards: int
    bytes: int
    # Shards that should be there and are not, or differ.
    missing: int


class UsageRead(ApiModel):
    quota: int
    used: int
    reserved: int
    left: int
    # Bytes of uploads under way that the caller may have at once.
    share: int
    starts_at: datetime
    renews_at: datetime
    # Stored in all months, before and after coding.
    stored: int
    stored_coded: int
    months: list[UsageMonth]
    # Of this month; members see themselves only.
    members: list[UsageMember]
    warehouses: list[UsageWarehouse]


class HealthWarehouse(ApiModel):
    id: int
    name: str
    type: TypeCode
    status: StatusCode
    last_check: datetime | None
    # Whether new packs are stored there.
    is_placed: bool
    shards: int
    missing: int


class RecoveryHealth(ApiModel):
    # Zero and null while the company has no recovery pair, or no kit.
    record_counter: int
    record_time: datetime | None
    kit_counter: int
    # Whether the newest kit holds the newest pair.
    is_kit_current: bool
    # Spaces whose files a former pair still opens.
    spaces_with_former_pair: int


class HealthRead(ApiModel):
    recovery: RecoveryHealth
    # Members of spaces whose accounts are deleted or disabled. Only the team leader sees them.
    removals: int
    warehouses: list[HealthWarehouse]
    packs: int
    # Exactly k shards are stored: one more loss loses data.
    not_safe: int
    # More than k and fewer than n.
    degraded: int
    # Fewer than k.
    lost: int


class RepairRead(ApiModel):
    id: int
    started_at: datetime
    # Null while it is under way.
    finished_at: datetime | None
    packs: int
    repaired: int
    # Not possible yet: too few intact shards, or a warehouse did not take them.
    failed: int
    bytes_read: int
    bytes_written: int


class RepairsRead(ApiModel):
    repairs: list[RepairRead]


class RelocationRead(ApiModel):
    """What lies in a warehouse and would be moved: as many bytes are read as written."""

    shards: int
    bytes: int
    # False if there are too few other warehouses: another one has to be connected first.
    is_possible: bool
    is_under_way: bool
