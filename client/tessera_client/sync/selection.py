"""Which paths take part: patterns, subfolders that are left out, and names that cannot be kept."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tessera_client.texts import translate
from tessera_client.vault.disk_names import disk_name, folded_name
from tessera_client.vault.patterns import (
    IGNORE_FILE,
    Patterns,
    UnusableIgnoreFile,
    read_ignore_file,
)
from tessera_client.vault.scan import Problem

TRASH = ".tess-trash"
# The trash of this folder, and files that are being fetched.
OWN_PATTERNS = (f"/{TRASH}", f".{'[0-9a-f]' * 16}.tess")


class Selection:
    """What the patterns and the ignore files of a folder say about any path below it."""

    def __init__(self, folder: Path, patterns: Patterns) -> None:
        self.patterns = patterns
        self._folder = folder
        self._inside = cache(self._load_inside)

    def takes(self, path: str, *, is_folder: bool) -> bool:
        if is_folder and self.patterns.include:
            return False
        patterns = self._inside(path.rpartition("/")[0])
        return patterns is not None and not patterns.leaves_out(path, is_folder=is_folder)

    def _load_inside(self, folder: str) -> Patterns | None:
        """Returns what holds in a folder; None if it is left out."""
        patterns: Patterns | None = self.patterns
        if folder:
            patterns = self._inside(folder.rpartition("/")[0])
            if patterns is None or patterns.leaves_out(folder, is_folder=True):
                return None
        try:
            lines = read_ignore_file(self._folder / folder / IGNORE_FILE)
        except (OSError, UnusableIgnoreFile, ValueError):
            return patterns
        assert patterns is not None
        return patterns.below(f"{folder}/" if folder else "", lines)


def find_unusable(
    local: Iterable[str], stored: Iterable[str], known: Iterable[str]
) -> Iterator[Problem]:
    """Yields files and folders whose names are not clear on every system, or impossible on this
    one. What was there first keeps its name."""
    siblings: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in {*local, *stored}:
        for prefix in _prefixes(path):
            parent, _, name = prefix.rpartition("/")
            siblings[parent, folded_name(name, "win32")].add(prefix)
    settled = {prefix for path in known for prefix in _prefixes(path)}
    for group in siblings.values():
        for prefix in sorted(group):
            name = prefix.rpartition("/")[2]
            if disk_name(name) != name:
                yield Problem(prefix, translate("sync.name_impossible"))
            elif len(group) > 1 and (prefix not in settled or len(group & settled) > 1):
                other = next(each for each in sorted(group) if each != prefix)
                yield Problem(prefix, translate("sync.name_taken", other=other))


def _prefixes(path: str) -> Iterator[str]:
    """The path itself, and the folders above it."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def is_within(path: str, folders: set[str]) -> bool:
    """Whether a path is one of some, or below it."""
    return any(prefix in folders for prefix in _prefixes(path))


def relative_place(place: str, folder: Path) -> str:
    """The path of something on this computer below the folder."""
    return os.path.relpath(place, folder).replace(os.sep, "/")
