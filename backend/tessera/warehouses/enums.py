"""The states of a warehouse, and what can be wrong with one."""

from enum import IntEnum, StrEnum
from typing import Literal

from tessera.integrations.clouds import ConnectionFailure, WarehouseType
from tessera.kit.i18n import Language, translate

# The service lays a company's data over at least so many.
NEEDED = 3

NAMES = {
    WarehouseType.DROPBOX: "Dropbox",
    WarehouseType.S3: "AWS S3",
    WarehouseType.AZURE: "Azure",
    WarehouseType.GOOGLE: "Google Cloud",
}


class Status(IntEnum):
    NOT_CONNECTED = 0
    CONNECTED = 1
    ACTIVE = 2


class HealthProblem(StrEnum):
    """Beyond what a provider refuses: the credentials work, the health file does not."""

    HEALTH_MISSING = "health_missing"
    HEALTH_STALE = "health_stale"
    HEALTH_INVALID = "health_invalid"
    CREDENTIALS_UNREADABLE = "credentials_unreadable"


Cause = ConnectionFailure | HealthProblem

# As the wire names them.
ErrorCode = Literal[
    "wrong_key",
    "no_such_bucket",
    "wrong_region",
    "no_write_permission",
    "unreachable",
    "health_missing",
    "health_stale",
    "health_invalid",
    "credentials_unreadable",
]


def explained(cause: str, language: Language) -> str:
    return translate(f"warehouses.failures.{cause}", language)


def shown_name(nick_name: str | None, type_: int) -> str:
    return nick_name or NAMES[WarehouseType(type_)]
