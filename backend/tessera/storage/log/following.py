"""Devices that follow logs: one held call for each, answered when something was appended."""

import asyncio
from collections.abc import Mapping
from uuid import UUID

from tessera import limits
from tessera.authz.context import Identity
from tessera.storage import queries as storage_queries
from tessera.storage.access import check_read
from tessera.storage.log.schemas import ChangedSpaces

_held: dict[int, int] = {}
"""Calls of each user that this process holds."""


async def wait_for_changes(
    identity: Identity, known: Mapping[UUID, int], seconds: float
) -> ChangedSpaces:
    """Answers at once if a log has moved on already, else when it does or the time is over. No
    connection is held meanwhile."""
    user, announcements = identity.current_user.user_id, identity.context.resources.announcements
    with announcements.expect(map(str, known)) as announced:
        changed = await _changed(identity, known)
        if changed or _held.get(user, 0) >= limits.HELD_CALLS.maximum:
            return ChangedSpaces(changed=changed)
        _held[user] = _held.get(user, 0) + 1
        try:
            await asyncio.wait_for(announced.wait(), seconds)
        except TimeoutError:
            return ChangedSpaces(changed=[])
        finally:
            _held[user] -= 1
            if not _held[user]:
                del _held[user]
    # Thousands may be told at once; what they hold was theirs when they asked.
    numbers = announced.numbers
    later = [space for space, sequence in known.items() if numbers.get(str(space), 0) > sequence]
    if later:
        return ChangedSpaces(changed=later)
    return ChangedSpaces(changed=await _changed(identity, known))


async def _changed(identity: Identity, known: Mapping[UUID, int]) -> list[UUID]:
    """Spaces that have other entries than the caller knows, or are the caller's no longer."""
    async with identity.access() as access:
        await check_read(access)
        user = access.current_user
        rows = await storage_queries.spaces(access.connection, user.company_id, user.user_uuid)
    sequences = {row.id: row.sequence for row in rows if row.is_member}
    return [space for space, sequence in known.items() if sequences.get(space) != sequence]
