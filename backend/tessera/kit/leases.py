"""Leases on calls that run once at a time in a company, whichever process answers them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tessera.kit.database import Database


@dataclass(frozen=True)
class Lease:
    company_id: int
    name: str
    expires_at: datetime


async def take(database: Database, company_id: int, name: str, duration: timedelta) -> Lease | None:
    """None while another call holds it. One that a killed process held ends after `duration`."""
    async with database.tenant(company_id) as connection:
        expires_at = await connection.fetchval(
            "INSERT INTO leases AS l (company_id, name, expires_at) VALUES ($1, $2, now() + $3)"
            " ON CONFLICT (company_id, name) DO UPDATE SET expires_at = excluded.expires_at"
            " WHERE l.expires_at <= now() RETURNING expires_at",
            company_id, name, duration,
        )  # fmt: skip
    return Lease(company_id, name, expires_at) if expires_at else None


async def release(database: Database, lease: Lease) -> None:
    async with database.tenant(lease.company_id) as connection:
        await connection.execute(
            "DELETE FROM leases WHERE company_id = $1 AND name = $2 AND expires_at = $3",
            lease.company_id, lease.name, lease.expires_at,
        )  # fmt: skip
