from datetime import datetime
from uuid import UUID

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_row


class LockedCompany(Struct, frozen=True):
    uuid: UUID
    name: str
    is_enabled: bool
    customer_id: str | None
    leaving_since: datetime | None
    deletion_at: datetime | None
    # The day has come, and nothing speaks against it.
    is_due: bool
    is_near: bool


class StoredProof(Struct, frozen=True):
    sealed: bytes
    objects: int


_REMINDED_FROM = "billing_now() + interval '7 days'"
# A company that was disabled cannot say that it stays, and one with access pays for it.
_DUE = "deletion_at <= billing_now() AND is_enabled AND COALESCE(subscribed_until <= now(), true)"


async def locked_company(connection: Connection, company_id: int) -> LockedCompany | None:
    return await fetch_row(
        connection,
        LockedCompany,
        "SELECT uuid, name, is_enabled, customer_id, leaving_since, deletion_at,"
        f" COALESCE({_DUE}, false) AS is_due,"
        f" COALESCE(deletion_at BETWEEN billing_now() AND {_REMINDED_FROM}, false) AS is_near"
        " FROM companies WHERE id = $1 FOR NO KEY UPDATE",
        company_id,
    )


async def companies_to_review(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only: whose day is near or has come."""
    return await fetch_column(
        connection, f"SELECT id FROM companies WHERE deletion_at <= {_REMINDED_FROM}"
    )


async def clear_leaving(connection: Connection, company_id: int) -> bool:
    """False if the company was not leaving."""
    cleared = await connection.fetchval(
        "UPDATE companies SET leaving_since = NULL, deletion_at = NULL"
        " WHERE id = $1 AND deletion_at IS NOT NULL RETURNING true",
        company_id,
    )
    return bool(cleared)


async def delete_company(connection: Connection, company_id: int) -> int:
    """Returns how many members were deleted. A large company exceeds the usual timeout."""
    await connection.execute("SET LOCAL statement_timeout = '5min'")
    members: int = await connection.fetchval(
        "SELECT count(*) FROM users WHERE company_id = $1", company_id
    )
    await connection.execute("DELETE FROM companies WHERE id = $1", company_id)
    # Guests' codes have no foreign key. Adding one locks the company's row, so none is missed.
    await connection.execute("DELETE FROM guest_codes WHERE company_id = $1", company_id)
    return members


async def add_proof(
    connection: Connection, platform_company: int, uuid: UUID, sealed: bytes, warehouses: int
) -> None:
    await connection.execute(
        "INSERT INTO deletion_proofs (company_id, company_uuid, sealed, warehouses_left)"
        " VALUES ($1, $2, $3, $4)",
        platform_company, uuid, sealed, warehouses,
    )  # fmt: skip


async def finished_proofs(connection: Connection) -> list[UUID]:
    """Returns the deleted companies of which nothing is left."""
    return await fetch_column(
        connection, "SELECT company_uuid FROM deletion_proofs WHERE warehouses_left = 0"
    )


async def take_proof(connection: Connection, uuid: UUID) -> StoredProof | None:
    """None if it was sent meanwhile."""
    return await fetch_row(
        connection,
        StoredProof,
        "DELETE FROM deletion_proofs WHERE company_uuid = $1 RETURNING sealed, objects",
        uuid,
    )
