from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import columns, fetch_row, fetch_rows

Purpose = Literal["login", "verify", "register"]


class Passkey(Struct, frozen=True):
    id: int
    credential_id: bytes
    public_key: bytes
    transports: list[str]
    name: str
    sealed_user_key: str | None
    created_at: datetime
    last_used_at: datetime | None


_PASSKEY = f"SELECT {columns(Passkey, 'passkeys')} FROM passkeys"


async def passkeys_of(connection: Connection, user_id: int) -> list[Passkey]:
    return await fetch_rows(
        connection, Passkey, f"{_PASSKEY} WHERE user_id = $1 ORDER BY id", user_id
    )


async def passkey(connection: Connection, user_id: int, passkey_id: int) -> Passkey | None:
    return await fetch_row(
        connection,
        Passkey,
        f"{_PASSKEY} WHERE user_id = $1 AND id = $2",
        user_id, passkey_id,
    )  # fmt: skip


async def name_taken(
    connection: Connection, user_id: int, name: str, *, except_id: int | None = None
) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM passkeys"
        " WHERE user_id = $1 AND lower(name) = lower($2) AND id IS DISTINCT FROM $3)",
        user_id, name, except_id,
    )  # fmt: skip


async def add_passkey(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    credential_id: bytes,
    public_key: bytes,
    sign_count: int,
    transports: Sequence[str],
    name: str,
) -> Passkey | None:
    """Returns None if the credential is registered already, which a trigger checks."""
    return await fetch_row(
        connection,
        Passkey,
        "INSERT INTO passkeys (company_id, user_id, credential_id, public_key, sign_count,"
        " transports, name) VALUES ($1, $2, $3, $4, $5, $6, $7)"
        f" RETURNING {columns(Passkey, 'passkeys')}",
        company_id, user_id, credential_id, public_key, sign_count, list(transports), name,
    )  # fmt: skip


async def rename_passkey(connection: Connection, passkey_id: int, name: str) -> None:
    await connection.execute("UPDATE passkeys SET name = $2 WHERE id = $1", passkey_id, name)


async def set_sealed_key(connection: Connection, passkey_id: int, sealed: str) -> None:
    await connection.execute(
        "UPDATE passkeys SET sealed_user_key = $2 WHERE id = $1", passkey_id, sealed
    )


async def delete_passkey(connection: Connection, passkey_id: int) -> None:
    await connection.execute("DELETE FROM passkeys WHERE id = $1", passkey_id)


async def use_passkey(connection: Connection, passkey_id: int, sign_count: int) -> bool:
    """False if the counter did not go up. Authenticators without a counter always send zero."""
    used = await connection.fetchval(
        "UPDATE passkeys SET sign_count = $2, last_used_at = now()"
        " WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0)) RETURNING true",
        passkey_id, sign_count,
    )  # fmt: skip
    return bool(used)


async def put_challenge(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    session_id: int | None,
    purpose: Purpose,
    challenge: bytes,
    lasting: timedelta,
) -> None:
    await connection.execute(
        "INSERT INTO passkey_challenges"
        " (company_id, user_id, session_id, purpose, challenge, expires_at)"
        " VALUES ($1, $2, $3, $4, $5, now() + $6)"
        " ON CONFLICT (company_id, user_id, purpose, session_id)"
        " DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at",
        company_id, user_id, session_id, purpose, challenge, lasting,
    )  # fmt: skip


async def take_challenge(
    connection: Connection, user_id: int, session_id: int | None, purpose: Purpose
) -> bytes | None:
    """Deletes the challenge, so that of two answers one finds it. None if it has expired."""
    return await connection.fetchval(
        "WITH taken AS (DELETE FROM passkey_challenges WHERE user_id = $1 AND purpose = $3"
        " AND session_id IS NOT DISTINCT FROM $2 RETURNING challenge, expires_at)"
        " SELECT challenge FROM taken WHERE expires_at > now()",
        user_id, session_id, purpose,
    )  # fmt: skip
