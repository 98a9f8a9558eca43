"""What the product asks of a warehouse, whichever cloud it is in."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum
from typing import Protocol


class WarehouseType(IntEnum):
    DROPBOX = 1
    S3 = 3
    AZURE = 4
    GOOGLE = 5


class ConnectionFailure(StrEnum):
    WRONG_KEY = "wrong_key"
    NO_SUCH_BUCKET = "no_such_bucket"
    WRONG_REGION = "wrong_region"
    NO_WRITE_PERMISSION = "no_write_permission"
    UNREACHABLE = "unreachable"


class CloudError(Exception):
    """Only the cause: what a provider says may repeat a credential, so none of it is kept."""

    def __init__(self, failure: ConnectionFailure) -> None:
        self.failure = failure
        super().__init__(failure.value)


class MalformedForm(CloudError):
    """The form would not be accepted today. No call was made, and it counts as a wrong key."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = dict(fields)
        super().__init__(ConnectionFailure.WRONG_KEY)


class Cloud(Protocol):
    """Paths are relative to the warehouse's own `path`. Both calls raise CloudError."""

    async def read(self, path: str) -> bytes | None:
        """None when there is no such object; of a large one the first MiB."""

    async def write(self, path: str, content: bytes) -> None:
        """Replaces what is there; safe to repeat."""


class Clouds(Protocol):
    def open(self, type: WarehouseType, form: Mapping[str, str]) -> Cloud:  # noqa: A002
        """Calls nobody yet. Raises MalformedForm for a form that `Strategy.check` refuses."""
