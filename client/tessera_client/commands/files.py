"""Storing, listing and fetching files."""

import os
import sys
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.options import Bandwidth, Checksum, DryRun, Exclude, Include, Replace
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import Place, SpacePath, is_link, parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, ClientError, WrongUsage
from tessera_client.texts import translate, visible
from tessera_client.vault.changes import writing
from tessera_client.vault.contents import Entry
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.put import (
    STANDARD_INPUT,
    PutOptions,
    PutSummary,
    store,
    store_stream,
)
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.changes import Move, Remove

PutTarget = Annotated[str, typer.Argument(help="options.put_target", metavar="SPACE:/PATH|LINK")]


def put(
    sources: Annotated[list[Path], typer.Argument(help="options.sources", metavar="SRC...")],
    target: PutTarget,
    exclude: Exclude = None,
    include: Include = None,
    checksum: Checksum = False,
    replace: Replace = False,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Stores files and folders in a space, or sends them to a request for files; `-` stands for
    standard input."""
    patterns = Patterns(exclude or (), include or ())
    if target == STANDARD_INPUT or is_link(target):
        from tessera_client.commands.links import send_to_request  # noqa: PLC0415 - slow to import

        _check_sources(sources)
        return send_to_request(target, sources, patterns, dry_run=dry_run)
    place = parse_place(target)
    options = PutOptions(patterns, checksum, replace, dry_run)
    if sources != [Path(STANDARD_INPUT)]:
        _check_sources(sources)
    with vault(bandwidth) as opened:
        space = opened.find(place.space)
        if len(sources) > 1 or target.endswith("/") or _is_folder(space, place.path):
            check_folder(space, place)
            paths = [place.below(source.absolute().name) for source in sources]
        else:
            check_folder(space, place if sources[0].is_dir() else place.parent)
            paths = [place.path]
        if sources == [Path(STANDARD_INPUT)]:
            if paths != [place.path] or not place.path:
                raise WrongUsage.from_code("stream_without_name")
            summary = store_stream(
                opened, space, place.path, sys.stdin.buffer, progress, options=options
            )
        else:
            tell_what_is_kept(opened)
            pairs = list(zip(sources, paths, strict=True))
            summary = store(opened, space, pairs, options, progress)
    for text in summary.notices:
        notice(text)
    return put_result(summary, space.name, dry_run=dry_run)


def _check_sources(sources: Sequence[Path]) -> None:
    missing = [source for source in sources if not os.path.lexists(source)]
    if len(missing) == len(sources):
        raise WrongUsage.from_code("no_such_file", path=missing[0])


def tell_what_is_kept(opened: Vault) -> None:
    """Before the first files of this computer are stored."""
    if not opened.account.folder.knows_what_is_kept():
        notice(translate("notices.what_is_kept"))


def put_result(summary: PutSummary, space: str, *, dry_run: bool) -> Result:
    data = {
        "space": space,
        "stored": summary.stored,
        "unchanged": summary.unchanged,
        "bytes": summary.bytes,
        "notSafe": summary.not_safe,
        "reasons": summary.refusals,
        "conflicts": summary.conflicts,
        "outdated": summary.outdated,
        "failed": summary.failed,
        "dryRun": dry_run,
    }
    key = "results.would_be_stored" if dry_run else "results.stored"
    stored = translate(key, count=len(summary.stored))
    lines = [*map(visible, summary.stored)] if dry_run else []
    lines += [f"{stored} {translate('results.unchanged', count=summary.unchanged)}"]
    lines += summary.remarks()
    lines += [translate("results.not_safe", path=path) for path in summary.not_safe]
    lines += [problem.as_text() for problem in summary.failed]
    lines += summary.refusals
    if summary.not_safe:
        lines.append(translate("results.send_the_rest"))
    is_partial = summary.failed or summary.not_safe or summary.conflicts or summary.outdated
    return Result(data, "\n".join(lines), PARTLY_DONE if is_partial else 0)


def ls(
    place: Place,
    recursive: Annotated[bool, typer.Option("--recursive", "-r", help="options.recursive")] = False,
) -> Result:
    """Lists what is in a space."""
    parsed = parse_place(place)
    with vault() as opened:
        entries = list(opened.find(parsed.space).contents.walk(parsed.path))
    if not entries and parsed.path:
        raise ClientError(translate("errors.not_at", place=parsed), code="no_such_path")
    rows = [_row(entry) for entry in entries] if recursive else _top_level(entries, parsed.path)
    lines = [
        f"{_size(row):>12}  {row['modified'] or '':20}  {visible(row['path'])}" for row in rows
    ]
    return Result({"entries": rows}, "\n".join(lines))


Row = dict[str, object]


def _row(entry: Entry) -> Row:
    return {
        "path": entry.path,
        "type": entry.type,
        "size": entry.size,
        "modified": _iso_time(entry.modified),
    }


def _size(row: Row) -> str:
    """Only files have one, which may be 0."""
    return "-" if row["size"] is None else str(row["size"])


def _top_level(entries: Iterable[Entry], path: str) -> list[Row]:
    """Replaces everything deeper by the folders it is in."""
    prefix = f"{path}/" if path else ""
    shown: dict[str, Row] = {}
    for entry in entries:
        if entry.path == path:
            if entry.type != "folder":
                shown[path] = _row(entry)
            continue
        name, slash, _ = entry.path[len(prefix) :].partition("/")
        if not slash:
            shown[entry.path] = _row(entry)
        elif prefix + name not in shown:
            folder: Row = {"path": prefix + name, "type": "folder", "size": None, "modified": None}
            shown[prefix + name] = folder
    return list(shown.values())


def _iso_time(nanoseconds: int) -> str:
    day, second = divmod(nanoseconds // 10**9, 24 * 3600)
    return f"{_iso_date(day)}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


@cache
def _iso_date(day: int) -> str:
    """Many files of a folder were changed on the same day."""
    return (date(1970, 1, 1) + timedelta(day)).isoformat()


def rm(
    places: Annotated[list[str], typer.Argument(help="options.place", metavar="SPACE:/PATH...")],
    dry_run: DryRun = False,
) -> Result:
    """Removes files and folders from a space."""
    parsed = [parse_place(place) for place in places]
    removed = []
    with vault() as opened:
        if dry_run:
            return _list_removals(opened, parsed)
        for name in dict.fromkeys(place.space for place in parsed):
            space = opened.find(name)
            with writing(opened, space) as writer:
                for place in parsed:
                    if place.space == name:
                        _check_exists(space, place)
                        current = space.tree.current(place.path)
                        writer.add(Remove(place.path, current.sequence if current else 0))
                        removed.append(f"{name}:/{place.path}")
                writer.commit()
    data = {"removed": removed, "dryRun": False}
    return Result(data, translate("results.removed", count=len(removed)))


def _list_removals(opened: Vault, places: Iterable[SpacePath]) -> Result:
    """Everything that is in the folders too."""
    paths = []
    for place in places:
        space = opened.find(place.space)
        _check_exists(space, place)
        paths += [f"{place.space}:/{entry.path}" for entry in space.contents.walk(place.path)]
    lines = [*map(visible, paths), translate("results.would_be_removed", count=len(paths))]
    return Result({"removed": paths, "dryRun": True}, "\n".join(lines))


def mv(source: Place, target: Place, dry_run: DryRun = False) -> Result:
    """Moves or renames a file or folder within a space."""
    old, new = parse_place(source), parse_place(target)
    if old.space != new.space:
        raise WrongUsage.from_code("other_space")
    with vault() as opened:
        space = opened.find(old.space)
        _check_exists(space, old)
        path = new.path
        if _is_folder(space, path):
            path = new.below(old.name)
        if f"{path}/".startswith(f"{old.path}/"):
            raise WrongUsage.from_code("into_itself")
        if not dry_run:
            with writing(opened, space) as writer:
                writer.add(Move(old.path, path))
                writer.commit()
    moved = f"{old.space}:/{path}"
    key = "results.would_be_moved" if dry_run else "results.moved"
    return Result({"moved": moved, "dryRun": dry_run}, translate(key, place=moved))


def check_folder(space: Space, place: SpacePath) -> None:
    """A file must not be replaced by a folder of its name."""
    parts = place.path.split("/") if place.path else []
    for length in range(1, len(parts) + 1):
        path = "/".join(parts[:length])
        current = space.contents.current(path)
        if current and current.type != "folder":
            raise ClientError(
                translate("errors.stored_file", place=SpacePath(place.space, path)),
                code="not_a_folder",
            )


def _check_exists(space: Space, place: SpacePath) -> None:
    if not place.path:
        raise WrongUsage(translate("errors.whole_space"), code="bad_place")
    if next(space.contents.walk(place.path), None) is None:
        raise ClientError(translate("errors.not_at", place=place), code="no_such_path")


def _is_folder(space: Space, path: str) -> bool:
    if not path:
        return True
    first = next(space.contents.walk(path), None)
    return first is not None and (first.path != path or first.type == "folder")
