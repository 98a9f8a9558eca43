from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from client.tests.conftest import Computer
from tessera_client.drive.cache import ChunkCache
from tessera_client.drive.drive import SpaceDrive
from tessera_client.drive.sending import Sender
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import open_vault


@dataclass
class OpenDrive:
    """A drive without threads: a test says when it sends and follows."""

    drive: SpaceDrive
    sender: Sender
    notices: list[str] = field(default_factory=list)

    def write(self, path: str, content: bytes) -> None:
        """As `cp` does."""
        exists = self.drive.view.find(path) is not None
        opened = (
            self.drive.open(path, write=True, truncate=True) if exists else self.drive.create(path)
        )
        opened.write(0, content)
        opened.close()

    def read(self, path: str) -> bytes:
        handle = self.drive.open(path)
        try:
            return handle.read(0, handle.status().size)
        finally:
            handle.close()

    def send(self) -> None:
        self.sender.send()

    def names(self, path: str = "") -> list[str]:
        return sorted(name for name, _ in self.drive.entries(path))


Mount = Callable[..., OpenDrive]


@pytest.fixture
def mount(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mount]:
    """Opens the drive of the space Designs on a computer."""
    monkeypatch.setattr("tessera_client.drive.sending.QUIET_SECONDS", 0)
    with ExitStack() as stack:

        def make(computer: Computer, *, limit: int = 1 << 30) -> OpenDrive:
            folder = StateFolder(Path(computer.folder), use_keyring=False)
            vault = stack.enter_context(open_vault(folder, "mosaic-Tile-2026"))
            place = folder.path / "drive"
            notices: list[str] = []
            cache = ChunkCache(place / "cache", limit)
            drive = SpaceDrive(vault, vault.find("Designs"), place, cache, notices.append)
            return OpenDrive(drive, Sender(drive), notices)

        yield make
