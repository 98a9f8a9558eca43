"""Stores what is new or changed on this computer in a space."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tessera_client.errors import ClientError, describe
from tessera_client.texts import translate
from tessera_client.vault.changes import START_OVER, ChangeWriter, writing
from tessera_client.vault.contents import Contents, Entry
from tessera_client.vault.progress import Advance, ShowProgress
from tessera_client.vault.scan import FileChanged, LocalFile, Problem, read_chunks, scan
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.changes import Put
from tessera_core.files import File, Item, Link

_MAX_RUNS = 3


@dataclass
class PutSummary:
    stored: list[str] = field(default_factory=list)
    unchanged: int = 0
    bytes: int = 0
    not_safe: list[str] = field(default_factory=list)
    failed: list[Problem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    """What happened on the way."""


@dataclass(frozen=True)
class LocalChanges:
    """What is to be stored, and what cannot be."""

    files: list[LocalFile]
    unchanged: int
    failed: list[Problem]

    @property
    def bytes(self) -> int:
        return sum(file.status.st_size for file in self.files if file.is_file)


def store(
    vault: Vault,
    space: Space,
    pairs: Sequence[tuple[Path, str]],
    exclude: Sequence[str],
    show: ShowProgress,
    *,
    dry_run: bool = False,
) -> PutSummary:
    """Stores what is new or changed; starts over if keys or packs were lost meanwhile."""
    notices: list[str] = []
    for _ in range(_MAX_RUNS):
        changes = find_changes(space.contents, pairs, exclude, space.surely_holds)
        summary = PutSummary(unchanged=changes.unchanged, failed=changes.failed, notices=notices)
        if dry_run:
            summary.stored = [file.path for file in changes.files]
            summary.bytes = changes.bytes
            return summary
        try:
            with show(translate("progress.storing"), changes.bytes) as advance:
                _store(vault, space, changes.files, summary, advance)
        except START_OVER:
            notices.append(translate("notices.starting_over"))
            space.sync()
            continue
        return summary
    raise ClientError.from_code("space_busy")


def find_changes(
    stored: Contents,
    pairs: Sequence[tuple[Path, str]],
    exclude: Sequence[str],
    surely_holds: Callable[[str], bool],
) -> LocalChanges:
    """Looks for what the space does not have in this form. That a colleague says so is not
    enough: `surely_holds` tells whether the content at a path is known to be there."""
    scanned = [item for source, path in pairs for item in scan(source, path, exclude)]
    files = [item for item in scanned if isinstance(item, LocalFile)]
    changed = [
        file
        for file in files
        if not _is_unchanged(file, stored.current(file.path))
        or (file.is_file and not surely_holds(file.path))
    ]
    failed = [item for item in scanned if isinstance(item, Problem)]
    return LocalChanges(changed, len(files) - len(changed), failed)


def _store(
    vault: Vault,
    space: Space,
    files: Sequence[LocalFile],
    summary: PutSummary,
    advance: Advance,
) -> None:
    with writing(vault, space) as writer:
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
        summary.notices.append(translate("notices.unretired", count=result.unretired))
    # Also if nothing changed: an earlier run may have been killed before it.
    space.flush()


def _read(writer: ChangeWriter, file: LocalFile, advance: Advance) -> Item:
    if not file.is_file:
        return file.item()
    chunks, size = [], 0
    for chunk in read_chunks(file):
        chunks.append(writer.add_chunk(chunk))
        size += len(chunk)
        advance(len(chunk))
    return File(size, file.status.st_mtime_ns, file.is_executable, tuple(chunks), file.is_private)


def _is_unchanged(file: LocalFile, entry: Entry | None) -> bool:
    if entry is None:
        return False
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
