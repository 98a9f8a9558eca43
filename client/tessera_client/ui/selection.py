"""What is chosen on the page to be downloaded."""

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.vault.archive import write_archive
from tessera_client.vault.history import state_after
from tessera_client.vault.restore import Restored, Restorer
from tessera_core.files import Item
from tessera_core.tree import Tree


class Selection(NamedTuple):
    """Items as they are now, or were after a change."""

    paths: tuple[str, ...]
    is_archive: bool = False
    """One ZIP. Otherwise it is a single item, which is written as it is."""
    sequence: int | None = None

    @property
    def folder(self) -> str:
        """The one that holds all of them; results of a search come from anywhere."""
        return posixpath.commonpath([posixpath.dirname(path) for path in self.paths])

    def items(self, tree: Tree) -> dict[str, Item]:
        sequence = self.sequence
        if sequence is None:
            entries = {path: item for each in self.paths for path, item in tree.walk(each)}
        else:
            states = (state_after(tree, each, sequence) for each in self.paths)
            entries = {path: item for state in states for path, item in state.items() if item}
        if not entries:
            raise ClientError(translate("errors.gone"), code="no_such_path")
        return entries

    def failure(self, restored: Restored) -> ClientError | None:
        """What could not be read makes the download fail, although the others are kept."""
        if not restored.failed:
            return None
        if self.is_archive and restored.files:
            values = {"count": len(restored.failed), "file": translate("page.missing_files")}
            return ClientError(translate("page.archive_incomplete", **values), code="files_missing")
        first = restored.failed[0]
        return ClientError(f"{first.path or self.paths[0]}: {first.message}", code="not_restored")


def save_item(
    restorer: Restorer, items: Mapping[str, Item], selection: Selection, target: Path
) -> Restored:
    (chosen,) = selection.paths
    relative = [(path[len(chosen) :].lstrip("/"), item) for path, item in items.items()]
    return restorer.restore(relative, target)


def save_archive(
    restorer: Restorer, items: Mapping[str, Item], selection: Selection, target: Path
) -> Restored:
    """Under another name until it is complete."""
    part = target.with_name(f"{target.name}.part")
    folder = selection.folder
    relative = [(path[len(folder) :].lstrip("/"), item) for path, item in items.items()]
    try:
        restored = write_archive(restorer, relative, part)
        if restored.files or not restored.failed:
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return restored
