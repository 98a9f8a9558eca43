import re
from datetime import datetime
from typing import Annotated

import idna
from pydantic import AfterValidator, Field, StringConstraints

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel

# A name of at least two labels whose last one is no number.
_DOMAIN = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}")


def domain_name(text: str) -> str:
    """As it is in the DNS: in lower case, other scripts in Punycode."""
    try:
        name = idna.encode(text.strip().removesuffix("."), uts46=True).decode("ascii")
    except idna.IDNAError:
        raise FieldError("domain") from None
    # What is asked for stands in front of it.
    if len(name) > 230 or not _DOMAIN.fullmatch(name):
        raise FieldError("domain")
    return name


Domain = Annotated[
    str, StringConstraints(min_length=1, max_length=253), AfterValidator(domain_name)
]


class DomainCreate(ApiModel):
    domain: Domain


class DomainRead(ApiModel):
    domain: str
    record_name: Annotated[str, Field(description="Where the TXT record belongs.")]
    record_value: Annotated[str, Field(description="What the TXT record has to be.")]
    created_at: datetime
    proved_at: Annotated[datetime | None, Field(description="Null until the record was found.")]
    missing_since: Annotated[
        datetime | None,
        Field(description="When the daily check of a proved domain first missed the record."),
    ]
    lost_at: Annotated[
        datetime | None,
        Field(description="When the domain stopped being proved, as the record stayed away."),
    ]


class DomainList(ApiModel):
    domains: list[DomainRead]
    max_domains: int
