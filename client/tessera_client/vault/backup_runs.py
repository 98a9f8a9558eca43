"""Runs of the listed backups: one at a time for each, whatever processes there are; noted on this
computer, announced on the desktop, and reported to the service."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import UUID

from tessera_client.desktop import notify
from tessera_client.errors import EXPECTED, ClientError, to_client_error
from tessera_client.texts import translate
from tessera_client.transfer.answers import Unread
from tessera_client.transfer.api import Api
from tessera_client.transfer.journal import held
from tessera_client.vault.backups import (
    Backup,
    LastRun,
    check_folder,
    edited_backups,
    find_backup,
    load_backups,
    now,
    own_state,
)
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.progress import ShowProgress
from tessera_client.vault.put import PutOptions, PutSummary, store
from tessera_client.vault.schedule import is_due
from tessera_client.vault.vault import Vault

# Reminders count days, so the service need not know more.
REPORT_MS = 3600 * 1000


@contextmanager
def claimed(
    folder: StateFolder, user: UUID, identifier: str, only_if_due: bool
) -> Iterator[Backup | None]:
    """The backup as it is listed now, for one run; None if another process runs it, or if it is
    not due any more."""
    with held(folder.user_folder(user) / f"backup-{identifier}.lock") as is_free:
        backup = find_backup(load_backups(folder, user), identifier) if is_free else None
        if backup and only_if_due and not is_due(backup, now()):
            backup = None
        yield backup


def run_due(vault: Vault, show: ShowProgress) -> list[Backup]:
    """Runs the backups whose time has come and returns them."""
    folder, user = vault.account.folder, vault.account.user
    ran = []
    for listed in load_backups(folder, user):
        if not is_due(listed, now()):
            continue
        with claimed(folder, user, listed.id, only_if_due=True) as backup:
            if backup is None:
                continue
            with suppress(*EXPECTED):
                run_backup(vault, backup, show)
            ran.append(backup)
    return ran


def run_backup(vault: Vault, backup: Backup, show: ShowProgress) -> PutSummary:
    """Stores what is new or changed in the folder, and notes how that ended."""
    began, account, folder = now(), vault.account, Path(backup.folder)
    try:
        space = vault.find(str(backup.space))
        check_folder(folder)
        options = PutOptions(run_patterns(account.folder, backup))
        summary = store(vault, space, [(folder, backup.path)], options, show)
        account.save_pins()
    except EXPECTED as error:
        last = LastRun.failure(to_client_error(error), began)
        note_run(account.folder, account.user, backup, last)
        raise
    last = LastRun.of(summary, began)
    if not last.not_safe:
        _report_completed(account.api, backup)
    note_run(account.folder, account.user, backup, last)
    return summary


def run_patterns(folder: StateFolder, backup: Backup) -> Patterns:
    return Patterns([*backup.exclude, *own_state(folder.path, Path(backup.folder))])


def note_run(folder: StateFolder, user: UUID, backup: Backup, last: LastRun) -> None:
    before, backup.last_run = backup.last_run, last
    # Somebody may have removed it meanwhile, and the result is still shown if the disk is full.
    with suppress(ClientError, OSError), edited_backups(folder, user) as backups:
        listed = find_backup(backups, backup.id)
        listed.last_run, listed.reported_at = last, backup.reported_at
    text = _news(backup, before, last)
    if text and folder.wants_notifications():
        notify(text)


def _news(backup: Backup, before: LastRun | None, last: LastRun) -> str | None:
    """What the user should know and was not told after the run before."""
    before, name = before or LastRun(0), Path(backup.folder).name
    if last.code:
        is_new = last.code != before.code
        text = translate("notifications.backup_failed", name=name, reason=last.message)
        return text if is_new else None
    if last.problems and last.problems != before.problems:
        return translate("notifications.backup_problem", name=name, problem=last.problems[0])
    if last.not_safe and not before.not_safe:
        return translate("notifications.backup_not_safe", name=name)
    return translate("notifications.backup_works", name=name) if before.code else None


# The service


def set_reminder(api: Api, backup: Backup, days: int | None) -> None:
    """Changes after how many days without a backup the user is mailed; None for never."""
    if days == backup.remind_after:
        return
    if days:
        _report(api, backup, days, is_completed=False)
    else:
        api.call("DELETE", f"/storage/backups/{backup.id}", Unread, repeat=True)
    backup.remind_after = days


def _report_completed(api: Api, backup: Backup) -> None:
    if backup.remind_after and not 0 <= now() - backup.reported_at < REPORT_MS:
        # What is stored is stored; the next run reports again.
        with suppress(ClientError):
            _report(api, backup, backup.remind_after, is_completed=True)
            backup.reported_at = now()


def _report(api: Api, backup: Backup, days: int, *, is_completed: bool) -> None:
    body = {"days": days, "isCompleted": is_completed}
    api.put(f"/storage/backups/{backup.id}", Unread, body)
