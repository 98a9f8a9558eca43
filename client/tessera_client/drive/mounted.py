"""What is mounted: one space, or all of them, each in a folder of its own."""

from collections.abc import Sequence
from errno import EACCES, ENOENT
from shutil import disk_usage
from time import monotonic, time_ns

from tessera_client.drive.drive import SpaceDrive, Status
from tessera_client.transfer.threads import start
from tessera_client.vault.conflicts import Conflict
from tessera_client.vault.connected_folders import FolderStatus
from tessera_client.vault.disk_names import free_disk_name

_ROOM_SECONDS = 30


class Mounted:
    """Finds the drive and the path in it that a path below the mount stands for."""

    def __init__(self, drives: list[SpaceDrive], *, is_single: bool) -> None:
        self.drives = drives
        self._single = drives[0] if is_single else None
        self._started = time_ns()
        # The drive itself has asked when it began.
        self._room_asked = monotonic()
        taken = set[str]()
        self._by_name = {
            free_disk_name(drive.space.label, taken): drive for drive in self.drives
        }  # fmt: skip

    def find(self, path: str) -> tuple[SpaceDrive, str]:
        """Raises EACCES for the folder of all spaces itself, which nobody can change."""
        inner = path.strip("/")
        drive = self._single
        if drive is None:
            name, _, inner = inner.partition("/")
            if not name:
                raise OSError(EACCES, "", path)
            if name not in self._by_name:
                raise OSError(ENOENT, "", path)
            drive = self._by_name[name]
        drive.check_access()
        return drive, inner

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

    def folder_status(self, before: Sequence[Conflict] = ()) -> FolderStatus:
        """How the mount is doing. Conflicts of the time before are still shown if nobody has
        settled them."""
        problems = [drive.problem or drive.connection.problem for drive in self.drives]
        conflicts = dict.fromkeys(before)
        for name, drive in self._by_name.items():
            prefix = "" if self._single else f"{name}/"
            for conflict in drive.conflicts:
                conflicts[Conflict(prefix + conflict.path, prefix + conflict.kept_as)] = None
        return FolderStatus.of(
            sum(drive.waiting for drive in self.drives),
            [conflict for conflict in conflicts if self._exists(conflict.kept_as)],
            next(filter(None, problems), None),
        )

    def _exists(self, path: str) -> bool:
        try:
            self.status(path)
        except OSError:
            return False
        return True

    def room(self) -> tuple[int, int]:
        """Bytes of the quota, and bytes that are left of it; of this computer's disk, as long as
        the quota is not known. Does not wait for the service."""
        if not self.drives:
            return 0, 0
        drive = self.drives[0]
        if monotonic() - self._room_asked > _ROOM_SECONDS:
            self._room_asked = monotonic()
            start(drive.learn_room)
        if drive.room is None:
            disk = disk_usage(drive.journal.staging)
            return disk.total, disk.free
        return drive.quota, max(0, drive.room)
