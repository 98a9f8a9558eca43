"""A drive that starts without a network, or loses it."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from client.tests.conftest import Computer
from client.tests.service import PASSWORD, Person, Service
from tessera_client.drive import following, sending
from tessera_client.drive.drive import SpaceDrive
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.opening import open_drives
from tessera_client.errors import ClientError
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.vault import open_vault

Open = Callable[..., AbstractContextManager[Mounted]]


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, notices: list[str]) -> Open:
    """Opens drives as `tess mount` does, with threads that hardly wait."""
    for module, name in ((following, "PAUSE_SECONDS"), (following, "MAX_PAUSE_SECONDS"),
                         (following, "RETRY_SECONDS"), (sending, "RETRY_SECONDS"),
                         (sending, "QUIET_SECONDS")):  # fmt: skip
        monkeypatch.setattr(module, name, 0.02)

    @contextmanager
    def make(computer: Computer, space: str | None = "Designs") -> Iterator[Mounted]:
        folder = StateFolder(computer.folder, use_keyring=False)
        with (
            open_vault(folder, PASSWORD) as vault,
            open_drives(vault, space, notices.append) as mounted,
        ):
            yield mounted

    return make


def write(drive: SpaceDrive, path: str, content: bytes) -> None:
    handle = drive.create(path)
    handle.write(0, content)
    handle.close()


def read(drive: SpaceDrive, path: str) -> bytes:
    handle = drive.open(path)
    return handle.read(0, handle.status().size)


def wait(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def cached(drive: SpaceDrive) -> bool:
    """It is stored after it was read."""
    return any(drive.chunks.cache._sizes)


def test_drive_starts_offline_and_comes_back_by_itself(
    leader: Computer, service: Service, opened: Open, notices: list[str]
) -> None:
    with opened(leader) as mounted:
        (drive,) = mounted.drives
        write(drive, "plan.txt", b"first")
        wait(lambda: not drive.waiting)
        assert read(drive, "plan.txt") == b"first"
        wait(lambda: cached(drive))
    assert notices == []
    service.is_down = True
    with opened(leader) as mounted:
        (drive,) = mounted.drives
        assert "Offline" in notices[0]
        assert read(drive, "plan.txt") == b"first"
        write(drive, "new.txt", b"written offline")
        wait(lambda: drive.waiting == 1)
        assert read(drive, "new.txt") == b"written offline"
        service.is_down = False
        wait(lambda: not drive.waiting)
        wait(lambda: len(notices) == 2)
    assert notices[1] == "Connected again."
    with opened(leader) as mounted:
        assert [name for name, _ in mounted.entries("/")] == ["new.txt", "plan.txt"]


def test_all_spaces_are_shown_offline(leader: Computer, service: Service, opened: Open) -> None:
    leader.ok("spaces", "create", "Plans")
    with opened(leader, None):
        pass
    service.is_down = True
    with opened(leader, None) as mounted:
        assert {name for name, _ in mounted.entries("/")} == {"Designs", "Plans"}


def test_what_waits_stays_after_an_offline_run(
    leader: Computer, service: Service, opened: Open, notices: list[str]
) -> None:
    leader.ok("ls", "Designs:/")
    service.is_down = True
    with opened(leader) as mounted:
        write(mounted.drives[0], "new.txt", b"kept")
    assert "1 change could not be sent" in notices[-1]
    with opened(leader) as mounted:
        assert read(mounted.drives[0], "new.txt") == b"kept"


@pytest.mark.parametrize("space", ["Unknown", None])
def test_computer_that_keeps_nothing_cannot_start_offline(
    member: Computer, service: Service, opened: Open, space: str | None
) -> None:
    """The keys are there, but no space was ever opened."""
    service.is_down = True
    with pytest.raises(ClientError, match="cannot be reached"), opened(member, space):
        pass


def test_ended_session_is_no_lost_network(leader: Computer, service: Service, opened: Open) -> None:
    with opened(leader):
        pass
    service.people.remove(service.leader)
    with pytest.raises(ClientError) as caught, opened(leader):
        pass
    assert caught.value.code == "not_logged_in"


def test_reset_that_the_service_claims_sends_nothing(
    leader: Computer, service: Service, opened: Open, notices: list[str]
) -> None:
    with opened(leader):
        pass
    service.is_down = True
    assert service.leader.keys is not None
    with opened(leader) as mounted:
        known, service.leader.keys = service.leader.keys, {**service.leader.keys, "envelope": None}
        service.is_down = False
        write(mounted.drives[0], "plan.txt", b"x")
        wait(lambda: any("password was reset" in notice for notice in notices))
        assert mounted.drives[0].waiting == 1
        service.leader.keys = known
        wait(lambda: not mounted.drives[0].waiting)


def test_keys_replaced_meanwhile_are_told(
    leader: Computer,
    service: Service,
    opened: Open,
    notices: list[str],
    new_computer: Callable[[str, Person], Computer],
) -> None:
    with opened(leader):
        pass
    other = StateFolder(new_computer("other", service.leader).folder, use_keyring=False)
    with open_vault(other, PASSWORD) as vault:
        vault.account.replace_keys()
    service.is_down = True
    with opened(leader) as mounted:
        service.is_down = False
        write(mounted.drives[0], "plan.txt", b"x")
        wait(lambda: any("replaced on another computer" in notice for notice in notices))
        assert mounted.drives[0].waiting == 1
