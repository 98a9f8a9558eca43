"""Moves files in from elsewhere, and compares what the space holds afterwards with the source."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.changes import ChangeWriter, writing
from tessera_client.vault.import_sources import Content, Source, SourceItem
from tessera_client.vault.progress import Advance, ShowProgress
from tessera_client.vault.put import (
    PutOptions,
    PutSummary,
    Storable,
    add_all,
    add_chunks,
    note_result,
    with_restarts,
)
from tessera_client.vault.scan import FileChanged, Problem, Unreadable, name_problem
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.errors import Malformed
from tessera_core.files import File, Folder, Item, Link, encode_item


@dataclass
class ImportSummary(PutSummary):
    compared: int = 0
    differences: list[Problem] = field(default_factory=list)
    """What the source lists, and the space does not hold in the same form."""


def import_files(
    vault: Vault,
    space: Space,
    target: tuple[Source, str],
    options: PutOptions,
    show: ShowProgress,
) -> ImportSummary:
    """Stores a source's files in a folder, except those that this computer has moved in before."""
    listing, notices = _Listing(space, *target), list[str]()

    def run() -> ImportSummary:
        paths = [path for path in listing.items if not listing.is_unchanged(path)]
        files = listing.without_folders(paths)
        unchanged = len(listing.without_folders(listing.items)) - len(files)
        failed = [*listing.failed]
        summary = ImportSummary(unchanged=unchanged, failed=failed, notices=notices)
        if options.dry_run:
            summary.stored = files
            return summary
        total = sum(listing.items[path].size or 0 for path in files)
        with show(translate("progress.storing"), total) as advance, writing(vault, space) as writer:
            writer.resume_uploads()
            try:
                found = _read_all(writer, listing, paths, failed, advance)
                add_all(space, writer, found, summary, options)
                writer.commit()
            finally:
                note_result(space, writer, summary, {path: listing.place(path) for path in paths})
        space.flush()
        summary.stored = listing.without_folders(summary.stored)
        summary.compared = len(listing.items)
        summary.differences = list(listing.differences())
        return summary

    return with_restarts(space, notices, run)


class _Listing:
    """What a source lists, by its paths in the space."""

    def __init__(self, space: Space, source: Source, folder: str) -> None:
        self.source = source
        self.items: dict[str, SourceItem] = {}
        self.failed: list[Problem] = []
        self._space = space
        for item in source.list():
            path = f"{folder}/{item.path}" if folder else item.path
            problem = name_problem(path)
            if item.kind == "other":
                problem = translate("errors.not_this_kind")
            elif path in self.items:
                problem = translate("errors.name_given_twice")
            if problem:
                self.failed.append(Problem(item.path, problem))
            else:
                self.items[path] = item

    def place(self, path: str) -> str:
        """Stands for a local file: this computer remembers which version came from it."""
        return f"/{self.source.name}/{self.items[path].path}"

    def without_folders(self, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if self.items[path].kind != "folder"]

    def is_unchanged(self, path: str) -> bool:
        """That a member stored something of the same size and time is not enough."""
        if self._difference(path):
            return False
        entry, kind = self._space.contents.current(path), self.items[path].kind
        is_known = entry and self._space.origins.find(path, self.place(path)) == entry.sequence
        return kind == "folder" or bool(
            is_known and (kind == "link" or self._space.surely_holds(path))
        )

    def differences(self) -> Iterator[Problem]:
        for path in self.items:
            if reason := self._difference(path):
                yield Problem(path, reason)

    def _difference(self, path: str) -> str | None:
        item, entry = self.items[path], self._space.contents.current(path)
        if entry is None or entry.type != item.kind:
            return translate("errors.not_moved")
        if item.size not in {None, entry.size}:
            return translate("errors.size_differs")
        has_time = item.kind != "folder" or self.source.has_folder_times
        if has_time and item.modified != entry.modified:
            return translate("errors.time_differs")
        return None


def _read_all(
    writer: ChangeWriter,
    listing: _Listing,
    wanted: Sequence[str],
    failed: list[Problem],
    advance: Advance,
) -> Iterator[Storable]:
    files = {}
    for path in wanted:
        item = listing.items[path]
        if item.kind == "folder":
            folder = Folder(item.modified, item.private)
            yield Storable(listing.place(path), path, lambda folder=folder: folder)  # type: ignore[misc]
        else:
            files[item] = path
    try:
        for item, content in listing.source.open(list(files)) if files else ():
            read = partial(_read, writer, item, content, advance)
            yield Storable(listing.place(files[item]), files[item], read)
    except ClientError as error:
        # What came before it is stored.
        failed.append(Problem(listing.source.name, str(error)))


def _read(writer: ChangeWriter, item: SourceItem, content: Content | str, advance: Advance) -> Item:
    if isinstance(content, str):
        try:
            link = Link(item.modified, content)
            encode_item(link)
        except (Malformed, UnicodeEncodeError):
            raise Unreadable(translate("errors.name_not_storable")) from None
        return link
    chunks, size = add_chunks(writer, iter(partial(content.read, CHUNK_BYTES), b""), advance)
    if item.size not in {None, size}:
        raise FileChanged
    return File(size, item.modified, item.executable, chunks, item.private)
