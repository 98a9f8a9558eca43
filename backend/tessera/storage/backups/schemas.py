from typing import Annotated

from fastapi import Path
from pydantic import Field

from tessera.kit.schemas import ApiModel

BackupId = Annotated[
    str, Path(pattern="^[0-9a-f]{16}$", description="Chosen by the client, at random.")
]


class BackupReport(ApiModel):
    """Neither what is backed up nor from where. The service takes the time from its own clock."""

    days: int = Field(
        ge=1, le=90, description="The user is emailed after this many days without one."
    )
    is_completed: bool = Field(description="False if only the number of days has changed.")


class OverdueDevice(ApiModel):
    name: str
    days: int = Field(description="Since the last backup.")


class OverdueDevices(ApiModel):
    devices: list[OverdueDevice]
