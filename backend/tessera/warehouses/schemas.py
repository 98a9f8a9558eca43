import unicodedata
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from tessera.kit.pagination import Page
from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel
from tessera.warehouses.enums import ErrorCode, StatusCode, TypeCode

WarehouseId = Annotated[int, Field(ge=1, le=2**63 - 1)]
# The strategies validate each field further; this only rejects nonsense.
Credential = Annotated[str, StringConstraints(max_length=8_192, strip_whitespace=True)]

FORM_FIELDS = (
    *("access_token", "path", "bucket_name", "account_key", "secret", "region"),
    *("application_name", "client_email", "client_id", "project_id", "private_key_id"),
    *("private_key", "cert", "client_secret", "folder_id"),
    *("app_key", "app_secret", "refresh_token"),
)


def _nick_name(text: str) -> str | None:
    cleaned = unicodedata.normalize("NFC", text).strip()
    if any(unicodedata.category(character).startswith("C") for character in cleaned):
        raise FieldError("characters")
    return cleaned or None


NickName = Annotated[str, StringConstraints(max_length=100), AfterValidator(_nick_name)]


class Credentials(ApiModel):
    """The flat form of all types; each type requires its own fields."""

    access_token: Credential | None = None
    path: Credential | None = None
    bucket_name: Credential | None = None
    account_key: Credential | None = None
    secret: Credential | None = None
    region: Credential | None = None
    application_name: Credential | None = None
    client_email: Credential | None = None
    client_id: Credential | None = None
    project_id: Credential | None = None
    private_key_id: Credential | None = None
    private_key: Credential | None = None
    cert: Credential | None = None
    client_secret: Credential | None = None
    folder_id: Credential | None = None
    app_key: Credential | None = None
    app_secret: Credential | None = None
    refresh_token: Credential | None = None

    def form(self) -> dict[str, str]:
        return {name: value for name in FORM_FIELDS if (value := getattr(self, name))}


class WarehouseCreate(Credentials):
    ware_house_id: TypeCode = 3
    nick_name: NickName | None = None


class WarehouseUpdate(Credentials):
    id: WarehouseId
    ware_house_id: TypeCode | None = None
    nick_name: NickName | None = None


class WarehouseTest(Credentials):
    id: WarehouseId | None = Field(default=None, description="The warehouse that is being edited.")
    ware_house_id: TypeCode = 3
    nick_name: NickName | None = None


class ConnectionTest(ApiModel):
    connected: bool
    error: str | None
    error_code: ErrorCode | None


class WarehouseRead(ApiModel):
    id: int
    ware_house_id: TypeCode
    nick_name: str | None
    bucket: Annotated[str, Field(description="The bucket or container; empty where there is none.")]
    path: str
    status: StatusCode
    is_default: bool
    last_check: datetime | None
    last_error: str | None
    last_error_code: ErrorCode | None
    checking: bool
    days: Annotated[
        list[StatusCode | None],
        Field(description="The worst state of each of the last 30 days, oldest first."),
    ]
    date_created: datetime
    credentials_since: Annotated[
        datetime, Field(description="Since when the current credentials are in use.")
    ]


class WarehouseReveal(WarehouseRead):
    """Includes the credentials: for verified access only."""

    verified_for: Annotated[int, Field(description="Seconds until verified access ends.")]
    access_token: str | None
    bucket_name: str | None
    account_key: str | None
    secret: str | None
    region: str | None
    application_name: str | None
    client_email: str | None
    client_id: str | None
    project_id: str | None
    private_key_id: str | None
    private_key: str | None
    cert: str | None
    client_secret: str | None
    folder_id: str | None
    app_key: str | None
    app_secret: str | None
    refresh_token: str | None


# What a response holds: all values; the same for an edit form; or the secrets masked.
View = Literal["full", "edit", "masked"]


class WarehouseSummary(ApiModel):
    active: int
    connected: int
    total: int
    needed: int
    may_fail: int
    key_version: int


class WarehousePage(Page[WarehouseRead]):
    summary: WarehouseSummary


class WarehouseChange(ApiModel):
    """A period in which a warehouse had one status. The cause is that of its beginning."""

    id: int
    since: datetime
    until: Annotated[datetime | None, Field(description="Null while it lasts.")]
    status: StatusCode
    cause: str | None
    cause_code: ErrorCode | None


class NewKey(ApiModel):
    key_version: int
    warehouses: int


class WarehouseState(ApiModel):
    """A platform admin's view of a company's warehouse."""

    ware_house_id: TypeCode
    nick_name: str | None
    status: StatusCode
    is_default: bool
    last_check: datetime | None
    is_shared: Annotated[bool, Field(description="One of the platform's default warehouses.")]
