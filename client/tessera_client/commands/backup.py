"""Backing up a folder, once or for as long as the program runs, and sending what waits."""

import os
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated
from uuid import UUID

import msgspec
import typer

from tessera_client.commands.ending import ending_when_locked, interrupted_by_the_system
from tessera_client.commands.files import put_result, tell_what_is_kept
from tessera_client.commands.options import Bandwidth, Checksum, DryRun, Exclude, Include
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import (
    EXPECTED,
    PARTLY_DONE,
    ClientError,
    WrongUsage,
    to_client_error,
)
from tessera_client.texts import translate, visible
from tessera_client.vault.account import Account
from tessera_client.vault.backup_runs import (
    claimed,
    note_run,
    run_backup,
    run_due,
    set_reminder,
)
from tessera_client.vault.backups import (
    MAX_REMIND_DAYS,
    RETRY_SECONDS,
    TIME,
    WATCH_SECONDS,
    Backup,
    Every,
    LastRun,
    edited_backups,
    find_backup,
    load_backups,
    now,
    own_state,
)
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.push import push_space
from tessera_client.vault.put import PutOptions, store
from tessera_client.vault.schedule import is_due, next_run
from tessera_client.vault.vault import Vault

_EVERY = {
    Every.HOUR: "results.every_hour",
    Every.DAY: "results.every_day",
    Every.WEEK: "results.every_week",
}


def backup(
    folder: Annotated[Path | None, typer.Argument(help="options.folder", metavar="FOLDER")] = None,
    target: Annotated[
        str | None, typer.Argument(help="options.place", metavar="SPACE:/PATH")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="options.watch")] = False,
    every: Annotated[
        Every | None, typer.Option(help="options.every", metavar="hour|day|week")
    ] = None,
    at: Annotated[str | None, typer.Option(help="options.every_at", metavar="HH:MM")] = None,
    remind_after: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_REMIND_DAYS, help="options.remind_after", metavar="DAYS"),
    ] = None,
    scheduled: Annotated[bool, typer.Option("--scheduled", help="options.scheduled")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="options.remove_backup")] = False,
    exclude: Exclude = None,
    include: Include = None,
    checksum: Checksum = False,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Uploads what is new or changed in a folder; without one, lists those that are backed up."""
    if scheduled:
        return _run_scheduled(bandwidth)
    if folder is None:
        return _list()
    if target is None:
        raise WrongUsage(translate("errors.target_missing"), code="bad_place")
    place = parse_place(target)
    path = place.path or folder.absolute().name
    if remove:
        return _remove(folder, place.space, path)
    if not folder.is_dir():
        raise WrongUsage.from_code("no_such_folder", path=folder)
    if every:
        if watch or include or checksum or dry_run or (at and every is Every.HOUR):
            raise WrongUsage.from_code("schedule_options")
        rules = Rules(every, _time(at), remind_after, exclude)
        return _schedule(folder, place.space, path, rules, bandwidth)
    if at or remind_after:
        raise WrongUsage.from_code("schedule_options")
    state = StateFolder.from_environment().path
    patterns = Patterns([*(exclude or []), *own_state(state, folder)], include or ())
    options = PutOptions(patterns, checksum, dry_run=dry_run)
    with vault(bandwidth) as opened:
        run = partial(_run, opened, place.space, (folder, path), options)
        return watch_folder(opened, folder, run) if watch and not dry_run else run()


def watch_folder(
    opened: Vault, folder: Path, run: Callable[[], Result], *, follow: bool = False
) -> Result:
    """Goes on after failures that may pass: at the next change, or after a while. `follow` runs
    after that while also if nothing has changed here."""
    with interrupted_by_the_system(), ending_when_locked(opened.account.folder):
        return _watch(opened, folder, run, follow=follow)


def _watch(opened: Vault, folder: Path, run: Callable[[], Result], *, follow: bool) -> Result:
    import watchfiles  # noqa: PLC0415 - slow to import, and only needed here

    notice(translate("notices.watching", folder=folder))
    step = WATCH_SECONDS * 1000
    # A run changes the client's own state.
    state = f"{opened.account.folder.path.resolve()}{os.sep}"
    watched = watchfiles.watch(
        folder,
        watch_filter=lambda _, path: not path.startswith(state),
        debounce=step,
        step=step // 10,
        rust_timeout=RETRY_SECONDS * 1000,
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    result, is_due = Result({}), True
    for changes in chain([set()], watched):
        run_due(opened, progress)
        if not (is_due or changes or follow):
            continue
        begun = time.monotonic()
        try:
            result = run()
        except ClientError as error:
            if error.exit_code != 1:
                raise
            is_due = True
            notice(f"{error} {translate('notices.trying_again', seconds=RETRY_SECONDS)}")
        else:
            waiting = opened.journal.count()
            is_due = waiting > 0
            notice(result.text)
            if is_due:
                again = translate("notices.trying_again", seconds=RETRY_SECONDS)
                notice(f"{translate('notices.packs_wait', count=waiting)} {again}")
        time.sleep(max(0.0, WATCH_SECONDS - (time.monotonic() - begun)))
    return result


def watch_listed(opened: Vault, identifier: str) -> Result:
    """Backs a folder of the list up with every change."""
    account = opened.account

    def run() -> Result:
        with claimed(account.folder, account.user, identifier, only_if_due=False) as claim:
            if claim is None:
                raise ClientError.from_code("backup_busy")
            summary = run_backup(opened, claim, progress)
            return put_result(summary, str(claim.space), dry_run=False)

    backup = find_backup(load_backups(account.folder, account.user), identifier)
    return watch_folder(opened, Path(backup.folder), run)


def _run(opened: Vault, space: str, pair: tuple[Path, str], options: PutOptions) -> Result:
    tell_what_is_kept(opened)
    summary = store(opened, opened.find(space), [pair], options, progress)
    for text in summary.notices:
        notice(text)
    opened.account.save_pins()
    return put_result(summary, space, dry_run=options.dry_run)


@dataclass(frozen=True)
class Rules:
    """What is changed of a listed backup."""

    every: Every
    at: str
    remind_after: int | None
    exclude: list[str] | None


def _time(text: str | None) -> str:
    if text and not re.match(TIME, text):
        raise WrongUsage.from_code("schedule_options")
    return text or ""


def _schedule(
    folder: Path, space_name: str, path: str, rules: Rules, bandwidth: str | None
) -> Result:
    """Lists the folder with a schedule, or changes its schedule, and runs it."""
    with vault(bandwidth) as opened:
        account, space = opened.account, opened.find(space_name)
        tell_what_is_kept(opened)
        place = (str(folder.resolve()), space.id, path)
        backup = _find_listed(account, place) or Backup(secrets.token_hex(8), *place, [], False)
        set_reminder(account.api, backup, rules.remind_after)
        with edited_backups(account.folder, account.user) as backups:
            if all(listed.id != backup.id for listed in backups):
                backups.append(backup)
            listed = find_backup(backups, backup.id)
            listed.every, listed.at = rules.every, rules.at
            listed.remind_after = rules.remind_after
            listed.exclude = listed.exclude if rules.exclude is None else rules.exclude
        with claimed(account.folder, account.user, backup.id, only_if_due=False) as claim:
            if claim is None:
                raise ClientError.from_code("backup_busy")
            summary = run_backup(opened, claim, progress)
    return put_result(summary, space_name, dry_run=False)


def _remove(folder: Path, space_name: str, path: str) -> Result:
    with vault() as opened:
        account, space = opened.account, opened.find(space_name)
        backup = _find_listed(account, (str(folder.resolve()), space.id, path))
        if backup is None:
            raise ClientError.from_code("backup_not_found")
        set_reminder(account.api, backup, None)
        with edited_backups(account.folder, account.user) as backups:
            backups.remove(find_backup(backups, backup.id))
    return Result({"removed": True}, translate("results.backup_removed"))


def _find_listed(account: Account, place: tuple[str, UUID, str]) -> Backup | None:
    backups = load_backups(account.folder, account.user)
    return next((backup for backup in backups if backup.place == place), None)


def _run_scheduled(bandwidth: str | None) -> Result:
    state = StateFolder.from_environment()
    user = state.load_profile().user
    due = [backup for backup in load_backups(state, user) if is_due(backup, now())]
    ran = list[Backup]()
    if due:
        try:
            with vault(bandwidth) as opened:
                ran = run_due(opened, progress)
        except EXPECTED as error:
            # Nobody sees what a timer's command prints.
            failure = LastRun.failure(to_client_error(error), now())
            for backup in due:
                note_run(state, user, backup, failure)
            raise
    runs = [backup.last_run for backup in ran if backup.last_run]
    is_partial = any(run.code or run.failed or run.not_safe for run in runs)
    text = "\n".join(map(_line, ran)) or translate("results.nothing_due")
    return Result({"ran": [*map(_row, ran)]}, text, PARTLY_DONE if is_partial else 0)


def _list() -> Result:
    state = StateFolder.from_environment()
    backups = load_backups(state, state.load_profile().user)
    text = "\n".join(map(_line, backups)) or translate("results.no_backups")
    return Result({"backups": [*map(_row, backups)]}, text)


def _row(backup: Backup) -> Mapping[str, object]:
    return {**msgspec.to_builtins(backup), "nextRun": next_run(backup, now())}


def _line(backup: Backup) -> str:
    last, due = backup.last_run, next_run(backup, now())
    parts = [f"{visible(backup.folder)} -> {visible(backup.path)}"]
    if backup.is_watched:
        parts.append(translate("results.watched"))
    if backup.every:
        parts.append(translate(_EVERY[backup.every], at=backup.at or "00:00"))
    if last:
        result = last.message or translate("results.stored", count=last.stored)
        parts.append(translate("results.last_run", time=_local(last.time), result=result))
        parts += last.problems[:1]
    if due:
        is_past = due <= now()
        key = "results.due_now" if is_past else "results.next_run"
        parts.append(translate(key, time=_local(due)))
    return " ".join(parts)


def _local(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000)  # noqa: DTZ006 - for people
    return moment.isoformat(" ", "minutes")


def push() -> Result:
    """Sends what earlier runs could not send completely."""
    with vault() as opened:
        pushed = [push_space(opened, space) for space in opened.spaces()]
    sent, unfinished = (
        sum(result.sent for result in pushed),
        sum(result.unfinished for result in pushed),
    )
    waiting = [result for result in pushed if result.packs]
    lines = [translate("results.packs_sent", count=sent)]
    for result in waiting:
        packs = translate("notices.packs_wait", count=result.packs)
        lines.append(" ".join((f"{result.space}:", packs, *result.reasons)))
        lines += [translate("results.not_safe", path=path) for path in result.files]
    if unfinished:
        lines.append(translate("results.unfinished", count=unfinished))
    data = {"sent": sent, "waiting": waiting, "unfinished": unfinished}
    return Result(data, "\n".join(lines), PARTLY_DONE if waiting or unfinished else 0)
