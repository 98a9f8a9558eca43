"""The warehouse interface, the same for every cloud."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

MAX_READ_BYTES = 1024 * 1024


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


class MalformedCredentials(CloudError):
    """The credentials fail today's validation. No call was made, and they count as a wrong key."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = dict(fields)
        super().__init__(ConnectionFailure.WRONG_KEY)


class ObjectTooLarge(Exception):
    """The object is larger than the caller's limit. Nothing of it is returned."""


@dataclass(frozen=True)
class ObjectStat:
    size: int
    # As the provider states it; comparable only with an earlier one of the same object.
    checksum: str | None
    # Hexadecimal, where the provider states it.
    sha256: str | None = None


@dataclass(frozen=True)
class Upload:
    """What a link allows to be uploaded. Providers that can, refuse anything else."""

    size: int
    sha256: bytes


@dataclass(frozen=True)
class LinkTarget:
    """An object to be linked to: to upload it, or without `upload` to download it."""

    path: str
    upload: Upload | None = None


@dataclass(frozen=True)
class Link:
    """A request that a client may make by itself. Whoever has it can make it until it expires."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str]
    expires_at: datetime


class Cloud(Protocol):
    """Paths are relative to the warehouse's own `path`. Every method raises CloudError."""

    async def read(self, path: str, *, limit: int = MAX_READ_BYTES) -> bytes | None:
        """None if there is no such object. Raises ObjectTooLarge beyond the limit."""

    async def stream(self, path: str) -> AsyncGenerator[bytes, None] | None:
        """None if there is no such object. What fails later ends in a CloudError, too."""

    async def write(self, path: str, content: bytes) -> None:
        """Replaces an existing object; safe to repeat."""

    async def stat(self, path: str) -> ObjectStat | None:
        """None if there is no such object."""

    async def delete(self, path: str) -> None:
        """Succeeds if there is no such object."""

    async def list_objects(self, folder: str) -> list[str]:
        """Returns the paths of all objects below the folder, in no order."""

    async def links(
        self, targets: Sequence[LinkTarget], *, seconds: int
    ) -> list[Link | CloudError]:
        """Returns a link or an error for each target. A link creates one object, once: the provider
        refuses to replace an existing one. Or it reads one, made without asking whether it exists
        where no call is needed."""


class Clouds(Protocol):
    def open(self, warehouse_type: int, credentials: Mapping[str, str]) -> Cloud:
        """Makes no call yet. Raises MalformedCredentials for what `Strategy.check` rejects."""
