"""Ends sessions, for features that sign users out."""

from tessera.auth import queries
from tessera.authz.context import Access
from tessera.kit.database import Connection


async def end_sessions_of_user(connection: Connection, user_id: int) -> None:
    await queries.end_sessions_of(connection, user_id)


async def end_other_sessions(access: Access) -> None:
    """Ends the user's sessions except the current one."""
    current_user = access.current_user
    await queries.end_sessions_of(
        access.connection, current_user.user_id, but=current_user.session_id
    )


async def end_sessions_of_company(connection: Connection, company_id: int) -> None:
    await queries.end_sessions_of_company(connection, company_id)


async def take_company_key_from(connection: Connection, user_id: int) -> None:
    await queries.drop_company_key(connection, user_id)
