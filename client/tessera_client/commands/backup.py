"""Backing up a folder, once or for as long as the program runs."""

import time
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.files import Bandwidth, DryRun, Exclude, put_result
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import ClientError, WrongUsage
from tessera_client.texts import translate, visible
from tessera_client.vault.backups import WATCH_SECONDS, load_backups, own_state
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.put import PutSummary, store
from tessera_client.vault.vault import Vault


def backup(
    folder: Annotated[Path | None, typer.Argument(help="options.folder", metavar="FOLDER")] = None,
    target: Annotated[
        str | None, typer.Argument(help="options.place", metavar="SPACE:/PATH")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="options.watch")] = False,
    exclude: Exclude = None,
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
    path = place.path or folder.absolute().name
    state = StateFolder.from_environment().path
    patterns = [*(exclude or []), *own_state(state, folder, path)]
    with vault(bandwidth) as opened:
        summary = _run(opened, place.space, folder, path, patterns, dry_run=dry_run)
        if watch and not dry_run:
            summary = _watch(opened, place.space, folder, path, patterns, summary)
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


def _watch(
    opened: Vault, space: str, folder: Path, path: str, patterns: list[str], summary: PutSummary
) -> PutSummary:
    """Goes on after failures that may pass; the next change tries again."""
    import watchfiles  # noqa: PLC0415 - slow to import, and only needed here

    notice(translate("notices.watching", folder=folder))
    step = WATCH_SECONDS * 1000
    for _ in watchfiles.watch(
        folder, watch_filter=None, debounce=step, step=step // 10, raise_interrupt=False
    ):
        begun = time.monotonic()
        try:
            summary = _run(opened, space, folder, path, patterns)
        except ClientError as error:
            if error.exit_code != 1:
                raise
            notice(str(error))
        else:
            stored = translate("results.stored", count=len(summary.stored))
            failed = translate("results.failed_count", count=len(summary.failed))
            notice(f"{stored} {failed}")
        time.sleep(max(0.0, WATCH_SECONDS - (time.monotonic() - begun)))
    return summary


def _run(
    opened: Vault,
    space: str,
    folder: Path,
    path: str,
    patterns: list[str],
    *,
    dry_run: bool = False,
) -> PutSummary:
    pairs = [(folder, path)]
    summary = store(opened, opened.find(space), pairs, patterns, progress, dry_run=dry_run)
    for text in summary.notices:
        notice(text)
    opened.account.save_pins()
    return summary
