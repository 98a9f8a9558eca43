"""The states of a warehouse, and its possible problems."""

from datetime import timedelta
from enum import IntEnum, StrEnum
from typing import Literal

from tessera.integrations.clouds import ConnectionFailure, WarehouseType
from tessera.kit.i18n import Language, translate

# A check that has been waiting this long was lost with its process.
LOST_AFTER = timedelta(minutes=10)
# The service spreads a company's data over at least this many.
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
    """Problems beyond a provider's refusal: the credentials work, but the health file does not."""

    HEALTH_MISSING = "health_missing"
    HEALTH_STALE = "health_stale"
    HEALTH_INVALID = "health_invalid"
    CREDENTIALS_UNREADABLE = "credentials_unreadable"


Cause = ConnectionFailure | HealthProblem

# As named in the API.
TypeCode = Literal[1, 3, 4, 5]
StatusCode = Literal[0, 1, 2]
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


def explain(cause: str, language: Language) -> str:
    return translate(f"warehouses.failures.{cause}", language)


def shown_name(nick_name: str | None, type_: int) -> str:
    return nick_name or NAMES[WarehouseType(type_)]
