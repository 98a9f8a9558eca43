"""Who is logged in with the client, who waits for access to a space, and who has to lose it."""

from datetime import timedelta

from tessera.auth.sessions.service import client_sessions_of_company
from tessera.authz.context import Access
from tessera.storage.access import check_read
from tessera.storage.members import queries
from tessera.storage.members.schemas import (
    FormerMember,
    FormerMembers,
    StorageDevice,
    StorageDevices,
    WaitingMember,
    WaitingMembers,
)


async def list_devices(access: Access) -> StorageDevices:
    idle = timedelta(days=access.context.settings.client_session_idle_days)
    rows = await client_sessions_of_company(
        access.connection, access.current_user.company_id, idle=idle
    )
    return StorageDevices(
        devices=[
            StorageDevice.of(
                row,
                name=row.client_name or "",
                version=row.client_version or "",
                started_at=row.created_at,
                last_used_at=row.last_seen_at,
            )
            for row in rows
        ]
    )


async def list_waiting(access: Access) -> WaitingMembers:
    await check_read(access)
    rows = await queries.waiting_members(access.connection, access.current_user.company_id)
    return WaitingMembers(members=[WaitingMember.of(row) for row in rows])


async def list_removals(access: Access) -> FormerMembers:
    """Lists whom the leader's client has to remove from logs. The service cannot do it."""
    await check_read(access)
    rows = await queries.former_members(access.connection, access.current_user.company_id)
    return FormerMembers(members=[FormerMember.of(row, email_address=row.email) for row in rows])
