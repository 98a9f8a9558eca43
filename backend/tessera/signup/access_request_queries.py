from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from tessera.authz.queries import Recipient
from tessera.authz.tenancy import PLATFORM_COMPANY
from tessera.kit.database import Connection
from tessera.kit.filters import Field, Kind
from tessera.kit.pagination import Listing
from tessera.kit.rows import columns, fetch_row, fetch_rows


class AccessRequest(Struct, frozen=True):
    id: int
    name: str
    company_name: str
    email: str
    language: str
    state: Literal["open", "approved", "declined", "used"]
    created_at: datetime
    decided_at: datetime | None
    expires_at: datetime | None


_COLUMNS = columns(AccessRequest, "a")
REQUESTS = Listing(
    AccessRequest,
    source="access_requests a",
    columns=_COLUMNS,
    key="a.id",
    searched="a.search_text",
    newest_first=True,
    fields={
        "name": Field("fold_text(a.name)", sortable=False),
        "companyName": Field("fold_text(a.company_name)", sortable=False),
        "emailAddress": Field("fold_text(a.email)", sortable=False),
        "state": Field("a.state", sortable=False),
        "dateCreated": Field("a.created_at", Kind.TIME),
    },
)


async def add_access_request(
    connection: Connection,
    *,
    name: str,
    company_name: str,
    email: str,
    email_folded: str,
    language: str,
) -> bool:
    """Returns whether it was added: an address can have one open request."""
    added = await connection.fetchval(
        "INSERT INTO access_requests (name, company_name, email, email_folded, language)"
        " VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (email_folded) WHERE state = 'open' DO NOTHING RETURNING true",
        name, company_name, email, email_folded, language,
    )  # fmt: skip
    return bool(added)


async def lock_access_request(connection: Connection, request_id: int) -> AccessRequest | None:
    return await fetch_row(
        connection,
        AccessRequest,
        f"SELECT {_COLUMNS} FROM access_requests a WHERE a.id = $1 FOR UPDATE",
        request_id,
    )


async def approve(
    connection: Connection, request_id: int, token_hash: bytes, lasting: timedelta
) -> None:
    await connection.execute(
        "UPDATE access_requests SET state = 'approved', token_hash = $2, decided_at = now(),"
        " expires_at = now() + $3 WHERE id = $1",
        request_id, token_hash, lasting,
    )  # fmt: skip


async def decline(connection: Connection, request_id: int) -> None:
    await connection.execute(
        "UPDATE access_requests SET state = 'declined', token_hash = NULL, decided_at = now(),"
        " expires_at = NULL WHERE id = $1",
        request_id,
    )


async def mark_told(connection: Connection) -> int:
    """Marks the open requests that admins have not been told about, and returns their number."""
    rows = await connection.fetch(
        "UPDATE access_requests SET admins_told_at = now()"
        " WHERE state = 'open' AND admins_told_at IS NULL RETURNING id"
    )
    return len(rows)


async def admins(connection: Connection) -> list[Recipient]:
    return await fetch_rows(
        connection,
        Recipient,
        "SELECT email, language, first_name FROM users"
        " WHERE company_id = $1 AND role = 'admin' AND is_active ORDER BY id",
        PLATFORM_COMPANY,
    )


async def find_usable(connection: Connection, token_hash: bytes) -> int | None:
    """Locks the request, so that each exchange ends the tickets of those before it."""
    return await connection.fetchval(
        "SELECT id FROM access_requests"
        " WHERE token_hash = $1 AND state = 'approved' AND expires_at > now() FOR UPDATE",
        token_hash,
    )


async def end_tickets(connection: Connection, request_id: int) -> None:
    await connection.execute(
        "UPDATE signup_tickets SET expires_at = now()"
        " WHERE access_request_id = $1 AND used_at IS NULL AND expires_at > now()",
        request_id,
    )
