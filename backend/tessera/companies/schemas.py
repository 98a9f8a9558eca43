import unicodedata
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from tessera.kit.responses import FieldError
from tessera.kit.schemas import (
    ApiModel,
    EmailAddress,
    PhoneNumber,
    Toggle,
    clean_line,
    needed_line,
)
from tessera.members.schemas import MemberRead
from tessera.warehouses.schemas import WarehouseState

_STATES = """
AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM
NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY
"""
_TERRITORIES = "AS FM GU MH MP PW PR VI"
# By postal abbreviation.
STATES = frozenset(f"{_STATES} {_TERRITORIES}".split())


def _state(text: str) -> str:
    if text not in STATES:
        raise FieldError("us_state")
    return text


def _zip_code(text: str) -> str:
    cleaned = clean_line(text)
    if len(cleaned) != 5:
        raise FieldError("zip")
    return cleaned


def _paragraphs(text: str) -> str:
    cleaned = unicodedata.normalize("NFC", text).replace("\r\n", "\n")
    clean_line(cleaned.replace("\n", " "))
    return cleaned


Line = Annotated[str, StringConstraints(max_length=200), AfterValidator(clean_line)]
NeededLine = Annotated[str, StringConstraints(max_length=200), AfterValidator(needed_line)]
State = Annotated[str, StringConstraints(max_length=10), AfterValidator(_state)]
ZipCode = Annotated[str, StringConstraints(max_length=20), AfterValidator(_zip_code)]


class Address(ApiModel):
    """The city is optional."""

    state: State
    zip_code: ZipCode
    address_line1: NeededLine
    address_line2: Line = ""
    city: Line = ""


class CompanyUpdate(ApiModel):
    name: NeededLine
    email: EmailAddress
    phone_number: PhoneNumber
    address: Address


class CompanyStatusUpdate(Toggle):
    reason: Annotated[
        str,
        StringConstraints(max_length=500, strip_whitespace=True),
        AfterValidator(_paragraphs),
    ] = Field(default="", description="Why it is disabled, for the company's members.")


class AddressRead(ApiModel):
    address_line1: str
    address_line2: str
    city: str
    state: str
    zip_code: str


class CompanyRead(ApiModel):
    id: int
    company_id: int
    uuid: UUID
    name: str
    email: str
    phone_number: str
    address: AddressRead
    is_enabled: bool
    date_created: datetime
    is_subscribed: bool
    can_view_warehouse: bool


SubscriptionState = Literal["none", "trialing", "active", "pastDue", "ended", "deactivated"]


class CompanyListed(CompanyRead):
    member_count: int
    subscription_state: SubscriptionState
    subscribed_until: datetime | None


class CompanyBilling(ApiModel):
    """For platform admins, as the payment provider last reported it."""

    customer_id: str | None
    plan_id: int
    trial_end: datetime | None
    next_billing: datetime | None
    ends_at: datetime | None
    past_due_since: datetime | None


class CompanyDetail(CompanyListed):
    billing: CompanyBilling
    disabled_reason: str = Field(description="Empty while the company is enabled.")
    active_member_count: int
    open_invite_count: int
    has_passphrase: bool
    deactivated_for_debt_at: datetime | None
    last_activity_at: datetime | None
    leaving_since: datetime | None
    deletion_at: datetime | None = Field(description="Null unless the company is leaving.")
    team_leader: MemberRead | None
    warehouses: list[WarehouseState]


class CompanyAlerts(ApiModel):
    """What the leader has to do for the company."""

    passphrase_needed: bool = Field(description="The leader holds no copy that opens it.")
    passphrase_handed_over: bool = Field(description="A key that was handed over waits.")
    key_holder: str | None = Field(description="Who else can open it: the second key holder.")
    active_warehouses: int | None = Field(description="Null while shared warehouses are used.")
    needed_warehouses: int
    deletion_at: datetime | None = Field(description="Null unless the company is leaving.")
