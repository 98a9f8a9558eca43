from datetime import datetime
from enum import StrEnum

from tessera.kit.schemas import ApiModel


class Platform(StrEnum):
    MACOS = "macos"
    WINDOWS = "windows"


class InstallerRead(ApiModel):
    platform: Platform
    # False: the release names no file for it, or the file is not there as it was published.
    available: bool
    file_name: str | None
    size: int | None
    sha256: str | None


class ReleaseRead(ApiModel):
    # Null until a release is published.
    version: str | None
    # The sandbox's stand-ins, which install nothing.
    sample: bool
    installers: list[InstallerRead]


class DownloadLinkRead(ApiModel):
    url: str
    expires_at: datetime


class ContactRead(ApiModel):
    name: str
    email_address: str
