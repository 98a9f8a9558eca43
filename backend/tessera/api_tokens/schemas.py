from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, Field

from tessera.authz.permissions import Permission
from tessera.kit.schemas import ApiModel, Label, Network, distinct

ApiTokenId = Annotated[int, Field(ge=1, le=2**63 - 1)]


# As `TOKEN_SCOPES`.
class ApiTokenScope(StrEnum):
    ACTIVITY_READ = Permission.ACTIVITY_READ
    CLIENT_DOWNLOAD = Permission.CLIENT_DOWNLOAD
    COMPANY_EDIT = Permission.COMPANY_EDIT
    COMPANY_READ = Permission.COMPANY_READ
    MEMBERS_MANAGE = Permission.MEMBERS_MANAGE
    MEMBERS_READ = Permission.MEMBERS_READ
    STORAGE_STATUS = Permission.STORAGE_STATUS
    SUBSCRIPTION_READ = Permission.SUBSCRIPTION_READ
    WAREHOUSES_MANAGE = Permission.WAREHOUSES_MANAGE


class ApiTokenState(StrEnum):
    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


class ApiTokenCreate(ApiModel):
    name: Label
    scopes: Annotated[list[ApiTokenScope], Field(min_length=1, max_length=len(ApiTokenScope))]
    expires_at: Annotated[AwareDatetime, Field(description="At most 366 days from now.")]
    networks: Annotated[
        list[Network],
        Field(
            default_factory=list,
            max_length=20,
            description="Addresses or networks (CIDR) from which it may be used; empty: any.",
        ),
        AfterValidator(distinct),
    ]


class ApiTokenRead(ApiModel):
    id: int
    name: str
    scopes: list[str]
    networks: list[str]
    state: ApiTokenState
    created_by: Annotated[str, Field(description="The name of the leader who made it.")]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    last_origin: str | None


class ApiTokenList(ApiModel):
    tokens: list[ApiTokenRead]
    max_tokens: Annotated[int, Field(description="How many may work at once.")]


class ApiTokenCreated(ApiModel):
    token: Annotated[str, Field(description="`tsk_…`; it cannot be shown again.")]
    created: ApiTokenRead
