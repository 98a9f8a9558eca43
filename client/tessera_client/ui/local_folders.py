"""Folders of this computer that can be chosen on the page: below the user's own."""

import os
from pathlib import Path

from tessera_client.errors import WrongUsage
from tessera_client.ui.schemas import LocalFolder
from tessera_client.vault.backups import check_folder

MAX_FOLDERS = 1000


class LocalFolders:
    def __init__(self, home: Path, state: Path) -> None:
        self._home = home.resolve()
        self._state = state

    def find(self, path: str) -> Path:
        """Refuses one that is elsewhere, or that a link leads elsewhere."""
        folder = Path(path).resolve()
        if not folder.is_relative_to(self._home) or folder.is_relative_to(self._state.resolve()):
            raise WrongUsage.from_code("folder_outside")
        check_folder(folder)
        return folder

    def list(self, path: str) -> LocalFolder:
        folder = self.find(path or str(self._home))
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if not entry.name.startswith(".")
                and entry.is_dir(follow_symlinks=False)
                and os.access(entry.path, os.R_OK | os.X_OK)
            )
        parent = str(folder.parent) if folder != self._home else None
        return LocalFolder(str(folder), parent, names[:MAX_FOLDERS])
