from datetime import datetime
from typing import Any
from uuid import UUID

from tessera.kit.schemas import ApiModel


class ActivityRead(ApiModel):
    id: int
    at: datetime
    actor_uuid: UUID | None
    actor_name: str
    # `thing.verb`; the console has a text for each.
    action: str
    target: str
    details: dict[str, Any]
    origin: str


class PlatformActivityRead(ActivityRead):
    company_id: int
    company_name: str
