"""Backing up a folder, once or for as long as the program runs."""

import time
from pathlib import Path
from typing import Annotated

import typer
import watchfiles

from tessera_client.commands.files import Bandwidth, DryRun, Exclude, PutSummary, store
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import parse_place
from tessera_client.commands.prompts import vault
from tessera_client.errors import ClientError, WrongUsage
from tessera_client.vault.backups import load_backups, own_state
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import Vault

# An entry at most this often, however many files change.
WATCH_SECONDS = 5


def backup(
    folder: Annotated[
        Path | None, typer.Argument(help="The folder to back up.", metavar="FOLDER")
    ] = None,
    target: Annotated[
        str | None, typer.Argument(help="Where its content goes.", metavar="SPACE:/PATH")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until interrupted.")] = False,
    exclude: Exclude = None,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Upload what is new or changed in a folder. Local files are never deleted, and files that
    were removed here stay in the space. Without a folder: list those that were added on the page.

    Example: tess backup ~/Documents Archive:/laptop --watch --exclude "*.tmp"
    """
    if folder is None:
        return _list()
    if target is None:
        raise WrongUsage("Say where its content goes: SPACE:/PATH.", code="bad_place")
    if not folder.is_dir():
        raise WrongUsage(f"{folder} is not a folder.", code="no_such_folder")
    place = parse_place(target)
    path = place.path or folder.absolute().name
    state = StateFolder.from_environment().path
    patterns = [*(exclude or []), *own_state(state, folder, path)]
    with vault(bandwidth) as opened:
        summary = _run(opened, place.space, folder, path, patterns, dry_run=dry_run)
        if watch and not dry_run:
            summary = _watch(opened, place.space, folder, path, patterns, summary)
    return summary.result(place.space, dry_run=dry_run)


def _list() -> Result:
    """The folders of the page, `tess ui`."""
    state = StateFolder.from_environment()
    backups = load_backups(state, state.load_profile().user)
    rows = [each.as_json() for each in backups]
    lines = [
        f"{each.folder} -> {each.path}" + (" (watched by tess ui)" if each.is_watched else "")
        for each in backups
    ]
    return Result({"backups": rows}, "\n".join(lines) or "No folder was added on the page.")


def _watch(
    opened: Vault, space: str, folder: Path, path: str, patterns: list[str], summary: PutSummary
) -> PutSummary:
    """Goes on after failures that may pass; the next change tries again."""
    notice(f"Watching {folder}. Press Ctrl+C to stop.")
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
            notice(f"{len(summary.stored)} stored, {len(summary.failed)} failed.")
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
    found = opened.find(space)
    summary = store(opened, found, [(folder, path)], patterns, dry_run=dry_run)
    opened.account.save_pins()
    return summary
