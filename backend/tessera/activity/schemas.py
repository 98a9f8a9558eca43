from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel


class ActivityRead(ApiModel):
    id: int
    at: datetime
    actor_uuid: UUID | None
    actor_name: str
    api_token_id: Annotated[
        int | None, Field(description="Of the API token, if the actor is no person.")
    ]
    action: Annotated[str, Field(description="`thing.verb`")]
    text: Annotated[str, Field(description="The action, in the language of the request.")]
    changes: Annotated[
        list[str], Field(description="What changed, in the language of the request.")
    ]
    target: str
    details: dict[str, Any]
    origin: str


class ActivityAction(ApiModel):
    action: str
    text: str


class PlatformActivityRead(ActivityRead):
    company_id: int
    company_name: str
