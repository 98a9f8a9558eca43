"""The leader's view of the subscription, read from our own tables only."""

from datetime import timedelta

from tessera.activity.service import record
from tessera.authz.context import Access
from tessera.kit.database import Connection
from tessera.settings import Settings
from tessera.subscription import plans, queries
from tessera.subscription.errors import OwnWarehousesInUse
from tessera.subscription.schemas import (
    CardRead,
    InvoicePage,
    InvoiceRead,
    PaymentRead,
    PlanFacts,
    PlanOffer,
    PlanRead,
)

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
    running = row["status"] in RUNNING
    since = row["past_due_since"]
    return PaymentRead(
        cards=[CardRead(**dict(card)) for card in cards],
        default_card_id=row["default_card_id"],
        status=row["status"],
        renewal_date=row["current_period_end"],
        is_canceled=row["is_canceled"],
        plan_id=row["plan_id"],
        auto_renew=running and not row["ending"],
        ends_at=row["ended_at"] or (row["current_period_end"] if row["ending"] else None),
        trial_ends_at=row["trial_end"] if row["status"] == "trialing" else None,
        next_amount=row["next_amount"],
        currency=row["currency"] or settings.plan_currency,
        amount_due=row["amount_due"],
        past_due_since=since,
        access_until=since + timedelta(days=settings.grace_days) if since else None,
        deactivates_at=since + timedelta(days=settings.debt_days) if since else None,
        is_deactivated=row["deactivated_for_debt_at"] is not None,
        is_subscribed=row["is_subscribed"],
        reactivation_amount=reactivation_amount(
            settings, row["status"], row["plan_id"], row["amount_due"]
        ),
        uses_default_warehouses=not row["can_view_warehouse"],
        has_own_warehouses=await queries.has_own_warehouses(connection),
    )


def reactivation_amount(
    settings: Settings, status: str, plan_id: int, amount_due: int
) -> int | None:
    """What Reactivate charges immediately: any debt, and the first period of a new subscription."""
    if status in {"trialing", "active"}:
        return None
    if status == "past_due":
        return amount_due or None
    return amount_due + plan_to_start(settings, plan_id).amount


def plan_to_start(settings: Settings, plan_id: int) -> plans.Plan:
    """Returns the company's previous plan, or the basic one if that is no longer sold."""
    return plans.plan_for_sale(
        settings, plan_id if plan_id in settings.plan_prices else plans.BASIC
    )


async def plan(connection: Connection, settings: Settings) -> PlanRead:
    row = await queries.overview(connection)
    offers = [_offer(each) for each in plans.on_sale(settings)]
    own = next((offer for offer in offers if offer.plan_id == row["plan_id"]), None)
    if own is None and row["plan_id"]:
        name, interval = plans.shown_name(row["plan_id"])
        own = PlanOffer(
            plan_id=row["plan_id"],
            name=name,
            amount=row["price_amount"] or 0,
            currency=row["currency"],
            interval=interval,
            trial_days=0,
        )
    elif own is not None and row["price_amount"] is not None:
        own = own.model_copy(update={"amount": row["price_amount"], "currency": row["currency"]})
    renews = row["status"] in RUNNING and not row["ending"]
    return PlanRead(
        plan_id=row["plan_id"],
        plan=own or _offer(plan_to_start(settings, plans.BASIC)),
        facts=FACTS,
        next_amount=row["next_amount"],
        next_date=row["current_period_end"] if renews else None,
        on_sale=offers,
    )


def _offer(each: plans.Plan) -> PlanOffer:
    return PlanOffer(
        plan_id=each.id,
        name=each.name,
        amount=each.amount,
        currency=each.currency,
        interval=each.interval,
        trial_days=each.trial_days,
    )


async def invoices(connection: Connection, skip: int, limit: int) -> InvoicePage:
    rows, total = await queries.invoices(connection, skip, limit)
    names = InvoiceRead.model_fields.keys() - {"date"}
    return InvoicePage(
        item1=[
            InvoiceRead(date=row["created_at"], **{name: row[name] for name in names})
            for row in rows
        ],
        item2=total,
    )


async def set_own_warehouses(access: Access, enabled: bool) -> PaymentRead:
    await queries.lock_company(access.connection, access.current_user.company_id)
    if not enabled and await queries.has_own_warehouses(access.connection):
        raise OwnWarehousesInUse
    if await queries.set_warehouse_view(access.connection, access.current_user.company_id, enabled):
        if not enabled:
            await queries.assign_shared_warehouses(access.connection, FACTS.active_clouds)
        await record(access, "ownWarehouses.on" if enabled else "ownWarehouses.off")
    return await payment(access.connection, access.context.settings)
