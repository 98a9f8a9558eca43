# ruff: noqa: ARG001
"""What a leader asks of the card provider."""

from tessera.authz.context import Identity
from tessera.subscription.errors import CardProviderUnavailable
from tessera.subscription.schemas import PaymentRead, SetupIntentRead


async def add_card(identity: Identity, token: str) -> PaymentRead:
    raise CardProviderUnavailable


async def setup_intent(identity: Identity) -> SetupIntentRead:
    raise CardProviderUnavailable


async def switch_plan(identity: Identity, plan_id: int) -> PaymentRead:
    raise CardProviderUnavailable


async def delete_card(identity: Identity, card_id: str) -> PaymentRead:
    raise CardProviderUnavailable


async def choose_default_card(identity: Identity, card_id: str) -> PaymentRead:
    raise CardProviderUnavailable


async def set_auto_renew(identity: Identity, enabled: bool | None) -> PaymentRead:
    raise CardProviderUnavailable


async def cancel(identity: Identity, reason: str) -> PaymentRead:
    raise CardProviderUnavailable


async def reactivate(identity: Identity, amount: int | None) -> PaymentRead:
    raise CardProviderUnavailable
