"""Fetching files of a space or a link to this computer, or to standard output."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.options import Bandwidth, Checksum, DryRun
from tessera_client.commands.output import Result, output
from tessera_client.commands.paths import SpacePath, is_link, parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, ClientError, WrongUsage
from tessera_client.texts import translate, visible
from tessera_client.vault.disk_names import Renamed, disk_name
from tessera_client.vault.restore import Restored, Restorer
from tessera_client.vault.spaces import Space
from tessera_core.files import File, Folder, Item

STDOUT = STDIN = "-"

GetSource = Annotated[str, typer.Argument(help="options.get_source", metavar="SPACE:/PATH|LINK")]
Out = Annotated[str | None, typer.Argument(help="options.out", metavar="OUT")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="options.overwrite")]


@dataclass(frozen=True)
class FetchOptions:
    overwrite: bool = False
    checksum: bool = False
    dry_run: bool = False


def get(
    source: GetSource,
    out: Out = None,
    to: Annotated[str | None, typer.Option("--to", help="options.get_to", metavar="OUT")] = None,
    overwrite: Overwrite = False,
    checksum: Checksum = False,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="options.share_password_stdin")
    ] = False,
    sealed: Annotated[bool, typer.Option("--sealed", help="options.get_sealed")] = False,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Fetches a file or a folder from a space, or what a link gives."""
    if out is not None and to is not None:
        raise WrongUsage.from_code("target_twice")
    out = to if out is None else out
    options = FetchOptions(overwrite, checksum, dry_run)
    if source == STDIN or is_link(source):
        from tessera_client.commands import links  # noqa: PLC0415 - slow to import

        target = Path(out or ".")
        share = links.open_share_link(source, bandwidth, password_stdin=password_stdin)
        if sealed:
            return links.save_share_sealed(share, target)
        return links.fetch_share(share, target, options)
    if sealed:
        raise WrongUsage.from_code("sealed_is_for_links")
    place = parse_place(source)
    if out is None:
        raise WrongUsage(translate("errors.out_missing"), code="usage")
    if out == STDOUT and (output.as_json or dry_run):
        raise WrongUsage.from_code("stdout_taken")
    with vault(bandwidth) as opened:
        space = opened.find(place.space)
        items = list(space.tree.walk(place.path))
        if out == STDOUT:
            return _write_to_stdout(space, place, items)
        return fetch(space, place, items, out, options)


def fetch(
    space: Space,
    place: SpacePath,
    items: Sequence[tuple[str, Item]],
    out: str,
    options: FetchOptions,
) -> Result:
    target = _find_target(place, items, out)
    relative = [(path[len(place.path) :].lstrip("/"), item) for path, item in items]
    total = sum(item.size for _, item in items if isinstance(item, File))
    with progress(translate("progress.fetching"), total) as advance:
        restorer = Restorer(
            space.reader(),
            space.chunk_places(),
            advance,
            overwrite=options.overwrite,
            is_known=None if options.checksum else partial(space.is_known, place.path),
        )
        restored = restorer.restore(relative, target, dry_run=options.dry_run)
    space.remember_fetched(place.path, restored.present)
    is_named_here = place.path and target.name == disk_name(place.name) != place.name
    if is_named_here and target != Path(out):
        restored.renamed.insert(0, Renamed(place.path, target.name))
    return describe(restored, target, place.name, is_dry=options.dry_run)


def _find_target(place: SpacePath, items: Sequence[tuple[str, Item]], out: str) -> Path:
    """OUT, whether it exists or not, so that the same command writes to the same place each time.

    With a slash at its end it is the folder around it, and so is a folder for a single file.
    """
    if not items:
        raise ClientError(translate("errors.not_at", place=place), code="no_such_path")
    path, item = items[0]
    is_file = path == place.path and not isinstance(item, Folder)
    target = Path(out)
    is_around = out.endswith(("/", os.sep)) or target.name in {"", ".."}
    if place.path and (is_around or (is_file and target.is_dir())):
        return target / disk_name(place.name)
    return target


def _write_to_stdout(
    space: Space, place: SpacePath, items: Sequence[tuple[str, Item]]
) -> Result:  # fmt: skip
    match items:
        case [(_, File() as file)]:
            with progress(translate("progress.fetching"), file.size) as advance:
                restorer = Restorer(space.reader(), space.chunk_places(), advance)
                restorer.write_to(file, sys.stdout.buffer)
            return Result({})
        case []:
            raise ClientError(translate("errors.not_at", place=place), code="no_such_path")
    raise WrongUsage.from_code("not_one_file", place=place)


def describe(restored: Restored, target: Path, name: str, *, is_dry: bool) -> Result:
    data = {
        "out": str(target),
        "files": restored.files,
        "bytes": restored.bytes,
        "unchanged": restored.unchanged,
        "kept": restored.kept,
        "failed": restored.failed,
        "renamed": restored.renamed,
        "dryRun": is_dry,
    }
    if is_dry:
        data["planned"] = restored.planned
        lines = [visible(path or name) for path in restored.planned]
        lines.append(translate("results.would_be_fetched", count=len(restored.planned)))
    else:
        lines = [translate("results.fetched", count=restored.files)]
    if restored.unchanged:
        lines[-1] += f" {translate('results.unchanged', count=restored.unchanged)}"
    lines += [
        translate("results.renamed", path=renamed.path, name=renamed.name)
        for renamed in restored.renamed
    ]
    lines += [translate("results.kept", path=path or name) for path in restored.kept]
    lines += [
        translate("results.failed", path=problem.path or name, reason=problem.message)
        for problem in restored.failed
    ]
    exit_code = 0
    if restored.failed or restored.kept:
        has_some = restored.files or restored.unchanged or restored.kept or restored.planned
        exit_code = PARTLY_DONE if has_some else 1
    return Result(data, "\n".join(lines), exit_code)
