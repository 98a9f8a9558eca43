"""The drive as the system's own file calls see it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.tests.conftest import Computer
from client.tests.drive import mounted_exerciser
from client.tests.drive.conftest import Mount, OpenDrive, shown
from tessera_client.drive import fuse
from tessera_client.drive.mounted import Mounted
from tessera_core.files import File

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux brings FUSE with it")


ROOT = Path(__file__).parents[3]


@pytest.fixture
def opened(leader: Computer, mount: Mount) -> OpenDrive:
    return mount(leader)


@pytest.fixture
def folder(opened: OpenDrive, tmp_path: Path) -> Iterator[Path]:
    """Where the space Designs is mounted."""
    with shown(Mounted([opened.drive], is_single=True), tmp_path / "mounted"):
        yield tmp_path / "mounted"


def run(folder: Path, *command: str) -> str:
    """Another program does it, as Python would wait for itself in some calls."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_files_are_copied_listed_and_kept(folder: Path, opened: OpenDrive, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "deep").mkdir(parents=True)
    (source / "deep" / "Übersicht.md").write_text("# Plan")
    (source / "run.sh").write_text("#!/bin/sh\necho done\n")
    (source / "run.sh").chmod(0o755)
    os.utime(source / "run.sh", ns=(10**18, 10**18))
    run(folder, "cp", "-rp", str(source), "copy")
    run(folder, "diff", "-r", str(source), "copy")
    opened.send()
    version = opened.drive.space.tree.current("copy/run.sh")
    assert version
    assert isinstance(version.item, File)
    assert (version.item.executable, version.item.modified) == (True, 10**18)
    assert run(folder, "copy/run.sh") == "done\n"
    assert run(folder, "stat", "-f", "-c", "%l", ".").strip() == "255"


def test_two_folders_end_alike_after_random_operations(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    exerciser = [sys.executable, "-m", "client.tests.drive.exerciser"]
    run(ROOT, *exerciser, str(folder), str(tmp_path / "local"), "--operations", "1500")


@pytest.mark.extended
def test_what_random_operations_leave_is_sent_and_comes_back(tmp_path: Path) -> None:
    """`python -m client.tests.drive.mounted_exerciser` does it for longer."""
    mounted_exerciser.run_seed(7, 8000, tmp_path)


@pytest.mark.extended
def test_git_finds_its_repository_whole(folder: Path, opened: OpenDrive) -> None:
    git = ["git", "-c", "user.email=ada@example.com", "-c", "user.name=Ada"]
    run(folder, *git, "init", "-q", "repository")
    for number in range(5):
        run(folder / "repository", "sh", "-c", f"seq {number * 1000} >> numbers.txt")
        run(folder / "repository", *git, "add", ".")
        run(folder / "repository", *git, "commit", "-qm", f"Change {number}")
        opened.send()
    run(folder / "repository", *git, "fsck", "--strict")
    assert run(folder / "repository", *git, "status", "--short") == ""


@pytest.mark.extended
def test_git_clones_commits_and_finds_everything_whole(
    folder: Path, opened: OpenDrive, tmp_path: Path
) -> None:
    git = ["git", "-c", "user.email=ada@example.com", "-c", "user.name=Ada"]
    origin = tmp_path / "origin"
    run(tmp_path, *git, "init", "-q", "origin")
    for number in range(30):
        (origin / f"{number}.txt").write_text(f"{number}\n" * 1000)
    run(origin, *git, "add", ".")
    run(origin, *git, "commit", "-qm", "First")
    run(folder, *git, "clone", "-q", str(origin), "clone")
    (folder / "clone" / "new.txt").write_text("new")
    run(folder / "clone", *git, "add", ".")
    run(folder / "clone", *git, "commit", "-qm", "Second")
    opened.send()
    run(folder / "clone", *git, "gc", "-q")
    opened.send()
    run(folder / "clone", *git, "fsck", "--strict", "--full")
    assert run(folder / "clone", *git, "status", "--short") == ""
    assert run(folder / "clone", *git, "rev-list", "--count", "HEAD").strip() == "2"


def test_links_out_of_the_space_lead_nowhere(folder: Path) -> None:
    with pytest.raises(OSError):  # noqa: PT011
        (folder / "out").symlink_to("/etc/passwd")
    (folder / "file").write_text("x")
    (folder / "inside").symlink_to("file")
    assert (folder / "inside").read_text() == "x"


def test_what_a_program_has_closed_is_sent_after_an_unmount(opened: OpenDrive) -> None:
    """The system says that a file is closed at once, and releases it later or never."""
    operations = fuse.DriveOperations(Mounted([opened.drive], is_single=True), lambda: None)
    for name in ("closed", "closed and written again", "open"):
        number = operations.create(f"/{name}", 0o644)
        operations.write(f"/{name}", b"a", 0, number)
        if name != "open":
            operations.flush(f"/{name}", number)
        if name == "closed and written again":
            operations.write(f"/{name}", b"b", 1, number)
    operations.destroy("/")
    opened.send()
    assert list(opened.drive.space.tree.versions) == ["closed"]
