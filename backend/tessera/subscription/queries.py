from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from tessera.authz.context import Access
from tessera.integrations.cards.protocol import Card, Invoice
from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row, fetch_rows, to_rows
from tessera.subscription.schemas import Status

# What `Invoice.is_owed` selects.
_AMOUNT_DUE = (
    "(SELECT COALESCE(sum(amount_remaining), 0)::int FROM invoices"
    " WHERE status = 'open' AND attempts > 0)"
)


class Overview(Struct, frozen=True):
    can_view_warehouse: bool
    deactivated_for_debt_at: datetime | None
    is_subscribed: bool
    subscription_id: str | None
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
    ended_at: datetime | None
    past_due_since: datetime | None
    next_amount: int | None
    next_period_end: datetime | None
    default_card_id: str | None
    billing_email: str
    amount_due: int
    leaving_since: datetime | None
    deletion_at: datetime | None
    now: datetime


class Customer(Struct, frozen=True):
    """The company data that is sent to the card provider."""

    uuid: UUID
    name: str
    email: str
    customer_id: str | None


class DunningState(Struct, frozen=True):
    company_id: int
    subscription_id: str | None
    status: Status
    price_amount: int | None
    currency: str
    trial_end: datetime | None
    current_period_start: datetime | None
    current_period_end: datetime | None
    cancel_at: datetime | None
    is_suspended: bool
    next_amount: int | None
    next_period_end: datetime | None
    ended_at: datetime | None
    past_due_since: datetime | None
    billing_email: str
    company_name: str
    deactivated_for_debt_at: datetime | None
    amount_due: int
    now: datetime


class WebhookEvent(Struct, frozen=True):
    kind: str
    customer_id: str | None
    processed_at: datetime | None


class OperationInput(Struct, frozen=True, rename="camel", omit_defaults=True):
    """What was asked for, and what was decided before the first write at the provider. Stored as
    JSON without defaults."""

    card_id: str | None = None
    plan_id: int | None = None
    enabled: bool | None = None
    reason: str = ""
    # What may be charged at once, as it was confirmed.
    amount: int | None = None
    # The last day of the subscription, as it was confirmed.
    ends_at: datetime | None = None
    email: str | None = None
    # The billing address before the change, for the activity record.
    previous_email: str | None = None
    # The operation was checked, and its writes may have begun.
    begun: bool = False
    # Reactivation starts a new subscription, whose price was confirmed.
    starts: bool = True


class Operation(Struct, frozen=True):
    kind: str
    state: Literal["pending", "done", "failed"]
    input: str
    sealed_token: bytes | None
    error_code: str | None
    actor_uuid: UUID | None
    actor_name: str
    origin: str
    request_id: str

    @property
    def data(self) -> OperationInput:
        return msgspec.json.decode(self.input, type=OperationInput)


class PendingOperation(Struct, frozen=True):
    id: int
    age: int


async def overview(connection: Connection) -> Overview:
    """Returns the entered company's subscription, whether or not it has one yet."""
    row = await fetch_row(
        connection,
        Overview,
        "SELECT c.can_view_warehouse, c.deactivated_for_debt_at, c.leaving_since, c.deletion_at,"
        " COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL"
        " AS is_subscribed,"
        " s.subscription_id, COALESCE(s.status, '') AS status,"
        " COALESCE(s.plan_id, 0) AS plan_id, s.price_amount, COALESCE(s.currency, '') AS currency,"
        " s.trial_end, s.current_period_start, s.current_period_end, s.cancel_at,"
        " COALESCE(s.is_canceled, false) AS is_canceled,"
        " COALESCE(s.is_suspended, false) AS is_suspended, s.ended_at, s.past_due_since,"
        " s.next_amount, s.next_period_end, s.default_card_id, billing_now() AS now,"
        " COALESCE(NULLIF(s.billing_email, ''), c.email) AS billing_email,"
        f" {_AMOUNT_DUE} AS amount_due"
        " FROM companies c LEFT JOIN subscriptions s ON s.company_id = c.id"
        " WHERE c.id = current_setting('app.company')::int",
    )
    assert row is not None
    return row


async def cards(connection: Connection) -> list[Card]:
    return await fetch_rows(
        connection, Card, f"SELECT {columns(Card, 'cards')} FROM cards ORDER BY added_at, id"
    )


async def invoices(connection: Connection, skip: int, limit: int) -> tuple[list[Invoice], int]:
    rows = await connection.fetch(
        f"SELECT t.total, {columns(Invoice, 'i')}"
        " FROM (SELECT count(*) AS total FROM invoices) t LEFT JOIN ("
        f" SELECT {columns(Invoice, 'invoices')} FROM invoices"
        " ORDER BY created_at DESC, id LIMIT $2 OFFSET $1) i ON true"
        " ORDER BY i.created_at DESC, i.id",
        skip * limit, limit,
    )  # fmt: skip
    return to_rows(Invoice, [row for row in rows if row["id"] is not None]), rows[0]["total"]


async def has_own_warehouses(connection: Connection) -> bool:
    return bool(
        await connection.fetchval(
            "SELECT EXISTS (SELECT FROM warehouses"
            " WHERE company_id = current_setting('app.company')::int)"
        )
    )


async def set_warehouse_view(connection: Connection, company_id: int, enabled: bool) -> bool:
    """False if nothing changed."""
    changed = await connection.fetchval(
        "UPDATE companies SET can_view_warehouse = $2"
        " WHERE id = $1 AND can_view_warehouse <> $2 RETURNING true",
        company_id, enabled,
    )  # fmt: skip
    return bool(changed)


async def company_for_customer(connection: Connection, customer_id: str | None) -> int | None:
    company_id: int | None = await connection.fetchval("SELECT find_customer($1)", customer_id)
    return company_id


async def customer(connection: Connection, company_id: int) -> Customer | None:
    return await fetch_row(
        connection,
        Customer,
        "SELECT uuid, name, email, customer_id FROM companies WHERE id = $1",
        company_id,
    )


async def billing_time(connection: Connection) -> datetime:
    now: datetime = await connection.fetchval("SELECT billing_now()")
    return now


async def set_customer(connection: Connection, company_id: int, customer_id: str) -> None:
    await connection.execute(
        "UPDATE companies SET customer_id = $2 WHERE id = $1 AND customer_id IS NULL",
        company_id, customer_id,
    )  # fmt: skip


_DUNNING = columns(
    DunningState,
    "s",
    company_name="c.name",
    deactivated_for_debt_at="c.deactivated_for_debt_at",
    now="billing_now()",
    amount_due=_AMOUNT_DUE,
)


async def dunning_state(connection: Connection, company_id: int) -> DunningState | None:
    return await fetch_row(
        connection,
        DunningState,
        f"SELECT {_DUNNING} FROM subscriptions s JOIN companies c ON c.id = s.company_id"
        " WHERE s.company_id = $1",
        company_id,
    )


async def claim_notice(
    connection: Connection, company_id: int, occasion: datetime, notice: str
) -> bool:
    """True for the first caller only, which then sends the mail."""
    claimed = await connection.fetchval(
        "INSERT INTO subscription_notices (company_id, occasion, notice) VALUES ($1, $2, $3)"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, occasion, notice,
    )  # fmt: skip
    return bool(claimed)


async def deactivate_for_debt(connection: Connection, company_id: int) -> None:
    await connection.execute(
        "UPDATE companies SET deactivated_for_debt_at = now()"
        " WHERE id = $1 AND deactivated_for_debt_at IS NULL",
        company_id,
    )


async def set_leaving(connection: Connection, company_id: int, deletion_at: datetime) -> None:
    await connection.execute(
        "UPDATE companies SET leaving_since = billing_now(), deletion_at = $2 WHERE id = $1",
        company_id, deletion_at,
    )  # fmt: skip


async def due_companies(connection: Connection, trial_notice: timedelta) -> list[int]:
    """For the platform role: companies that may need a mail or a decision."""
    rows = await connection.fetch(
        "SELECT company_id FROM subscriptions WHERE past_due_since IS NOT NULL"
        " OR (status = 'trialing' AND trial_end - $1::interval <= billing_now())"
        " OR (status <> 'cancelled' AND current_period_end <= billing_now())"
        " ORDER BY company_id",
        trial_notice,
    )
    return [row["company_id"] for row in rows]


async def mark_lapsed(connection: Connection) -> None:
    """For the platform role: a trigger notes the state of subscriptions whose time has passed."""
    await connection.execute(
        "UPDATE companies SET subscribed_until = subscribed_until WHERE id IN ("
        " SELECT id FROM companies WHERE subscription_state IN ('trialing', 'active', 'pastDue')"
        " AND subscribed_until <= now() LIMIT 10000 FOR NO KEY UPDATE SKIP LOCKED)"
    )


async def companies_with_customer(connection: Connection) -> list[int]:
    """For the platform role: companies that the provider knows."""
    rows = await connection.fetch(
        "SELECT id FROM companies WHERE customer_id IS NOT NULL ORDER BY id"
    )
    return [row["id"] for row in rows]


async def add_event(
    connection: Connection,
    *,
    event_id: str,
    kind: str,
    customer_id: str | None,
    happened_at: datetime,
) -> int | None:
    """None for an event that was received before."""
    number: int | None = await connection.fetchval(
        "INSERT INTO webhook_events (event_id, kind, customer_id, happened_at)"
        " VALUES ($1, $2, $3, $4) ON CONFLICT (event_id) DO NOTHING RETURNING id",
        event_id, kind, customer_id, happened_at,
    )  # fmt: skip
    return number


async def event(connection: Connection, number: int) -> WebhookEvent | None:
    return await fetch_row(
        connection,
        WebhookEvent,
        "SELECT kind, customer_id, processed_at FROM webhook_events WHERE id = $1",
        number,
    )


async def mark_event(connection: Connection, number: int, outcome: str) -> None:
    await connection.execute(
        "UPDATE webhook_events SET processed_at = now(), outcome = $2"
        " WHERE id = $1 AND processed_at IS NULL",
        number, outcome,
    )  # fmt: skip


async def add_closed_account(connection: Connection, customer_id: str) -> int | None:
    """None for an account that is being closed already."""
    account_id: int | None = await connection.fetchval(
        "INSERT INTO closed_accounts (customer_id) VALUES ($1)"
        " ON CONFLICT (customer_id) DO NOTHING RETURNING id",
        customer_id,
    )
    return account_id


async def closed_account(connection: Connection, account_id: int) -> str | None:
    """Returns its customer id; None once it is closed at the provider."""
    customer_id: str | None = await connection.fetchval(
        "SELECT customer_id FROM closed_accounts WHERE id = $1 AND closed_at IS NULL", account_id
    )
    return customer_id


async def mark_closed(connection: Connection, account_id: int) -> None:
    await connection.execute(
        "UPDATE closed_accounts SET closed_at = now() WHERE id = $1", account_id
    )


async def purge_expired_events(connection: Connection) -> None:
    """For the platform role. The provider repeats an event for at most three days."""
    await connection.execute(
        "DELETE FROM webhook_events WHERE received_at < now() - interval '90 days'"
    )


async def assign_shared_warehouses(connection: Connection, needed: int) -> int:
    """For the entered company; returns how many of the platform's warehouses it has now."""
    assigned: int = await connection.fetchval("SELECT assign_shared_warehouses($1)", needed)
    return assigned


async def begin_operation(access: Access, kind: str, data: OperationInput) -> int | None:
    """None while another operation of the company is in progress."""
    number: int | None = await access.connection.fetchval(
        "INSERT INTO card_operations (company_id, kind, input, actor_uuid, actor_name, origin,"
        " request_id) VALUES ($1, $2, $3, $4, $5, $6, $7)"
        " ON CONFLICT (company_id) WHERE state = 'pending' DO NOTHING RETURNING id",
        access.current_user.company_id, kind, _json(data), access.current_user.user_uuid,
        access.current_user.name, access.context.origin, access.context.request_id,
    )  # fmt: skip
    return number


async def set_operation_token(connection: Connection, operation_id: int, sealed: bytes) -> None:
    await connection.execute(
        "UPDATE card_operations SET sealed_token = $2 WHERE id = $1", operation_id, sealed
    )


_OPERATION = f"SELECT {columns(Operation, 'card_operations')} FROM card_operations"


async def find_operation(connection: Connection, operation_id: int) -> Operation | None:
    return await fetch_row(connection, Operation, f"{_OPERATION} WHERE id = $1", operation_id)


async def lock_operation(connection: Connection, operation_id: int) -> Operation | None:
    return await fetch_row(
        connection,
        Operation,
        f"{_OPERATION} WHERE id = $1 FOR UPDATE",
        operation_id,
    )


async def pending_operation(connection: Connection) -> PendingOperation | None:
    return await fetch_row(
        connection,
        PendingOperation,
        "SELECT id, extract(epoch FROM now() - created_at)::int AS age FROM card_operations"
        " WHERE state = 'pending'",
    )


async def store_decision(connection: Connection, operation_id: int, data: OperationInput) -> None:
    """Stores decisions before the first write, so that a repeated run decides the same. Adds to
    what is stored: another run may have decided more."""
    await connection.execute(
        "UPDATE card_operations SET input = input || $2 WHERE id = $1 AND state = 'pending'",
        operation_id, _json(data),
    )  # fmt: skip


async def was_added(connection: Connection, card_id: str) -> bool:
    found = await connection.fetchval(
        "SELECT EXISTS (SELECT 1 FROM card_operations WHERE kind IN ('addCard', 'reactivate')"
        " AND state = 'done'"
        " AND input ->> 'cardId' = $1)",
        card_id,
    )
    return bool(found)


async def finish_operation(
    connection: Connection, operation_id: int, state: str, error_code: str | None = None
) -> bool:
    """False if a repeated run had already finished it."""
    finished = await connection.fetchval(
        "UPDATE card_operations SET state = $2, error_code = $3, sealed_token = NULL,"
        " finished_at = now() WHERE id = $1 AND state = 'pending' RETURNING true",
        operation_id, state, error_code,
    )  # fmt: skip
    return bool(finished)


def _json(data: OperationInput) -> str:
    return msgspec.json.encode(data).decode()
