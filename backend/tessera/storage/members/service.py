"""Who is logged in with the client, who waits for access to a space, and who has to lose it."""

from datetime import timedelta

from tessera.auth.sessions.service import client_sessions_of_company
from tessera.authz.context import Access
from tessera.storage.access import check_read
from tessera.storage.members import queries, schemas


async def list_devices(access: Access) -> schemas.StorageDevices:
    idle = timedelta(days=access.context.settings.client_session_idle_days)
    rows = await client_sessions_of_company(
        access.connection, access.current_user.company_id, idle=idle
    )
    return schemas.StorageDevices(
        devices=[
            schemas.StorageDevice.of(
                row,
                name=row.client_name or "",
                version=row.client_version or "",
                started_at=row.created_at,
                last_used_at=row.last_seen_at,
            )
            for row in rows
        ]
    )


async def list_waiting(access: Access) -> schemas.WaitingMembers:
    await check_read(access)
    members = await queries.waiting_members(access.connection, access.current_user.company_id)
    return schemas.WaitingMembers(members=members)


async def list_removals(access: Access) -> schemas.FormerMembers:
    """Lists whom the leader's client has to remove from logs. The service cannot do it."""
    await check_read(access)
    members = await queries.former_members(access.connection, access.current_user.company_id)
    return schemas.FormerMembers(members=members)
