from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from tessera.kit.i18n import Language
from tessera.kit.schemas import ApiModel, Storable

LinkToken = Annotated[str, StringConstraints(min_length=20, max_length=100)]
# The login form accepts any text as an address: an invalid one just never matches an account.
LoginAddress = Annotated[str, StringConstraints(min_length=1, max_length=254), Storable]
Secret = Annotated[str, StringConstraints(max_length=200)]
Salt = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22}$")]
Envelope = Annotated[str, StringConstraints(max_length=4_000)]
# Holds up to 256 KiB of keys and pins.
StorageKeysEnvelope = Annotated[str, StringConstraints(max_length=360_000)]


class UserRead(ApiModel):
    uuid: UUID
    first_name: str
    last_name: str
    email_address: str = Field(alias="email_address")
    phone_number: str
    role: str
    permissions: list[str]
    is_subscribed: bool
    can_view_warehouse: bool
    company_id: int
    company_uuid: UUID
    company_name: str
    client_id: UUID | None
    language: Language
    email_confirmed: bool
    first_steps: bool = Field(description="Whether the console shows the first steps.")
    is_key_holder: bool = Field(description="Whether the user is the second key holder.")
    second_factor_accepted: bool = Field(
        description="False if the company’s policies refuse the kind that this session proved: it"
        " can then only set up another one."
    )
