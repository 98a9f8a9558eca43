from datetime import datetime
from typing import Annotated

from pydantic import Field

from tessera.auth.schemas import LoginAddress, Secret, UserRead
from tessera.auth.two_factor.schemas import CodeOrRecoveryCode
from tessera.kit.schemas import ApiModel, SecretBody

SessionId = Annotated[int, Field(ge=1, le=2**63 - 1)]


class Prelogin(ApiModel):
    email_address: LoginAddress


class PreloginRead(ApiModel):
    salt: str
    kdf: int


class Login(SecretBody):
    email_address: LoginAddress
    password: Secret


class VerifyOtp(Login):
    otp: CodeOrRecoveryCode


class SessionRead(ApiModel):
    access_token: str = Field(alias="access_token")
    user: UserRead
    sealed_user_key: str
    salt: str


class VerifiedRead(ApiModel):
    verified_for: int


class OwnSession(ApiModel):
    id: int
    browser: str
    system: str
    origin: str
    started_at: datetime
    last_used_at: datetime
    current: bool
