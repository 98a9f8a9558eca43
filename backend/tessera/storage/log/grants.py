"""Grants: the keys of a space, sealed by clients to one member each."""

from uuid import UUID

from tessera.authz.context import Access
from tessera.authz.errors import Forbidden
from tessera.authz.guards import check_verified
from tessera.authz.permissions import Permission
from tessera.kit.database import Connection
from tessera.storage.access import (
    check_read,
    check_write,
    find_space,
    may_manage,
)
from tessera.storage.log import grant_queries, limits, queries
from tessera.storage.log.errors import EntryIdUsed, EntryRefused, GrantMalformed, GrantNotFound
from tessera.storage.log.schemas import GrantRead, GrantsCreate, GrantsRead
from tessera_core import log
from tessera_core.entries import ENTRY_ID_BYTES, Entry
from tessera_core.errors import Malformed
from tessera_core.grants import RECOVERY, Grant
from tessera_core.log import LogState


async def store_grants(access: Access, space_id: UUID, data: GrantsCreate) -> None:
    """Stores grants before the entry that carries their hash. To grant to somebody who is not a
    member yet needs verified access; a new generation for the present members does not."""
    check_write(access)
    connection, user = access.connection, access.current_user
    space = await find_space(access, space_id, lock=True)
    grants = _decode(data, (space.generation, space.generation + 1))
    if space.leader != user.user_uuid and Permission.STORAGE_GRANT not in user.permissions:
        raise Forbidden
    recipients = {grant.member for grant in grants} - {RECOVERY}
    if not await queries.are_members(connection, user.company_id, space_id, recipients):
        check_verified(user)
    if await queries.has_entry(connection, user.company_id, space_id, data.entry_id):
        raise EntryIdUsed
    await limits.count_grants(access, space_id, data.entry_id, len(grants))
    rows = [(grant.member, grant.generation, grant.encode()) for grant in grants]
    await grant_queries.store_grants(connection, user.company_id, space_id, data.entry_id, rows)


async def read_grants(access: Access, space_id: UUID) -> GrantsRead:
    """Returns the caller's newest grant and, to the team leader, the recovery pair's. Whoever was
    removed gets none."""
    await check_read(access)
    user = access.current_user
    space = await find_space(access, space_id)
    recipients = [user.user_uuid] if space.is_member else []
    if may_manage(access):
        recipients.append(RECOVERY)
    rows = await grant_queries.newest_grants(
        access.connection, user.company_id, space_id, recipients
    )
    return GrantsRead(grants=[GrantRead.of(row, grant=row.content) for row in rows])


async def refuse_grant(access: Access, space_id: UUID, sequence: int) -> None:
    """Tells the leader that the caller cannot open a grant, until there is a newer one."""
    await check_read(access)
    user = access.current_user
    await find_space(access, space_id)
    if not await grant_queries.refuse_grant(
        access.connection, user.company_id, space_id, user.user_uuid, sequence
    ):
        raise GrantNotFound


async def commit_grants(
    connection: Connection, company_id: int, state: LogState, entry: Entry
) -> None:
    """Compares the stored grants with the entry that was just applied to the state, and makes them
    visible."""
    space_id, entry_id = entry.head.space, entry.head.id
    stored = await grant_queries.grants_of(connection, company_id, space_id, entry_id)
    try:
        state.check_grants(entry, [Grant.decode(content) for content in stored])
    except log.EntryRefused as refused:
        raise EntryRefused(extra={"reason": refused.reason}) from None
    if stored:
        await grant_queries.commit_grants(
            connection, company_id, space_id, entry_id, entry.head.sequence
        )


def _decode(data: GrantsCreate, generations: tuple[int, int]) -> list[Grant]:
    try:
        grants = [Grant.decode(content) for content in data.grants]
    except Malformed:
        raise GrantMalformed from None
    members = {grant.member for grant in grants}
    if (
        len(data.entry_id) != ENTRY_ID_BYTES
        or len(members) != len(grants)
        or any(grant.generation not in generations for grant in grants)
    ):
        raise GrantMalformed
    return grants
