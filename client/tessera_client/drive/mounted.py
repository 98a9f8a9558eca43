"""What is mounted: one space, or all of them, each in a folder of its own."""

from errno import EACCES, ENOENT
from time import time_ns

from tessera_client.drive.drive import SpaceDrive, Status
from tessera_client.vault.disk_names import free_disk_name


class Mounted:
    """Finds the drive and the path in it that a path below the mount stands for."""

    def __init__(self, drives: list[SpaceDrive], *, is_single: bool) -> None:
        self.drives = drives
        self._single = drives[0] if is_single else None
        self._started = time_ns()
        taken = set[str]()
        self._by_name = {
            free_disk_name(drive.space.label, taken): drive for drive in self.drives
        }  # fmt: skip

    def find(self, path: str) -> tuple[SpaceDrive, str]:
        """Raises EACCES for the folder of all spaces itself, which nobody can change."""
        inner = path.strip("/")
        if self._single:
            return self._single, inner
        name, _, rest = inner.partition("/")
        if not name:
            raise OSError(EACCES, "", path)
        if name not in self._by_name:
            raise OSError(ENOENT, "", path)
        return self._by_name[name], rest

    def is_top(self, path: str) -> bool:
        return not self._single and not path.strip("/")

    def status(self, path: str) -> Status:
        if self.is_top(path):
            return Status("folder", 0, self._started)
        drive, inner = self.find(path)
        return drive.status(inner)

    def entries(self, path: str) -> list[tuple[str, Status]]:
        if self.is_top(path):
            return [(name, drive.status("")) for name, drive in self._by_name.items()]
        drive, inner = self.find(path)
        return drive.entries(inner)

    def room(self) -> tuple[int, int]:
        """Bytes of the quota, and bytes that are left of it."""
        usage = self.drives[0].usage() if self.drives else None
        return (usage.quota, max(0, usage.left)) if usage else (0, 0)
