"""Billing mails, each sent once per occasion, and closing a company for debt."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tessera.activity.service import record_system
from tessera.auth.queries import team_leader
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.protocol import Invoice
from tessera.kit.database import Connection
from tessera.kit.formatting import format_count, format_date, format_money
from tessera.kit.i18n import Language
from tessera.kit.schemas import normalize_email
from tessera.kit.workflows import Resources, current_resources, step, workflow
from tessera.notifications.service import enqueue_email
from tessera.settings import Settings
from tessera.subscription import queries
from tessera.subscription.queries import DunningState

DAY = timedelta(days=1)


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
    connection: Connection, resources: Resources, company_id: int, previous_debt: datetime | None
) -> None:
    """Does everything that is due; safe to repeat. `previous_debt` is the date of a debt that the
    last sync may have settled."""
    state = await queries.dunning_state(connection, company_id)
    if state is None:
        return
    if state.past_due_since is not None:
        await _collect(connection, resources, state, state.past_due_since)
    elif previous_debt is not None:
        await _mail_once(connection, resources, state, previous_debt, "debtSettled")
    if state.status == "trialing" and state.trial_end and not state.cancel_at_period_end:
        await _remind_of_trial_end(connection, resources, state, state.trial_end)
    if state.status == "cancelled" and state.ended_at and state.past_due_since is None:
        await _mail_once(connection, resources, state, state.ended_at, "subscriptionEnded")


async def _remind_of_trial_end(
    connection: Connection, resources: Resources, state: DunningState, trial_end: datetime
) -> None:
    left = trial_end - state.now
    if left <= timedelta(0):
        return
    fresh = [
        days
        for days in resources.settings.trial_notice_days
        if left <= timedelta(days=days)
        and await queries.claim_notice(
            connection, state.company_id, trial_end, f"trialEnding{days}"
        )
    ]
    if fresh:
        await mail_billing(connection, resources, "trialEnding", state)


async def _collect(
    connection: Connection, resources: Resources, state: DunningState, since: datetime
) -> None:
    company_id = state.company_id
    due = [stage for stage in stages(resources.settings, since) if stage.at <= state.now]
    fresh = [
        stage
        for stage in due
        if await queries.claim_notice(connection, company_id, since, stage.notice)
    ]
    if not fresh:
        return
    # After an outage, only the newest one is sent; nobody wants three mails at once.
    await mail_billing(connection, resources, fresh[-1].template, state)
    if any(stage.notice == "deactivated" for stage in fresh):
        await queries.deactivate_for_debt(connection, company_id)
        await record_system(connection, company_id, "company.deactivatedForDebt")
        if state.subscription_id and state.status != "cancelled":
            await end_for_debt.enqueue(
                connection, company_id, key=f"debt-{company_id}-{state.subscription_id}"
            )


async def _mail_once(
    connection: Connection,
    resources: Resources,
    state: DunningState,
    occasion: datetime,
    notice: str,
) -> None:
    if await queries.claim_notice(connection, state.company_id, occasion, notice):
        await mail_billing(connection, resources, notice, state)


async def mail_receipts(
    connection: Connection, resources: Resources, company_id: int, paid: Sequence[Invoice]
) -> None:
    state = await queries.dunning_state(connection, company_id) if paid else None
    if state is not None:
        for invoice in paid:
            await mail_billing(connection, resources, "paymentSucceeded", state, invoice)


async def mail_billing(
    connection: Connection,
    resources: Resources,
    template: str,
    state: DunningState,
    invoice: Invoice | None = None,
) -> None:
    """Mails the leader, who can act on it, and the billing address if it is another one."""
    leader = await team_leader(connection)
    if leader is None:
        return
    language = Language(leader.language)
    params = _params(resources.settings, state, language)
    if invoice is not None:
        params |= {
            "paid": format_money(invoice.amount_paid, invoice.currency, language),
            "date": format_date(invoice.paid_at or state.now, language),
            "invoice": invoice.number,
        }
    recipients: list[tuple[str, str | None, dict[str, str]]] = [
        (leader.email, None, {"name": leader.first_name})
    ]
    if normalize_email(state.billing_email) not in {"", normalize_email(leader.email)}:
        # Nobody has confirmed this address, so the mail greets without a name.
        recipients.append((state.billing_email, "footerBilling", {}))
    for to, footer, greeting in recipients:
        await enqueue_email(
            connection,
            resources.keys,
            company_id=state.company_id,
            to=to,
            language=language,
            template=template,
            link=f"{resources.settings.public_url}/subscription",
            footer=footer,
            **params,
            **greeting,
        )


def _params(settings: Settings, state: DunningState, language: Language) -> dict[str, str]:
    def date(moment: datetime | None) -> str:
        return format_date(moment, language) if moment else ""

    since = state.past_due_since or state.now
    # The provider's times are whole seconds: five days and a second are five days.
    left = state.trial_end - state.now - timedelta(minutes=1) if state.trial_end else timedelta()
    days_left = math.ceil(left / DAY)
    return {
        "company": state.company_name,
        "amount": format_money(state.amount_due, state.currency, language),
        "price": format_money(state.price_amount or 0, state.currency, language),
        "access": date(since + timedelta(days=settings.grace_days)),
        "closing": date(since + timedelta(days=settings.debt_days)),
        "ends": date(state.ended_at or state.current_period_end),
        "trial": date(state.trial_end),
        "left": format_count("days", max(days_left, 0), language),
    }


@workflow(queue="billing")
async def end_for_debt(company_id: int) -> None:
    """Ends the subscription of a company closed for debt, so that it is no longer billed."""
    await end_subscription(company_id)


@step()
async def end_subscription(company_id: int) -> None:
    """The provider reports the end by webhook, like any other."""
    resources = current_resources()
    async with resources.database.tenant(company_id) as connection:
        overview = await queries.overview(connection)
    if overview.subscription_id is None or overview.deactivated_for_debt_at is None:
        return
    await card_provider(resources.settings, resources.database).end_subscription(
        key=f"debt-{overview.subscription_id}", subscription_id=overview.subscription_id
    )
