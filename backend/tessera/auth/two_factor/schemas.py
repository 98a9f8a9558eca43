from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tessera.kit.schemas import ApiModel

Code = Annotated[str, StringConstraints(pattern=r"^[0-9]{6}$")]
_RECOVERY = r"[0-9A-Za-z]{4}(?:[- ]?[0-9A-Za-z]{4}){3}"
RecoveryCode = Annotated[str, StringConstraints(pattern=rf"^{_RECOVERY}$")]
CodeOrRecoveryCode = Annotated[str, StringConstraints(pattern=rf"^(?:[0-9]{{6}}|{_RECOVERY})$")]


class CodeSent(ApiModel):
    otp_required: Literal[True] = True
    method: Literal["sms"] = "sms"
    sent_to: str
    expires_in: int
    resend_in: int


class AuthenticatorAsked(ApiModel):
    """The code is in the user's authenticator app; nothing was sent."""

    otp_required: Literal[True] = True
    method: Literal["totp"] = "totp"
    recovery_code_only: Annotated[
        bool, Field(description="The company requires single sign-on; its leader may log in so.")
    ] = False


class TwoFactorRead(ApiModel):
    method: Literal["sms", "totp"]
    phone_number: str
    since: datetime | None
    recovery_codes_left: int
    sms_enabled: bool
    sms_needed: bool = Field(description="The user has no other second factor.")


class SmsUpdate(ApiModel):
    enabled: bool


class AuthenticatorStarted(ApiModel):
    secret: str
    uri: str


class AuthenticatorCode(ApiModel):
    otp: Code


class RecoveryCodes(ApiModel):
    recovery_codes: list[str]


class RecoveryCodeCheck(ApiModel):
    recovery_code: RecoveryCode
