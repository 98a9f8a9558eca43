"""Invite links, used by people who are not signed in."""

from datetime import timedelta
from typing import Literal

import asyncpg

from tessera.auth.rate_limits import limit
from tessera.authz.context import RequestContext
from tessera.invites import queries
from tessera.invites.errors import InviteCancelled, InviteExpired, InviteNotFound, InviteUsed
from tessera.invites.schemas import InviteState
from tessera.kit.database import Connection
from tessera.kit.i18n import Language
from tessera.kit.tokens import hash_handle
from tessera.notifications.service import enqueue_email

Row = asyncpg.Record
DAY = timedelta(days=1)


async def invite_state(context: RequestContext, token: str) -> InviteState:
    company_id, invite_id = await find_invite(context, token)
    async with context.database.tenant(company_id) as connection:
        row = await queries.invite(connection, invite_id)
    if row is None:
        raise InviteNotFound
    return InviteState(
        state=_state(row),
        email_address=row["email"],
        company_name=row["company_name"],
        company_uuid=row["company_uuid"],
    )


async def find_invite(context: RequestContext, token: str) -> tuple[int, int]:
    """Returns the company and the invite of a token; registration enters that company."""
    async with context.database.without_tenant() as connection:
        found = await queries.find_invite(connection, hash_handle(token))
    if found is None:
        raise InviteNotFound
    return found


async def take_invite(connection: Connection, invite_id: int) -> Row:
    """Call in the transaction that creates the account. Uses the invite, or raises why not."""
    row = await open_invite(connection, invite_id)
    await queries.use_invite(connection, invite_id)
    return row


async def open_invite(connection: Connection, invite_id: int) -> Row:
    """Locks the invite until the transaction ends, so that it stays open that long."""
    row = await queries.invite(connection, invite_id)
    if row is None:
        raise InviteNotFound
    match _state(row):
        case "used":
            raise InviteUsed
        case "cancelled":
            raise InviteCancelled
        case "expired":
            raise InviteExpired
    return row


async def ask_for_new_invitation(context: RequestContext, token: str) -> None:
    """Mails the leader that somebody opened an ended link; at most once a day."""
    company_id, invite_id = await find_invite(context, token)
    await limit(context, f"invite-renewal|{invite_id}", 1, DAY)
    async with context.database.tenant(company_id) as connection:
        row = await queries.invite(connection, invite_id)
        leader = await queries.team_leader(connection)
        if row is None or leader is None or _state(row) == "used":
            raise InviteNotFound
        await enqueue_email(
            connection,
            context.keys,
            company_id=company_id,
            to=leader["email"],
            language=Language(leader["language"]),
            template="inviteAskedFor",
            link=f"{context.settings.public_url}/team-members",
            name=leader["first_name"],
            address=row["email"],
        )


def _state(row: Row) -> Literal["open", "expired", "cancelled", "used"]:
    if row["state"] == "used":
        return "used"
    # Nobody can join a disabled company; to the invitee the invite looks cancelled.
    if row["state"] == "cancelled" or not row["is_enabled"]:
        return "cancelled"
    return "expired" if row["expired"] else "open"
