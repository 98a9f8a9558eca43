from typing import Literal
from uuid import UUID

from tessera.auth import schemas
from tessera.kit.schemas import ApiModel, SecretBody


class ForgotPassword(SecretBody):
    email_address: schemas.LoginAddress


class LinkRead(ApiModel):
    state: Literal["open", "expired", "used"]
    uid: UUID | None = None
    cid: UUID | None = None
    sso_required: bool = False


class NewPassword(SecretBody):
    password: schemas.Secret
    salt: schemas.Salt
    user_key: schemas.Envelope


class ResetPassword(NewPassword):
    token: schemas.LinkToken


class ChangePassword(NewPassword):
    """The user key is a new one. What the old one sealed comes along, sealed by the new one."""

    old_password: schemas.Secret
    company_key: schemas.Envelope | None = None
    storage_keys: schemas.StorageKeysEnvelope | None = None


class SealedKeys(ApiModel):
    """The user key, and what it seals."""

    salt: str
    sealed_user_key: str
    sealed_company_key: str | None
    storage_keys: str | None
