from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from tessera.authz.context import SecondFactor
from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel, Network, distinct
from tessera.kit.versions import is_version

MAX_NETWORKS = 50
MAX_COUNTRIES = 250


def _factors(values: list[SecondFactor]) -> list[SecondFactor]:
    """The client enters codes only, so that one kind of code always stays."""
    if not {"sms", "totp"} & set(values):
        raise FieldError("second_factors")
    return sorted(set(values))


def _version(text: str) -> str:
    if not is_version(text):
        raise FieldError("client_version")
    return text


def _country(text: str) -> str:
    if len(text) != 2 or not (text.isascii() and text.isalpha()):
        raise FieldError("country")
    return text


def _countries(values: list[str]) -> list[str]:
    return sorted(set(values))


Country = Annotated[
    str,
    StringConstraints(strip_whitespace=True, to_upper=True, max_length=2),
    AfterValidator(_country),
]
Factors = Annotated[list[SecondFactor], Field(max_length=3), AfterValidator(_factors)]
Version = Annotated[str, StringConstraints(max_length=19), AfterValidator(_version)]


class PoliciesUpdate(ApiModel):
    """Null, and no networks: as the platform has it."""

    second_factors: Annotated[
        Factors | None, Field(description="Accepted kinds, a code of one kind at least.")
    ]
    session_hours: Annotated[
        int | None, Field(ge=1, le=10_000, description="How long a login in a browser lasts.")
    ]
    client_session_days: Annotated[
        int | None, Field(ge=1, le=10_000, description="How long a login of the client lasts.")
    ]
    min_client_version: Annotated[
        Version | None, Field(description="An older client can only be updated.")
    ]
    networks: Annotated[
        list[Network],
        Field(
            max_length=MAX_NETWORKS,
            description="Addresses or networks (CIDR) from which members may log in and work;"
            " empty: any.",
        ),
        AfterValidator(distinct),
    ]
    countries: Annotated[
        list[Country],
        Field(
            max_length=MAX_COUNTRIES,
            description="Countries (ISO 3166-1, two letters) from which members may log in and"
            " work; empty: any.",
        ),
        AfterValidator(_countries),
    ]


class PoliciesRead(ApiModel):
    second_factors: list[SecondFactor] | None
    session_hours: int | None
    client_session_days: int | None
    min_client_version: str | None
    networks: list[str]
    countries: list[str]
    max_session_hours: Annotated[int, Field(description="The platform’s own limit.")]
    max_client_session_days: Annotated[int, Field(description="The platform’s own limit.")]
    newest_client_version: str
    own_address: Annotated[str, Field(description="From where this call came.")]
    own_country: Annotated[str | None, Field(description="The country of that address, if known.")]
    are_countries_offered: Annotated[
        bool, Field(description="Whether the platform knows the countries of addresses.")
    ]
