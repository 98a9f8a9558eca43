import asyncpg

from tessera.kit.database import Connection

Row = asyncpg.Record


async def overview(connection: Connection) -> Row:
    """Returns the entered company's subscription, whether or not it has one yet."""
    row = await connection.fetchrow(
        "SELECT c.id AS company_id, c.customer_id, c.can_view_warehouse,"
        " c.deactivated_for_debt_at, c.subscribed_until,"
        " COALESCE(c.subscribed_until > now(), false) AND c.deactivated_for_debt_at IS NULL"
        " AS is_subscribed,"
        " s.subscription_id, s.item_id, COALESCE(s.status, '') AS status,"
        " COALESCE(s.plan_id, 0) AS plan_id, s.price_amount, COALESCE(s.currency, '') AS currency,"
        " s.trial_end, s.current_period_end, COALESCE(s.cancel_at_period_end, false) AS ending,"
        " COALESCE(s.is_canceled, false) AS is_canceled, s.ended_at, s.past_due_since,"
        " s.next_amount, s.default_card_id,"
        " (SELECT COALESCE(sum(amount_remaining), 0)::int FROM invoices WHERE status = 'open')"
        " AS amount_due"
        " FROM companies c LEFT JOIN subscriptions s ON s.company_id = c.id"
        " WHERE c.id = current_setting('app.company')::int"
    )
    assert row is not None
    return row


async def cards(connection: Connection) -> list[Row]:
    return await connection.fetch(
        "SELECT id, brand, last4, exp_month, exp_year FROM cards ORDER BY added_at, id"
    )


async def invoices(connection: Connection, skip: int, limit: int) -> tuple[list[Row], int]:
    rows = await connection.fetch(
        "SELECT t.total, i.* FROM (SELECT count(*) AS total FROM invoices) t LEFT JOIN ("
        " SELECT * FROM invoices ORDER BY created_at DESC, id LIMIT $2 OFFSET $1) i ON true"
        " ORDER BY i.created_at DESC, i.id",
        skip * limit, limit,
    )  # fmt: skip
    return [row for row in rows if row["id"] is not None], rows[0]["total"]


async def has_own_warehouses(connection: Connection) -> bool:
    return bool(
        await connection.fetchval(
            "SELECT EXISTS (SELECT FROM warehouses"
            " WHERE company_id = current_setting('app.company')::int)"
        )
    )


async def lock_company(connection: Connection, company_id: int) -> None:
    """Waits for a warehouse that is being added."""
    await connection.execute("SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE", company_id)


async def assign_shared_warehouses(connection: Connection, needed: int) -> None:
    """A company that started with its own warehouses has none of the platform's yet."""
    await connection.execute("SELECT assign_shared_warehouses($1)", needed)


async def set_warehouse_view(connection: Connection, company_id: int, enabled: bool) -> bool:
    """False if nothing changed."""
    changed = await connection.fetchval(
        "UPDATE companies SET can_view_warehouse = $2"
        " WHERE id = $1 AND can_view_warehouse <> $2 RETURNING true",
        company_id, enabled,
    )  # fmt: skip
    return bool(changed)


async def company_for_customer(connection: Connection, customer_id: str) -> int | None:
    company_id: int | None = await connection.fetchval("SELECT find_customer($1)", customer_id)
    return company_id


async def find_company(connection: Connection, company_id: int) -> Row | None:
    """Returns the company data that is sent to the card provider."""
    return await connection.fetchrow(
        "SELECT uuid, name, email, customer_id FROM companies WHERE id = $1", company_id
    )


async def set_customer(connection: Connection, company_id: int, customer_id: str) -> None:
    await connection.execute(
        "UPDATE companies SET customer_id = $2 WHERE id = $1 AND customer_id IS NULL",
        company_id, customer_id,
    )  # fmt: skip


async def leader(connection: Connection) -> Row | None:
    return await connection.fetchrow(
        "SELECT uuid, email, first_name, language FROM users WHERE role = 'teamLeader'"
    )
