from typing import Literal
from uuid import UUID

from tessera.auth.schemas import Envelope, LinkToken, LoginAddress, Salt, Secret
from tessera.kit.schemas import ApiModel, SecretBody


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
