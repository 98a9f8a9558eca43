"""Who is logged in with the client, and who waits for access to a space."""

from datetime import timedelta

from tessera.auth.sessions.queries import client_sessions_of_company
from tessera.authz.context import Access
from tessera.storage import queries
from tessera.storage.access import check_read
from tessera.storage.schemas import StorageDevice, StorageDevices, WaitingMember, WaitingMembers


async def list_devices(access: Access) -> StorageDevices:
    idle = timedelta(days=access.context.settings.client_session_idle_days)
    rows = await client_sessions_of_company(
        access.connection, access.current_user.company_id, idle=idle
    )
    return StorageDevices(
        devices=[
            StorageDevice(
                id=row.id,
                user_uuid=row.user_uuid,
                user_name=row.user_name,
                name=row.client_name or "",
                system=row.system,
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
    return WaitingMembers(
        members=[WaitingMember(uuid=row.uuid, name=row.name, since=row.since) for row in rows]
    )
