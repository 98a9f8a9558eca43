from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_one, fetch_rows


class StoredToken(Struct, frozen=True):
    id: int
    name: str
    scopes: list[str]
    networks: list[str]
    state: str
    created_by: str
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    last_origin: str | None


_TOKENS = (
    "SELECT t.id, t.name, t.scopes, t.networks::text[] AS networks,"
    " CASE WHEN t.revoked_at IS NOT NULL OR u.role <> 'teamLeader' THEN 'revoked'"
    "  WHEN t.expires_at <= now() THEN 'expired' ELSE 'active' END AS state,"
    " u.first_name || ' ' || u.last_name AS created_by, t.created_at, t.expires_at,"
    " t.last_used_at, t.last_origin"
    " FROM api_tokens t JOIN users u ON u.company_id = t.company_id AND u.id = t.created_by"
    " WHERE t.company_id = $1"
)


async def tokens(connection: Connection, company_id: int) -> list[StoredToken]:
    """Those that work first, each part newest first."""
    return await fetch_rows(
        connection,
        StoredToken,
        f"SELECT * FROM ({_TOKENS}) found ORDER BY state <> 'active', id DESC",
        company_id,
    )


async def count_active(connection: Connection, company_id: int) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM api_tokens"
        " WHERE company_id = $1 AND revoked_at IS NULL AND expires_at > now()",
        company_id,
    )


async def add_token(
    connection: Connection,
    company_id: int,
    *,
    name: str,
    token_hash: bytes,
    scopes: Sequence[str],
    networks: Sequence[str],
    created_by: int,
    expires_at: datetime,
) -> StoredToken:
    token_id: int = await connection.fetchval(
        "INSERT INTO api_tokens (company_id, name, token_hash, scopes, networks, created_by,"
        " expires_at) VALUES ($1, $2, $3, $4, $5::text[]::cidr[], $6, $7) RETURNING id",
        company_id, name, token_hash, scopes, networks, created_by, expires_at,
    )  # fmt: skip
    return await fetch_one(
        connection, StoredToken, f"{_TOKENS} AND t.id = $2", company_id, token_id
    )


async def revoke(connection: Connection, company_id: int, token_id: int) -> str | None:
    """Returns its name; None if there is none that could be revoked."""
    return await connection.fetchval(
        "UPDATE api_tokens SET revoked_at = now()"
        " WHERE company_id = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > now()"
        " RETURNING name",
        company_id, token_id,
    )  # fmt: skip


async def revoke_of(connection: Connection, company_id: int, user_id: int) -> list[str]:
    rows = await connection.fetch(
        "UPDATE api_tokens SET revoked_at = now()"
        " WHERE company_id = $1 AND created_by = $2 AND revoked_at IS NULL AND expires_at > now()"
        " RETURNING name",
        company_id, user_id,
    )  # fmt: skip
    return [row["name"] for row in rows]
