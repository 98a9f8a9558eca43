"""Operations at the card provider. Each reads the current state, decides and writes, and may run
again from the start after a crash: its idempotency keys are derived from its id, and its decisions
are stored. `run_operation` is called by the request or, if that was interrupted, by a workflow."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime

import msgspec
import structlog

from tessera.activity import service as activity
from tessera.activity.service import changed
from tessera.auth.accounts import mail_team_leader
from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import CardProviderError, Declined, Refused, Unreachable
from tessera.integrations.cards.protocol import Account, CardProvider, Ending, Subscription
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.subscription import plans, queries
from tessera.subscription.dunning import leaving_page, mail_billing, subscription_page
from tessera.subscription.errors import (
    AmountNotConfirmed,
    CardNeeded,
    CardProviderUnavailable,
    CardUnknown,
    CompanyLeaving,
    DefaultCardCannotBeDeleted,
    LastCardNeededForRenewal,
    LastDayChanged,
    NoSubscription,
    to_api_error,
)
from tessera.subscription.notice import current_term, deletion_date, last_day, notice
from tessera.subscription.queries import Operation, OperationInput
from tessera.subscription.sync import Snapshot, fetch_snapshot, store_snapshot, unpaid_invoices

log = structlog.get_logger()

NOT_ENDING = Ending()


@dataclass
class OperationContext:
    resources: Resources
    provider: CardProvider
    company_id: int
    operation_id: int
    data: OperationInput
    account: Account
    token: str | None = field(default=None, repr=False)
    # The activity record's action; None if nothing had to be done.
    action: str | None = None
    details: dict[str, object] = field(default_factory=dict)

    def key(self, step: str) -> str:
        return f"operation-{self.operation_id}-{step}"

    async def decide(self, **values: object) -> None:
        self.data = msgspec.structs.replace(self.data, **values)
        async with self.resources.database.tenant(self.company_id) as connection:
            await queries.store_decision(connection, self.operation_id, self.data)

    @property
    def running(self) -> Subscription:
        """Returns the subscription to change, even if it ended after the operation began: if the
        change came first, the provider recognises its key; if not, the provider rejects it."""
        subscription = self.account.subscription
        if subscription is None or not (subscription.runs or self.data.begun):
            raise NoSubscription
        return subscription


async def ensure_customer(resources: Resources, provider: CardProvider, company_id: int) -> str:
    async with resources.database.tenant(company_id) as connection:
        company = await queries.customer(connection, company_id)
    assert company is not None
    if company.customer_id is not None:
        return company.customer_id
    customer_id = await provider.create_customer(
        key=f"customer-{company.uuid}",
        company_uuid=str(company.uuid),
        name=company.name,
        email=company.email,
    )
    async with resources.database.tenant(company_id) as connection:
        await queries.set_customer(connection, company_id, customer_id)
    return customer_id


async def set_billing_email(operation: OperationContext) -> None:
    email = operation.data.email or ""
    customer_id = await ensure_customer(
        operation.resources, operation.provider, operation.company_id
    )
    if operation.account.email == email and not operation.data.begun:
        return
    before = operation.data.previous_email or operation.account.email
    await operation.decide(begun=True, previous_email=before)
    await operation.provider.set_email(
        key=operation.key("email"), customer_id=customer_id, email=email
    )
    operation.action = "billingEmail.changed"
    operation.details = changed({"email": before}, {"email": email})


async def add_card(operation: OperationContext) -> None:
    customer_id = await ensure_customer(
        operation.resources, operation.provider, operation.company_id
    )
    await _begin_charge(operation, _debt(operation))
    async with _new_card(operation, customer_id) as (card_id, known):
        paid = await _pay_debts(operation, card_id)
    if paid or operation.account.default_card_id is None:
        await _make_default(operation, customer_id, card_id)
    if not known:
        operation.action = "card.added"
        operation.details = {"cardId": card_id, **_paid(operation)}


@asynccontextmanager
async def _new_card(
    operation: OperationContext, customer_id: str
) -> AsyncIterator[tuple[str, bool]]:
    """Adds the card and yields its id, and whether it was added before. A new card that is declined
    is removed again."""
    assert operation.token is not None
    # Keyed by the token, so that sending it twice, however far apart, adds one card.
    digest = hashlib.sha256(operation.token.encode()).hexdigest()[:32]
    card_id = await operation.provider.add_card(
        key=f"card-{operation.company_id}-{digest}", customer_id=customer_id, token=operation.token
    )
    # The card form may already have attached the card, so our own data decides whether it is new.
    async with operation.resources.database.tenant(operation.company_id) as connection:
        known = await queries.was_added(connection, card_id)
    await operation.decide(card_id=card_id)
    try:
        yield card_id, known
    except Declined:
        if not known:
            await operation.provider.remove_card(key=operation.key("undo"), card_id=card_id)
        raise


def _check_amount(operation: OperationContext, amount: int) -> None:
    """Refuses to charge what the caller has not seen."""
    confirmed = operation.data.amount or 0
    # An operation that began before may have paid a part of it.
    if amount > confirmed if operation.data.begun else amount and amount != confirmed:
        currency = operation.resources.settings.plan_currency
        raise AmountNotConfirmed(extra={"amount": amount, "currency": currency})


async def _begin_charge(operation: OperationContext, amount: int, **decisions: object) -> None:
    _check_amount(operation, amount)
    if not operation.data.begun:
        await operation.decide(begun=True, amount=amount, **decisions)


def _debt(operation: OperationContext) -> int:
    return sum(debt.amount_remaining for debt in unpaid_invoices(operation.account))


async def _pay_debts(operation: OperationContext, card_id: str) -> bool:
    debts = unpaid_invoices(operation.account)
    for debt in debts:
        await operation.provider.pay_invoice(
            key=operation.key(f"pay-{debt.id}"), invoice_id=debt.id, card_id=card_id
        )
    subscription = operation.account.subscription
    if debts and subscription is not None and subscription.is_suspended and subscription.runs:
        # If it ends at this very moment, the debt is paid all the same.
        with suppress(NoSubscription):
            await _set_ending(operation, subscription, None)
    return bool(debts)


def _paid(operation: OperationContext) -> dict[str, object]:
    """For the activity record."""
    if not operation.data.amount:
        return {}
    currency = operation.resources.settings.plan_currency
    return {"paid": f"{operation.data.amount / 100:.2f} {currency.upper()}"}


async def _make_default(operation: OperationContext, customer_id: str, card_id: str) -> None:
    await operation.provider.set_default_card(
        key=operation.key("default"), customer_id=customer_id, card_id=card_id
    )


def _own_card(operation: OperationContext) -> str:
    card_id = operation.data.card_id
    if card_id is None or all(card.id != card_id for card in operation.account.cards):
        raise CardUnknown
    return card_id


async def choose_default_card(operation: OperationContext) -> None:
    card_id, debt = _own_card(operation), _debt(operation)
    if operation.account.default_card_id == card_id and not debt and not operation.data.begun:
        return
    await _begin_charge(operation, debt)
    await _pay_debts(operation, card_id)
    await _make_default(operation, operation.account.customer_id, card_id)
    operation.action = "card.madeDefault"
    operation.details = {"cardId": card_id, **_paid(operation)}


async def delete_card(operation: OperationContext) -> None:
    card_id = operation.data.card_id or ""
    if not operation.data.begun:
        card_id = _own_card(operation)
        others = [card for card in operation.account.cards if card.id != card_id]
        if others and operation.account.default_card_id == card_id:
            raise DefaultCardCannotBeDeleted
        subscription = operation.account.subscription
        if not others and subscription and subscription.renews:
            raise LastCardNeededForRenewal
        await operation.decide(begun=True)
    await operation.provider.remove_card(key=operation.key("detach"), card_id=card_id)
    operation.action, operation.details = "card.deleted", {"cardId": card_id}


@asynccontextmanager
async def _unless_ended(operation: OperationContext) -> AsyncIterator[None]:
    """Raises NoSubscription if the provider rejects a change because the subscription has ended
    since it was read."""
    try:
        yield
    except Refused:
        account = await operation.provider.account(operation.account.customer_id)
        if account.subscription is not None and account.subscription.runs:
            raise
        raise NoSubscription from None


async def _set_ending(
    operation: OperationContext,
    subscription: Subscription,
    cancel_at: datetime | None,
    details: Ending = NOT_ENDING,
) -> None:
    async with _unless_ended(operation):
        await operation.provider.set_ending(
            key=operation.key("ending"),
            subscription_id=subscription.id,
            cancel_at=cancel_at,
            details=details,
        )


async def _last_day(operation: OperationContext, subscription: Subscription) -> datetime:
    """Stores the decision, because a repeated run may come after the deadline. A subscription that
    is ending keeps its day."""
    if operation.data.begun and operation.data.ends_at is not None:
        return operation.data.ends_at
    ends_at = subscription.cancel_at
    term = current_term(operation.account)
    if ends_at is None and term is not None:
        async with operation.resources.database.tenant(operation.company_id) as connection:
            now = await queries.billing_time(connection)
        ends_at = notice(operation.resources.settings, term, now).ends_at
    ends_at = ends_at or subscription.current_period_end
    if operation.data.ends_at not in {None, ends_at}:
        raise LastDayChanged
    await operation.decide(begun=True, ends_at=ends_at)
    return ends_at


async def set_auto_renew(operation: OperationContext) -> None:
    subscription = operation.running
    if operation.data.enabled is None:
        await operation.decide(enabled=subscription.cancel_at is not None)
    enabled = bool(operation.data.enabled)
    if enabled:
        await _refuse_if_leaving(operation)
        if subscription.is_suspended or operation.account.default_card_id is None:
            # Paying is what makes it renew, and the provider charges a new default card.
            _check_amount(operation, _debt(operation))
        await _paying_card(operation)
    if enabled == (subscription.cancel_at is None) and not operation.data.begun:
        return
    await operation.decide(begun=True)
    last_day = None if enabled else await _last_day(operation, subscription)
    await _set_ending(operation, subscription, last_day)
    operation.action = "autoRenew.on" if enabled else "autoRenew.off"


async def cancel(operation: OperationContext) -> None:
    subscription = operation.running
    done = subscription.is_canceled and subscription.cancel_at is not None
    if done and not operation.data.begun:
        return
    last_day = await _last_day(operation, subscription)
    details = Ending(canceled=True, reason=operation.data.reason)
    await _set_ending(operation, subscription, last_day, details)
    operation.action = "subscription.cancelAsked"
    operation.details = {"reason": operation.data.reason} if operation.data.reason else {}


async def leave(operation: OperationContext) -> None:
    """Cancels what can be cancelled. The company's deletion is planned when the operation ends."""
    await _refuse_if_leaving(operation)
    # If it has ended, or ends at this very moment, the company leaves all the same.
    with suppress(NoSubscription):
        await cancel(operation)


async def _refuse_if_leaving(operation: OperationContext) -> None:
    async with operation.resources.database.tenant(operation.company_id) as connection:
        overview = await queries.overview(connection)
    if overview.deletion_at is not None:
        raise CompanyLeaving


async def reactivate(operation: OperationContext) -> None:
    await _refuse_if_leaving(operation)
    subscription = operation.account.subscription
    runs = subscription is not None and subscription.runs
    plan = plans.plan_to_start(
        operation.resources.settings, subscription.plan_id if subscription else 0
    )
    amount = _debt(operation) + (0 if runs else plan.amount)
    renews = subscription is not None and runs and subscription.cancel_at is None
    if renews and not amount and not operation.data.begun:
        return
    if operation.data.begun and not runs and not operation.data.starts:
        # It ended after the operation began, so the price of a new one was not confirmed.
        raise AmountNotConfirmed(extra={"amount": amount, "currency": plan.currency})
    await _begin_charge(operation, amount, starts=not runs)
    async with _card_to_charge(operation) as (customer_id, card_id):
        await _pay_debts(operation, card_id)
        if subscription is not None and runs:
            if subscription.cancel_at is not None or subscription.is_canceled:
                await _set_ending(operation, subscription, None)
        else:
            await operation.provider.subscribe(
                key=operation.key("subscribe"),
                customer_id=customer_id,
                price_id=await operation.provider.ensure_price(plan.price),
                trial_days=0,
            )
    operation.action, operation.details = "subscription.reactivated", _paid(operation)


@asynccontextmanager
async def _card_to_charge(operation: OperationContext) -> AsyncIterator[tuple[str, str]]:
    """Yields the customer and the card: the one sent along, which becomes the default card, or the
    present default card."""
    if operation.token is None:
        yield operation.account.customer_id, await _paying_card(operation)
        return
    customer_id = await ensure_customer(
        operation.resources, operation.provider, operation.company_id
    )
    async with _new_card(operation, customer_id) as (card_id, _):
        await _make_default(operation, customer_id, card_id)
        yield customer_id, card_id


async def _paying_card(operation: OperationContext) -> str:
    if operation.account.default_card_id is not None:
        return operation.account.default_card_id
    if not operation.account.cards:
        raise CardNeeded
    card_id = operation.account.cards[0].id
    await _make_default(operation, operation.account.customer_id, card_id)
    return card_id


async def switch_plan(operation: OperationContext) -> None:
    plan = plans.plan_for_sale(operation.resources.settings, operation.data.plan_id or 0)
    subscription = operation.running
    if subscription.plan_id == plan.id and not operation.data.begun:
        return
    if plan.interval != subscription.interval and subscription.status != "trialing":
        # The provider charges another interval at once, less what is left of this one.
        _check_amount(operation, plan.amount)
    await operation.decide(begun=True)
    async with _unless_ended(operation):
        await operation.provider.switch_price(
            key=operation.key("switch"),
            subscription_id=subscription.id,
            item_id=subscription.item_id,
            price_id=await operation.provider.ensure_price(plan.price),
        )
    operation.action, operation.details = "subscription.planChanged", {"planId": plan.id}


ACTIONS: dict[str, Callable[[OperationContext], Awaitable[None]]] = {
    "addCard": add_card,
    "chooseDefaultCard": choose_default_card,
    "deleteCard": delete_card,
    "setAutoRenew": set_auto_renew,
    "setBillingEmail": set_billing_email,
    "cancel": cancel,
    "leave": leave,
    "reactivate": reactivate,
    "switchPlan": switch_plan,
}


async def run_operation(resources: Resources, company_id: int, operation_id: int) -> None:
    """Runs the operation and raises its error. It stays pending while the provider is unreachable;
    any other outcome ends it."""
    while not await _run_once(resources, company_id, operation_id):
        log.info("operation was run by two processes at once", operation_id=operation_id)


async def _run_once(resources: Resources, company_id: int, operation_id: int) -> bool:
    """False if it has to run again."""
    async with resources.database.tenant(company_id) as connection:
        stored = await queries.find_operation(connection, operation_id)
    if stored is None or stored.state != "pending":
        return True
    operation = OperationContext(
        resources=resources,
        provider=card_provider(resources.settings, resources.database),
        company_id=company_id,
        operation_id=operation_id,
        data=stored.data,
        account=Account(""),
        token=_open_token(resources, operation_id, stored.sealed_token),
    )
    try:
        before = await fetch_snapshot(resources, company_id)
        if before is not None:
            operation.account = before.account
        await ACTIONS[stored.kind](operation)
        snapshot = await fetch_snapshot(resources, company_id)
    except Unreachable as error:
        raise CardProviderUnavailable from error
    except (CardProviderError, TesseraError) as error:
        failure = to_api_error(error) if isinstance(error, CardProviderError) else error
        if not await _end(operation, "failed", error_code=failure.code):
            return False
        raise failure from error
    return await _end(operation, "done", snapshot=snapshot)


async def _end(
    operation: OperationContext,
    state: str,
    *,
    error_code: str | None = None,
    snapshot: Snapshot | None = None,
) -> bool:
    """Stores, in one transaction, the provider's current state, the operation's end, the activity
    record and the mail. False if another process began the operation after this one read it: what
    looked like nothing to do, or like a failure, is then the other's unfinished work."""
    resources, company_id = operation.resources, operation.company_id
    async with resources.database.tenant(company_id) as connection:
        if snapshot is not None:
            await store_snapshot(connection, resources, company_id, snapshot)
        stored = await queries.lock_operation(connection, operation.operation_id)
        if stored is None or stored.state != "pending":
            return True
        if stored.data.begun and not operation.data.begun:
            return False
        await queries.finish_operation(connection, operation.operation_id, state, error_code)
        if state == "done" and operation.action is not None:
            await _record(connection, operation, stored, operation.action, operation.details)
            await _mail_cancellation(connection, operation)
        if state == "done" and stored.kind == "leave":
            await _plan_deletion(connection, operation, stored)
        return True


async def _plan_deletion(
    connection: Connection, operation: OperationContext, stored: Operation
) -> None:
    settings, company_id = operation.resources.settings, operation.company_id
    overview = await queries.overview(connection)
    deletion = deletion_date(settings, overview)
    await queries.set_leaving(connection, company_id, deletion)
    await _record(connection, operation, stored, "company.leaveAsked", {})
    company = await queries.customer(connection, company_id)
    assert company is not None
    mail = mails.CompanyLeaving(
        company=company.name,
        ends=last_day(settings, overview),
        deletion=deletion,
        link=leaving_page(settings),
    )
    await mail_team_leader(connection, operation.resources.keys, company_id, mail)


async def _mail_cancellation(connection: Connection, operation: OperationContext) -> None:
    if operation.action == "subscription.cancelAsked":
        state = await queries.dunning_state(connection, operation.company_id)
        assert state is not None
        company, link = state.company_name, subscription_page(operation.resources.settings)
        ends = state.ended_at or state.cancel_at or state.now
        mail: mails.BillingMail = mails.SubscriptionCancelled(company, link, ends)
        if state.next_amount and state.current_period_end:
            due = mails.Money(state.next_amount, state.currency)
            charge = state.current_period_end
            mail = mails.SubscriptionCancelledLate(company, link, ends, due, charge)
        await mail_billing(connection, operation.resources, state, mail)


async def _record(
    connection: Connection,
    operation: OperationContext,
    stored: Operation,
    action: str,
    details: dict[str, object],
) -> None:
    await activity.add(
        connection,
        company_id=operation.company_id,
        actor_uuid=stored.actor_uuid,
        actor_name=stored.actor_name,
        action=action,
        details=details,
        origin=stored.origin,
        request_id=stored.request_id,
    )


def seal_token(resources: Resources, operation_id: int, token: str) -> bytes:
    return resources.keys.seal("card-operations", token.encode(), f"operation|{operation_id}")


def _open_token(resources: Resources, operation_id: int, sealed: bytes | None) -> str | None:
    if sealed is None:
        return None
    return resources.keys.open("card-operations", sealed, f"operation|{operation_id}").decode()
