from datetime import datetime
from uuid import UUID

from pydantic import Field

from tessera.kit.schemas import ApiModel, Base64Url


class KeyHolderRead(ApiModel):
    uuid: UUID
    first_name: str
    last_name: str
    email_address: str = Field(alias="email_address")
    since: datetime
    is_current: bool = Field(description="False once the passphrase has been changed.")


class KeyHolderUpdate(ApiModel):
    uuid: UUID
    key_handover: Base64Url = Field(description="The company key, sealed to the member's keys.")


class HeldKeyRead(ApiModel):
    since: datetime
    is_current: bool = Field(description="False once the passphrase has been changed.")
    leader_uuid: UUID | None
    leader_name: str | None
    leader_needs_key: bool = Field(description="The leader holds no copy of the key.")
    handed_over: bool = Field(description="A key waits for the leader.")
    leader_public_keys: Base64Url | None = Field(description="Null until the leader has keys.")


class HeldKeyHandover(ApiModel):
    key_handover: Base64Url = Field(description="The company key, sealed to the leader's keys.")
