import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from client.tests.conftest import Computer, connect, use_cheap_argon2
from client.tests.service import PASSWORD, Service
from client.tests.transport import MemoryTransport
from tessera_client.drive.cache import ChunkCache
from tessera_client.drive.drive import SpaceDrive
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.sending import Sender
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import Vault, open_vault
from tests.tools import tool


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
            vault = stack.enter_context(open_vault(folder, PASSWORD))
            place = folder.path / "drive"
            notices: list[str] = []
            cache = ChunkCache(place / "cache", limit)
            drive = SpaceDrive(vault, vault.find("Designs"), place, cache, notices.append)
            return OpenDrive(drive, Sender(drive), notices)

        yield make


@contextmanager
def new_vault(folder: Path) -> Iterator[Vault]:
    """With the space Designs, for programs without fixtures. Service and clouds are in memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TESS_LANG", "en")
        use_cheap_argon2(patch)
        service = Service()
        connect(patch, MemoryTransport(service.answer))
        service.sign_in(folder, service.leader)
        Computer(folder).ok("spaces", "create", "Designs")
        with open_vault(StateFolder(folder, use_keyring=False), PASSWORD) as vault:
            yield vault


def wait_until_sent(mounted: Mounted) -> None:
    end = time.monotonic() + 600
    while any(drive.waiting for drive in mounted.drives):
        assert time.monotonic() < end, "not everything was sent"
        time.sleep(0.1)


@contextmanager
def shown(mounted: Mounted, place: Path) -> Iterator[None]:
    """Mounts it in a folder of this computer."""
    # It may load what other systems do not have.
    from tessera_client.drive import fuse  # noqa: PLC0415

    unmount, is_mounted, here = tool("fusermount3"), threading.Event(), Path.cwd()
    place.mkdir(exist_ok=True)
    arguments = (mounted, str(place), is_mounted.set)
    served = threading.Thread(target=fuse.mount, args=arguments, daemon=True)
    served.start()
    assert is_mounted.wait(20)
    # libfuse leaves the folder that a program runs in.
    os.chdir(here)
    yield
    subprocess.run([unmount, "-u", place], check=True)
    served.join(20)
    assert not served.is_alive()
