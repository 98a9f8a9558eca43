from typing import Annotated

from pydantic import Field

from tessera.kit.schemas import ApiModel, Base64Url


class RecordCreate(ApiModel):
    record: Base64Url


class KitCreate(ApiModel):
    counter: Annotated[int, Field(ge=1, le=2**31 - 1)]
    sealed: Base64Url


class KitConfirm(ApiModel):
    counter: Annotated[int, Field(ge=1, le=2**31 - 1)]


class RecoveryRead(ApiModel):
    # The chain that names the company's recovery pairs, the oldest first.
    records: list[Base64Url]
    # Zero if no recovery kit was made.
    kit_counter: int
    is_kit_confirmed: bool
    # Of the newest recovery kit; for the team leader only.
    sealed: Base64Url | None


class RecoveryHandoverCreate(ApiModel):
    handover: Base64Url


class RecoveryHandoverRead(ApiModel):
    # Addressed to the caller.
    handover: Base64Url | None
