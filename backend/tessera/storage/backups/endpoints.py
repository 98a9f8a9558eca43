from tessera.authz.routes import FeatureRouter
from tessera.storage.backups import service
from tessera.storage.backups.schemas import BackupId, BackupReport, OverdueDevices
from tessera.storage.dependencies import Caller, User

router = FeatureRouter("storage", "/storage")


@router.get("/backups/overdue", summary="List own devices with overdue backups")
async def list_overdue(access: User) -> OverdueDevices:
    return await service.list_overdue(access)


@router.put("/backups/{backup_id}", status_code=204, summary="Report that a backup has completed")
async def report_backup(identity: Caller, backup_id: BackupId, data: BackupReport) -> None:
    await service.report(identity, backup_id, data)


@router.delete("/backups/{backup_id}", status_code=204, summary="Stop reminders of a backup")
async def forget_backup(access: User, backup_id: BackupId) -> None:
    await service.forget(access, backup_id)
