"""How much one member may write in a day. A drive in daily use stays far below; a hostile client
cannot fill the log that everybody has to read."""

from datetime import timedelta
from uuid import UUID

from tessera.authz.context import Access
from tessera.kit import rate_counters
from tessera.kit.workflows import Resources
from tessera.storage.log import grant_queries
from tessera.storage.log.errors import StorageRateExceeded

DAY = timedelta(days=1)
ENTRIES_A_DAY = 20_000
GRANTS_A_DAY = 50_000
# Grants whose entry has not followed. A new generation has one for each member of its space.
MAX_WAITING_GRANTS = 2_000
WAITING_PER_MEMBER = 4


async def count_entries(access: Access, number: int = 1) -> None:
    """Call it with the space locked: the counter is locked until the commit."""
    await _count(access, "entries", number, ENTRIES_A_DAY)


async def count_grants(access: Access, space_id: UUID, entry_id: bytes, number: int) -> None:
    """Call it with the space locked, before the grants are stored."""
    await _count(access, "grants", number, GRANTS_A_DAY)
    user = access.current_user
    waiting = await grant_queries.waiting_grants(
        access.connection, user.company_id, user.user_uuid, space_id, entry_id
    )
    if waiting.others > max(MAX_WAITING_GRANTS, WAITING_PER_MEMBER * waiting.space_members):
        raise _exceeded(int(DAY.total_seconds()))
    await grant_queries.add_waiting(
        access.connection, user.company_id, user.user_uuid, space_id, entry_id
    )


async def delete_orphan_grants(resources: Resources) -> None:
    """Deletes grants whose entry did not follow within a day. Safe to repeat."""
    async with resources.database.platform.transaction() as connection:
        spaces = await grant_queries.spaces_with_old_grants(connection)
    for company_id, space_id in spaces:
        async with resources.database.tenant(company_id) as connection:
            await grant_queries.lock_space(connection, company_id, space_id)
            await grant_queries.delete_old_grants(connection, company_id, space_id)


async def _count(access: Access, what: str, number: int, maximum: int) -> None:
    name = f"storage-{what} {access.current_user.user_uuid}"
    key = access.context.keys.mac("counters", name)
    count = await rate_counters.increment_within(access.connection, [key], DAY, number)
    if count.count > maximum:
        raise _exceeded(count.resets_in)


def _exceeded(seconds: int) -> StorageRateExceeded:
    return StorageRateExceeded(extra={"retryAfter": seconds}, retry_after=seconds)
