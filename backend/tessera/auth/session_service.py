"""The user's own sessions: where they are signed in, and signing out there."""

from datetime import timedelta

from tessera.activity.service import record
from tessera.auth import queries, session_queries
from tessera.auth.errors import SessionNotFound
from tessera.auth.schemas import OwnSession
from tessera.auth.sessions import end_other_sessions
from tessera.authz.context import Access
from tessera.kit.user_agent import Device


async def own_sessions(access: Access) -> list[OwnSession]:
    current_user = access.current_user
    rows = await session_queries.active_sessions(
        access.connection,
        current_user.user_id,
        current_user.session_id,
        timedelta(seconds=access.context.settings.session_idle_seconds),
    )
    return [
        OwnSession(
            id=row["id"],
            browser=row["browser"],
            system=row["system"],
            origin=row["origin"],
            started_at=row["created_at"],
            last_used_at=row["last_seen_at"],
            current=row["is_current"],
        )
        for row in rows
    ]


async def end_one(access: Access, session_id: int) -> None:
    """To the user, somebody else's session does not exist."""
    ended = await session_queries.end_own(
        access.connection, access.current_user.user_id, session_id
    )
    if ended is None:
        raise SessionNotFound
    await record(access, "session.signedOut", target=str(Device(**dict(ended))))


async def end_others(access: Access) -> None:
    await end_other_sessions(access)
    await record(access, "session.othersSignedOut")


async def end_all(access: Access) -> None:
    await queries.end_sessions_of(access.connection, access.current_user.user_id)
    await record(access, "session.allSignedOut")
