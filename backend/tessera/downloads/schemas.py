from datetime import datetime
from enum import StrEnum

from tessera.kit.schemas import ApiModel


class Platform(StrEnum):
    MACOS = "macos"
    WINDOWS = "windows"
    LINUX = "linux"


class ReleaseFileRead(ApiModel):
    file_name: str
    platforms: list[Platform]
    # Null: every processor.
    machine: str | None
    needs_python: bool
    is_installer: bool
    # With the signature that its system looks for.
    is_signed: bool
    # False if the file is missing here, or differs from what was published.
    available: bool
    size: int
    sha256: str


class BuildProgressRead(ApiModel):
    done: int
    total: int


class ReleaseRead(ApiModel):
    # Null until a release is published.
    version: str | None
    files: list[ReleaseFileRead]
    # While the sandbox builds the client for the first time.
    building: BuildProgressRead | None = None


class DownloadLinkRead(ApiModel):
    url: str
    expires_at: datetime


class ContactRead(ApiModel):
    name: str
    email_address: str
