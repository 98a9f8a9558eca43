"""What the product asks of a warehouse, whichever cloud it is in."""

from enum import StrEnum
from typing import Protocol


class ConnectionFailure(StrEnum):
    WRONG_KEY = "wrong_key"
    NO_SUCH_BUCKET = "no_such_bucket"
    WRONG_REGION = "wrong_region"
    NO_WRITE_PERMISSION = "no_write_permission"
    UNREACHABLE = "unreachable"


class CloudError(Exception):
    def __init__(self, failure: ConnectionFailure) -> None:
        self.failure = failure
        super().__init__(failure.value)


class Cloud(Protocol):
    """Both calls raise CloudError with the cause; nothing of the credentials is in it."""

    async def read(self, path: str) -> bytes | None: ...

    async def write(self, path: str, content: bytes) -> None: ...
