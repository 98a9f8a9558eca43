from datetime import datetime

from tessera.kit.schemas import ApiModel


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
