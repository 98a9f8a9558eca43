from tessera.kit.schemas import ApiModel


class LogCopy(ApiModel):
    warehouse_id: int
    warehouse_name: str
    # The last entry that the warehouse has.
    sequence: int


class LogCopiesRead(ApiModel):
    # The last entry that every warehouse has.
    sequence: int
    copies: list[LogCopy]
