from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from tessera.auth.schemas import Envelope
from tessera.kit.schemas import ApiModel, Label

PasskeyId = Annotated[int, Field(ge=1, le=2**63 - 1)]
PasskeyName = Annotated[Label, Field(max_length=64)]

_Base64url = r"^[A-Za-z0-9_-]+$"
CredentialId = Annotated[str, StringConstraints(pattern=_Base64url, max_length=1_400)]
Signed = Annotated[str, StringConstraints(pattern=_Base64url, max_length=20_000)]


class PasskeyRead(ApiModel):
    id: int
    name: str
    credential_id: str
    transports: list[str]
    created_at: datetime
    last_used_at: datetime | None
    sealed_user_key: str | None


class PasskeyOptions(ApiModel):
    """What the browser hands to its WebAuthn API, in that API's own JSON."""

    options: dict[str, Any]


class PasskeyAsked(PasskeyOptions):
    """One of the user's passkeys is asked for instead of a code; nothing was sent."""

    otp_required: Literal[True] = True
    method: Literal["passkey"] = "passkey"
    code_method: Literal["sms", "totp"] | None = Field(
        description="What can be asked for instead; null if nothing can."
    )


class Attestation(ApiModel):
    """A new passkey, as the browser answers. Results of extensions are secret and stay there."""

    id: CredentialId
    client_data: Signed
    attestation_object: Signed
    transports: Annotated[list[Annotated[str, Field(max_length=32)]], Field(max_length=10)]


class Assertion(ApiModel):
    """A challenge signed by a passkey."""

    id: CredentialId
    client_data: Signed
    authenticator_data: Signed
    signature: Signed
    user_handle: CredentialId | None = None


class PasskeyCreate(ApiModel):
    name: PasskeyName
    credential: Attestation


class PasskeyUpdate(ApiModel):
    name: PasskeyName


class PasskeyKey(ApiModel):
    sealed_user_key: Envelope


class PasskeyCheck(ApiModel):
    credential: Assertion
