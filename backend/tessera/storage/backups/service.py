"""When the devices' backups last completed, and mails about those that have not for days."""

from tessera import limits
from tessera.authz.context import Access, Identity
from tessera.authz.errors import Forbidden
from tessera.authz.queries import lock_user
from tessera.authz.rate_limits import limit
from tessera.kit.workflows import Resources
from tessera.notifications import mails
from tessera.notifications.service import enqueue_emails
from tessera.storage.backups import queries
from tessera.storage.backups.errors import TooManyBackups
from tessera.storage.backups.schemas import BackupReport, OverdueDevices


async def report(identity: Identity, backup_id: str, data: BackupReport) -> None:
    user = identity.current_user
    if user.kind != "client":
        raise Forbidden
    await limit(identity.context, limits.BACKUP_REPORTS, user.user_id)
    async with identity.access() as access:
        await lock_user(access.connection, user.user_id)
        others = await queries.count_others(
            access.connection, user.company_id, user.session_id, backup_id
        )
        if others >= limits.BACKUPS.maximum:
            raise TooManyBackups(maximum=limits.BACKUPS.maximum)
        await queries.put_backup(
            access.connection,
            company_id=user.company_id,
            user_id=user.user_id,
            backup_id=backup_id,
            session_id=user.session_id,
            days=data.days,
            is_completed=data.is_completed,
        )


async def forget(access: Access, backup_id: str) -> None:
    user = access.current_user
    await queries.delete_backup(access.connection, user.company_id, user.user_id, backup_id)


async def list_overdue(access: Access) -> OverdueDevices:
    user = access.current_user
    devices = await queries.overdue_devices(access.connection, user.company_id, user.user_id)
    return OverdueDevices(devices=devices)


async def remind(resources: Resources, company_id: int) -> None:
    """Safe to repeat: the transaction that enqueues the mails notes that they are sent."""
    link = f"{resources.settings.public_url}/download"
    async with resources.database.tenant(company_id) as connection:
        overdue = await queries.take_overdue(connection, company_id)
        messages = [
            (each, mails.BackupOverdue(each.device, mails.Count(each.days, "days"), link))
            for each in overdue
        ]
        await enqueue_emails(connection, resources.keys, company_id, messages)
