"""Writes how a connected folder is doing, while a program keeps it connected."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from tessera_client.errors import EXPECTED, ClientError, to_client_error
from tessera_client.vault.conflicts import Conflict
from tessera_client.vault.connected_folders import (
    FolderStatus,
    find_by_folder,
    find_held_keys,
    held_keys,
    load_connected,
    load_status,
    write_status,
)
from tessera_client.vault.profile import StateFolder

LOOK_SECONDS = 1.0
# A status that nothing has changed is written again, so that its age says whether the program runs.
RENEW_SECONDS = 30.0


class FolderReport:
    def __init__(self, folder: StateFolder, identifier: str) -> None:
        self._folder = folder
        self._id = identifier
        self._user = folder.load_profile().user
        self._keys = held_keys(folder)
        known = load_status(folder, self._user, self._keys, identifier)
        self.conflicts: list[Conflict] = known.conflicts if known else []
        """Those of the time before."""
        self._status: FolderStatus | None = None

    def note(self, status: FolderStatus) -> None:
        """A full disk keeps nobody from working."""
        self._status = status
        with suppress(OSError):
            write_status(self._folder, self._user, self._keys, self._id, status)

    def fail(self, error: ClientError) -> None:
        waiting = self._status.waiting if self._status else 0
        self.note(FolderStatus.of(waiting, self.conflicts, error))

    @contextmanager
    def noting_failures(self) -> Iterator[None]:
        try:
            yield
        except EXPECTED as error:
            self.fail(to_client_error(error))
            raise

    @contextmanager
    def following(self, status: Callable[[], FolderStatus]) -> Iterator[None]:
        """Writes down what changes until the block ends."""
        stopped = Event()

        def follow() -> None:
            age = RENEW_SECONDS
            while not stopped.wait(LOOK_SECONDS):
                age += LOOK_SECONDS
                newest = status()
                if age >= RENEW_SECONDS or newest != self._status:
                    self.note(newest)
                    age = 0.0

        thread = Thread(target=follow, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stopped.set()
            thread.join()
            self.note(status())


def find_report(folder: StateFolder, place: Path) -> FolderReport | None:
    """None for a folder that is connected only while its command runs."""
    keys = find_held_keys(folder)
    if keys is None:
        return None
    user = folder.load_profile().user
    with suppress(ClientError):
        connected = find_by_folder(load_connected(folder, user, keys), str(place))
        return FolderReport(folder, connected.id) if connected else None
    return None
