"""After a restore of the service's database: logs are extended by what they had before, nothing is
deleted meanwhile, and the team leader closes the restore."""

from collections.abc import Sequence
from uuid import UUID

from tessera import limits
from tessera.activity.service import record, record_system
from tessera.auth.accounts import mail_team_leader
from tessera.authz.context import Access, Identity
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.storage import queries as storage_queries
from tessera.storage.access import check_read, may_manage
from tessera.storage.copies import queries as copy_queries
from tessera.storage.errors import RestoreNotRead, SpaceNotFound
from tessera.storage.log.entries import decode_entry
from tessera.storage.log.errors import EntryMalformed, GrantMalformed
from tessera.storage.restores import queries
from tessera.storage.restores.errors import NotRestoring, RestoreIncomplete
from tessera.storage.restores.extension import Extension, extend
from tessera.storage.restores.packs import find_packs
from tessera.storage.restores.queries import CompanyRestore
from tessera.storage.restores.schemas import (
    ExtendedLog,
    FormerEntries,
    FormerEntry,
    RestoreRead,
    WaitingSpace,
)
from tessera_core.errors import Malformed
from tessera_core.grants import Grant
from tessera_core.segments import Segment, SegmentEntry

# Of a call that brings entries back: each is up to 16 MiB to be read.
PACKS_PER_CALL = 2


async def begin_all(resources: Resources) -> int:
    """Marks all companies, after the operator has restored the database. Returns how many."""
    async with resources.database.platform.transaction() as connection:
        companies = await queries.companies(connection)
    for company_id in companies:
        async with resources.database.tenant(company_id) as connection:
            await queries.begin(connection, company_id)
            await record_system(connection, company_id, "storage.restoreBegun")
            mail = mails.StorageRestored(link=f"{resources.settings.public_url}/storage")
            await mail_team_leader(connection, resources.keys, company_id, mail)
    return len(companies)


async def list_all(resources: Resources) -> list[CompanyRestore]:
    async with resources.database.platform.transaction() as connection:
        return await queries.list_restores(connection)


async def read_restore(access: Access) -> RestoreRead:
    await check_read(access)
    connection, company_id = access.connection, access.current_user.company_id
    restore = await queries.restore(connection, company_id)
    waiting = await queries.waiting(connection, company_id) if restore else []
    return RestoreRead(
        began_at=restore.began_at if restore else None,
        read_at=restore.read_at if restore else None,
        closed_at=restore.closed_at if restore else None,
        entries=restore.entries if restore else 0,
        spaces=len(await copy_queries.space_logs(connection, company_id)),
        waiting=[WaitingSpace.of(space) for space in waiting],
    )


async def take_entries(identity: Identity, space_id: UUID, data: FormerEntries) -> ExtendedLog:
    """Takes entries, of anybody, that a member's client has kept. Not limited by the subscription:
    nothing new is stored. Safe to repeat."""
    user = identity.current_user
    given = _decode(data.entries)
    async with identity.access() as access:
        exists = await _check(access, space_id)
        if exists:
            await _claim(access, space_id, data.seen)
        if not given:
            return await _current(access, space_id)
    async with identity.access() as access:
        extension = await extend(
            access.connection, user.company_id, user.company_uuid, space_id, given
        )
        if not exists:
            await _claim(access, space_id, data.seen)
    lost = extension.lost_packs[:PACKS_PER_CALL]
    resources = identity.context.resources
    if await find_packs(resources, user.company_id, user.company_uuid, space_id, lost):
        async with identity.access() as access:
            extension = await extend(
                access.connection, user.company_id, user.company_uuid, space_id, given
            )
    return _extended(extension)


async def close_restore(access: Access) -> RestoreRead:
    """From here on, logs take new entries, and what is of no use is deleted again."""
    connection, company_id = access.connection, access.current_user.company_id
    restore = await queries.restore(connection, company_id, lock=True)
    if restore is None or restore.closed_at is not None:
        raise NotRestoring
    if restore.read_at is None:
        raise RestoreNotRead
    waiting = await queries.waiting(connection, company_id)
    if waiting:
        raise RestoreIncomplete(extra={"spaces": [str(space.id) for space in waiting]})
    await queries.close(connection, company_id)
    await record(access, "storage.restoreClosed", details={"entries": restore.entries})
    return await read_restore(access)


def _decode(entries: Sequence[FormerEntry]) -> list[SegmentEntry]:
    decoded = []
    for each in entries:
        entry = decode_entry(each.entry)
        try:
            grants = tuple(Grant.decode(grant) for grant in each.grants)
        except Malformed:
            raise GrantMalformed from None
        decoded.append(SegmentEntry(entry, grants))
    if decoded:
        try:
            Segment(tuple(decoded))
        except Malformed:
            raise EntryMalformed from None
    return decoded


async def _check(access: Access, space_id: UUID) -> bool:
    """To people who are no members a space appears not to exist; one that the backup does not have
    begins with what its leader has signed. Returns whether there is such a space."""
    await check_read(access)
    user = access.current_user
    space = await storage_queries.space(
        access.connection, user.company_id, user.user_uuid, space_id
    )
    is_open = await storage_queries.is_restoring(access.connection, user.company_id)
    if not is_open and space is None:
        raise SpaceNotFound
    if space is not None and not (space.is_member or may_manage(access)):
        raise SpaceNotFound
    if not is_open:
        raise NotRestoring
    return space is not None


async def _claim(access: Access, space_id: UUID, seen: int) -> None:
    """It may be a lie: it is shown as what that member says, and ends nothing but the closing."""
    connection, user = access.connection, access.current_user
    number = await queries.count_claims(connection, user.company_id, user.user_uuid)
    if seen and number < limits.SPACES.maximum:
        await queries.claim(connection, user.company_id, space_id, user.user_uuid, seen)


async def _current(access: Access, space_id: UUID) -> ExtendedLog:
    user = access.current_user
    space = await storage_queries.space(
        access.connection, user.company_id, user.user_uuid, space_id
    )
    if space is None:
        raise SpaceNotFound
    return _extended(Extension(space.sequence, space.head))


def _extended(extension: Extension) -> ExtendedLog:
    return ExtendedLog(
        sequence=extension.sequence,
        head=extension.head,
        missing_packs=len(extension.lost_packs),
        needs_grants=extension.needs_grants,
    )
