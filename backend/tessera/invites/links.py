"""Invite links, used by people who are not signed in."""

from typing import Literal

from tessera import limits
from tessera.authz.context import RequestContext
from tessera.authz.queries import team_leader
from tessera.authz.rate_limits import limit
from tessera.invites import queries
from tessera.invites.errors import InviteCancelled, InviteExpired, InviteNotFound, InviteUsed
from tessera.invites.queries import Invite
from tessera.invites.schemas import InviteState
from tessera.kit.database import Connection
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email


async def invite_state(context: RequestContext, token: str) -> InviteState:
    company_id, invite_id = await find_invite(context, token)
    async with context.database.tenant(company_id) as connection:
        invite = await queries.invite(connection, invite_id)
    if invite is None:
        raise InviteNotFound
    return InviteState(
        state=_state(invite),
        email_address=invite.email,
        company_name=invite.company_name,
        company_uuid=invite.company_uuid,
    )


async def find_invite(context: RequestContext, token: str) -> tuple[int, int]:
    """Returns the company and the invite of a token; registration enters that company."""
    async with context.database.without_tenant() as connection:
        found = await queries.find_invite(connection, token)
    if found is None:
        raise InviteNotFound
    return found


async def take_invite(connection: Connection, invite_id: int) -> Invite:
    """Call in the transaction that creates the account. Uses the invite, or raises why not."""
    invite = await open_invite(connection, invite_id)
    await queries.use_invite(connection, invite_id)
    return invite


async def open_invite(connection: Connection, invite_id: int) -> Invite:
    """Locks the invite until the transaction ends, so that it stays open that long."""
    invite = await queries.invite(connection, invite_id)
    if invite is None:
        raise InviteNotFound
    match _state(invite):
        case "used":
            raise InviteUsed
        case "cancelled":
            raise InviteCancelled
        case "expired":
            raise InviteExpired
    return invite


async def ask_for_new_invitation(context: RequestContext, token: str) -> None:
    """Mails the leader that somebody opened an ended link; at most once a day."""
    company_id, invite_id = await find_invite(context, token)
    await limit(context, limits.INVITE_RENEWALS, invite_id)
    async with context.database.tenant(company_id) as connection:
        invite = await queries.invite(connection, invite_id)
        leader = await team_leader(connection)
        if invite is None or leader is None or _state(invite) == "used":
            raise InviteNotFound
        # The list shows cancelled invites only if it is filtered by them.
        filtered = "&filter=state:matches:cancelled" if invite.state == "cancelled" else ""
        link = f"{context.settings.public_url}/team-members?tab=1{filtered}"
        mail = mails.InviteRequested(address=invite.email, link=link)
        await enqueue_email(connection, context.keys, company_id, leader, mail)


def _state(invite: Invite) -> Literal["open", "expired", "cancelled", "used"]:
    if invite.state == "used":
        return "used"
    # Nobody can join a disabled company; to the invitee the invite looks cancelled.
    if invite.state == "cancelled" or not invite.is_enabled:
        return "cancelled"
    return "expired" if invite.expired else "open"
