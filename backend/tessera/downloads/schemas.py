from datetime import datetime
from enum import StrEnum

from tessera.kit.schemas import ApiModel


class Platform(StrEnum):
    MACOS = "macos"
    WINDOWS = "windows"


class InstallerRead(ApiModel):
    platform: Platform
    # False if the release has no file for the platform, or the file is missing or differs.
    available: bool
    file_name: str | None
    size: int | None
    sha256: str | None


class ReleaseRead(ApiModel):
    # Null until a release is published.
    version: str | None
    # The sandbox's sample files, which install nothing.
    sample: bool
    installers: list[InstallerRead]


class DownloadLinkRead(ApiModel):
    url: str
    expires_at: datetime


class ContactRead(ApiModel):
    name: str
    email_address: str
