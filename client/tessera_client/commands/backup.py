"""Backing up a folder, once or for as long as the program runs, and sending what waits."""

import time
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.files import (
    Bandwidth,
    Checksum,
    DryRun,
    Exclude,
    Include,
    put_result,
)
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, ClientError, WrongUsage
from tessera_client.texts import translate, visible
from tessera_client.vault.backups import RETRY_SECONDS, WATCH_SECONDS, load_backups, own_state
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.push import push_space
from tessera_client.vault.put import PutOptions, PutSummary, store
from tessera_client.vault.vault import Vault


def backup(
    folder: Annotated[Path | None, typer.Argument(help="options.folder", metavar="FOLDER")] = None,
    target: Annotated[
        str | None, typer.Argument(help="options.place", metavar="SPACE:/PATH")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="options.watch")] = False,
    exclude: Exclude = None,
    include: Include = None,
    checksum: Checksum = False,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Uploads what is new or changed in a folder; without one, lists those of the page."""
    if folder is None:
        return _list()
    if target is None:
        raise WrongUsage(translate("errors.target_missing"), code="bad_place")
    if not folder.is_dir():
        raise WrongUsage.from_code("no_such_folder", path=folder)
    place = parse_place(target)
    state = StateFolder.from_environment().path
    patterns = Patterns([*(exclude or []), *own_state(state, folder)], include or ())
    options = PutOptions(patterns, checksum, dry_run=dry_run)
    pair = folder, place.path or folder.absolute().name
    with vault(bandwidth) as opened:
        run = partial(_run, opened, place.space, pair, options)
        summary = _watch(opened, folder, run) if watch and not dry_run else run()
    return put_result(summary, place.space, dry_run=dry_run)


def _list() -> Result:
    """The folders of the page, `tess ui`."""
    state = StateFolder.from_environment()
    backups = load_backups(state, state.load_profile().user)
    watched = translate("results.watched")
    lines = [
        f"{visible(backup.folder)} -> {visible(backup.path)}"
        + (f" {watched}" if backup.is_watched else "")
        for backup in backups
    ]
    return Result({"backups": backups}, "\n".join(lines) or translate("results.no_backups"))


def _watch(opened: Vault, folder: Path, run: Callable[[], PutSummary]) -> PutSummary:
    """Goes on after failures that may pass: at the next change, or after a while."""
    import watchfiles  # noqa: PLC0415 - slow to import, and only needed here

    notice(translate("notices.watching", folder=folder))
    step = WATCH_SECONDS * 1000
    watched = watchfiles.watch(
        folder,
        watch_filter=None,
        debounce=step,
        step=step // 10,
        rust_timeout=RETRY_SECONDS * 1000,
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    summary, is_due = PutSummary(), True
    for changes in chain([set()], watched):
        if not (is_due or changes):
            continue
        begun = time.monotonic()
        try:
            summary = run()
        except ClientError as error:
            if error.exit_code != 1:
                raise
            is_due = True
            notice(f"{error} {translate('notices.trying_again', seconds=RETRY_SECONDS)}")
        else:
            waiting = opened.journal.count()
            is_due = waiting > 0
            notice(put_result(summary, "", dry_run=False).text)
            if is_due:
                again = translate("notices.trying_again", seconds=RETRY_SECONDS)
                notice(f"{translate('notices.packs_wait', count=waiting)} {again}")
        time.sleep(max(0.0, WATCH_SECONDS - (time.monotonic() - begun)))
    return summary


def _run(opened: Vault, space: str, pair: tuple[Path, str], options: PutOptions) -> PutSummary:
    summary = store(opened, opened.find(space), [pair], options, progress)
    for text in summary.notices:
        notice(text)
    opened.account.save_pins()
    return summary


def push() -> Result:
    """Sends what earlier runs could not send completely."""
    with vault() as opened:
        pushed = [push_space(opened, space) for space in opened.spaces()]
    sent, unfinished = sum(each.sent for each in pushed), sum(each.unfinished for each in pushed)
    waiting = [each for each in pushed if each.packs]
    lines = [translate("results.packs_sent", count=sent)]
    for each in waiting:
        packs = translate("notices.packs_wait", count=each.packs)
        lines.append(" ".join((f"{each.space}:", packs, *each.reasons)))
        lines += [translate("results.not_safe", path=path) for path in each.files]
    if unfinished:
        lines.append(translate("results.unfinished", count=unfinished))
    data = {"sent": sent, "waiting": waiting, "unfinished": unfinished}
    return Result(data, "\n".join(lines), PARTLY_DONE if waiting or unfinished else 0)
