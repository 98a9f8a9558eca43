"""The members of a company. Row-level security decides whose they are: a member of another company
is not found."""

from collections.abc import Sequence
from uuid import UUID

from tessera.activity.service import changed, record
from tessera.auth.accounts import end_sessions_of
from tessera.auth.key_holders import end_key_holder
from tessera.auth.profile.schemas import ContactKind
from tessera.auth.profile.service import ask_for_member
from tessera.auth.profile.service import withdraw_change as withdraw_contact_change
from tessera.auth.sessions import service as sessions
from tessera.auth.sessions.schemas import ClientSession
from tessera.authz.context import Access
from tessera.authz.tenancy import enter_company
from tessera.kit.database import Connection
from tessera.kit.pagination import Page, PageRequest
from tessera.members import errors, queries
from tessera.members.queries import Member, team_leader
from tessera.members.schemas import MemberRead, MemberUpdate
from tessera.notifications import mails
from tessera.notifications.service import enqueue_emails

# Queries that other features call.
__all__ = ["Member", "team_leader"]


async def list_members(
    access: Access, company_id: int | None, request: PageRequest
) -> Page[MemberRead]:
    chosen = await enter_company(access, company_id)
    page = await queries.MEMBERS.page(access.connection, request, chosen)
    return page.read(member_read)


async def read_team_leader(access: Access, company_id: int | None) -> MemberRead:
    await enter_company(access, company_id)
    leader = await find_team_leader(access.connection)
    if leader is None:
        raise errors.NoTeamLeader
    return leader


async def find_team_leader(connection: Connection) -> MemberRead | None:
    """Returns the leader of the company the transaction has entered."""
    leader = await queries.team_leader(connection)
    return member_read(leader) if leader else None


async def update_member(access: Access, data: MemberUpdate) -> MemberRead:
    """Changes the name at once. An address or a phone is only proposed: it gives access to the
    account, so no leader may change it without its owner."""
    member = await rename(access, data.uuid, data.first_name, data.last_name)
    await ask_for_member(
        access, member.id, address=data.email_address, phone_number=data.phone_number
    )
    return member_read(await locked_member(access.connection, data.uuid))


async def rename(access: Access, uuid: UUID, first_name: str, last_name: str) -> Member:
    member = await locked_member(access.connection, uuid)
    if (member.first_name, member.last_name) != (first_name, last_name):
        await queries.set_name(access.connection, member.id, first_name, last_name)
        await record(
            access,
            "member.updated",
            target=member.email,
            details=changed(
                {"firstName": member.first_name, "lastName": member.last_name},
                {"firstName": first_name, "lastName": last_name},
            ),
        )
    return member


async def withdraw_change(access: Access, uuid: UUID, kind: ContactKind) -> MemberRead:
    member = await locked_member(access.connection, uuid)
    await withdraw_contact_change(access, member.id, kind, target=member.email)
    return member_read(await locked_member(access.connection, uuid))


async def set_status(access: Access, uuid: UUID, active: bool | None) -> MemberRead:
    member = await locked_member(access.connection, uuid)
    await _set_status(access, [member], not member.is_active if active is None else active)
    return member_read(await locked_member(access.connection, uuid))


async def set_status_in_bulk(access: Access, uuids: Sequence[UUID], active: bool) -> None:
    await _set_status(access, await _locked_members(access.connection, uuids), active)


async def _set_status(access: Access, members: Sequence[Member], active: bool) -> None:
    if not active and any(member.role == "teamLeader" for member in members):
        raise errors.TeamLeaderCannotBeDisabled
    changed_members = [member for member in members if member.is_active != active]
    if not active:
        await _end_key_holder(access, changed_members)
    await queries.set_active(access.connection, [member.id for member in changed_members], active)
    for member in changed_members:
        if not active:
            await end_sessions_of(access.connection, member.id)
        await record(access, "member.enabled" if active else "member.disabled", target=member.email)
    if not active:
        await _mail(access, changed_members, mails.MemberDisabled)


async def remove_member(access: Access, uuid: UUID) -> None:
    await _remove(access, [await locked_member(access.connection, uuid)])


async def remove_in_bulk(access: Access, uuids: Sequence[UUID]) -> None:
    await _remove(access, await _locked_members(access.connection, uuids))


async def _remove(access: Access, members: Sequence[Member]) -> None:
    if any(member.role == "teamLeader" for member in members):
        raise errors.TeamLeaderCannotBeRemoved
    await _end_key_holder(access, members)
    await queries.delete_members(access.connection, [member.id for member in members])
    for member in members:
        await record(access, "member.removed", target=member.email)
    await _mail(access, members, mails.MemberRemoved)


async def _end_key_holder(access: Access, members: Sequence[Member]) -> None:
    company_id = access.current_user.company_id
    await end_key_holder(access, company_id, [member.id for member in members])


async def _locked_members(connection: Connection, uuids: Sequence[UUID]) -> list[Member]:
    """All of them, or an error if the company does not have one of them."""
    members = await queries.members_by_uuid(connection, uuids)
    if len(members) < len(set(uuids)):
        raise errors.MemberNotFound
    return members


async def _mail(
    access: Access,
    members: Sequence[Member],
    kind: type[mails.MemberDisabled | mails.MemberRemoved],
) -> None:
    user = access.current_user
    mail = kind(company=user.company_name)
    addressed = [(member, mail) for member in members]
    await enqueue_emails(access.connection, access.context.keys, user.company_id, addressed)


async def list_client_sessions(access: Access, uuid: UUID) -> list[ClientSession]:
    member = await locked_member(access.connection, uuid)
    return await sessions.client_sessions(access, member.id)


async def end_client_session(access: Access, uuid: UUID, session_id: int) -> None:
    member = await locked_member(access.connection, uuid)
    device = await sessions.end_client_session(access, member.id, session_id)
    await record(access, "member.deviceSignedOut", target=member.email, details={"device": device})


async def locked_member(connection: Connection, uuid: UUID) -> Member:
    member = await queries.member(connection, uuid)
    if member is None:
        raise errors.MemberNotFound
    return member


def member_read(member: Member) -> MemberRead:
    return MemberRead.of(
        member,
        email_address=member.email,
        date_created=member.created_at,
        last_login=member.last_login_at,
        pending_email_address=member.pending_email,
        pending_phone_number=member.pending_phone,
    )
