"""Changes the folder as the space has changed."""

import os
from collections.abc import Mapping

from tessera_client.sync.comparison import Comparison, having
from tessera_client.sync.plan import Step, is_file
from tessera_client.sync.state import Known, Stamp
from tessera_client.texts import translate
from tessera_client.vault.progress import ShowProgress
from tessera_client.vault.restore import Restorer
from tessera_client.vault.scan import FileChanged, Problem
from tessera_core.changes import Version
from tessera_core.files import File, Folder, Item


class Fetcher:
    def __init__(self, view: Comparison, show: ShowProgress) -> None:
        self._view, self._show = view, show

    def settle(self, steps: Mapping[str, Step]) -> None:
        """Notes what both sides agree on."""
        for path in having(steps, Step.SAME):
            current = self._view.current(path)
            assert current
            assert current.item
            self._view.known[path] = Known(
                current.item, current.sequence, self._view.local[path].sure_stamp()
            )
        for path in having(steps, Step.FORGET):
            del self._view.known[path]
        self._view.save()

    def discard(self, steps: Mapping[str, Step]) -> None:
        for path in reversed(having(steps, Step.DISCARD)):
            with self._view.noting(path):
                entry = self._view.local[path]
                if entry.file.is_folder:
                    self._view.disk.remove_folder(path)
                else:
                    self._view.disk.discard(path, entry.stamp)
                    self._view.summary.discarded.append(path)
                del self._view.known[path]
                self._remove_empty(path)
        for path in self._view.summary.moved:
            self._remove_empty(path)

    def _remove_empty(self, path: str) -> None:
        """Removes the folders above a path that hold nothing any more, here and in the space."""
        while path := path.rpartition("/")[0]:
            current = self._view.current(path)
            is_folder = not is_file(current.item if current else None)
            if is_folder and any(self._view.space.tree.walk(self._view.prefix + path)):
                return
            self._view.disk.remove_folder(path)

    def fetch(self, steps: Mapping[str, Step]) -> None:
        for path in having(steps, Step.SET_MODE):
            with self._view.noting(path):
                version = self._view.current(path)
                assert version
                assert isinstance(version.item, File)
                self._view.disk.set_mode(path, version.item, self._view.local[path].stamp)
                self._note_fetched(path, version)
        wanted = {path: version for path in having(steps, Step.FETCH)
                  if (version := self._view.current(path)) and version.item}  # fmt: skip
        for path, version in wanted.items():
            with self._view.noting(path):
                self._make_way(path, version.item)
        if not wanted:
            return
        total = sum(each.item.size for each in wanted.values() if isinstance(each.item, File))
        with self._show(translate("progress.fetching"), total) as advance:
            restorer = Restorer(
                self._view.space.reader(), self._view.space.chunk_places(), advance,
                overwrite=True, check=self._check_unchanged,
            )  # fmt: skip
            items = [(path, each.item) for path, each in wanted.items() if each.item]
            restored = restorer.restore(items, self._view.disk.root)
        in_the_way = translate("sync.in_the_way")
        self._view.skip([*restored.failed, *(Problem(path, in_the_way) for path in restored.kept)])
        for path in (
            wanted.keys() - {problem.path for problem in restored.failed} - {*restored.kept}
        ):
            self._note_fetched(path, wanted[path])

    def _make_way(self, path: str, item: Item | None) -> None:
        """A folder cannot be replaced by a file, nor the other way round."""
        entry = self._view.local.get(path)
        if entry and entry.file.is_folder and not isinstance(item, Folder):
            self._view.disk.remove_folder(path)
            del self._view.local[path]
        elif entry and isinstance(item, Folder) and not entry.file.is_folder:
            self._view.disk.discard(path, entry.stamp)
            del self._view.local[path]

    def _check_unchanged(self, path: str, status: os.stat_result | None) -> None:
        """Whoever saves a file at the last moment keeps it: the next pass compares again."""
        entry = self._view.local.get(path)
        if (status and Stamp.of(status)) != (entry and entry.stamp):
            raise FileChanged

    def _note_fetched(self, path: str, version: Version) -> None:
        status = self._view.disk.status(path)
        if status is None or version.item is None:
            return
        stamp = Stamp.of(status)
        is_sure = isinstance(version.item, File) and (
            (stamp.size, stamp.modified) == (version.item.size, version.item.modified)
        )
        self._view.known[path] = Known(
            version.item, version.sequence, stamp if is_sure else stamp.not_sure()
        )
        self._view.summary.fetched.append(path)
