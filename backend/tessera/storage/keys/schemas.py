from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel, Base64Url, Storable


class KeysUpdate(ApiModel):
    public_keys: Base64Url
    envelope: Annotated[str, Field(max_length=400_000), Storable]


class KeysRead(ApiModel):
    public_keys: Base64Url
    # Null after a password reset.
    envelope: str | None
    revision: int


class MemberKeysRead(ApiModel):
    uuid: UUID
    first_name: str
    last_name: str
    # Null, like the keys, of colleagues to whom the caller does not grant.
    email_address: str | None
    # The one that the company's directory replaced, and when, until the owner confirms the new one.
    former_email_address: str | None
    email_set_by_directory_at: datetime | None
    role: Literal["teamLeader", "teamMember"]
    is_active: bool
    public_keys: Base64Url | None


class MemberKeysPage(ApiModel):
    members: list[MemberKeysRead]
    # Pass as `after` to get the following members; null on the last page.
    next: UUID | None
