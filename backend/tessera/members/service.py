"""The members of a company. Row-level security decides whose they are: a member of another company
is not found."""

from uuid import UUID

import asyncpg

from tessera.activity.service import record
from tessera.auth.accounts import end_sessions_of_user
from tessera.auth.profile.service import ask_for_member
from tessera.authz.context import Access
from tessera.authz.tenancy import enter_company
from tessera.kit.database import Connection
from tessera.kit.pagination import Page, PageRequest
from tessera.members import queries
from tessera.members.errors import (
    MemberNotFound,
    NoTeamLeader,
    TeamLeaderCannotBeDisabled,
    TeamLeaderCannotBeRemoved,
)
from tessera.members.schemas import MemberRead, MemberUpdate

Row = asyncpg.Record


async def list_members(
    access: Access, company_id: int | None, request: PageRequest
) -> Page[MemberRead]:
    chosen = await enter_company(access, company_id)
    rows, total = await queries.members(access.connection, chosen, request)
    return Page(item1=[member_read(row) for row in rows], item2=total)


async def read_team_leader(access: Access, company_id: int | None) -> MemberRead:
    await enter_company(access, company_id)
    leader = await find_team_leader(access.connection)
    if leader is None:
        raise NoTeamLeader
    return leader


async def find_team_leader(connection: Connection) -> MemberRead | None:
    """Returns the leader of the company the transaction has entered."""
    row = await queries.team_leader(connection)
    return member_read(row) if row else None


async def update_member(access: Access, data: MemberUpdate) -> MemberRead:
    """Changes the name at once. An address or a phone is only proposed: it gives access to the
    account, so no leader may change it without its owner."""
    row = await locked_member(access.connection, data.uuid)
    if (row["first_name"], row["last_name"]) != (data.first_name, data.last_name):
        await queries.set_name(access.connection, row["id"], data.first_name, data.last_name)
        await record(access, "member.updated", target=row["email"])
    await ask_for_member(
        access, row["id"], address=data.email_address, phone_number=data.phone_number
    )
    return member_read(await locked_member(access.connection, data.uuid))


async def set_status(access: Access, uuid: UUID, active: bool | None) -> MemberRead:
    row = await locked_member(access.connection, uuid)
    wanted = not row["is_active"] if active is None else active
    if row["role"] == "teamLeader" and not wanted:
        raise TeamLeaderCannotBeDisabled
    if wanted != row["is_active"]:
        await queries.set_active(access.connection, row["id"], wanted)
        if not wanted:
            await end_sessions_of_user(access.connection, row["id"])
        verb = "enabled" if wanted else "disabled"
        await record(access, f"member.{verb}", target=row["email"])
    return member_read(await locked_member(access.connection, uuid))


async def remove_member(access: Access, uuid: UUID) -> None:
    row = await locked_member(access.connection, uuid)
    if row["role"] == "teamLeader":
        raise TeamLeaderCannotBeRemoved
    await queries.delete_member(access.connection, row["id"])
    await record(access, "member.removed", target=row["email"])


async def locked_member(connection: Connection, uuid: UUID) -> Row:
    row = await queries.member(connection, uuid)
    if row is None:
        raise MemberNotFound
    return row


def member_read(row: Row) -> MemberRead:
    return MemberRead(
        uuid=row["uuid"],
        first_name=row["first_name"],
        last_name=row["last_name"],
        email_address=row["email"],
        phone_number=row["phone_number"],
        role=row["role"],
        is_active=row["is_active"],
        date_created=row["created_at"],
        pending_email_address=row["pending_email"],
        pending_phone_number=row["pending_phone"],
    )
