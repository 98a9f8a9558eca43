from datetime import datetime
from uuid import UUID

from tessera.kit.schemas import ApiModel
from tessera.warehouses.enums import StatusCode


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


class SpaceRead(ApiModel):
    """What the service knows of a space. Its name and files are encrypted."""

    id: UUID
    created_at: datetime
    members: list[UUID]
    packs: int
    bytes: int


class UsageWarehouse(ApiModel):
    id: int
    name: str
    type: int
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
    type: int
    type_name: str
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
    # Whether somebody has shown that they have the newest kit's code.
    is_kit_confirmed: bool
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
