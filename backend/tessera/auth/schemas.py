from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from tessera.kit.i18n import Language
from tessera.kit.schemas import (
    ApiModel,
    EmailAddress,
    PersonName,
    PhoneNumber,
    SecretBody,
    Storable,
)

Code = Annotated[str, StringConstraints(pattern=r"^[0-9]{6}$")]
_RECOVERY = r"[0-9A-Za-z]{4}(?:[- ]?[0-9A-Za-z]{4}){3}"
RecoveryCode = Annotated[str, StringConstraints(pattern=rf"^{_RECOVERY}$")]
CodeOrRecoveryCode = Annotated[str, StringConstraints(pattern=rf"^(?:[0-9]{{6}}|{_RECOVERY})$")]
SessionId = Annotated[int, Field(ge=1, le=2**63 - 1)]
LinkToken = Annotated[str, StringConstraints(min_length=20, max_length=100)]
# The login form accepts any text as an address: an invalid one just never matches an account.
LoginAddress = Annotated[str, StringConstraints(min_length=1, max_length=254), Storable]
Secret = Annotated[str, StringConstraints(max_length=200)]
Salt = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{22}$")]
Envelope = Annotated[str, StringConstraints(max_length=4_000)]


class Prelogin(ApiModel):
    email_address: LoginAddress


class PreloginRead(ApiModel):
    salt: str
    kdf: int


class Login(SecretBody):
    email_address: LoginAddress
    password: Secret


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


class VerifyOtp(Login):
    otp: CodeOrRecoveryCode


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


class SessionRead(ApiModel):
    access_token: str = Field(alias="access_token")
    user: UserRead
    sealed_user_key: str
    salt: str


class VerifiedRead(ApiModel):
    verified_for: int


class ForgotPassword(SecretBody):
    email_address: LoginAddress


class LinkRead(ApiModel):
    state: Literal["open", "expired", "used"]
    uid: UUID | None = None
    cid: UUID | None = None


class NewPassword(SecretBody):
    password: Secret
    salt: Salt
    user_key: Envelope


class ResetPassword(NewPassword):
    token: LinkToken


class ChangePassword(NewPassword):
    old_password: Secret


class ProfileUpdate(ApiModel):
    first_name: PersonName
    last_name: PersonName
    language: Language


class NewAddress(ApiModel):
    email_address: EmailAddress = Field(alias="email_address")


class NewPhone(ApiModel):
    phone_number: PhoneNumber


class PhoneCode(SecretBody):
    otp: Code


class ConfirmEmail(ApiModel):
    token: LinkToken


class PendingChange(ApiModel):
    kind: Literal["email", "phone"]
    value: str
    asked_by: str
    asked_at: datetime


class OwnSession(ApiModel):
    id: int
    browser: str
    system: str
    origin: str
    started_at: datetime
    last_used_at: datetime
    current: bool


class SecondFactorRead(ApiModel):
    method: Literal["sms", "totp"]
    phone_number: str
    since: datetime | None
    recovery_codes_left: int


class AuthenticatorStarted(ApiModel):
    secret: str
    uri: str


class AuthenticatorCode(ApiModel):
    otp: Code


class RecoveryCodes(ApiModel):
    recovery_codes: list[str]


class RecoveryCodeGiven(ApiModel):
    recovery_code: RecoveryCode
