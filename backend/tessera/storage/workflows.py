"""The rounds of storage: settlements, audits and repairs every minute, mails about
overdue backups and the end of shares and requests every hour, deletions every night."""

from tessera.kit.workflows import current_resources, purge_expired_workflows, schedule, step
from tessera.storage.backups.workflows import plan_reminders
from tessera.storage.copies import workflows as copies
from tessera.storage.deletion.workflows import (
    plan_deletions,
    plan_request_deletions,
    plan_share_deletions,
)
from tessera.storage.log import limits
from tessera.storage.repair.workflows import audit_company, plan_audits, plan_repairs
from tessera.storage.restores.workflows import plan_restores, read_logs
from tessera.storage.settlement.workflows import plan_settlements, settle_company


@schedule("* * * * *")
async def storage_round() -> None:
    await plan_settlements()
    await plan_audits()
    await plan_repairs()
    await plan_restores()


@schedule("47 * * * *")
async def backup_round() -> None:
    await plan_reminders()


@schedule("12 * * * *")
async def share_round() -> None:
    await plan_share_deletions()
    await plan_request_deletions()


@schedule("23 3 * * *")
async def sweep_storage() -> None:
    await plan_deletions()
    await delete_orphan_grants()
    await purge_rounds()


@step(attempts=5)
async def delete_orphan_grants() -> None:
    await limits.delete_orphan_grants(current_resources())


@step()
async def purge_rounds() -> None:
    rounds = [
        f"{copies.__name__}.copy_round",
        f"{__name__}.storage_round",
        f"{__name__}.share_round",
        audit_company.name,
        settle_company.name,
        read_logs.name,
    ]
    async with current_resources().database.without_tenant() as connection:
        await purge_expired_workflows(connection, rounds)
