"""The states of a warehouse, and its possible problems."""

from datetime import timedelta
from enum import IntEnum, StrEnum
from typing import Literal

from tessera.integrations.clouds import ConnectionFailure
from tessera.kit.i18n import Language, translate
from tessera_core.providers import find_provider

# A check that has been waiting this long was lost with its process.
LOST_AFTER = timedelta(minutes=10)
# The service spreads a company's data over at least this many.
NEEDED = 3


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


def shown_name(nick_name: str | None, warehouse_type: int) -> str:
    return nick_name or find_provider(warehouse_type).name
