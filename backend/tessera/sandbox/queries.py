from datetime import timedelta
from uuid import UUID

import asyncpg

from tessera.kit.database import Connection


async def claim_demo_data(connection: Connection) -> bool:
    claimed = await connection.fetchval(
        "UPDATE installation SET demo_data_at = now()"
        " WHERE mode = 'sandbox' AND demo_data_at IS NULL RETURNING true"
    )
    return bool(claimed)


async def add_company(
    connection: Connection,
    *,
    uuid: UUID,
    name: str,
    email: str,
    phone_number: str,
    address_line1: str,
    city: str,
    state: str,
    zip_code: str,
    subscribed_for: timedelta,
) -> int:
    company_id: int = await connection.fetchval(
        "INSERT INTO companies (uuid, name, email, phone_number, address_line1, city, state,"
        " zip_code, subscribed_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9)"
        " RETURNING id",
        uuid, name, email, phone_number, address_line1, city, state, zip_code, subscribed_for,
    )  # fmt: skip
    return company_id


async def company_of(connection: Connection, email: str) -> asyncpg.Record | None:
    return await connection.fetchrow(
        "SELECT c.id, c.uuid, c.name, c.email, c.customer_id FROM companies c"
        " JOIN users u ON u.company_id = c.id WHERE u.email = $1",
        email,
    )
