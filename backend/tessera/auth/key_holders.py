"""The second holder of a company's key. Their copy ends with their keys or their account."""

from collections.abc import Sequence
from uuid import UUID

from tessera.activity.service import record_for
from tessera.auth import queries
from tessera.auth.accounts import mail_team_leader
from tessera.authz.context import Access, CallContext
from tessera.kit.database import Connection
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email


async def end_key_holder(
    access: Access, company_id: int, user_ids: Sequence[int], *, tell_leader: bool = False
) -> None:
    """Takes the company key from these users, if one of them is the second holder."""
    await end_key_holder_for(
        access.connection,
        access.context,
        company_id,
        user_ids,
        actor_uuid=access.current_user.actor_uuid,
        actor_name=access.current_user.name,
        tell_leader=tell_leader,
    )


async def end_key_holder_for(
    connection: Connection,
    context: CallContext,
    company_id: int,
    user_ids: Sequence[int],
    *,
    actor_uuid: UUID | None,
    actor_name: str,
    tell_leader: bool = False,
) -> None:
    """Like `end_key_holder`, for a password reset, when nobody is logged in."""
    former = await queries.drop_key_holder(connection, company_id, user_ids)
    if former is None:
        return
    await record_for(
        connection,
        context,
        company_id,
        "keyHolder.removed",
        actor_uuid=actor_uuid,
        actor_name=actor_name,
        target=former.email,
    )
    if tell_leader:
        mail = mails.KeyHolderLost(member=former.name)
        await mail_team_leader(connection, context.keys, company_id, mail)


async def ask_key_holder(
    connection: Connection, context: CallContext, company_id: int, *, leader: str
) -> None:
    """Tells the second holder that the leader has no copy of the key."""
    holder = await queries.key_holder(connection)
    if holder is not None:
        mail = mails.LeaderNeedsKey(leader=leader, link=f"{context.settings.public_url}/download")
        await enqueue_email(connection, context.keys, company_id, holder, mail)
