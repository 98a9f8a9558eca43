"""The files of the folder on this computer, read only where that is needed."""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tessera_client.sync.selection import relative_place
from tessera_client.sync.state import Known, Stamp
from tessera_client.vault.conflicts import is_same
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.put import describe_item
from tessera_client.vault.scan import FileChanged, LocalFile, Problem, scan_file
from tessera_client.vault.spaces import Space
from tessera_core.files import File, Folder, Item

# A file that changes while it is read is read again, this often at most.
READS = 3
# Within this time after a change, a further one may leave no trace in what the system tells.
_UNSURE_NANOSECONDS = 2 * 10**9
# Paths are checked as if they were in a folder of this name.
_ANY_FOLDER = "-"


@dataclass
class LocalEntry:
    file: LocalFile
    item: Item | None = None
    """Its content, once it is known."""
    read_at: int = 0

    @property
    def stamp(self) -> Stamp:
        return Stamp.of(self.file.status)

    def sure_stamp(self) -> Stamp:
        """What tells that the content is still the same."""
        changed = self.file.status.st_ctime_ns if os.name == "posix" else self.stamp.modified
        is_sure = self.read_at - changed > _UNSURE_NANOSECONDS
        return self.stamp if is_sure else self.stamp.not_sure()

    def read(self, read: Callable[[LocalFile], Item]) -> Item:
        """Reads it again if it changes meanwhile."""
        for attempt in range(READS):
            self.read_at = time.time_ns()
            try:
                self.item = read(self.file)
            except FileChanged:
                if attempt == READS - 1:
                    raise
                self.file = self.file._replace(status=self.file.local.lstat())
                if not self.file.is_file:
                    raise
            else:
                break
        assert self.item
        return self.item

    def learn(self, known: Known | None) -> None:
        """Takes the content over from the last common state if nothing has changed since."""
        if known and self.stamp == known.stamp and isinstance(known.item, File):
            self.item, self.read_at = known.item, time.time_ns()

    def is_same(self, item: Item | None, space: Space) -> bool:
        """Whether it has this content; reads only where size and kind leave that open."""
        if not self.file.is_file:
            return is_same(item, self.item or self.file.item())
        if not isinstance(item, File) or item.size != self.file.status.st_size:
            return False
        return is_same(item, self.item or self.read(lambda file: describe_item(space, file)))

    def is_changed(self, known: Known, space: Space) -> bool:
        """Since the last common state."""
        is_chmod = self.file.is_file and self.stamp.modes != known.stamp.modes
        return is_chmod or not self.is_same(known.item, space)


def scan_folder(
    folder: Path, patterns: Patterns, known: dict[str, Known]
) -> tuple[dict[str, LocalEntry], list[Problem]]:
    """Finds what is in the folder, and what cannot be read. Paths are below the folder."""
    entries, problems = dict[str, LocalEntry](), list[Problem]()
    root = LocalFile(str(folder), _ANY_FOLDER, folder.stat())
    for found in scan_file(root, "", patterns):
        if isinstance(found, Problem):
            problems.append(Problem(relative_place(found.path, folder), found.message))
        elif not (found.is_listed or found.is_private):
            continue  # A folder that its files imply.
        elif path := found.path.removeprefix(_ANY_FOLDER).removeprefix("/"):
            entries[path] = LocalEntry(found._replace(path=path))
            entries[path].learn(known.get(path))
    return entries, problems


def add_folders(
    entries: dict[str, LocalEntry], folder: Path, items: Iterable[tuple[str, Item]]
) -> None:
    """The scan names only folders that are empty or private; others exist as well."""
    for path, item in items:
        if isinstance(item, Folder) and path not in entries:
            place = folder / path
            try:
                file = LocalFile(str(place), path, place.lstat())
            except (OSError, ValueError):
                continue
            if file.is_folder:
                entries[path] = LocalEntry(file)
