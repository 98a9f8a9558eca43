"""Storing, listing and fetching files."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import Place, SpacePath, parse_place
from tessera_client.commands.progress import ShowProgress, progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import ClientError, WrongUsage, describe
from tessera_client.texts import translate, visible
from tessera_client.vault.changes import START_OVER, ChangeWriter, writing
from tessera_client.vault.contents import Contents, Entry
from tessera_client.vault.disk_names import Renamed, disk_name
from tessera_client.vault.restore import Restored, Restorer
from tessera_client.vault.scan import FileChanged, LocalFile, Problem, read_chunks, scan
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.changes import Move, Put, Remove
from tessera_core.files import File, Item, Link

PARTLY_DONE = 4

Bandwidth = Annotated[str | None, typer.Option(help="options.bandwidth", metavar="RATE")]
Exclude = Annotated[list[str] | None, typer.Option(help="options.exclude", metavar="PATTERN")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="options.dry_run")]

_MAX_RUNS = 3


@dataclass
class PutSummary:
    stored: list[str] = field(default_factory=list)
    unchanged: int = 0
    bytes: int = 0
    not_safe: list[str] = field(default_factory=list)
    failed: list[Problem] = field(default_factory=list)

    def result(self, space: str, *, dry_run: bool = False) -> Result:
        data = {
            "space": space,
            "stored": self.stored,
            "unchanged": self.unchanged,
            "bytes": self.bytes,
            "notSafe": self.not_safe,
            "failed": [problem.as_json() for problem in self.failed],
            "dryRun": dry_run,
        }
        key = "results.would_be_stored" if dry_run else "results.stored"
        stored = translate(key, count=len(self.stored))
        lines = [f"{stored} {translate('results.unchanged', count=self.unchanged)}"]
        lines += [translate("results.not_safe", path=path) for path in self.not_safe]
        lines += [each.as_text() for each in self.failed]
        return Result(data, "\n".join(lines), PARTLY_DONE if self.failed or self.not_safe else 0)


@dataclass(frozen=True)
class LocalChanges:
    """What is to be stored, and what cannot be."""

    files: list[LocalFile]
    unchanged: int
    failed: list[Problem]

    @property
    def bytes(self) -> int:
        return sum(file.status.st_size for file in self.files if file.is_file)


def put(
    sources: Annotated[list[Path], typer.Argument(help="options.sources", metavar="SRC...")],
    target: Place,
    exclude: Exclude = None,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Stores files and folders in a space."""
    place = parse_place(target)
    missing = [source for source in sources if not source.exists() and not source.is_symlink()]
    if missing:
        raise WrongUsage(translate("errors.no_such_file", path=missing[0]), code="no_such_file")
    pairs = [(source, place.below(source.absolute().name)) for source in sources]
    with vault(bandwidth) as opened:
        space = opened.find(place.space)
        _check_folder(space, place)
        return store(opened, space, pairs, exclude or [], dry_run=dry_run).result(
            space.name, dry_run=dry_run
        )


def store(
    opened: Vault,
    space: Space,
    pairs: Sequence[tuple[Path, str]],
    exclude: Sequence[str],
    *,
    dry_run: bool = False,
    show: ShowProgress = progress,
) -> PutSummary:
    """Stores what is new or changed; starts over if keys or packs were lost meanwhile."""
    for _ in range(_MAX_RUNS):
        found = find_changes(space.contents, pairs, exclude, space.surely_holds)
        summary = PutSummary(unchanged=found.unchanged, failed=found.failed)
        if dry_run:
            summary.stored = [file.path for file in found.files]
            summary.bytes = found.bytes
            return summary
        try:
            with show(translate("progress.storing"), found.bytes) as advance:
                _store(opened, space, found.files, summary, advance)
        except START_OVER:
            notice(translate("notices.starting_over"))
            space.sync()
            continue
        return summary
    raise ClientError(translate("errors.space_busy"), code="space_busy")


def find_changes(
    stored: Contents,
    pairs: Sequence[tuple[Path, str]],
    exclude: Sequence[str],
    surely_holds: Callable[[str], bool],
) -> LocalChanges:
    """Looks for what the space does not have in this form. That a colleague says so is not
    enough: `surely_holds` tells whether the content at a path is known to be there."""
    found = [each for source, path in pairs for each in scan(source, path, exclude)]
    files = [each for each in found if isinstance(each, LocalFile)]
    changed = [
        file
        for file in files
        if not _is_unchanged(file, stored.current(file.path))
        or (file.is_file and not surely_holds(file.path))
    ]
    failed = [each for each in found if isinstance(each, Problem)]
    return LocalChanges(changed, len(files) - len(changed), failed)


def _store(
    opened: Vault,
    space: Space,
    files: Sequence[LocalFile],
    summary: PutSummary,
    advance: Callable[[int], None],
) -> None:
    with writing(opened, space) as writer:
        for file in files:
            try:
                item = _read(writer, file, advance)
            except OSError as error:
                summary.failed.append(Problem(str(file.local), describe(error)))
                continue
            except FileChanged as error:
                summary.failed.append(Problem(str(file.local), str(error)))
                continue
            current = space.tree.current(file.path)
            writer.add(Put(file.path, current.sequence if current else 0, item))
            summary.bytes += item.size if isinstance(item, File) else 0
        writer.commit()
    result = writer.result
    summary.stored, summary.not_safe = result.stored, result.not_safe
    summary.failed += [Problem(path, translate("errors.not_stored")) for path in result.not_stored]
    if result.unretired:
        notice(translate("notices.unretired", count=result.unretired))
    # Also if nothing changed: an earlier run may have been killed before it.
    space.flush()


def _read(writer: ChangeWriter, file: LocalFile, advance: Callable[[int], None]) -> Item:
    if not file.is_file:
        return file.item()
    chunks, size = [], 0
    for chunk in read_chunks(file):
        chunks.append(writer.add_chunk(chunk))
        size += len(chunk)
        advance(len(chunk))
    return File(size, file.status.st_mtime_ns, file.is_executable, tuple(chunks), file.is_private)


def _is_unchanged(file: LocalFile, stored: Entry | None) -> bool:
    if stored is None:
        return False
    if file.is_file:
        status = file.status
        known = (stored.size, stored.modified, stored.executable, stored.private)
        found = (status.st_size, status.st_mtime_ns, file.is_executable, file.is_private)
        return known == found
    item = file.item()
    if isinstance(item, Link):
        return (stored.modified, stored.target) == (item.modified, item.target)
    return stored.type == "folder" and stored.private == file.is_private


def get(
    source: Place,
    out: Annotated[Path, typer.Argument(help="options.out", metavar="OUT")],
    bandwidth: Bandwidth = None,
) -> Result:
    """Fetches a file or a folder from a space."""
    place = parse_place(source)
    with vault(bandwidth) as opened:
        space = opened.find(place.space)
        return fetch(space, place, list(space.tree.walk(place.path)), out)


def fetch(space: Space, place: SpacePath, items: Sequence[tuple[str, Item]], out: Path) -> Result:
    """Like cp: into a folder that exists, else under the name given."""
    if not items:
        raise ClientError(translate("errors.not_at", place=place), code="no_such_path")
    renamed: list[Renamed] = []
    if place.path and out.is_dir():
        out /= disk_name(place.name)
        if out.name != place.name:
            renamed.append(Renamed(place.path, out.name))
    relative = [(path[len(place.path) :].lstrip("/"), item) for path, item in items]
    total = sum(item.size for _, item in items if isinstance(item, File))
    with progress(translate("progress.fetching"), total) as advance:
        restorer = Restorer(space.reader(), space.chunk_places(), advance)
        restored = restorer.restore(relative, out)
    restored.renamed[:0] = renamed
    return restored_result(restored, {"out": str(out)})


def restored_result(restored: Restored, extra: dict[str, object]) -> Result:
    data = {
        **extra,
        "files": restored.files,
        "bytes": restored.bytes,
        "failed": [problem.as_json() for problem in restored.failed],
        "renamed": [renamed.as_json() for renamed in restored.renamed],
    }
    lines = [translate("results.fetched", count=restored.files)]
    lines += [
        translate("results.renamed", path=each.path, name=each.name) for each in restored.renamed
    ]
    lines += [each.as_text() for each in restored.failed]
    failed = 0
    if restored.failed:
        failed = PARTLY_DONE if restored.files else 1
    return Result(data, "\n".join(lines), failed)


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
        f"{row['size'] or '-':>12}  {row['modified'] or '':20}  {visible(row['path'])}"
        for row in rows
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
) -> Result:
    """Removes files and folders from a space."""
    parsed = [parse_place(place) for place in places]
    removed = []
    with vault() as opened:
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
    return Result({"removed": removed}, translate("results.removed", count=len(removed)))


def mv(source: Place, target: Place) -> Result:
    """Moves or renames a file or folder within a space."""
    old, new = parse_place(source), parse_place(target)
    if old.space != new.space:
        raise WrongUsage(translate("errors.other_space"), code="other_space")
    with vault() as opened:
        space = opened.find(old.space)
        _check_exists(space, old)
        path = new.path
        if not path or _is_folder(space, path):
            path = new.below(old.name)
        if f"{path}/".startswith(f"{old.path}/"):
            raise WrongUsage(translate("errors.into_itself"), code="into_itself")
        with writing(opened, space) as writer:
            writer.add(Move(old.path, path))
            writer.commit()
    moved = f"{old.space}:/{path}"
    return Result({"moved": moved}, translate("results.moved", place=moved))


def _check_folder(space: Space, place: SpacePath) -> None:
    """A file must not be replaced by a folder of its name."""
    parts = place.path.split("/")
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
    first = next(space.contents.walk(path), None)
    return first is not None and (first.path != path or first.type == "folder")
