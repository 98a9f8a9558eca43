from datetime import datetime
from typing import Annotated

from pydantic import Field

from tessera.auth.passkeys.schemas import Assertion
from tessera.auth.schemas import LoginAddress, Secret, UserRead
from tessera.auth.two_factor.schemas import CodeOrRecoveryCode
from tessera.authz.context import SessionKind
from tessera.kit.schemas import ApiModel, Label, SecretBody

SessionId = Annotated[int, Field(ge=1, le=2**63 - 1)]


class Prelogin(ApiModel):
    email_address: LoginAddress


class PreloginRead(ApiModel):
    salt: str
    kdf: int


class Login(SecretBody):
    email_address: LoginAddress
    password: Secret


class LoginStart(Login):
    """With `passkey`, who has passkeys is asked for one; without it, for a code."""

    passkey: bool = False


class PasskeyLogin(Login):
    credential: Assertion


class ClientDevice(ApiModel):
    """The client program that logs in: the device's name, its system, the program's version."""

    name: Label
    system: Label
    version: Label


class VerifyOtp(Login):
    otp: CodeOrRecoveryCode
    client: ClientDevice | None = None


class SessionRead(ApiModel):
    access_token: str = Field(alias="access_token")
    user: UserRead
    sealed_user_key: str
    salt: str


class VerifiedRead(ApiModel):
    verified_for: int


class OwnSession(ApiModel):
    id: int
    kind: SessionKind
    browser: str
    system: str
    client_name: str | None
    client_version: str | None
    origin: str
    started_at: datetime
    last_used_at: datetime
    current: bool


class ClientSession(ApiModel):
    """A session of the client program, as the team leader sees it."""

    id: int
    name: str
    system: str
    version: str
    origin: str
    started_at: datetime
    last_used_at: datetime
