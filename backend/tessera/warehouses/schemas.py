from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel, to_snake

from tessera.kit.pagination import Page
from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel, clean_line
from tessera.warehouses.enums import ErrorCode, StatusCode
from tessera.warehouses.errors import CredentialsIncomplete
from tessera_core.providers import UnknownProvider, field_names, find_provider

WarehouseId = Annotated[int, Field(ge=1, le=2**63 - 1)]
# The strategies validate each field further; this only rejects nonsense.
Credential = Annotated[str, StringConstraints(max_length=8_192, strip_whitespace=True)]

# As the specification names it.
TYPE_NAME = "wareHouseId"
DEFAULT_TYPE = 3


def _known_type(code: int) -> int:
    try:
        find_provider(code)
    except UnknownProvider:
        raise FieldError("choice") from None
    return code


TypeCode = Annotated[
    int,
    Field(strict=True, description="The type of a provider that `GET /providers` lists."),
    AfterValidator(_known_type),
]


def _describe_fields(schema: dict[str, Any]) -> None:
    """Documents the fields that the providers' descriptions name."""
    kind: dict[str, Any] = schema["additionalProperties"]
    fields = {to_camel(name): {**kind, "title": name} for name in field_names()}
    schema["properties"] = {**fields, **schema["properties"]}
    schema["additionalProperties"] = False


def _nick_name(text: str) -> str | None:
    return clean_line(text) or None


NickName = Annotated[str, StringConstraints(max_length=100), AfterValidator(_nick_name)]


class CredentialFields(ApiModel):
    """The fields of all types in one flat object; each type requires its own."""

    model_config = ConfigDict(extra="allow", json_schema_extra=_describe_fields)
    __pydantic_extra__: dict[str, Credential | None]

    def credentials(self) -> dict[str, str]:
        given = {to_snake(name): value for name, value in self.__pydantic_extra__.items()}
        unknown = given.keys() - set(field_names())
        if unknown:
            raise CredentialsIncomplete(fields={to_camel(name): "unexpected" for name in unknown})
        return {name: value for name, value in given.items() if value}


class WarehouseCreate(CredentialFields):
    warehouse_type: TypeCode = Field(DEFAULT_TYPE, alias=TYPE_NAME)
    nick_name: NickName | None = None


class WarehouseUpdate(CredentialFields):
    id: WarehouseId
    warehouse_type: TypeCode | None = Field(None, alias=TYPE_NAME)
    nick_name: NickName | None = None


class WarehouseTest(CredentialFields):
    id: WarehouseId | None = Field(default=None, description="The warehouse that is being edited.")
    warehouse_type: TypeCode = Field(DEFAULT_TYPE, alias=TYPE_NAME)
    nick_name: NickName | None = None


class ConnectionTest(ApiModel):
    connected: bool
    error: str | None
    error_code: ErrorCode | None
    lets_browsers_read: bool | None = Field(
        description="Whether the cloud’s CORS rules let the page of a share read from it; null if"
        " that is unknown. Otherwise pieces of shares pass through the service."
    )


class WarehouseRead(ApiModel):
    id: int
    warehouse_type: TypeCode = Field(alias=TYPE_NAME)
    type_name: str
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

    model_config = ConfigDict(extra="allow", json_schema_extra=_describe_fields)
    __pydantic_extra__: dict[str, str | None]

    verified_for: Annotated[int, Field(description="Seconds until verified access ends.")]


# What a response holds: all values; the same for an edit credentials; or the secrets masked.
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

    warehouse_type: TypeCode = Field(alias=TYPE_NAME)
    type_name: str
    nick_name: str | None
    status: StatusCode
    is_default: bool
    last_check: datetime | None
    is_shared: Annotated[bool, Field(description="One of the platform's default warehouses.")]


class Description(ApiModel):
    """Part of a provider's description in `tessera_core`, in the reader's language."""

    model_config = ConfigDict(extra="ignore")


WireName = Annotated[str, AfterValidator(to_camel)]


class ProviderField(Description):
    name: WireName
    label: str
    hint: str | None
    help: str
    required: bool
    secret: bool
    multi_line: bool
    wide: bool
    suggestions: list[str]
    key_file_name: str


class ProviderKeyFile(Description):
    label: str
    hint: str
    unreadable: str
    placeholder: str


class ProviderGuide(Description):
    steps: list[str]
    snippet: str
    permissions: str
    notes: list[str]
    warning: str


class SnippetValue(Description):
    name: str
    label: str
    initial: str


class ProviderRead(Description):
    type: int
    name: str
    section: str
    is_connectable: bool
    search_words: str
    fields: list[ProviderField]
    alternatives: list[list[WireName]]
    key_file: ProviderKeyFile | None
    console_name: str
    console_url: str
    guide: ProviderGuide
    snippet: str
    browsers: str = Field(description="How to let browsers read, for shares.")
    cors_rules: str = Field(description="The rules to copy for it; empty where there are none.")
    snippet_values: list[SnippetValue]
