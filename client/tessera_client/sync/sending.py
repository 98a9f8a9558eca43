"""Changes the space as the folder has changed."""

from collections.abc import Mapping

from tessera_client.sync.comparison import Comparison, having
from tessera_client.sync.plan import Step
from tessera_client.sync.selection import is_within
from tessera_client.texts import translate
from tessera_client.vault.changes import ChangeWriter, writing
from tessera_client.vault.conflicts import is_same
from tessera_client.vault.progress import ShowProgress
from tessera_client.vault.put import store_item
from tessera_client.vault.scan import Problem
from tessera_client.vault.vault import Vault
from tessera_core.changes import Move, Put, Remove, Version
from tessera_core.files import Folder


class Sender:
    def __init__(self, vault: Vault, view: Comparison, show: ShowProgress) -> None:
        self._vault, self._view, self._show = vault, view, show
        self._moved: Mapping[str, str] = {}

    def send(self, steps: Mapping[str, Step], moves: Mapping[str, str]) -> None:
        self._moved = moves
        files, removed = having(steps, Step.SEND), having(steps, Step.REMOVE)
        if not (files or removed or moves or self._vault.journal.count()):
            return
        total = sum(self._view.local[path].stamp.size for path in files if self._is_read(path))
        with (
            self._show(translate("progress.storing"), total) as advance,
            writing(self._vault, self._view.space) as writer,
        ):
            writer.resume_uploads()
            self._add_changes(writer, removed, moves)
            for path in files:
                with self._view.noting(path):
                    self._view.local[path].read(lambda file: store_item(writer, file, advance))
                item = None if is_within(path, self._view.held) else self._view.local[path].item
                if item:
                    writer.add(Put(self._view.prefix + path, 0, item), self._is_seen)
            writer.commit()
        self._note_sent(writer)
        self._view.space.flush()

    def _is_read(self, path: str) -> bool:
        return self._view.local[path].file.is_file

    def _add_changes(
        self, writer: ChangeWriter, removed: list[str], moves: Mapping[str, str]
    ) -> None:
        """A file is removed before something is moved below its path; a folder, after everything
        was moved out of it, and only if nothing else is in it."""
        folders = [path for path in removed if isinstance(self._view.known[path].item, Folder)]
        for path in removed:
            if path not in folders:
                self._remove(writer, path)
        for path, target in moves.items():
            writer.add(Move(self._view.prefix + path, self._view.prefix + target), self._is_seen)
            self._view.summary.moved[path] = target
        gone = {*removed, *moves}
        for path in reversed(folders):
            inside = (at[len(self._view.prefix) :] for at, _ in self._view.space.tree.walk(
                self._view.prefix + path))  # fmt: skip
            if gone.issuperset(inside):
                self._remove(writer, path)

    def _remove(self, writer: ChangeWriter, path: str) -> None:
        writer.add(Remove(self._view.prefix + path, 0), self._is_seen)
        self._view.summary.removed.append(path)

    def _is_seen(self, at: str, version: Version) -> bool:
        """The last common state is what this computer has seen."""
        prefix = self._view.prefix
        path = at[len(prefix) :] if at.startswith(prefix) else ""
        if path in self._moved:
            return True  # A move takes along whatever is there.
        known = self._view.known.get(path)
        return known is not None and is_same(known.item, version.item)

    def _note_sent(self, writer: ChangeWriter) -> None:
        result, cut = writer.result, len(self._view.prefix)
        self._view.summary.sent = [path[cut:] for path in result.stored if path]
        self._view.summary.not_safe = [path[cut:] for path in result.not_safe]
        self._view.summary.conflicts = result.conflicts
        missing = translate("errors.not_stored")
        self._view.skip([Problem(path[cut:], missing) for path in result.not_stored])
