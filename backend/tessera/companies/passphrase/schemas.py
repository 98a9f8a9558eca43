from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from tessera.kit.schemas import ApiModel, Base64Url, SecretBody
from tessera_core.envelopes import MAX_EPOCH


class NewPassphrase(SecretBody):
    passphrase: Annotated[str, StringConstraints(max_length=4_000)]
    former_key: Annotated[str, StringConstraints(max_length=1_000)] | None = Field(
        default=None, description="The company key so far, sealed by the new one."
    )


Epoch = Annotated[int, Field(ge=1, le=MAX_EPOCH)]


class FormerPassphraseRead(ApiModel):
    epoch: int
    set_at: datetime
    replaced_at: datetime
    replaced_by: str | None = Field(description="Null when that person has left the company.")
    can_open: bool = Field(description="Whether the caller's key leads to this one.")


class SealedHeldKey(ApiModel):
    data: Base64Url
    sender_keys: Base64Url = Field(description="Checks the signature once their owner is known.")
    sender_name: str | None = Field(description="Null when the sender has left the company.")


class KeyHandoverRead(SealedHeldKey):
    passphrase: str = Field(description="The sealed passphrase that the key has to open.")


class KeyHandoverAccept(ApiModel):
    company_key: Annotated[str, StringConstraints(max_length=1_000)] = Field(
        description="The same key, sealed by the caller's user key."
    )


class FormerPassphraseSealed(ApiModel):
    company_key: str = Field(description="The caller's copy of the current key.")
    former_keys: list[str] = Field(description="Each one sealed by the key before it.")
    passphrase: str
