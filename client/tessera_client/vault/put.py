"""Stores what is new or changed on this computer in a space."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import time_ns
from typing import BinaryIO, NamedTuple, TypeVar

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_client.vault.changes import START_OVER, ChangeWriter, seen_until, writing
from tessera_client.vault.conflicts import Conflict, Intent, IsSeen, displaced, is_same, settle
from tessera_client.vault.contents import Entry, make_entry
from tessera_client.vault.members import person_names
from tessera_client.vault.origins import Seen
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.progress import Advance, ShowProgress
from tessera_client.vault.scan import FileChanged, LocalFile, Problem, Unreadable, read_chunks, scan
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.changes import Put
from tessera_core.chunks import CHUNK_BYTES, chunk_id
from tessera_core.files import File, Folder, Item, Link

STANDARD_INPUT = "-"

_MAX_RUNS = 3


@dataclass
class PutSummary:
    stored: list[str] = field(default_factory=list)
    unchanged: int = 0
    bytes: int = 0
    not_safe: list[str] = field(default_factory=list)
    failed: list[Problem] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    """Which warehouses do not have all pieces, and why."""
    conflicts: list[Conflict] = field(default_factory=list)
    """What was replaced without having been seen here, and where it is now."""
    outdated: list[str] = field(default_factory=list)
    """Files that did not change here, while the space got a newer version."""
    notices: list[str] = field(default_factory=list)
    """What happened on the way."""

    def remarks(self) -> list[str]:
        """What somebody should look at although it did not fail."""
        outdated = (translate("results.outdated", path=path) for path in self.outdated)
        return [*(conflict.as_text() for conflict in self.conflicts), *outdated]


Summary = TypeVar("Summary", bound=PutSummary)


@dataclass(frozen=True)
class PutOptions:
    patterns: Patterns = field(default_factory=Patterns)
    by_content: bool = False
    """Compares contents, and not times and sizes."""
    replace: bool = False
    """Replaces what the space holds now knowingly."""
    dry_run: bool = False


@dataclass(frozen=True)
class LocalChanges:
    """What is to be stored, and what cannot be."""

    files: list[LocalFile]
    unchanged: list[Seen]
    outdated: list[str]
    failed: list[Problem]

    @property
    def listed(self) -> list[str]:
        return [file.path for file in self.files if file.is_listed]

    @property
    def bytes(self) -> int:
        return sum(file.status.st_size for file in self.files if file.is_file)


def store(
    vault: Vault,
    space: Space,
    pairs: Sequence[tuple[Path, str]],
    options: PutOptions,
    show: ShowProgress,
) -> PutSummary:
    """Stores what is new or changed."""
    notices: list[str] = []

    def run() -> PutSummary:
        changes = find_changes(space, pairs, options)
        summary = PutSummary(
            unchanged=len(changes.unchanged),
            failed=changes.failed,
            outdated=changes.outdated,
            notices=notices,
        )
        if options.dry_run:
            summary.stored = changes.listed
            summary.bytes = changes.bytes
            summary.conflicts = _find_conflicts(space, changes.files, options)
            return summary
        with show(translate("progress.storing"), changes.bytes) as advance:
            _store(vault, space, changes, summary, advance, options=options)
        return summary

    return with_restarts(space, notices, run)


def with_restarts(space: Space, notices: list[str], run: Callable[[], Summary]) -> Summary:
    """Starts over if keys or packs were lost meanwhile."""
    for _ in range(_MAX_RUNS):
        try:
            return run()
        except START_OVER:
            notices.append(translate("notices.starting_over"))
            space.sync()
    raise ClientError.from_code("space_busy")


def store_stream(
    vault: Vault,
    space: Space,
    path: str,
    stream: BinaryIO,
    show: ShowProgress,
    *,
    options: PutOptions,
) -> PutSummary:
    """Stores what can be read only once, and whose size nobody knows."""
    summary = PutSummary()
    if options.dry_run:
        summary.stored = [path]
        return summary
    is_seen = _seen_by(space, options)(STANDARD_INPUT, path)
    try:
        with show(translate("progress.storing"), 0) as advance, writing(vault, space) as writer:
            writer.resume_uploads()
            chunks, size = add_chunks(writer, iter(partial(stream.read, CHUNK_BYTES), b""), advance)
            item = File(size, time_ns(), executable=False, chunks=chunks)
            writer.add(Put(path, 0, item), is_seen)
            writer.commit()
    except START_OVER:
        raise ClientError.from_code("stream_lost") from None
    summary.bytes = size
    note_result(space, writer, summary, {path: STANDARD_INPUT})
    space.flush()
    return summary


def find_changes(
    space: Space, pairs: Sequence[tuple[Path, str]], options: PutOptions
) -> LocalChanges:
    """Looks for what the space does not have in this form. That a colleague says so is not
    enough: `surely_holds` tells whether the content at a path is known to be there."""
    stored = space.contents
    scanned = [item for source, path in pairs for item in scan(source, path, options.patterns)]
    problems = [item for item in scanned if isinstance(item, Problem)]
    changes = LocalChanges([], [], [], problems)
    paths, aged = set[str](), list[LocalFile]()
    for file in scanned:
        if isinstance(file, Problem):
            continue
        entry = stored.current(file.path)
        if file.path in paths:
            changes.failed.append(Problem(file.place, translate("errors.name_given_twice")))
        elif (
            entry
            and _is_unchanged(space, file, entry, options)
            and (not file.is_file or space.surely_holds(file.path))
        ):
            if file.is_listed:
                changes.unchanged.append(Seen(file.path, file.place, entry.sequence))
            elif entry.modified != file.status.st_mtime_ns:
                aged.append(file)
        elif entry and not options.replace and _is_outdated(space, file, entry):
            changes.outdated.append(file.path)
        else:
            changes.files.append(file)
        paths.add(file.path)
    # What is left out changes the time of its folder too: that alone is no reason to write.
    changed = {file.path.rpartition("/")[0] for file in changes.files}
    changes.files.extend(folder for folder in aged if folder.path in changed)
    return changes


def _store(
    vault: Vault,
    space: Space,
    changes: LocalChanges,
    summary: PutSummary,
    advance: Advance,
    *,
    options: PutOptions,
) -> None:
    with writing(vault, space) as writer:
        writer.resume_uploads()
        files = (
            Storable(file.place, file.path, partial(store_item, writer, file, advance))
            for file in changes.files
        )
        try:
            add_all(space, writer, files, summary, options)
            writer.commit()
        finally:
            local = {file.path: file.place for file in changes.files}
            note_result(space, writer, summary, local)
            listed = {*changes.listed}
            summary.stored = [path for path in summary.stored if path in listed]
    # What equals the stored version counts as come from it, however it got here.
    space.origins.remember(changes.unchanged, is_stored=False)
    # Also if nothing changed: an earlier run may have been killed before it.
    space.flush()


class Storable(NamedTuple):
    place: str
    """Where it comes from."""
    path: str
    read: Callable[[], Item]
    """Stores its content."""


def add_all(
    space: Space,
    writer: ChangeWriter,
    files: Iterable[Storable],
    summary: PutSummary,
    options: PutOptions,
) -> None:
    """Stores what can be read, and names the rest."""
    seen_by = _seen_by(space, options)
    for place, path, read in files:
        try:
            item = read()
        except OSError as error:
            summary.failed.append(Problem(place, describe(error)))
        except Unreadable as error:
            summary.failed.append(Problem(place, str(error)))
        else:
            is_new = space.tree.current(path) is None
            base = 0 if is_new else space.origins.find(path, place) or 0
            writer.add(Put(path, base, item), seen_by(place, path))
            summary.bytes += item.size if isinstance(item, File) else 0


def note_result(
    space: Space, writer: ChangeWriter, summary: PutSummary, local: dict[str, str]
) -> None:
    result = writer.result
    summary.stored, summary.not_safe = result.stored, result.not_safe
    summary.conflicts, summary.refusals = result.conflicts, writer.refusals
    summary.failed += [Problem(path, translate("errors.not_stored")) for path in result.not_stored]
    if result.unretired:
        summary.notices.append(translate("notices.unretired", count=result.unretired))
    seen = [
        Seen(path, local[path], sequence)
        for path, sequence in result.sequences.items()
        if path in local
    ]
    space.origins.remember(seen, is_stored=True)


def _seen_by(space: Space, options: PutOptions) -> Callable[[str, str], IsSeen]:
    """Returns what a local file that is stored at a path may replace."""
    if options.replace:
        all_until_now = seen_until(space)
        return lambda _, __: all_until_now
    origins = space.origins
    return lambda local, path: partial(origins.is_seen, path, local)


def _find_conflicts(
    space: Space, files: Iterable[LocalFile], options: PutOptions
) -> list[Conflict]:
    """What would be kept under another name."""
    seen_by, intents = _seen_by(space, options), list[Intent]()
    for file in files:
        anything = File(0, 0, executable=False, chunks=()) if file.is_file else Folder(0)
        if any(displaced(space.tree, Put(file.path, 0, anything))):
            with suppress(OSError, FileChanged):
                item = describe_item(space, file)
                intents.append(Intent(Put(file.path, 0, item), seen_by(file.place, file.path)))
    return settle(space.tree, intents, person_names(space.account))[1]


def store_item(writer: ChangeWriter, file: LocalFile, advance: Advance) -> Item:
    """Stores the content of a file, and describes it."""
    if not file.is_file:
        return file.item()
    chunks, size = add_chunks(writer, read_chunks(file), advance)
    return _file(file, chunks, size)


def add_chunks(
    writer: ChangeWriter, chunks: Iterable[bytes], advance: Advance
) -> tuple[tuple[bytes, ...], int]:
    identifiers, size = [], 0
    for chunk in chunks:
        identifiers.append(writer.add_chunk(chunk))
        size += len(chunk)
        advance(len(chunk))
    return tuple(identifiers), size


def describe_item(space: Space, file: LocalFile) -> Item:
    """Reads a file without storing it."""
    if not file.is_file:
        return file.item()
    key, chunks, size = space.keyring.chunk_id_key, list[bytes](), 0
    for chunk in read_chunks(file):
        chunks.append(chunk_id(key, chunk))
        size += len(chunk)
    return _file(file, tuple(chunks), size)


def _file(file: LocalFile, chunks: tuple[bytes, ...], size: int) -> File:
    return File(size, file.status.st_mtime_ns, file.is_executable, chunks, file.is_private)


def _is_unchanged(space: Space, file: LocalFile, entry: Entry, options: PutOptions) -> bool:
    if options.by_content and file.is_file:
        if (entry.size, entry.executable, entry.private) != (
            file.status.st_size, file.is_executable, file.is_private
        ):  # fmt: skip
            return False
        version = space.tree.current(file.path)
        with suppress(OSError, FileChanged):  # Storing it says what is wrong.
            return version is not None and is_same(version.item, describe_item(space, file))
        return False
    return _looks_like(file, entry)


def _is_outdated(space: Space, file: LocalFile, entry: Entry) -> bool:
    """Whether a file is still what it was fetched or stored as, while the space got a newer one."""
    origin = space.origins.find(file.path, file.place)
    if origin in {None, entry.sequence}:
        return False
    versions = space.tree.versions.get(file.path, ())
    return any(
        version.item is not None
        and version.sequence == origin
        and _looks_like(file, make_entry(file.path, version.item, origin))
        for version in versions
    )


def _looks_like(file: LocalFile, entry: Entry) -> bool:
    if file.is_file:
        status = file.status
        stored = (entry.size, entry.modified, entry.executable, entry.private)
        return stored == (
            status.st_size, status.st_mtime_ns, file.is_executable, file.is_private
        )  # fmt: skip
    item = file.item()
    if isinstance(item, Link):
        return (entry.modified, entry.target) == (item.modified, item.target)
    return entry.type == "folder" and entry.private == file.is_private
