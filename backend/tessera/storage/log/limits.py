"""How much one member may write in a day. A drive in daily use stays far below; a hostile client
cannot fill the log that everybody has to read."""

from uuid import UUID

from tessera import limits
from tessera.authz.context import Access
from tessera.kit import rate_counters
from tessera.kit.workflows import Resources
from tessera.limits import Limit
from tessera.storage import queries as storage_queries
from tessera.storage.log import grant_queries
from tessera.storage.log.errors import StorageRateExceeded

# A new generation has a waiting grant for each member of its space.
WAITING_PER_MEMBER = 4


async def count_entries(access: Access, number: int = 1) -> None:
    """Call it with the space locked: the counter is locked until the commit."""
    await _count(access, limits.LOG_ENTRIES, number)


async def count_grants(access: Access, space_id: UUID, entry_id: bytes, number: int) -> None:
    """Call it with the space locked, before the grants are stored."""
    await _count(access, limits.GRANTS, number)
    user = access.current_user
    waiting = await grant_queries.waiting_grants(
        access.connection, user.company_id, user.user_uuid, space_id, entry_id
    )
    allowed = max(limits.WAITING_GRANTS.maximum, WAITING_PER_MEMBER * waiting.space_members)
    if waiting.others > allowed:
        raise StorageRateExceeded(int(limits.DAY.total_seconds()))
    await grant_queries.add_waiting(
        access.connection, user.company_id, user.user_uuid, space_id, entry_id
    )


async def delete_orphan_grants(resources: Resources) -> None:
    """Deletes grants whose entry did not follow within a day. Safe to repeat."""
    async with resources.database.platform.transaction() as connection:
        spaces = await grant_queries.spaces_with_old_grants(connection)
    for company_id, space_id in spaces:
        async with resources.database.tenant(company_id) as connection:
            if await storage_queries.is_restoring(connection, company_id):
                continue
            await grant_queries.lock_space(connection, company_id, space_id)
            await grant_queries.delete_old_grants(connection, company_id, space_id)


async def _count(access: Access, limit: Limit, number: int) -> None:
    counter = access.context.counter(limit, access.current_user.user_uuid)
    try:
        await rate_counters.increment_within(access.connection, [counter], number)
    except rate_counters.LimitReached as reached:
        raise StorageRateExceeded(reached.resets_in) from None
