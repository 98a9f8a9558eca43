"""Billing mails, each sent once per occasion, and closing a company for debt."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tessera.activity.service import record_system
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.workflows import Resources
from tessera.notifications.service import enqueue_email
from tessera.settings import Settings
from tessera.subscription import dunning_queries, queries
from tessera.subscription.debt import end_for_debt
from tessera.subscription.dunning_queries import Row


@dataclass(frozen=True)
class Stage:
    at: datetime
    notice: str
    template: str


def stages(settings: Settings, since: datetime) -> list[Stage]:
    """Returns what an unpaid invoice leads to, in chronological order."""

    def after(days: int) -> datetime:
        return since + timedelta(days=days)

    planned = [
        Stage(after(day), f"pastDue{day}", "paymentFailed") for day in settings.past_due_mail_days
    ]
    planned.append(Stage(after(settings.grace_days), "accessEnded", "accessEnded"))
    planned += [
        Stage(after(settings.debt_days - day), f"debtWarning{day}", "debtWarning")
        for day in settings.debt_warning_days
    ]
    planned.append(Stage(after(settings.debt_days), "deactivated", "deactivatedForDebt"))
    return sorted(planned, key=lambda stage: stage.at)


async def review(
    connection: Connection, resources: Resources, company_id: int, before: Row | None = None
) -> None:
    """Does everything that is due; safe to repeat. `before` is the row before the last sync."""
    row = await dunning_queries.subscription(connection, company_id)
    if row is None:
        return
    if row["past_due_since"] is not None:
        await _collect(connection, resources, company_id, row)
    elif before is not None and before["past_due_since"] is not None:
        await _once(connection, resources, row, before["past_due_since"], "debtSettled")
    if row["status"] == "trialing" and not row["cancel_at_period_end"]:
        notice_from = row["trial_end"] - timedelta(days=resources.settings.trial_notice_days)
        if notice_from <= row["now"] < row["trial_end"]:
            await _once(connection, resources, row, row["trial_end"], "trialEnding")
    if row["status"] == "cancelled" and row["past_due_since"] is None:
        await _once(connection, resources, row, row["ended_at"], "subscriptionEnded")


async def _collect(connection: Connection, resources: Resources, company_id: int, row: Row) -> None:
    since: datetime = row["past_due_since"]
    due = [stage for stage in stages(resources.settings, since) if stage.at <= row["now"]]
    fresh = [
        stage
        for stage in due
        if await dunning_queries.claim(connection, company_id, since, stage.notice)
    ]
    if not fresh:
        return
    # After an outage, only the newest one is sent; nobody wants three mails at once.
    await post(connection, resources, company_id, fresh[-1].template, row)
    if any(stage.notice == "deactivated" for stage in fresh):
        await dunning_queries.deactivate(connection, company_id)
        await record_system(connection, company_id, "company.deactivatedForDebt")
        if row["subscription_id"] and row["status"] != "cancelled":
            await end_for_debt.enqueue(
                connection, company_id, key=f"debt-{company_id}-{row['subscription_id']}"
            )


async def _once(
    connection: Connection, resources: Resources, row: Row, occasion: datetime, notice: str
) -> None:
    if await dunning_queries.claim(connection, row["company_id"], occasion, notice):
        await post(connection, resources, row["company_id"], notice, row)


async def post(
    connection: Connection, resources: Resources, company_id: int, template: str, row: Row
) -> None:
    leader = await queries.leader(connection)
    if leader is None:
        return
    settings = resources.settings
    since = row["past_due_since"] or row["now"]
    await enqueue_email(
        connection,
        resources.keys,
        company_id=company_id,
        to=leader["email"],
        language=Language(leader["language"]),
        template=template,
        link=f"{settings.public_url}/subscription",
        name=leader["first_name"],
        amount=money(row["amount_due"], row["currency"]),
        price=money(row["price_amount"] or 0, row["currency"]),
        access=day(since + timedelta(days=settings.grace_days)),
        closing=day(since + timedelta(days=settings.debt_days)),
        ends=day(row["ended_at"] or row["current_period_end"]),
        trial=day(row["trial_end"]),
    )


def money(cents: int, currency: str) -> str:
    return f"{cents / 100:,.2f} {currency.upper()}"


def day(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d") if moment else ""
