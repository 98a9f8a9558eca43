"""What a company's leader sees of the subscription, read from our own tables only, and the leader's
card operations. Each company runs one operation at a time: a concurrent second one waits for the
first and then sees its result."""

import asyncio
import time
from datetime import datetime, timedelta

from tessera.activity.service import record
from tessera.authz.context import Access, Identity
from tessera.authz.guards import check_verified
from tessera.authz.queries import lock_company
from tessera.errors import TesseraError
from tessera.integrations.cards import card_provider, publishable_key
from tessera.integrations.cards.errors import CardProviderError
from tessera.kit.database import Connection
from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera.subscription import plans, queries
from tessera.subscription.errors import (
    CardNeeded,
    CardProviderUnavailable,
    CardTokenInvalid,
    CardUnknown,
    CompanyLeaving,
    DefaultCardCannotBeDeleted,
    LastCardNeededForRenewal,
    LastDayChanged,
    NoSubscription,
    OwnWarehousesInUse,
    PaymentUnderWay,
    to_api_error,
)
from tessera.subscription.notice import deletion_date, last_day, notice, stored_term
from tessera.subscription.operations import ensure_customer, run_operation, seal_token
from tessera.subscription.queries import (
    OperationInput,
    Overview,
    assign_shared_warehouses,
    claim_notice,
)
from tessera.subscription.schemas import (
    AddCard,
    Cancel,
    CardRead,
    InvoicePage,
    InvoiceRead,
    LeavingRead,
    NoticeRead,
    PaymentRead,
    PlanFacts,
    PlanOffer,
    PlanRead,
    Reactivate,
    SetupIntentRead,
)
from tessera.subscription.workflows import finish_operation

# Queries that other features call.
__all__ = ["assign_shared_warehouses", "claim_notice"]

WAIT_SECONDS = 25.0
# Errors without details. The others carry details that only a new attempt can provide.
FAILURES: dict[str, type[TesseraError]] = {
    failure.code: failure
    for failure in (
        CardNeeded,
        CardTokenInvalid,
        CardUnknown,
        CompanyLeaving,
        DefaultCardCannotBeDeleted,
        LastCardNeededForRenewal,
        LastDayChanged,
        NoSubscription,
    )
}
RUNNING = frozenset({"trialing", "active", "past_due"})
FACTS = PlanFacts(
    active_clouds=3,
    upload_gb_per_month=25,
    redundant_storage=True,
    lost_file_recovery=True,
    status_monitoring=True,
    zero_knowledge=True,
)


async def payment(connection: Connection, settings: Settings) -> PaymentRead:
    row = await queries.overview(connection)
    cards = await queries.cards(connection)
    running = row.status in RUNNING
    since = row.past_due_since
    return PaymentRead.of(
        row,
        cards=[CardRead.of(card) for card in cards],
        renewal_date=row.current_period_end,
        auto_renew=running and row.cancel_at is None,
        ends_at=row.ended_at or row.cancel_at,
        trial_ends_at=row.trial_end if row.status == "trialing" else None,
        currency=row.currency or settings.plan_currency,
        past_due_since=since,
        access_until=since + timedelta(days=settings.grace_days) if since else None,
        deactivates_at=since + timedelta(days=settings.debt_days) if since else None,
        is_deactivated=row.deactivated_for_debt_at is not None,
        reactivation_amount=plans.reactivation_amount(
            settings, row.status, row.plan_id, row.amount_due
        ),
        notice=_notice(settings, row),
        uses_default_warehouses=not row.can_view_warehouse,
        has_own_warehouses=await queries.has_own_warehouses(connection),
    )


def _notice(settings: Settings, row: Overview) -> NoticeRead | None:
    term = stored_term(row)
    return NoticeRead.of(notice(settings, term, row.now)) if term and not row.cancel_at else None


async def leaving(connection: Connection, settings: Settings) -> LeavingRead:
    row = await queries.overview(connection)
    term_notice = _notice(settings, row)
    return LeavingRead.of(
        row,
        last_day=last_day(settings, row),
        deletion_at=row.deletion_at or deletion_date(settings, row),
        amount=term_notice.amount if term_notice else row.next_amount or 0,
        currency=row.currency or settings.plan_currency,
    )


async def plan(connection: Connection, settings: Settings) -> PlanRead:
    row = await queries.overview(connection)
    offers = [_offer(each) for each in plans.on_sale(settings)]
    own = next((offer for offer in offers if offer.plan_id == row.plan_id), None)
    if own is None and row.plan_id:
        name, interval = plans.shown_name(row.plan_id)
        own = PlanOffer(
            plan_id=row.plan_id,
            name=name,
            amount=row.price_amount or 0,
            currency=row.currency,
            interval=interval,
            trial_days=0,
        )
    elif own is not None and row.price_amount is not None:
        own = own.model_copy(update={"amount": row.price_amount, "currency": row.currency})
    # Without access there is no next invoice, even before the provider has been told.
    renews = row.is_subscribed and row.status in RUNNING and row.cancel_at != row.current_period_end
    return PlanRead(
        plan_id=row.plan_id,
        plan=own or _offer(plans.plan_to_start(settings, plans.BASIC)),
        facts=FACTS,
        next_amount=row.next_amount if renews else None,
        next_date=row.current_period_end if renews else None,
        on_sale=offers,
    )


def _offer(each: plans.Plan) -> PlanOffer:
    return PlanOffer.of(each, plan_id=each.id)


async def invoices(connection: Connection, skip: int, limit: int) -> InvoicePage:
    rows, total = await queries.invoices(connection, skip, limit)
    names = InvoiceRead.model_fields.keys() - {"date"}
    return InvoicePage(
        item1=[
            InvoiceRead(date=row.created_at, **{name: getattr(row, name) for name in names})
            for row in rows
        ],
        item2=total,
    )


async def set_own_warehouses(access: Access, enabled: bool) -> PaymentRead:
    await lock_company(access.connection, access.current_user.company_id)
    if not enabled and await queries.has_own_warehouses(access.connection):
        raise OwnWarehousesInUse
    if await queries.set_warehouse_view(access.connection, access.current_user.company_id, enabled):
        if not enabled:
            await queries.assign_shared_warehouses(access.connection, FACTS.active_clouds)
        await record(access, "ownWarehouses.on" if enabled else "ownWarehouses.off")
    return await payment(access.connection, access.context.settings)


async def add_card(identity: Identity, data: AddCard) -> PaymentRead:
    wanted = OperationInput(amount=data.amount)
    return await _perform(identity, "addCard", wanted, data.stripe_token)


async def choose_default_card(identity: Identity, card_id: str, amount: int | None) -> PaymentRead:
    wanted = OperationInput(card_id=card_id, amount=amount)
    return await _perform(identity, "chooseDefaultCard", wanted)


async def delete_card(identity: Identity, card_id: str) -> PaymentRead:
    return await _perform(identity, "deleteCard", OperationInput(card_id=card_id))


async def set_auto_renew(identity: Identity, enabled: bool | None) -> PaymentRead:
    if not enabled:
        check_verified(identity.current_user)
    return await _perform(identity, "setAutoRenew", OperationInput(enabled=enabled))


async def cancel(identity: Identity, data: Cancel) -> PaymentRead:
    wanted = OperationInput(reason=data.reason, ends_at=data.ends_at)
    return await _perform(identity, "cancel", wanted)


async def leave(identity: Identity, last_day: datetime) -> None:
    """Cancels the subscription, if there is one, and plans the company's deletion."""
    await _perform(identity, "leave", OperationInput(ends_at=last_day))


async def reactivate(identity: Identity, data: Reactivate) -> PaymentRead:
    wanted = OperationInput(amount=data.amount)
    return await _perform(identity, "reactivate", wanted, data.stripe_token)


async def set_billing_email(identity: Identity, email: str) -> PaymentRead:
    return await _perform(identity, "setBillingEmail", OperationInput(email=email))


async def switch_plan(identity: Identity, plan_id: int, amount: int | None) -> PaymentRead:
    plans.plan_for_sale(identity.context.settings, plan_id)
    wanted = OperationInput(plan_id=plan_id, amount=amount)
    return await _perform(identity, "switchPlan", wanted)


async def setup_intent(identity: Identity) -> SetupIntentRead:
    """Returns what the card form needs to set up a card, including the bank's own questions."""
    resources = identity.context.resources
    provider = card_provider(resources.settings, resources.database)
    try:
        customer_id = await ensure_customer(resources, provider, identity.current_user.company_id)
    except CardProviderError as error:
        raise to_api_error(error) from error
    key = f"setup-{identity.current_user.session_id}-{identity.context.request_id}"
    return await new_setup_intent(resources, key, customer_id)


async def new_setup_intent(
    resources: Resources, key: str, customer_id: str | None
) -> SetupIntentRead:
    """A company that signs up has no customer yet: the card is attached to one later."""
    provider = card_provider(resources.settings, resources.database)
    try:
        intent = await provider.new_setup_intent(key=key, customer_id=customer_id)
    except CardProviderError as error:
        raise to_api_error(error) from error
    return SetupIntentRead(
        id=intent.id,
        client_secret=intent.client_secret,
        publishable_key=publishable_key(resources.settings),
    )


async def _perform(
    identity: Identity, kind: str, data: OperationInput, token: str | None = None
) -> PaymentRead:
    resources, company_id = identity.context.resources, identity.current_user.company_id
    operation_id = await _begin(identity, kind, data, token)
    await run_operation(resources, company_id, operation_id)
    async with identity.access() as access:
        ended = await queries.find_operation(access.connection, operation_id)
        if ended is not None and ended.state == "failed":
            # Executed by another process, which had nobody to report the error to.
            raise FAILURES.get(ended.error_code or "", CardProviderUnavailable)
        return await payment(access.connection, resources.settings)


async def _begin(identity: Identity, kind: str, data: OperationInput, token: str | None) -> int:
    """Stores the operation before anything is sent to the provider, and enqueues a workflow that
    finishes it if this process dies."""
    resources, company_id = identity.context.resources, identity.current_user.company_id
    too_long = resources.settings.card_operation_timeout_seconds
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        async with identity.access() as access:
            operation_id = await queries.begin_operation(access, kind, data)
            if operation_id is not None:
                if token is not None:
                    sealed = seal_token(resources, operation_id, token)
                    await queries.set_operation_token(access.connection, operation_id, sealed)
                await finish_operation.enqueue(
                    access.connection,
                    company_id,
                    operation_id,
                    key=f"card-operation-{operation_id}",
                    after=too_long,
                )
                return operation_id
            other = await queries.pending_operation(access.connection)
        if other is not None and other.age > too_long:
            await run_operation(resources, company_id, other.id)
        if time.monotonic() > deadline or resources.announcements.is_closed:
            raise PaymentUnderWay
        await asyncio.sleep(0.1)
