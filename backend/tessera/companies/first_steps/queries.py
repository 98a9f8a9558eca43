from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_one


class Progress(Struct, frozen=True):
    sheet_kept: bool
    invited: bool
    client_seen: bool


async def progress(connection: Connection, company_id: int, user_id: int) -> Progress:
    return await fetch_one(
        connection,
        Progress,
        "SELECT u.passphrase_sheet_kept_at IS NOT NULL AS sheet_kept,"
        " EXISTS (SELECT FROM invites i WHERE i.company_id = $1)"
        "  OR EXISTS (SELECT FROM users o WHERE o.company_id = $1 AND o.id <> $2) AS invited,"
        " EXISTS (SELECT FROM sessions s WHERE s.company_id = $1 AND s.kind = 'client')"
        "  AS client_seen"
        " FROM users u WHERE u.company_id = $1 AND u.id = $2",
        company_id, user_id,
    )  # fmt: skip


async def set_sheet_kept(connection: Connection, user_id: int) -> None:
    await connection.execute(
        "UPDATE users SET passphrase_sheet_kept_at = COALESCE(passphrase_sheet_kept_at, now())"
        " WHERE id = $1",
        user_id,
    )


async def set_shown(connection: Connection, user_id: int, *, shown: bool) -> None:
    await connection.execute(
        "UPDATE users SET first_steps_shown = $2 WHERE id = $1", user_id, shown
    )
