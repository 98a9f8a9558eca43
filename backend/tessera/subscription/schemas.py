from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tessera.kit.schemas import ApiModel, EmailAddress, SecretBody, Storable

Status = Literal["", "trialing", "active", "past_due", "cancelled"]
CardToken = Annotated[str, StringConstraints(pattern=r"^(tok|pm|card)_[A-Za-z0-9_]{3,200}$")]
CardId = Annotated[str, StringConstraints(min_length=1, max_length=255), Storable]
Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), Storable]


class CardRead(ApiModel):
    id: str
    brand: str
    last4: str = Field(alias="last4")
    exp_month: int
    exp_year: int


class NoticeRead(ApiModel):
    """What a cancellation leads to at present."""

    deadline: datetime = Field(description="Until then it ends with the current term.")
    ends_at: datetime
    amount: int = Field(description="What is charged until the last day, beside what is unpaid.")


class PaymentRead(ApiModel):
    """Amounts are in the currency's smallest unit: 75000 is $750.00."""

    cards: list[CardRead]
    default_card_id: str | None
    status: Status
    renewal_date: datetime | None
    is_canceled: bool
    plan_id: int
    auto_renew: bool
    ends_at: datetime | None = Field(description="Set when the subscription is ending, or ended.")
    trial_ends_at: datetime | None
    next_amount: int | None = Field(description="What the next renewal charges; null if none.")
    currency: str
    amount_due: int = Field(description="Unpaid by now.")
    past_due_since: datetime | None
    access_until: datetime | None = Field(description="When access ends while a debt is unpaid.")
    deactivates_at: datetime | None = Field(description="When an unpaid debt closes the company.")
    is_deactivated: bool
    is_subscribed: bool
    reactivation_amount: int | None = Field(
        description="What Reactivate would charge at once, to be confirmed; null: nothing."
    )
    notice: NoticeRead | None = Field(description="Null unless there is something to cancel.")
    billing_email: str = Field(description="Receives receipts and payment mails.")
    uses_default_warehouses: bool
    has_own_warehouses: bool


Amount = Annotated[
    int | None,
    Field(ge=0, description="What was confirmed to be charged at once; 409 if it is another sum."),
]


class Confirmation(ApiModel):
    amount: Amount = None


class AddCard(SecretBody):
    stripe_token: CardToken
    amount: Amount = None


class AutoRenew(ApiModel):
    enabled: bool


class Cancel(ApiModel):
    reason: Reason = ""
    ends_at: datetime | None = Field(
        default=None, description="The last day that was confirmed; 409 if it is another one."
    )


class Reactivate(Confirmation):
    stripe_token: CardToken | None = Field(
        default=None, description="A new card to charge, which becomes the default one."
    )


class BillingEmail(ApiModel):
    email: EmailAddress


class LeavingRead(ApiModel):
    """What follows when the company leaves; what it would be while nobody has asked."""

    leaving_since: datetime | None = Field(description="When the leader asked; null: not leaving.")
    last_day: datetime = Field(description="When the subscription, and the access with it, ends.")
    deletion_at: datetime
    amount: int = Field(description="What is charged until the last day, beside what is unpaid.")
    amount_due: int = Field(description="Unpaid by now.")
    currency: str


class OwnWarehouses(ApiModel):
    enabled: bool


class SetupIntentRead(ApiModel):
    id: str
    client_secret: str
    publishable_key: str


class PlanOffer(ApiModel):
    plan_id: int
    name: str
    amount: int
    currency: str
    interval: Literal["month", "year"]
    trial_days: int


class PlanFacts(ApiModel):
    """What a plan includes. The texts are in the console."""

    active_clouds: int
    upload_gb_per_month: int
    redundant_storage: bool
    lost_file_recovery: bool
    status_monitoring: bool
    zero_knowledge: bool


class PlanRead(ApiModel):
    plan_id: int = Field(description="0: none.")
    plan: PlanOffer = Field(description="The company's plan, or the one on sale when it has none.")
    facts: PlanFacts
    next_amount: int | None
    next_date: datetime | None
    on_sale: list[PlanOffer]


class InvoiceRead(ApiModel):
    id: str
    number: str
    status: Literal["draft", "open", "paid", "uncollectible", "void"]
    amount_due: int
    amount_paid: int
    amount_remaining: int
    currency: str
    date: datetime
    period_start: datetime
    period_end: datetime
    paid_at: datetime | None
    next_attempt_at: datetime | None
    page_url: str | None
    pdf_url: str | None


class InvoicePage(ApiModel):
    item1: list[InvoiceRead] = Field(alias="item1")
    item2: int = Field(alias="item2")


class WebhookTaken(ApiModel):
    received: Literal[True] = True
