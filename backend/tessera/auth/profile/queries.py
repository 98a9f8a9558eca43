from tessera.auth.profile.schemas import PendingChange
from tessera.kit.database import Connection
from tessera.kit.rows import fetch_models


async def propose(
    connection: Connection, *, user_id: int, kind: str, value: str, asked_by: str
) -> None:
    await connection.execute(
        "INSERT INTO contact_changes (company_id, user_id, kind, value, asked_by)"
        " SELECT company_id, id, $2, $3, $4 FROM users WHERE id = $1"
        " ON CONFLICT (company_id, user_id, kind) DO UPDATE"
        " SET value = excluded.value, asked_by = excluded.asked_by, asked_at = now()",
        user_id, kind, value, asked_by,
    )  # fmt: skip


async def pending(connection: Connection, user_id: int) -> list[PendingChange]:
    return await fetch_models(
        connection,
        PendingChange,
        "SELECT kind, value, asked_by, asked_at FROM contact_changes WHERE user_id = $1"
        " ORDER BY kind",
        user_id,
    )


async def delete_pending(connection: Connection, user_id: int, kind: str) -> bool:
    """Deletes a change that was confirmed, declined, or superseded by a change of the owner's."""
    gone = await connection.fetchval(
        "DELETE FROM contact_changes WHERE user_id = $1 AND kind = $2 RETURNING true",
        user_id, kind,
    )  # fmt: skip
    return bool(gone)


async def address_taken_here(connection: Connection, folded: str) -> bool:
    """Checks only the user's own company, whose addresses they can see anyway."""
    return bool(await connection.fetchval("SELECT true FROM users WHERE email_folded = $1", folded))


async def set_profile(
    connection: Connection, user_id: int, *, first_name: str, last_name: str, language: str
) -> None:
    await connection.execute(
        "UPDATE users SET first_name = $2, last_name = $3, language = $4 WHERE id = $1",
        user_id, first_name, last_name, language,
    )  # fmt: skip


async def set_address(connection: Connection, user_id: int, email: str, folded: str) -> None:
    await connection.execute(
        "UPDATE users SET email = $2, email_folded = $3, email_confirmed_at = now(),"
        " email_set_by_directory_at = NULL, former_email = NULL WHERE id = $1",
        user_id, email, folded,
    )  # fmt: skip


async def set_directory_address(
    connection: Connection, user_id: int, email: str, folded: str
) -> None:
    """The address that its owner confirmed last is kept as the former one, until it returns."""
    await connection.execute(
        "UPDATE users SET email = $2, email_folded = $3,"
        " former_email = NULLIF(COALESCE(former_email, email), $2),"
        " email_set_by_directory_at = CASE WHEN COALESCE(former_email, email) <> $2 THEN now() END"
        " WHERE id = $1",
        user_id, email, folded,
    )  # fmt: skip
