"""Stores what was read from the card provider."""

from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct

from tessera.integrations.cards.protocol import Account, Invoice
from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row
from tessera.subscription.schemas import Status


@dataclass(frozen=True)
class BillingStatus:
    status: Status
    past_due_since: datetime | None
    # The end of access, by the billing clock.
    access_until: datetime | None


class StoredSubscription(Struct, frozen=True):
    sync_applied: int
    subscription_id: str | None
    item_id: str | None
    provider_status: str
    status: Status
    plan_id: int
    price_amount: int | None
    currency: str
    trial_end: datetime | None
    current_period_start: datetime | None
    current_period_end: datetime | None
    cancel_at: datetime | None
    is_canceled: bool
    is_suspended: bool
    cancel_reason: str
    ended_at: datetime | None
    past_due_since: datetime | None
    next_amount: int | None
    next_period_end: datetime | None
    default_card_id: str | None
    billing_email: str

    def columns_changed_since(self, before: "StoredSubscription") -> list[str]:
        return [
            name
            for name in self.__struct_fields__
            if name != "sync_applied" and getattr(self, name) != getattr(before, name)
        ]


async def begin(connection: Connection, company_id: int) -> int:
    """Returns the number of this sync; results of a lower number never overwrite it."""
    number: int = await connection.fetchval(
        "INSERT INTO subscriptions AS s (company_id, syncs_started) VALUES ($1, 1)"
        " ON CONFLICT (company_id) DO UPDATE SET syncs_started = s.syncs_started + 1"
        " RETURNING syncs_started",
        company_id,
    )
    return number


async def lock(connection: Connection, company_id: int) -> StoredSubscription:
    """Locks the company's row first, then its subscription: always in this order."""
    await connection.execute("SELECT 1 FROM companies WHERE id = $1 FOR UPDATE", company_id)
    row = await fetch_row(
        connection,
        StoredSubscription,
        f"SELECT {columns(StoredSubscription, 's')} FROM subscriptions s"
        " WHERE company_id = $1 FOR UPDATE",
        company_id,
    )
    assert row is not None
    return row


async def write_subscription(
    connection: Connection, company_id: int, number: int, account: Account, seen: BillingStatus
) -> None:
    data = account.subscription
    await connection.execute(
        "UPDATE subscriptions SET subscription_id = $2, item_id = $3, provider_status = $4,"
        " status = $5, plan_id = $6, price_amount = $7, currency = COALESCE($8, currency),"
        " trial_end = $9, current_period_start = $10, current_period_end = $11,"
        " cancel_at = $12, is_canceled = $13, cancel_reason = $14, ended_at = $15,"
        " past_due_since = $16, next_amount = $17, next_period_end = $18,"
        " default_card_id = $19, billing_email = $20, is_suspended = $21, sync_applied = $22,"
        " synced_at = now() WHERE company_id = $1",
        company_id,
        data.id if data else None,
        data.item_id if data else None,
        data.status if data else "",
        seen.status,
        data.plan_id if data else 0,
        data.amount if data else None,
        data.currency if data else None,
        data.trial_end if data else None,
        data.current_period_start if data else None,
        data.current_period_end if data else None,
        data.cancel_at if data else None,
        data.is_canceled if data else False,
        data.cancel_reason if data else "",
        data.ended_at if data else None,
        seen.past_due_since,
        account.upcoming.amount if account.upcoming else None,
        account.upcoming.period_end if account.upcoming else None,
        account.default_card_id,
        account.email,
        data.is_suspended if data else False,
        number,
    )


async def write_cards(connection: Connection, company_id: int, account: Account) -> None:
    await connection.execute(
        "DELETE FROM cards WHERE company_id = $1 AND id <> ALL($2)",
        company_id, [card.id for card in account.cards],
    )  # fmt: skip
    await connection.executemany(
        "INSERT INTO cards (company_id, id, brand, last4, exp_month, exp_year, added_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (company_id, id) DO UPDATE SET"
        " brand = excluded.brand, last4 = excluded.last4, exp_month = excluded.exp_month,"
        " exp_year = excluded.exp_year, added_at = excluded.added_at",
        [
            (company_id, c.id, c.brand, c.last4, c.exp_month, c.exp_year, c.added_at)
            for c in account.cards
        ],
    )


async def newly_paid(connection: Connection, company_id: int, account: Account) -> list[Invoice]:
    """Returns the paid invoices that are not stored as paid yet. Call before `write_invoices`."""
    rows = await connection.fetch(
        "SELECT id FROM invoices WHERE company_id = $1 AND status = 'paid'", company_id
    )
    known = {row["id"] for row in rows}
    return [
        invoice
        for invoice in account.invoices
        if invoice.status == "paid" and invoice.amount_paid and invoice.id not in known
    ]


async def write_invoices(connection: Connection, company_id: int, account: Account) -> None:
    """Invoices older than those the provider lists at once stay unchanged."""
    await connection.executemany(
        "INSERT INTO invoices (company_id, id, number, status, amount_due, amount_paid,"
        " amount_remaining, currency, created_at, period_start, period_end, paid_at,"
        " next_attempt_at, attempts, page_url, pdf_url)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
        " ON CONFLICT (company_id, id) DO UPDATE SET number = excluded.number,"
        " status = excluded.status, amount_due = excluded.amount_due,"
        " amount_paid = excluded.amount_paid, amount_remaining = excluded.amount_remaining,"
        " paid_at = excluded.paid_at, next_attempt_at = excluded.next_attempt_at,"
        " attempts = excluded.attempts, page_url = excluded.page_url, pdf_url = excluded.pdf_url",
        [
            (company_id, i.id, i.number, i.status, i.amount_due, i.amount_paid,
             i.amount_remaining, i.currency, i.created_at, i.period_start, i.period_end, i.paid_at,
             i.next_attempt_at, i.attempts, i.page_url, i.pdf_url)
            for i in account.invoices
        ],
    )  # fmt: skip


async def write_access(connection: Connection, company_id: int, seen: BillingStatus) -> None:
    """Access checks compare with real time; the billing clock may be ahead of it."""
    await connection.execute(
        "UPDATE companies SET"
        " subscribed_until = $2::timestamptz - (SELECT ahead FROM billing_clock),"
        " deactivated_for_debt_at = CASE WHEN $3 THEN deactivated_for_debt_at END WHERE id = $1",
        company_id, seen.access_until, seen.past_due_since is not None,
    )  # fmt: skip
