"""What each operation does at the provider. It reads the current state, decides, writes, and may
run again from the start after a crash: its keys are its own, and its decisions are stored."""

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tessera.integrations.cards.errors import Declined, Refused
from tessera.integrations.cards.protocol import Account, CardProvider, Price, Subscription
from tessera.kit.workflows import Resources
from tessera.subscription import operation_queries, plans, queries
from tessera.subscription.errors import (
    AmountNotConfirmed,
    CardNeeded,
    CardUnknown,
    DefaultCardCannotBeDeleted,
    LastCardNeededForRenewal,
    NoSubscription,
)
from tessera.subscription.service import plan_to_start
from tessera.subscription.status import unpaid_invoices


@dataclass
class OperationContext:
    resources: Resources
    provider: CardProvider
    company_id: int
    operation_id: int
    data: dict[str, Any]
    account: Account
    token: str | None = field(default=None, repr=False)
    # The activity record's action; None if nothing had to be done.
    action: str | None = None
    details: dict[str, object] = field(default_factory=dict)

    def key(self, step: str) -> str:
        return f"operation-{self.operation_id}-{step}"

    async def decide(self, **values: object) -> None:
        self.data |= values
        async with self.resources.database.tenant(self.company_id) as connection:
            await operation_queries.decide(connection, self.operation_id, values)

    @property
    def running(self) -> Subscription:
        """Returns the subscription to change, even if it ended after the operation began: if the
        change came first, the provider recognises its key; if not, the provider rejects it."""
        subscription = self.account.subscription
        if subscription is None or not (subscription.runs or self.data.get("begun")):
            raise NoSubscription
        return subscription


async def ensure_customer(resources: Resources, provider: CardProvider, company_id: int) -> str:
    async with resources.database.tenant(company_id) as connection:
        company = await queries.find_company(connection, company_id)
    assert company is not None
    if company["customer_id"] is not None:
        return str(company["customer_id"])
    customer_id = await provider.create_customer(
        key=f"customer-{company['uuid']}",
        company_uuid=str(company["uuid"]),
        name=company["name"],
        email=company["email"],
    )
    async with resources.database.tenant(company_id) as connection:
        await queries.set_customer(connection, company_id, customer_id)
    return customer_id


async def add_card(work: OperationContext) -> None:
    assert work.token is not None
    customer_id = await ensure_customer(work.resources, work.provider, work.company_id)
    # Keyed by the token, so that sending it twice, however far apart, adds one card.
    digest = hashlib.sha256(work.token.encode()).hexdigest()[:32]
    card_id = await work.provider.add_card(
        key=f"card-{work.company_id}-{digest}", customer_id=customer_id, token=work.token
    )
    # The card form may already have attached the card, so our own data decides whether it is new.
    async with work.resources.database.tenant(work.company_id) as connection:
        known = await operation_queries.was_added(connection, card_id)
    await work.decide(cardId=card_id)
    try:
        paid = await _pay_debts(work, card_id)
    except Declined:
        if not known:
            await work.provider.remove_card(key=work.key("undo"), card_id=card_id)
        raise
    if paid or work.account.default_card_id is None:
        await _make_default(work, customer_id, card_id)
    if not known:
        work.action, work.details = "card.added", {"cardId": card_id}


async def _pay_debts(work: OperationContext, card_id: str) -> bool:
    debts = unpaid_invoices(work.account)
    for debt in debts:
        await work.provider.pay_invoice(
            key=work.key(f"pay-{debt.id}"), invoice_id=debt.id, card_id=card_id
        )
    return bool(debts)


async def _make_default(work: OperationContext, customer_id: str, card_id: str) -> None:
    await work.provider.set_default_card(
        key=work.key("default"), customer_id=customer_id, card_id=card_id
    )


def _own_card(work: OperationContext) -> str:
    card_id = str(work.data["cardId"])
    if all(card.id != card_id for card in work.account.cards):
        raise CardUnknown
    return card_id


async def choose_default_card(work: OperationContext) -> None:
    card_id = _own_card(work)
    paid = await _pay_debts(work, card_id)
    if work.account.default_card_id != card_id or paid or work.data.get("begun"):
        await work.decide(begun=True)
        await _make_default(work, work.account.customer_id, card_id)
        work.action, work.details = "card.madeDefault", {"cardId": card_id}


async def delete_card(work: OperationContext) -> None:
    if not work.data.get("begun"):
        card_id = _own_card(work)
        others = [card for card in work.account.cards if card.id != card_id]
        if others and work.account.default_card_id == card_id:
            raise DefaultCardCannotBeDeleted
        subscription = work.account.subscription
        renews = subscription and subscription.runs and not subscription.cancel_at_period_end
        if not others and renews:
            raise LastCardNeededForRenewal
        await work.decide(begun=True)
    card_id = str(work.data["cardId"])
    await work.provider.remove_card(key=work.key("detach"), card_id=card_id)
    work.action, work.details = "card.deleted", {"cardId": card_id}


@asynccontextmanager
async def _unless_ended(work: OperationContext) -> AsyncIterator[None]:
    """Raises NoSubscription if the provider rejects a change because the subscription has ended
    since it was read."""
    try:
        yield
    except Refused:
        subscription = (await work.provider.account(work.account.customer_id)).subscription
        if subscription is not None and subscription.runs:
            raise
        raise NoSubscription from None


async def set_auto_renew(work: OperationContext) -> None:
    subscription = work.running
    if work.data.get("enabled") is None:
        await work.decide(enabled=subscription.cancel_at_period_end)
    enabled = bool(work.data["enabled"])
    if enabled:
        await _paying_card(work)
    if enabled == (not subscription.cancel_at_period_end) and not work.data.get("begun"):
        return
    await work.decide(begun=True)
    async with _unless_ended(work):
        await work.provider.set_ending(
            key=work.key("ending"),
            subscription_id=subscription.id,
            ending=not enabled,
            canceled=False,
            reason="",
        )
    work.action = "autoRenew.on" if enabled else "autoRenew.off"


async def cancel(work: OperationContext) -> None:
    subscription = work.running
    done = subscription.is_canceled and subscription.cancel_at_period_end
    if done and not work.data.get("begun"):
        return
    await work.decide(begun=True)
    async with _unless_ended(work):
        await work.provider.set_ending(
            key=work.key("ending"),
            subscription_id=subscription.id,
            ending=True,
            canceled=True,
            reason=str(work.data["reason"]),
        )
    work.action = "subscription.cancelAsked"
    work.details = {"reason": work.data["reason"]} if work.data["reason"] else {}


async def reactivate(work: OperationContext) -> None:
    subscription = work.account.subscription
    runs = subscription is not None and subscription.runs
    debts = sum(debt.amount_remaining for debt in unpaid_invoices(work.account))
    plan = plan_to_start(work.resources.settings, subscription.plan_id if subscription else 0)
    if not work.data.get("begun"):
        amount = debts + (0 if runs else plan.amount)
        if amount and work.data.get("amount") != amount:
            raise AmountNotConfirmed(extra={"amount": amount, "currency": plan.currency})
        nothing_to_do = (
            runs and subscription and not subscription.cancel_at_period_end and not amount
        )
        if nothing_to_do:
            return
        await work.decide(begun=True, starts=not runs)
    elif not runs and not work.data.get("starts", True):
        # It ended after the operation began, so the price of a new one was not confirmed.
        raise AmountNotConfirmed(extra={"amount": debts + plan.amount, "currency": plan.currency})
    card_id = await _paying_card(work)
    await _pay_debts(work, card_id)
    if subscription is not None and runs:
        if subscription.cancel_at_period_end or subscription.is_canceled:
            async with _unless_ended(work):
                await work.provider.set_ending(
                    key=work.key("ending"),
                    subscription_id=subscription.id,
                    ending=False,
                    canceled=False,
                    reason="",
                )
    else:
        await work.provider.subscribe(
            key=work.key("subscribe"),
            customer_id=work.account.customer_id,
            price_id=await work.provider.ensure_price(price_of(plan)),
            trial_days=0,
        )
    work.action = "subscription.reactivated"


async def _paying_card(work: OperationContext) -> str:
    if work.account.default_card_id is not None:
        return work.account.default_card_id
    if not work.account.cards:
        raise CardNeeded
    card_id = work.account.cards[0].id
    await _make_default(work, work.account.customer_id, card_id)
    return card_id


async def switch_plan(work: OperationContext) -> None:
    plan = plans.plan_for_sale(work.resources.settings, int(work.data["planId"]))
    subscription = work.running
    if subscription.plan_id == plan.id and not work.data.get("begun"):
        return
    await work.decide(begun=True)
    async with _unless_ended(work):
        await work.provider.switch_price(
            key=work.key("switch"),
            subscription_id=subscription.id,
            item_id=subscription.item_id,
            price_id=await work.provider.ensure_price(price_of(plan)),
        )
    work.action, work.details = "subscription.planChanged", {"planId": plan.id}


def price_of(plan: plans.Plan) -> Price:
    return Price(
        plan_id=plan.id,
        name=plan.name,
        amount=plan.amount,
        currency=plan.currency,
        interval=plan.interval,
        lookup_key=plan.lookup_key,
    )


OPERATIONS: dict[str, Callable[[OperationContext], Awaitable[None]]] = {
    "addCard": add_card,
    "chooseDefaultCard": choose_default_card,
    "deleteCard": delete_card,
    "setAutoRenew": set_auto_renew,
    "cancel": cancel,
    "reactivate": reactivate,
    "switchPlan": switch_plan,
}


def read_input(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text)
    return data
