"""Sessions, and what every feature asks of users and companies."""

from datetime import timedelta
from uuid import UUID

from msgspec import Struct

from tessera.authz.context import CurrentUser
from tessera.authz.permissions import CLIENT_PERMISSIONS, ROLE_PERMISSIONS, Role
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.rows import fetch_row
from tessera.kit.tokens import company_of, hash_handle


async def open_session(
    connection: Connection, handle: str, *, idle: timedelta, client_idle: timedelta
) -> CurrentUser | None:
    """Finds the active session, extends it and enters its company, in one statement."""
    row = await connection.fetchrow(
        "SELECT * FROM open_session($1, $2, $3, $4)",
        company_of(handle), hash_handle(handle), idle, client_idle,
    )  # fmt: skip
    if row is None:
        return None
    role = Role(row["role"])
    permissions = ROLE_PERMISSIONS[role]
    if row["kind"] == "client":
        permissions &= CLIENT_PERMISSIONS
    return CurrentUser(
        **{**dict(row), "role": role, "language": Language(row["language"])},
        permissions=permissions,
    )


async def company_exists(connection: Connection, company_id: int) -> bool:
    return bool(await connection.fetchval("SELECT true FROM companies WHERE id = $1", company_id))


async def lock_company(connection: Connection, company_id: int) -> None:
    """Serializes changes that concern the whole company. Not FOR UPDATE: rows that only refer to
    the company, such as an activity record, would wait for it, and two changes could deadlock."""
    await connection.execute("SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE", company_id)


class Recipient(Struct, frozen=True):
    """Whom a mail goes to."""

    email: str
    language: str
    # Without it the mail does not greet.
    first_name: str = ""


async def team_leader(connection: Connection) -> Recipient | None:
    """Returns the leader of the entered company."""
    return await fetch_row(
        connection,
        Recipient,
        "SELECT email, first_name, language FROM users WHERE role = 'teamLeader'"
        " AND company_id = NULLIF(current_setting('app.company', true), '')::int",
    )


async def session_is_active(connection: Connection, session_id: int) -> bool:
    return await connection.fetchval(
        "SELECT EXISTS (SELECT FROM sessions WHERE id = $1 AND ended_at IS NULL)", session_id
    )


async def lock_user(connection: Connection, user_id: int) -> None:
    """Serializes changes of one account, so that limits cannot be raced. Not FOR UPDATE: rows that
    only refer to the user would wait for it, and two changes could deadlock."""
    await connection.execute("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", user_id)


async def company_uuid(connection: Connection, company_id: int) -> UUID | None:
    """None if the company was deleted."""
    return await connection.fetchval("SELECT uuid FROM companies WHERE id = $1", company_id)
