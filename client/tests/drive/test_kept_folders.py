"""Folders that are always on this computer."""

from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount, OpenDrive
from client.tests.service import Service
from tessera_client.drive import kept_folders
from tessera_client.drive.kept_folders import KeptFolderFetcher


@pytest.fixture(autouse=True)
def much_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_folders, "FREE_BYTES", 0)


@pytest.fixture
def opened(leader: Computer, mount: Mount) -> OpenDrive:
    """A cache that has room for hardly anything."""
    opened = mount(leader, limit=2000)
    opened.drive.make_folder("plans")
    for number in range(5):
        opened.write(f"plans/{number}", bytes([number]) * 1000)
        opened.write(f"other-{number}", bytes([100 + number]) * 1000)
    opened.send()
    return opened


def is_here(opened: OpenDrive, service: Service, path: str) -> bool:
    opened.drive.chunks._memory.clear()
    service.is_down = True
    try:
        return bool(opened.read(path))
    except OSError:
        return False
    finally:
        service.is_down = False


def test_folder_is_kept_beyond_the_limit_and_follows_what_is_added(
    opened: OpenDrive, leader: Computer, service: Service
) -> None:
    fetcher = KeptFolderFetcher([opened.drive], opened.notices.append)
    assert fetcher.keep(opened.drive)
    leader.ok("offline", "Designs:/plans")
    assert fetcher.keep(opened.drive)
    assert len(opened.notices) == 1
    for number in range(5):
        opened.read(f"other-{number}")
    assert all(is_here(opened, service, f"plans/{number}") for number in range(5))
    assert not all(is_here(opened, service, f"other-{number}") for number in range(5))
    opened.write("plans/new", b"new" * 1000)
    opened.send()
    assert fetcher.keep(opened.drive)
    assert is_here(opened, service, "plans/new")


def test_status_says_how_much_is_here(
    leader: Computer, mount: Mount, opened: OpenDrive, tmp_path: Path
) -> None:
    assert leader.ok("offline") == {"folders": []}
    leader.ok("offline", "Designs:/plans")
    leader.ok("offline", "Designs:/")
    kept = leader.ok("offline")["folders"]
    assert [(each["path"], each["files"], each["bytes"]) for each in kept] == [
        ("", 10, 10_000), ("plans", 5, 5_000),
    ]  # fmt: skip
    assert leader.ok("offline", "Designs:/", "--remove")["folders"][0]["path"] == "plans"
    exit_code, said, _ = leader.say("offline")
    assert exit_code == 0
    assert "Designs:/plans: 5 files" in said


@pytest.mark.parametrize("arguments", [("Designs:/missing",), ("Designs:/plans", "--remove")])
def test_folder_that_is_not_there_is_named(
    leader: Computer, opened: OpenDrive, arguments: tuple[str, ...]
) -> None:
    exit_code, answer = leader.run("offline", *arguments)
    assert (exit_code, answer["error"]) == (1, "no_such_path")


def test_full_disk_ends_it(
    opened: OpenDrive, leader: Computer, monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    """A colleague can put any amount into a folder."""
    monkeypatch.setattr(kept_folders, "FREE_BYTES", 2**70)
    leader.ok("offline", "Designs:/plans")
    fetcher = KeptFolderFetcher([opened.drive], opened.notices.append)
    links = len(service.exchanges)
    for _ in range(3):
        assert not fetcher.keep(opened.drive)
    assert len(service.exchanges) == links
    assert len(opened.notices) == 1


def test_names_of_kept_folders_do_not_lie_in_the_open(leader: Computer, opened: OpenDrive) -> None:
    opened.drive.make_folder("merger-plans")
    opened.send()
    leader.ok("offline", "Designs:/merger-plans")
    for path in leader.folder.rglob("*"):
        assert not path.is_file() or b"merger-plans" not in path.read_bytes()
