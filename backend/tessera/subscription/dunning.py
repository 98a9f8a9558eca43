"""Billing mails, each sent once per occasion, and closing a company for debt."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tessera.activity.service import record_system
from tessera.authz.queries import Recipient, team_leader
from tessera.integrations.cards import card_provider
from tessera.integrations.cards.protocol import Ending, Invoice
from tessera.kit.database import Connection
from tessera.kit.schemas import normalize_email
from tessera.kit.workflows import Resources, current_resources, step, workflow
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.settings import Settings
from tessera.subscription import queries
from tessera.subscription.notice import notice, stored_term
from tessera.subscription.queries import DunningState

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Stage:
    at: datetime
    notice: str
    mail: mails.BillingMail


def stages(settings: Settings, state: DunningState, since: datetime) -> list[Stage]:
    """Returns what an unpaid invoice leads to, in chronological order."""

    def after(days: int) -> datetime:
        return since + timedelta(days=days)

    company, link = state.company_name, subscription_page(settings)
    amount = mails.Money(state.amount_due, state.currency)
    access, closing = after(settings.grace_days), after(settings.debt_days)
    failed = mails.PaymentFailed(company, link, amount, access)
    warning = mails.DebtWarning(company, link, amount, closing)
    planned = [Stage(after(day), f"pastDue{day}", failed) for day in settings.past_due_mail_days]
    planned.append(Stage(access, "accessEnded", mails.AccessEnded(company, link, amount, closing)))
    planned += [
        Stage(after(settings.debt_days - day), f"debtWarning{day}", warning)
        for day in settings.debt_warning_days
    ]
    deactivated = mails.DeactivatedForDebt(company, link, amount)
    planned.append(Stage(closing, "deactivated", deactivated))
    return sorted(planned, key=lambda stage: stage.at)


def subscription_page(settings: Settings) -> str:
    return f"{settings.public_url}/subscription"


def leaving_page(settings: Settings) -> str:
    return f"{settings.public_url}/leave"


async def review(
    connection: Connection, resources: Resources, company_id: int, previous_debt: datetime | None
) -> None:
    """Does everything that is due; safe to repeat. `previous_debt` is the date of a debt that the
    last sync may have settled."""
    state = await queries.dunning_state(connection, company_id)
    if state is None:
        return
    if _is_billed_wrongly(resources.settings, state):
        stamp = f"{state.now:%Y%m%d%H}"
        await bill_service_only.enqueue(connection, company_id, key=f"debt-{company_id}-{stamp}")
    if state.past_due_since is not None:
        await _collect(connection, resources, state, state.past_due_since)
    elif previous_debt is not None:
        runs = state.status != "cancelled"
        mail = mails.DebtSettled if runs else mails.DebtSettledAfterEnd
        settled = mail(state.company_name, subscription_page(resources.settings))
        if await queries.claim_notice(connection, company_id, previous_debt, "debtSettled"):
            await mail_billing(connection, resources, state, settled)
    if state.status == "trialing" and state.trial_end and state.cancel_at != state.trial_end:
        await _remind_of_trial_end(connection, resources, state, state.trial_end)
    if state.status == "cancelled" and state.ended_at and state.past_due_since is None:
        link = subscription_page(resources.settings)
        ended = mails.SubscriptionEnded(state.company_name, link, state.ended_at)
        if await queries.claim_notice(connection, company_id, state.ended_at, "subscriptionEnded"):
            await mail_billing(connection, resources, state, ended)


async def _remind_of_trial_end(
    connection: Connection, resources: Resources, state: DunningState, trial_end: datetime
) -> None:
    left = trial_end - state.now
    term = stored_term(state)
    if left <= timedelta(0) or term is None:
        return
    term_notice = notice(resources.settings, term, state.now)
    fresh = [
        days
        for days in resources.settings.trial_notice_days
        if left <= timedelta(days=days)
        and await queries.claim_notice(
            connection, state.company_id, trial_end, f"trialEnding{days}"
        )
    ]
    if fresh:
        # The provider's times are whole seconds: five days and a second are five days.
        days_left = math.ceil((left - timedelta(minutes=1)) / DAY)
        mail = mails.TrialEnding(
            company=state.company_name,
            link=subscription_page(resources.settings),
            left=mails.Count(max(days_left, 0), "days"),
            trial=trial_end,
            price=mails.Money(state.price_amount or 0, state.currency),
            deadline=term_notice.deadline,
        )
        await mail_billing(connection, resources, state, mail)


async def _collect(
    connection: Connection, resources: Resources, state: DunningState, since: datetime
) -> None:
    company_id = state.company_id
    due = [stage for stage in stages(resources.settings, state, since) if stage.at <= state.now]
    fresh = [
        stage
        for stage in due
        if await queries.claim_notice(connection, company_id, since, stage.notice)
    ]
    if not fresh:
        return
    # After an outage, only the newest one is sent; nobody wants three mails at once.
    await mail_billing(connection, resources, state, fresh[-1].mail)
    if any(stage.notice == "deactivated" for stage in fresh):
        await queries.deactivate_for_debt(connection, company_id)
        await record_system(connection, company_id, "company.deactivatedForDebt")


async def mail_receipts(
    connection: Connection, resources: Resources, company_id: int, paid: Sequence[Invoice]
) -> None:
    state = await queries.dunning_state(connection, company_id) if paid else None
    if state is not None:
        for invoice in paid:
            mail = mails.PaymentSucceeded(
                company=state.company_name,
                link=subscription_page(resources.settings),
                paid=mails.Money(invoice.amount_paid, invoice.currency),
                date=invoice.paid_at or state.now,
                invoice=invoice.number,
            )
            await mail_billing(connection, resources, state, mail)


async def mail_billing(
    connection: Connection, resources: Resources, state: DunningState, mail: mails.BillingMail
) -> None:
    """Mails the leader, who can act on it, and the billing address if it is another one."""
    leader = await team_leader(connection)
    if leader is None:
        return
    keys, company_id = resources.keys, state.company_id
    await enqueue_email(connection, keys, company_id, leader, mail)
    if normalize_email(state.billing_email) not in {"", normalize_email(leader.email)}:
        # Nobody has confirmed this address, so the mail greets without a name.
        billing = Recipient(state.billing_email, leader.language)
        await enqueue_email(connection, keys, company_id, billing, mail, footer="footerBilling")


@workflow(queue="billing")
async def bill_service_only(company_id: int) -> None:
    """Tells the provider to bill no time without service."""
    await match_provider(company_id)


@step(attempts=10)
async def match_provider(company_id: int) -> None:
    """Safe to repeat. The provider reports each change by webhook, like any other."""
    resources = current_resources()
    async with resources.database.tenant(company_id) as connection:
        state = await queries.dunning_state(connection, company_id)
        company = await queries.customer(connection, company_id)
    if state is None or company is None or company.customer_id is None:
        return
    provider = card_provider(resources.settings, resources.database)
    account = await provider.account(company.customer_id)
    ended = access_ended(resources.settings, state)
    if ended is not None:
        for invoice in account.invoices:
            if invoice.status == "open" and invoice.period_start >= ended:
                await provider.void_invoice(key=f"void-{invoice.id}", invoice_id=invoice.id)
    subscription = account.subscription
    if subscription is None or not subscription.runs:
        return
    key = f"debt-{subscription.id}-{subscription.current_period_end:%Y%m%d}"
    if state.deactivated_for_debt_at is not None:
        await provider.end_subscription(
            key=f"debt-{subscription.id}", subscription_id=subscription.id
        )
    elif ended is not None and subscription.renews:
        # One that the leader has cancelled stays cancelled when the debt is paid.
        suspended = subscription.cancel_at is None
        await provider.set_ending(
            key=f"{key}-{state.past_due_since:%Y%m%d}-suspend",
            subscription_id=subscription.id,
            cancel_at=subscription.current_period_end,
            details=Ending(subscription.is_canceled, suspended, subscription.cancel_reason),
        )
    elif state.past_due_since is None and subscription.is_suspended:
        await provider.set_ending(
            key=f"{key}-{state.now:%Y%m%d%H}-resume",
            subscription_id=subscription.id,
            cancel_at=None,
            details=Ending(),
        )


def _is_billed_wrongly(settings: Settings, state: DunningState) -> bool:
    """Whether the provider would bill time without service, or stop billing a company that pays."""
    if state.status in {"", "cancelled"}:
        return False
    if state.past_due_since is None:
        return state.is_suspended
    closed = state.past_due_since + timedelta(days=settings.debt_days) <= state.now
    renews = state.cancel_at != state.current_period_end
    return closed or (renews and access_ended(settings, state) is not None)


def access_ended(settings: Settings, state: DunningState) -> datetime | None:
    """Returns when an unpaid debt ended the access; None while there is access or no debt."""
    if state.past_due_since is None:
        return None
    ended = state.past_due_since + timedelta(days=settings.grace_days)
    return ended if ended <= state.now else None
