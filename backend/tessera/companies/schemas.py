import unicodedata
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from tessera.kit.responses import FieldError
from tessera.kit.schemas import ApiModel, Base64Url, EmailAddress, PhoneNumber, SecretBody, Toggle
from tessera.members.schemas import MemberRead
from tessera.warehouses.schemas import WarehouseState
from tessera_core.envelopes import MAX_EPOCH

_STATES = """
AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM
NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY
"""
_TERRITORIES = "AS FM GU MH MP PW PR VI"
# By postal abbreviation.
STATES = frozenset(f"{_STATES} {_TERRITORIES}".split())


def _line(text: str) -> str:
    cleaned = unicodedata.normalize("NFC", text).strip()
    if any(unicodedata.category(character).startswith("C") for character in cleaned):
        raise FieldError("characters")
    return cleaned


def _needed_line(text: str) -> str:
    cleaned = _line(text)
    if not cleaned:
        raise FieldError("missing")
    return cleaned


def _state(text: str) -> str:
    if text not in STATES:
        raise FieldError("us_state")
    return text


def _zip_code(text: str) -> str:
    cleaned = _line(text)
    if len(cleaned) != 5:
        raise FieldError("zip")
    return cleaned


def _paragraphs(text: str) -> str:
    cleaned = unicodedata.normalize("NFC", text).replace("\r\n", "\n")
    _line(cleaned.replace("\n", " "))
    return cleaned


Line = Annotated[str, StringConstraints(max_length=200), AfterValidator(_line)]
NeededLine = Annotated[str, StringConstraints(max_length=200), AfterValidator(_needed_line)]
State = Annotated[str, StringConstraints(max_length=10), AfterValidator(_state)]
ZipCode = Annotated[str, StringConstraints(max_length=20), AfterValidator(_zip_code)]


class Address(ApiModel):
    """The city is asked for but optional, as in the specification."""

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
    """For platform admins, as the card provider last reported it."""

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
    team_leader: MemberRead | None
    warehouses: list[WarehouseState]


class CompanyAlerts(ApiModel):
    """What the leader has to do for the company."""

    passphrase_needed: bool = Field(description="The leader holds no copy that opens it.")
    passphrase_handed_over: bool = Field(description="A key that was handed over waits.")
    key_holder: str | None = Field(description="Who else can open it: the second key holder.")
    active_warehouses: int | None = Field(description="Null while shared warehouses are used.")
    needed_warehouses: int


class FirstSteps(ApiModel):
    """Which of the first steps after signing up are done."""

    passphrase_sheet: bool = Field(description="The leader says that the sheet is kept.")
    warehouses: bool = Field(description="Enough warehouses are Active.")
    members: bool = Field(description="Somebody was invited or is a member.")
    client: bool = Field(description="Somebody has logged in with the client.")


class CompanyDelete(ApiModel):
    name: Annotated[str, StringConstraints(max_length=200)]


class NewPassphrase(SecretBody):
    passphrase: Annotated[str, StringConstraints(max_length=4_000)]
    former_key: Annotated[str, StringConstraints(max_length=1_000)] | None = Field(
        default=None, description="The company key so far, sealed by the new one."
    )


Epoch = Annotated[int, Field(ge=1, le=MAX_EPOCH)]


class FormerPassphraseRead(ApiModel):
    epoch: int
    set_at: datetime
    replaced_at: datetime
    replaced_by: str | None = Field(description="Null when that person has left the company.")
    can_open: bool = Field(description="Whether the caller's key leads to this one.")


class SealedHeldKey(ApiModel):
    data: Base64Url
    sender_keys: Base64Url = Field(description="Checks the signature once their owner is known.")
    sender_name: str | None = Field(description="Null when the sender has left the company.")


class KeyHandoverRead(SealedHeldKey):
    passphrase: str = Field(description="The sealed passphrase that the key has to open.")


class KeyHandoverAccept(ApiModel):
    company_key: Annotated[str, StringConstraints(max_length=1_000)] = Field(
        description="The same key, sealed by the caller's user key."
    )


class KeyHolderRead(ApiModel):
    uuid: UUID
    first_name: str
    last_name: str
    email_address: str = Field(alias="email_address")
    since: datetime
    is_current: bool = Field(description="False once the passphrase has been changed.")


class KeyHolderWrite(ApiModel):
    uuid: UUID
    key_handover: Base64Url = Field(description="The company key, sealed to the member's keys.")


class HeldKeyRead(ApiModel):
    since: datetime
    is_current: bool = Field(description="False once the passphrase has been changed.")
    leader_uuid: UUID | None
    leader_name: str | None
    leader_needs_key: bool = Field(description="The leader holds no copy of the key.")
    handed_over: bool = Field(description="A key waits for the leader.")
    leader_public_keys: Base64Url | None = Field(description="Null until the leader has keys.")


class HeldKeyHandover(ApiModel):
    key_handover: Base64Url = Field(description="The company key, sealed to the leader's keys.")


class FormerPassphraseSealed(ApiModel):
    company_key: str = Field(description="The caller's copy of the current key.")
    former_keys: list[str] = Field(description="Each one sealed by the key before it.")
    passphrase: str
