"""Which version of a space each file of this computer came from."""

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple
from uuid import UUID

from tessera_client.vault.index import Index, Origin
from tessera_core.changes import Move, Operation, Version
from tessera_core.files import Item
from tessera_core.tree import Tree


class Origins:
    """A version counts as seen by a file that was fetched from it or stored as it. By a file that
    was neither, only what was last stored from this computer."""

    def __init__(self, index: Index, space: UUID) -> None:
        self._index = index
        self._space = space
        # Many files of a run are in the same folder.
        self._real_folder = cache(os.path.realpath)
        rows = index.origins(space)
        self._files = {file: sequence for file, _, sequence, _ in rows}
        self._stored = {place: sequence for _, place, sequence, is_stored in rows if is_stored}

    def find(self, path: str, local: str) -> int | None:
        """The entry that a local file came from, if it is known."""
        return self._files.get(self._file(path, local))

    def is_version(self, tree: Tree, path: str, item: Item, local: str) -> bool:
        """Whether a local file came from a version with this very item."""
        sequence = self.find(path, local)
        versions = tree.versions.get(path, ()) if sequence else ()
        return any(version.sequence == sequence and version.item == item for version in versions)

    def is_seen(self, path: str, local: str, at: str, version: Version) -> bool:
        """Whether a local file that is stored at a path may replace what is at one."""
        known = self.find(path, local) if at == path else None
        if known is None:
            known = self._stored.get(self._index.name(self._space, at))
        return known == version.sequence

    def remember(self, files: Iterable["Seen"], *, is_stored: bool) -> None:
        rows = []
        for seen in files:
            file = self._file(seen.path, seen.local)
            if self._files.get(file) != seen.sequence:
                place = self._index.name(self._space, seen.path)
                rows.append(Origin(file, place, seen.sequence, is_stored))
        self._add(rows, is_stored=is_stored)

    def _add(self, rows: Sequence[Origin], *, is_stored: bool) -> None:
        if rows:
            self._index.add_origins(self._space, rows)
        self._files.update((row.file, row.sequence) for row in rows)
        if is_stored:
            self._stored.update((row.place, row.sequence) for row in rows)

    def remember_fetched(self, tree: Tree, files: Iterable[tuple[str, Item, str]]) -> None:
        """An earlier version may have been fetched."""
        origins = []
        for path, item, local in files:
            versions = tree.versions.get(path, ())
            sequences = [each.sequence for each in versions if each.item == item]
            if sequences:
                origins.append(Seen(path, local, sequences[-1]))
        self.remember(origins, is_stored=False)

    def find_moved(self, tree: Tree, operations: Iterable[Operation]) -> list[str]:
        """Where operations move what this computer has stored last at its path."""
        return [
            operation.target + path.removeprefix(operation.source)
            for operation in operations
            if isinstance(operation, Move)
            for path, _ in tree.walk(operation.source)
            if (version := tree.current(path))
            and self._stored.get(self._index.name(self._space, path)) == version.sequence
        ]

    def remember_moved(self, tree: Tree, moved: Iterable[str], sequence: int) -> None:
        """It stays known: who moves a file and stores a newer one there replaces nothing unseen."""
        rows = [
            Origin(place, place, version.sequence, is_stored=True)
            for target in moved
            for place in (self._index.name(self._space, target),)
            if (version := tree.current(target)) and version.sequence == sequence
        ]
        # The entry is stored: a full disk here must not look as if it were not.
        with suppress(sqlite3.Error):
            self._add(rows, is_stored=True)

    def _file(self, path: str, local: str) -> bytes:
        folder, name = os.path.split(local)
        return self._index.name(self._space, path, self._real_folder(folder), name)


class Seen(NamedTuple):
    path: str
    local: str
    sequence: int
