from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_one


class SealedByUser(Struct, frozen=True):
    """What the user key seals, besides itself."""

    company_key: str | None
    storage_keys: str | None


async def set_password(
    connection: Connection, user_id: int, *, salt: bytes, password_hash: str, sealed_user_key: str
) -> None:
    await connection.execute(
        "UPDATE users SET salt = $2, password_hash = $3, sealed_user_key = $4 WHERE id = $1",
        user_id, salt, password_hash, sealed_user_key,
    )  # fmt: skip


async def sealed_by_user(connection: Connection, user_id: int) -> SealedByUser:
    return await fetch_one(
        connection,
        SealedByUser,
        "SELECT c.sealed_company_key AS company_key, k.envelope AS storage_keys FROM users u"
        " LEFT JOIN company_keys c ON c.company_id = u.company_id AND c.user_id = u.id"
        " LEFT JOIN member_keys k ON k.company_id = u.company_id AND k.user_id = u.id"
        " WHERE u.id = $1",
        user_id,
    )


async def reseal_company_key(
    connection: Connection, user_id: int, *, epoch: int, sealed: str
) -> bool:
    """Replaces the user's copy of the company key if it is still of that epoch."""
    replaced = await connection.fetchval(
        "UPDATE company_keys SET sealed_company_key = $3 WHERE user_id = $1 AND epoch = $2"
        " RETURNING true",
        user_id, epoch, sealed,
    )  # fmt: skip
    return bool(replaced)


async def reseal_storage_keys(
    connection: Connection, user_id: int, *, revision: int, envelope: str
) -> bool:
    """Replaces the envelope if it is still the one before that revision."""
    replaced = await connection.fetchval(
        "UPDATE member_keys SET envelope = $3, revision = $2"
        " WHERE user_id = $1 AND revision = $2 - 1 AND envelope IS NOT NULL RETURNING true",
        user_id, revision, envelope,
    )  # fmt: skip
    return bool(replaced)


async def drop_storage_envelope(connection: Connection, user_id: int) -> None:
    """A device that still has the keys seals them again; otherwise new ones are made."""
    await connection.execute("UPDATE member_keys SET envelope = NULL WHERE user_id = $1", user_id)


async def add_reset_request(connection: Connection, sealed: bytes, language: str) -> int:
    return await connection.fetchval(
        "INSERT INTO reset_requests (sealed_address, language) VALUES ($1, $2) RETURNING id",
        sealed, language,
    )  # fmt: skip


async def take_reset_request(connection: Connection, request_id: int) -> bytes | None:
    return await connection.fetchval(
        "DELETE FROM reset_requests WHERE id = $1 RETURNING sealed_address", request_id
    )
