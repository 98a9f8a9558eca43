"""Transfers team leadership. The former leader's copy of the company key is deleted. The new leader
enters the passphrase again, unless the former one hands the key over, sealed to their keys, or the
new one is the second key holder."""

from uuid import UUID

from tessera.activity.service import record
from tessera.api_tokens.service import revoke_tokens_of
from tessera.auth import accounts
from tessera.auth.accounts import drop_company_key, end_sessions_of
from tessera.auth.key_holders import ask_key_holder, end_key_holder
from tessera.auth.two_factor.service import recovery_codes_left
from tessera.authz.context import Access
from tessera.authz.errors import Forbidden, PlatformCompanyIsFixed
from tessera.authz.permissions import Role
from tessera.authz.queries import lock_company
from tessera.authz.tenancy import PLATFORM_COMPANY, enter_company
from tessera.members import queries
from tessera.members.errors import (
    LeaderAlready,
    NewLeaderNeedsRecoveryCodes,
    NewLeaderNotActive,
)
from tessera.members.queries import Member
from tessera.members.schemas import MemberPublicKeys, MemberRead
from tessera.members.service import locked_member, member_read
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.storage.keys import handovers


async def read_public_keys(access: Access, uuid: UUID) -> MemberPublicKeys:
    member = await locked_member(access.connection, uuid)
    company_id = access.current_user.company_id
    return MemberPublicKeys(
        public_keys=await handovers.usable_keys(access.connection, company_id, member.id)
    )


async def transfer(access: Access, uuid: UUID, key_handover: bytes | None) -> MemberRead:
    """Called by the leader, who becomes a member."""
    company_id = access.current_user.company_id
    if company_id == PLATFORM_COMPANY:
        raise PlatformCompanyIsFixed
    await lock_company(access.connection, company_id)
    leader = await queries.team_leader(access.connection)
    # Of two concurrent transfers, the second finds that its caller is no longer the leader.
    if leader is None or leader.id != access.current_user.user_id:
        raise Forbidden
    return await _reassign(
        access, company_id, leader, uuid, mails.LeadershipTransferred, key_handover=key_handover
    )


async def change_leader(access: Access, company_id: int, uuid: UUID) -> MemberRead:
    """Called by a platform admin, for the company they name."""
    await enter_company(access, company_id, for_change=True)
    await lock_company(access.connection, company_id)
    leader = await queries.team_leader(access.connection)
    return await _reassign(access, company_id, leader, uuid, mails.LeadershipChangedByPlatform)


async def _reassign(
    access: Access,
    company_id: int,
    former: Member | None,
    uuid: UUID,
    former_mail: type[mails.LeadershipTransferred | mails.LeadershipChangedByPlatform],
    *,
    key_handover: bytes | None = None,
) -> MemberRead:
    chosen = await locked_member(access.connection, uuid)
    if chosen.role == "teamLeader":
        raise LeaderAlready
    if not chosen.is_active:
        raise NewLeaderNotActive
    account = await accounts.account(access.connection, chosen.id)
    is_required = account is not None and account.sso_required
    # With one of them leaders get in when the company's provider does not answer.
    if is_required and not await recovery_codes_left(access.connection, chosen.id):
        raise NewLeaderNeedsRecoveryCodes
    received = await _give_key(access, company_id, chosen, key_handover)
    if former is not None:
        await queries.set_role(access.connection, former.id, Role.TEAM_MEMBER)
        await drop_company_key(access.connection, former.id)
        await end_sessions_of(access.connection, former.id)
        await revoke_tokens_of(access, company_id, former.id)
        await _mail(access, company_id, former, former_mail(leader=chosen.name))
    await queries.set_role(access.connection, chosen.id, Role.TEAM_LEADER)
    if received is mails.LeadershipReceived:
        await ask_key_holder(access.connection, access.context, company_id, leader=chosen.name)
    await _mail(access, company_id, chosen, received(leader=former.name if former else ""))
    await record(
        access,
        "leadership.reassigned",
        target=chosen.email,
        details={"from": former.email if former else None},
        company_id=company_id,
    )
    return member_read(await locked_member(access.connection, uuid))


async def _give_key(
    access: Access, company_id: int, chosen: Member, key_handover: bytes | None
) -> type[
    mails.LeadershipReceived | mails.LeadershipReceivedByHolder | mails.LeadershipReceivedWithKey
]:
    """A second holder who becomes the leader keeps the key. Returns the mail that says how the new
    leader gets the passphrase."""
    user = access.current_user
    if key_handover is None and await handovers.give_to_leader(
        access.connection, company_id, chosen.id
    ):
        return mails.LeadershipReceivedByHolder
    await end_key_holder(access, company_id, [chosen.id])
    if key_handover is None:
        return mails.LeadershipReceived
    epoch = await handovers.held_epoch(access.connection, company_id, user.user_id)
    await handovers.store(
        access,
        key_handover,
        recipient=chosen.uuid,
        user_id=chosen.id,
        purpose="leadership",
        epoch=epoch,
    )
    await record(access, "passphrase.handedOver", target=chosen.email, details={"epoch": epoch})
    return mails.LeadershipReceivedWithKey


async def _mail(access: Access, company_id: int, member: Member, mail: mails.Mail) -> None:
    await enqueue_email(access.connection, access.context.keys, company_id, member, mail)
