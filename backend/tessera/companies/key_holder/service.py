"""The second key holder: a member with a copy of the company key, sealed to that member's keys.
They can show the passphrase, and hand the key to a leader who holds no copy."""

from dataclasses import dataclass
from uuid import UUID

from tessera import limits
from tessera.activity.service import record
from tessera.auth.accounts import mail_team_leader
from tessera.auth.key_holders import end_key_holder
from tessera.authz.context import Access, Identity
from tessera.authz.errors import SessionExpired
from tessera.authz.queries import lock_company, lock_user, session_is_active
from tessera.authz.rate_limits import limit
from tessera.companies.key_holder import errors
from tessera.companies.key_holder.schemas import HeldKeyRead, KeyHolderRead
from tessera.companies.passphrase import queries as passphrase_queries
from tessera.companies.passphrase.queries import PassphrasePair
from tessera.companies.passphrase.schemas import KeyHandoverRead, SealedHeldKey
from tessera.companies.passphrase.service import lock_for_leader
from tessera.kit import clock
from tessera.members import service as members
from tessera.members.service import Member, locked_member
from tessera.notifications import mails
from tessera.notifications.service import enqueue_email
from tessera.storage.keys import handovers
from tessera.storage.keys.handovers import StoredHandover


async def read(access: Access) -> KeyHolderRead | None:
    holder = await handovers.key_holder(access.connection, access.current_user.company_id)
    if holder is None:
        return None
    return KeyHolderRead.of(holder, email_address=holder.email)


async def appoint(access: Access, uuid: UUID, key_handover: bytes) -> KeyHolderRead | None:
    """Names the member, or renews their copy after the passphrase has changed."""
    current_user = access.current_user
    connection, company_id = access.connection, current_user.company_id
    await lock_for_leader(access)
    member = await locked_member(connection, uuid)
    holder = await handovers.key_holder(connection, company_id)
    if holder is not None and holder.uuid != uuid:
        raise errors.KeyHolderExists
    if not member.is_active:
        raise errors.KeyHolderNotActive
    if await handovers.usable_keys(connection, company_id, member.id) is None:
        raise errors.KeyHolderHasNoKeys
    epoch = await handovers.held_epoch(connection, company_id, current_user.user_id)
    await handovers.store(
        access,
        key_handover,
        recipient=uuid,
        user_id=member.id,
        purpose="holder",
        epoch=epoch,
    )
    details = {"epoch": epoch}
    if holder is None:
        await record(access, "keyHolder.named", target=member.email, details=details)
        mail = mails.KeyHolderNamed(
            leader=access.current_user.name,
            company=access.current_user.company_name,
            link=f"{access.context.settings.public_url}/download",
        )
        await _mail(access, member, mail)
    else:
        await record(access, "keyHolder.renewed", target=member.email, details=details)
    return await read(access)


async def remove(access: Access) -> None:
    """Does nothing if there is none, so that the call can be repeated."""
    current_user = access.current_user
    await lock_for_leader(access)
    holder = await handovers.key_holder(access.connection, current_user.company_id)
    if holder is None:
        return
    member = await locked_member(access.connection, holder.uuid)
    await end_key_holder(access, current_user.company_id, [member.id])
    mail = mails.KeyHolderRemoved(leader=current_user.name, company=current_user.company_name)
    await _mail(access, member, mail)


async def read_own(access: Access) -> HeldKeyRead | None:
    """What the caller holds, and whether the leader needs it."""
    held = await _held(access)
    if held is None:
        return None
    connection, company_id = access.connection, access.current_user.company_id
    leader = await members.team_leader(connection)
    needs_key, handed_over, public_keys = False, False, None
    if leader is not None:
        epoch = await handovers.held_epoch(connection, company_id, leader.id)
        waiting = await handovers.stored(connection, company_id, leader.id, "leadership")
        needs_key, handed_over = epoch is None, waiting is not None
        public_keys = await handovers.usable_keys(connection, company_id, leader.id)
    return HeldKeyRead(
        since=held.handover.created_at,
        is_current=held.is_current,
        leader_uuid=leader.uuid if leader else None,
        leader_name=leader.name if leader else None,
        leader_needs_key=needs_key,
        handed_over=handed_over,
        leader_public_keys=public_keys,
    )


async def reveal(identity: Identity) -> KeyHandoverRead:
    """Recorded, and told to the leader by mail, each time."""
    user = identity.current_user
    await limit(identity.context, limits.KEY_REVEALS, user.user_id)
    async with identity.access() as access:
        held = await _held_current(access)
        await record(access, "passphrase.revealedByHolder", details={"epoch": held.handover.epoch})
        mail = mails.KeyHolderRevealed(
            member=user.name, company=user.company_name, date=clock.now()
        )
        await mail_team_leader(access.connection, access.context.keys, user.company_id, mail)
        return KeyHandoverRead.of(
            held.handover,
            sender_name=await handovers.sender_name(access.connection, held.handover),
            passphrase=held.pair.sealed_passphrase,
        )


async def read_key(access: Access) -> SealedHeldKey:
    """Without the sealed passphrase, so that nobody can show it without a record."""
    held = await _held_current(access)
    sender_name = await handovers.sender_name(access.connection, held.handover)
    return SealedHeldKey.of(held.handover, sender_name=sender_name)


async def hand_over(access: Access, key_handover: bytes) -> None:
    """Stores the key for the leader, who holds no copy; their browser receives it."""
    current_user = access.current_user
    connection, company_id = access.connection, current_user.company_id
    await lock_company(connection, company_id)
    await lock_user(connection, current_user.user_id)
    if not await session_is_active(connection, current_user.session_id):
        raise SessionExpired
    held = await _held_current(access)
    leader = await members.team_leader(connection)
    if leader is None:
        raise errors.LeaderHasNoKeys
    await lock_user(connection, leader.id)
    if await handovers.held_epoch(connection, company_id, leader.id) is not None:
        raise errors.LeaderHoldsKey
    if await handovers.usable_keys(connection, company_id, leader.id) is None:
        raise errors.LeaderHasNoKeys
    await handovers.store(
        access,
        key_handover,
        recipient=leader.uuid,
        user_id=leader.id,
        purpose="leadership",
        epoch=held.pair.epoch,
    )
    await record(
        access, "keyHolder.handedOver", target=leader.email, details={"epoch": held.pair.epoch}
    )
    mail = mails.KeyHandedToLeader(member=current_user.name)
    await mail_team_leader(connection, access.context.keys, company_id, mail)


@dataclass(frozen=True)
class _Held:
    handover: StoredHandover
    pair: PassphrasePair

    @property
    def is_current(self) -> bool:
        return self.handover.epoch == self.pair.epoch


async def _held(access: Access) -> _Held | None:
    ids = (access.connection, access.current_user.company_id, access.current_user.user_id)
    handover = await handovers.stored(*ids, "holder")
    pair = await passphrase_queries.passphrase_pair(*ids)
    return _Held(handover, pair) if handover and pair else None


async def _held_current(access: Access) -> _Held:
    held = await _held(access)
    if held is None:
        raise errors.KeyNotHeld
    if not held.is_current:
        raise errors.KeyHolderOutdated
    return held


async def _mail(access: Access, member: Member, mail: mails.Mail) -> None:
    company_id = access.current_user.company_id
    await enqueue_email(access.connection, access.context.keys, company_id, member, mail)
