from datetime import datetime, timedelta

import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def subscription(connection: Connection, company_id: int) -> Row | None:
    return await connection.fetchrow(
        "SELECT s.*, billing_now() AS now, (SELECT COALESCE(sum(amount_remaining), 0)::int"
        " FROM invoices WHERE status = 'open') AS amount_due"
        " FROM subscriptions s WHERE s.company_id = $1",
        company_id,
    )


async def claim(connection: Connection, company_id: int, occasion: datetime, notice: str) -> bool:
    """True for the first caller only, which then sends the mail."""
    claimed = await connection.fetchval(
        "INSERT INTO subscription_notices (company_id, occasion, notice) VALUES ($1, $2, $3)"
        " ON CONFLICT DO NOTHING RETURNING true",
        company_id, occasion, notice,
    )  # fmt: skip
    return bool(claimed)


async def deactivate(connection: Connection, company_id: int) -> None:
    await connection.execute(
        "UPDATE companies SET deactivated_for_debt_at = now()"
        " WHERE id = $1 AND deactivated_for_debt_at IS NULL",
        company_id,
    )


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


async def customers(connection: Connection) -> list[int]:
    """For the platform role: companies that the provider knows."""
    rows = await connection.fetch(
        "SELECT id FROM companies WHERE customer_id IS NOT NULL ORDER BY id"
    )
    return [row["id"] for row in rows]
