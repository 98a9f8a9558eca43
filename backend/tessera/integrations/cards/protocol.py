"""What the product asks of a card provider. Amounts are in cents; ids are the provider's."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class Card:
    id: str
    brand: str
    last4: str
    exp_month: int
    exp_year: int


@dataclass(frozen=True)
class Subscription:
    id: str
    status: str
    current_period_end: datetime
    cancel_at_period_end: bool


class CardProvider(Protocol):
    """Every write takes a key: repeated with the same key, it happens once."""

    async def create_customer(self, *, key: str, company_uuid: str, email: str) -> str: ...

    async def attach_card(self, *, key: str, customer_id: str, token: str) -> Card: ...

    async def detach_card(self, *, key: str, card_id: str) -> None: ...

    async def set_default_card(self, *, key: str, customer_id: str, card_id: str) -> None: ...

    async def subscribe(
        self, *, key: str, customer_id: str, plan_id: int, trial_days: int
    ) -> Subscription: ...

    async def set_cancel_at_period_end(
        self, *, key: str, subscription_id: str, ending: bool
    ) -> Subscription: ...
