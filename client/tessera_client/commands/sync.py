"""Keeping a folder and a place in a space the same."""

import os
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tessera_client.commands.backup import watch_folder
from tessera_client.commands.connected import Always, Remove, connect, disconnect
from tessera_client.commands.options import Bandwidth, DryRun, Exclude, Include
from tessera_client.commands.output import Result
from tessera_client.commands.paths import parse_place
from tessera_client.commands.people import Yes
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, ClientError, WrongUsage
from tessera_client.sync.comparison import SyncOptions, SyncSummary
from tessera_client.sync.state import Pair, SyncState, load_states
from tessera_client.sync.syncing import sync_folder
from tessera_client.texts import translate, visible
from tessera_client.vault.backups import own_state
from tessera_client.vault.conflicts import Conflict
from tessera_client.vault.connected_folders import (
    ConnectedFolder,
    FolderStatus,
    StatusError,
    new_id,
)
from tessera_client.vault.folder_reports import FolderReport, find_report
from tessera_client.vault.locks import only_one
from tessera_client.vault.patterns import exactly
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault

Skip = Annotated[list[str] | None, typer.Option(help="options.skip", metavar="SUBFOLDER")]


def sync(
    folder: Annotated[Path | None, typer.Argument(help="options.folder", metavar="FOLDER")] = None,
    target: Annotated[
        str | None, typer.Argument(help="options.place", metavar="SPACE:/PATH")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="options.watch")] = False,
    skip: Skip = None,
    exclude: Exclude = None,
    include: Include = None,
    always: Always = False,
    remove: Remove = False,
    forget: Annotated[bool, typer.Option("--forget", help="options.forget")] = False,
    yes: Yes = False,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Makes a folder and a place in a space the same; without a folder, lists those that are."""
    if remove and folder:
        return disconnect("sync", folder.resolve())
    with vault(bandwidth) as opened:
        if folder is None:
            return _list(opened)
        if forget:
            return _forget(opened, folder)
        if not folder.is_dir():
            raise WrongUsage.from_code("no_such_folder", path=folder)
        pair = _find_pair(opened, folder, target, skip)
        if always:
            return _connect(opened, pair, exclude)
        options = SyncOptions(tuple(exclude or ()), tuple(include or ()), dry_run, yes)
        return sync_pair(opened, pair, options, watch=watch and not dry_run)


def sync_connected(opened: Vault, connected: ConnectedFolder) -> Result:
    """Keeps a connected folder the same until it is stopped."""
    if connected.space is None or not Path(connected.folder).is_dir():
        raise ClientError.from_code("no_such_folder", path=connected.folder)
    pair = Pair(connected.folder, connected.space, connected.path.strip("/"))
    pair = SyncState.load(opened.index, pair).pair
    return sync_pair(opened, pair, SyncOptions(tuple(connected.excluded)), watch=True)


def sync_pair(opened: Vault, pair: Pair, options: SyncOptions, *, watch: bool) -> Result:
    account, folder = opened.account, Path(pair.folder)
    own = own_state(account.folder.path, folder)
    options = replace(options, exclude=(*own, *options.exclude))
    report = None if options.dry_run else find_report(account.folder, folder)
    lock = account.folder.user_folder(account.user) / f"sync-{pair.id(opened.index).hex()}.lock"

    def run() -> Result:
        # Between two passes of a watch, somebody may run one by hand.
        with only_one(lock, ClientError.from_code("sync_in_use", path=folder)):
            return _run(opened, pair, options, report)

    return watch_folder(opened, folder, run, follow=True) if watch else run()


def _run(
    opened: Vault, pair: Pair, options: SyncOptions, report: FolderReport | None
) -> Result:  # fmt: skip
    with report.noting_failures() if report else nullcontext():
        space = opened.find(str(pair.space))
        summary = sync_folder(opened, space, pair, options, progress)
        opened.account.save_pins()
    if report:
        _note(report, space, pair, summary)
    return _describe(summary, dry_run=options.dry_run)


def _note(report: FolderReport, space: Space, pair: Pair, summary: SyncSummary) -> None:
    """A conflict counts until its second version is gone."""
    prefix = f"{pair.path}/" if pair.path else ""
    found = [
        Conflict(conflict.path.removeprefix(prefix), conflict.kept_as.removeprefix(prefix))
        for conflict in summary.conflicts
    ]
    report.conflicts = [
        conflict
        for conflict in dict.fromkeys([*report.conflicts, *found])
        if (version := space.tree.current(prefix + conflict.kept_as)) and version.item
    ]
    left = [problem.as_text() for problem in summary.skipped]
    status = FolderStatus.of(len(left) + len(summary.not_safe), report.conflicts, None)
    problem = None
    if left:
        problem = StatusError("folders.left", {"count": str(len(left)), "problem": left[0]})
    elif summary.ignore_files:
        file = summary.ignore_files[0]
        problem = StatusError("sync.ignore_file", {"path": file.path, "name": file.author})
    report.note(msgspec.structs.replace(status, error=problem))


def _connect(opened: Vault, pair: Pair, exclude: list[str] | None) -> Result:
    excluded = [*(exclude or ()), *map(exactly, pair.skip)]
    path = f"/{pair.path}"
    return connect(
        opened, ConnectedFolder(new_id(), "sync", pair.folder, pair.space, path, excluded)
    )


def _find_pair(opened: Vault, folder: Path, target: str | None, skip: list[str] | None) -> Pair:
    """The place may be left out where the folder has one already."""
    here = str(folder.resolve())
    if target is None:
        pairs = [state.pair for state in load_states(opened.index) if state.pair.folder == here]
        if len(pairs) != 1:
            raise WrongUsage(translate("errors.target_missing"), code="bad_place")
        pair = pairs[0]
    else:
        place = parse_place(target)
        pair = Pair(here, opened.find(place.space).id, place.path)
        pair = SyncState.load(opened.index, pair).pair
    if skip is None:
        return pair
    names = (name.replace(os.sep, "/").strip("/") for name in skip)
    return Pair(pair.folder, pair.space, pair.path, tuple(name for name in names if name))


def _list(opened: Vault) -> Result:
    names = {space.id: space.label for space in opened.spaces()}
    pairs = [state.pair for state in load_states(opened.index)]
    lines = [
        f"{visible(pair.folder)} <-> {names.get(pair.space, pair.space)}:/{visible(pair.path)}"
        for pair in pairs
    ]
    return Result({"syncs": pairs}, "\n".join(lines) or translate("sync.none"))


def _forget(opened: Vault, folder: Path) -> Result:
    """No file changes: the next pass compares everything anew, and removes nothing."""
    here = {str(folder.absolute()), str(folder.resolve())}
    pairs = [state.pair for state in load_states(opened.index) if state.pair.folder in here]
    if not pairs:
        raise ClientError.from_code("sync_unknown", path=folder)
    for pair in pairs:
        opened.index.remove_sync(pair.id(opened.index))
    return Result({"forgotten": pairs}, translate("sync.forgotten", path=folder))


def _describe(summary: SyncSummary, *, dry_run: bool) -> Result:
    data = {
        "sent": summary.sent,
        "fetched": summary.fetched,
        "removed": summary.removed,
        "discarded": summary.discarded,
        "moved": summary.moved,
        "conflicts": summary.conflicts,
        "skipped": summary.skipped,
        "notSafe": summary.not_safe,
        "ignoreFiles": summary.ignore_files,
        "dryRun": dry_run,
    }
    planned = {
        "sync.would_be.sent": summary.sent,
        "sync.would_be.fetched": summary.fetched,
        "sync.would_be.removed": summary.removed,
        "sync.would_be.discarded": summary.discarded,
        "sync.would_be.moved": summary.moved,
    }
    lines = [translate(key, path=path) for key, paths in planned.items() for path in paths]
    counts = {key.rpartition(".")[2]: len(paths) for key, paths in planned.items()}
    lines = [*(lines if dry_run else ()), translate("sync.counts", **counts)]
    lines += [conflict.as_text() for conflict in summary.conflicts]
    lines += [translate("results.not_safe", path=path) for path in summary.not_safe]
    lines += [problem.as_text() for problem in summary.skipped]
    lines += [file.as_text() for file in summary.ignore_files]
    is_partial = summary.conflicts or summary.skipped or summary.not_safe
    return Result(data, "\n".join(lines), PARTLY_DONE if is_partial else 0)
