"""The card provider interface. Amounts are in cents; ids are the provider's."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from msgspec import Struct


class Card(Struct, frozen=True):
    id: str
    brand: str
    last4: str
    exp_month: int
    exp_year: int
    added_at: datetime


@dataclass(frozen=True)
class Price:
    """A plan's price at the provider; `lookup_key` finds it again."""

    plan_id: int
    name: str
    amount: int
    currency: str
    interval: str
    lookup_key: str


@dataclass(frozen=True)
class Subscription:
    id: str
    item_id: str
    status: str
    plan_id: int
    amount: int
    currency: str
    interval: str
    created_at: datetime
    current_period_start: datetime
    current_period_end: datetime
    trial_end: datetime | None
    # The end of this period or of the next one; None while it renews.
    cancel_at: datetime | None
    # Stored in the provider's metadata, because turning Auto Renew off ends a subscription too.
    is_canceled: bool
    # It does not renew until the debt is paid. Stored there too.
    is_suspended: bool
    cancel_reason: str
    ended_at: datetime | None

    @property
    def runs(self) -> bool:
        return self.status not in {"canceled", "incomplete", "incomplete_expired"}

    @property
    def renews(self) -> bool:
        """Whether another period follows the current one; it may be the last."""
        return self.runs and self.cancel_at != self.current_period_end


@dataclass(frozen=True)
class Upcoming:
    """The next renewal: what it charges, and the end of the period it pays for."""

    amount: int
    period_end: datetime


class Invoice(Struct, frozen=True):
    id: str
    number: str
    status: str
    amount_due: int
    amount_paid: int
    amount_remaining: int
    currency: str
    created_at: datetime
    period_start: datetime
    period_end: datetime
    paid_at: datetime | None
    next_attempt_at: datetime | None
    attempts: int
    page_url: str | None
    pdf_url: str | None

    @property
    def is_owed(self) -> bool:
        return self.status == "open" and self.amount_remaining > 0 and self.attempts > 0


@dataclass(frozen=True)
class Account:
    """Everything the provider knows about one customer, as of one sync."""

    customer_id: str
    email: str = ""
    default_card_id: str | None = None
    cards: list[Card] = field(default_factory=list)
    subscription: Subscription | None = None
    invoices: list[Invoice] = field(default_factory=list)
    upcoming: Upcoming | None = None


@dataclass(frozen=True)
class Ending:
    """Why a subscription ends."""

    canceled: bool = False
    suspended: bool = False
    reason: str = ""


@dataclass(frozen=True)
class SetupIntent:
    id: str
    client_secret: str = field(repr=False)


class CardProvider(Protocol):
    """Every write takes an idempotency key: repeated with the same key, it happens once. Errors are
    the classes of `errors.py`."""

    async def account(self, customer_id: str) -> Account: ...

    async def ensure_price(self, price: Price) -> str: ...

    async def create_customer(
        self, *, key: str, company_uuid: str, name: str, email: str
    ) -> str: ...

    async def set_email(self, *, key: str, customer_id: str, email: str) -> None: ...

    async def delete_customer(self, *, key: str, customer_id: str) -> None: ...

    async def new_setup_intent(self, *, key: str, customer_id: str | None) -> SetupIntent: ...

    async def add_card(self, *, key: str, customer_id: str, token: str) -> str: ...

    async def remove_card(self, *, key: str, card_id: str) -> None: ...

    async def set_default_card(self, *, key: str, customer_id: str, card_id: str) -> None: ...

    async def pay_invoice(self, *, key: str, invoice_id: str, card_id: str) -> None: ...

    async def subscribe(
        self, *, key: str, customer_id: str, price_id: str, trial_days: int
    ) -> str: ...

    async def void_invoice(self, *, key: str, invoice_id: str) -> None: ...

    async def set_ending(
        self, *, key: str, subscription_id: str, cancel_at: datetime | None, details: Ending
    ) -> None: ...

    async def switch_price(
        self, *, key: str, subscription_id: str, item_id: str, price_id: str
    ) -> None: ...

    async def end_subscription(self, *, key: str, subscription_id: str) -> None: ...
