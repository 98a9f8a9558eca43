from msgspec import Struct

from tessera.kit.database import Connection
from tessera.kit.rows import fetch_column, fetch_models, fetch_rows
from tessera.storage.backups.schemas import OverdueDevice


class Reminder(Struct, frozen=True):
    """A device, and to whom the mail goes."""

    email: str
    language: str
    first_name: str
    device: str
    days: int


# An expired session still counts: nobody has logged out, and nothing is backed up any more.
_OVERDUE = (
    "s.company_id = b.company_id AND s.id = b.session_id AND s.ended_at IS NULL"
    " AND b.ran_at <= now() - make_interval(hours => 24 * b.days)"
)
_DAYS = "max(floor(extract(epoch FROM now() - b.ran_at) / 86400))::int"


async def count_others(
    connection: Connection, company_id: int, session_id: int, backup_id: str
) -> int:
    return await connection.fetchval(
        "SELECT count(*) FROM device_backups"
        " WHERE company_id = $1 AND session_id = $2 AND id <> $3",
        company_id, session_id, backup_id,
    )  # fmt: skip


async def put_backup(
    connection: Connection,
    *,
    company_id: int,
    user_id: int,
    backup_id: str,
    session_id: int,
    days: int,
    is_completed: bool,
) -> None:
    """A device that has logged in again continues its backups in the new session."""
    await connection.execute(
        "INSERT INTO device_backups AS b (company_id, user_id, id, session_id, days)"
        " VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (company_id, user_id, id) DO UPDATE SET session_id = $4, days = $5,"
        " ran_at = CASE WHEN $6 THEN now() ELSE b.ran_at END,"
        " warned_at = CASE WHEN $6 THEN NULL ELSE b.warned_at END",
        company_id, user_id, backup_id, session_id, days, is_completed,
    )  # fmt: skip


async def delete_backup(
    connection: Connection, company_id: int, user_id: int, backup_id: str
) -> None:
    await connection.execute(
        "DELETE FROM device_backups WHERE company_id = $1 AND user_id = $2 AND id = $3",
        company_id, user_id, backup_id,
    )  # fmt: skip


async def overdue_devices(
    connection: Connection, company_id: int, user_id: int
) -> list[OverdueDevice]:
    return await fetch_models(
        connection,
        OverdueDevice,
        f"SELECT s.client_name AS name, {_DAYS} AS days FROM device_backups b, sessions s"
        f" WHERE b.company_id = $1 AND b.user_id = $2 AND {_OVERDUE}"
        " GROUP BY s.id, s.client_name ORDER BY days DESC, s.id",
        company_id, user_id,
    )  # fmt: skip


async def companies_to_remind(connection: Connection) -> list[int]:
    """Across all companies, for the platform role only."""
    return await fetch_column(
        connection,
        "SELECT DISTINCT b.company_id FROM device_backups b, sessions s"
        f" WHERE b.warned_at IS NULL AND {_OVERDUE}",
    )


async def take_overdue(connection: Connection, company_id: int) -> list[Reminder]:
    """Returns the devices of active members whose overdue backups are new, and notes them."""
    return await fetch_rows(
        connection,
        Reminder,
        "WITH b AS (UPDATE device_backups b SET warned_at = now() FROM sessions s, users u,"
        "  companies c WHERE b.company_id = $1 AND b.warned_at IS NULL AND c.id = b.company_id"
        "  AND u.company_id = b.company_id AND u.id = b.user_id"
        "  AND u.is_active AND c.is_enabled"
        f"  AND (c.deactivated_for_debt_at IS NULL OR u.role = 'teamLeader') AND {_OVERDUE}"
        "  RETURNING s.id AS session, s.client_name AS device, u.email, u.language, u.first_name,"
        "  b.ran_at)"
        f" SELECT email, language, first_name, device, {_DAYS} AS days FROM b"
        " GROUP BY session, device, email, language, first_name ORDER BY session",
        company_id,
    )
