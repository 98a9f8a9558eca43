"""The warehouse interface, the same for every cloud."""

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
    """Holds only the cause: a provider's message may repeat a credential, so none of it is kept."""

    def __init__(self, failure: ConnectionFailure) -> None:
        self.failure = failure
        super().__init__(failure.value)


class MalformedForm(CloudError):
    """The form fails today's validation. No call was made, and it counts as a wrong key."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = dict(fields)
        super().__init__(ConnectionFailure.WRONG_KEY)


class Cloud(Protocol):
    """Paths are relative to the warehouse's own `path`. Both methods raise CloudError."""

    async def read(self, path: str) -> bytes | None:
        """None if there is no such object; returns the first MiB of a large one."""

    async def write(self, path: str, content: bytes) -> None:
        """Replaces an existing object; safe to repeat."""


class Clouds(Protocol):
    def open(self, type: WarehouseType, form: Mapping[str, str]) -> Cloud:  # noqa: A002
        """Makes no call yet. Raises MalformedForm for a form that `Strategy.check` rejects."""
