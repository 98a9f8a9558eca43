"""Disks that are full or read-only, and files of somebody else: the system says so, not a patch."""

import errno
import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount, mount
from client.tests.drive.test_drive import fails_with
from client.tests.service import Service

__all__ = ["mount"]

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0, reason="only root mounts small disks"
    ),
]

FULL = "No space left on device."
READ_ONLY = "The disk is read-only."
NOBODY = 65534
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Disk:
    path: Path

    def change(self, options: str) -> None:
        command = ["mount", "-o", f"remount,{options}", str(self.path)]
        # Closes the databases of commands that have ended.
        gc.collect()
        subprocess.run(command, check=True, capture_output=True)

    def fill(self) -> None:
        with (self.path / "filler").open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Has two megabytes."""
    path = tmp_path / "disk"
    path.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tess-test", str(path)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a tmpfs")
    yield Disk(path)
    subprocess.run(["umount", "--lazy", path], check=True)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large.bin"
    path.write_bytes(os.urandom(5 * MEGABYTE))
    return path


def on_disk(disk: Disk, service: Service) -> Computer:
    """The leader's computer, whose state is on the small disk."""
    service.sign_in(disk.path / "state", service.leader)
    computer = Computer(disk.path / "state")
    computer.ok("spaces", "create", "Designs")
    return computer


class TestFullDisk:
    def test_fetch_names_the_file_and_goes_on_when_there_is_room(
        self, leader: Computer, disk: Disk, large: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "small.txt").write_text("small")
        leader.ok("put", large, tmp_path / "small.txt", "Designs:/")
        command = ("get", "Designs:/", disk.path / "out")
        exit_code, answer = leader.run(*command)
        assert exit_code == 4
        (problem,) = answer["failed"]
        assert "large.bin" in problem["path"]
        assert problem["message"] == FULL
        assert (disk.path / "out" / "small.txt").read_text() == "small"
        assert not (disk.path / "out" / "large.bin").exists()
        disk.change("size=20m")
        leader.ok(*command)
        assert (disk.path / "out" / "large.bin").read_bytes() == large.read_bytes()

    def test_spool_without_room_loses_nothing(
        self, service: Service, disk: Disk, large: Path, tmp_path: Path
    ) -> None:
        computer = on_disk(disk, service)
        exit_code, answer = computer.run("put", large, "Designs:/")
        assert exit_code in {1, 4}
        assert FULL in str(answer)
        disk.change("size=40m")
        computer.ok("put", large, "Designs:/")
        computer.ok("get", "Designs:/large.bin", tmp_path / "again.bin")
        assert (tmp_path / "again.bin").read_bytes() == large.read_bytes()

    @pytest.mark.parametrize("command", ["put", "ls", "status", "mv", "sync", "recovery-kit"])
    def test_state_without_room_is_a_sentence(
        self, service: Service, disk: Disk, tmp_path: Path, command: str
    ) -> None:
        computer = on_disk(disk, service)
        (tmp_path / "a.txt").write_text("a")
        computer.ok("put", tmp_path / "a.txt", "Designs:/")
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "b.txt").write_text("b" * 5000)
        arguments: dict[str, tuple[str | Path, ...]] = {
            "put": (tmp_path / "folder", "Designs:/"),
            "ls": ("Designs:/",),
            "status": (),
            "mv": ("Designs:/a.txt", "Designs:/moved.txt"),
            "sync": (tmp_path / "folder", "Designs:/folder"),
            "recovery-kit": ("--to", tmp_path / "kit.html", "--code", "123456"),
        }
        disk.fill()
        exit_code, answer = computer.run(command, *arguments[command])
        assert exit_code == 0 or "No space left on device" in str(answer)
        (disk.path / "filler").unlink()
        paths = [entry["path"] for entry in computer.ok("ls", "Designs:/", "-r")["entries"]]
        assert "a.txt" in paths or "moved.txt" in paths
        assert computer.ok("verify", "Designs")["lost"] == 0

    def test_drive_keeps_what_was_closed(self, service: Service, disk: Disk, mount: Mount) -> None:
        computer = on_disk(disk, service)
        opened = mount(computer)
        opened.write("closed.bin", content := os.urandom(300_000))
        handle = opened.drive.create("large.bin")
        with fails_with(errno.ENOSPC):
            while True:
                handle.write(handle.status().size, bytes([7]) * MEGABYTE)
        with fails_with(errno.ENOSPC):
            handle.keep()
        written = handle.status().size
        handle.close()
        disk.change("size=40m")
        opened.drive.keep_again()
        opened.send()
        assert opened.drive.waiting == 0
        assert opened.read("closed.bin") == content
        assert opened.read("large.bin") == bytes([7]) * written


class TestReadOnly:
    def test_read_only_target_is_named(self, leader: Computer, disk: Disk, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("a")
        leader.ok("put", tmp_path / "a.txt", "Designs:/")
        disk.change("ro")
        exit_code, answer = leader.run("get", "Designs:/", disk.path / "out")
        assert exit_code in {1, 4}
        assert READ_ONLY in str(answer)
        exit_code, answer = leader.run("recovery-kit", "--to", disk.path / "kit.html")
        assert exit_code == 1
        assert READ_ONLY in answer["message"]

    @pytest.mark.parametrize("command", ["put", "ls", "status", "lock", "logout"])
    def test_read_only_state_is_a_sentence(
        self, service: Service, disk: Disk, tmp_path: Path, command: str
    ) -> None:
        computer = on_disk(disk, service)
        (tmp_path / "a.txt").write_text("a")
        arguments = {"put": (tmp_path / "a.txt", "Designs:/"), "ls": ("Designs:/",)}
        disk.change("ro")
        exit_code, answer = computer.run(command, *arguments.get(command, ()))
        assert exit_code == 0 or READ_ONLY in answer["message"]


@contextmanager
def somebody_else() -> Iterator[None]:
    """Root reads everything; this user does not."""
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def home(service: Service) -> Iterator[Path]:
    """The folder of a user that is not root, with the state of the leader's computer."""
    path = Path(tempfile.mkdtemp(prefix="tess-home-"))
    service.sign_in(path / "state", service.leader)
    computer = Computer(path / "state")
    computer.ok("spaces", "create", "Designs")
    (path / "files").mkdir()
    (path / "files" / "mine.txt").write_text("mine")
    # What a command loads only when it runs must be readable.
    computer.ok("put", path / "files", "Designs:/before/")
    computer.ok("get", "Designs:/before", path / "before")
    for each in (path, *path.rglob("*")):
        os.chown(each, NOBODY, NOBODY)
    yield path
    shutil.rmtree(path)


class TestSomebodyElse:
    def test_unreadable_files_are_named_and_the_others_stored(self, home: Path) -> None:
        (home / "files" / "secret.txt").write_text("of root")
        (home / "files" / "secret.txt").chmod(0o600)
        (home / "files" / "closed").mkdir(mode=0o700)
        (home / "files" / "closed" / "inside.txt").write_text("of root")
        computer = Computer(home / "state")
        with somebody_else():
            exit_code, answer = computer.run("put", home / "files", "Designs:/")
        assert exit_code == 4
        failed = {Path(each["path"]).name: each["message"] for each in answer["failed"]}
        assert failed == {"secret.txt": "Permission denied.", "closed": "Permission denied."}
        assert "files/mine.txt" in answer["stored"]

    def test_folder_of_somebody_else_takes_nothing(self, home: Path) -> None:
        (home / "theirs").mkdir(mode=0o755)
        computer = Computer(home / "state")
        with somebody_else():
            exit_code, answer = computer.run("get", "Designs:/before", home / "theirs" / "out")
        assert exit_code in {1, 4}
        assert "Permission denied." in str(answer)
        assert list((home / "theirs").iterdir()) == []

    def test_state_of_somebody_else_is_a_sentence(self, home: Path) -> None:
        (home / "state").chmod(0o700)
        os.chown(home / "state", 0, 0)
        computer = Computer(home / "state")
        for command in (("ls", "Designs:/"), ("status",), ("put", home / "files", "Designs:/")):
            with somebody_else():
                exit_code, answer = computer.run(*command)
            assert exit_code == 1
            assert "Permission denied." in answer["message"]
