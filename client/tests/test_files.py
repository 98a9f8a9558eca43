"""Storing and fetching files, with warehouses that fail."""

import os
import random
from pathlib import Path

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import Service

MIB = 1024 * 1024


def write(path: Path, size: int, seed: int = 1) -> bytes:
    content = random.Random(seed).randbytes(size)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of several kinds: large, small, empty, executable, a link, an empty folder."""
    root = tmp_path / "Photos"
    write(root / "large.bin", 3 * MIB + 17)
    write(root / "deep" / "small.txt", 100, seed=2)
    write(root / "empty", 0)
    write(root / "run.sh", 10, seed=3)
    (root / "run.sh").chmod(0o755)
    (root / "link").symlink_to("deep/small.txt")
    (root / "nothing").mkdir()
    (root / "Şubat – مرحبا.txt").write_text("hello")
    os.utime(root / "run.sh", ns=(10**18, 10**18 + 5))
    return root


def snapshot(root: Path) -> dict[str, object]:
    """Everything below a folder: contents, modes, times and targets of links."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = path.readlink()
        elif path.is_dir():
            found[name] = "folder"
        else:
            status = path.stat()
            found[name] = (path.read_bytes(), status.st_mtime_ns, bool(status.st_mode & 0o100))
    return found


class TestRoundTrip:
    def test_folder_can_be_downloaded_by_another_member(
        self, leader: Computer, member: Computer, folder: Path, tmp_path: Path
    ) -> None:
        stored = leader.ok("put", folder, "Designs:/")
        assert len(stored["stored"]) == 7
        member.ok("get", "Designs:/Photos", tmp_path / "out")
        assert snapshot(tmp_path / "out") == snapshot(folder)

    @pytest.mark.parametrize("lost", [0, 1, 2])
    def test_the_loss_of_any_one_warehouse_loses_nothing(
        self, leader: Computer, service: Service, folder: Path, tmp_path: Path, lost: int
    ) -> None:
        leader.ok("put", folder, "Designs:/")
        service.lose(lost)
        leader.ok("get", "Designs:/Photos", tmp_path / "out")
        assert snapshot(tmp_path / "out") == snapshot(folder)

    def test_two_lost_warehouses_are_reported_and_empty_files_still_downloaded(
        self, leader: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", folder, "Designs:/")
        service.objects = {key: data for key, data in service.objects.items() if key[0] == 0}
        exit_code, answer = leader.run("get", "Designs:/Photos", tmp_path / "out")
        assert exit_code == 4
        assert {each["path"] for each in answer["failed"]} == {
            "large.bin", "deep/small.txt", "run.sh", "Şubat – مرحبا.txt"
        }  # fmt: skip
        assert not list((tmp_path / "out").rglob("*.tess"))

    def test_put_sends_new_and_changed_files_only(
        self, leader: Computer, service: Service, folder: Path
    ) -> None:
        leader.ok("put", folder, "Designs:/")
        packs = len(service.packs)
        again = leader.ok("put", folder, "Designs:/")
        assert (again["stored"], again["unchanged"], len(service.packs)) == ([], 7, packs)
        (folder / "copy.bin").write_bytes((folder / "large.bin").read_bytes())
        assert leader.ok("put", folder, "Designs:/")["stored"] == ["Photos/copy.bin"]
        assert len(service.packs) == packs, "equal chunks are stored once"

    def test_small_file_is_read_by_ranges(
        self, leader: Computer, service: Service, tmp_path: Path
    ) -> None:
        content = write(tmp_path / "a" / "small", 1000, seed=5)
        write(tmp_path / "a" / "large", 8 * MIB)
        leader.ok("put", tmp_path / "a", "Designs:/")
        sizes: list[int] = []

        def note(request: httpx.Request, _: int) -> None:
            sizes.append(1 if "range" in request.headers else 0)

        service.on_object = note
        leader.ok("get", "Designs:/a/small", tmp_path / "out")
        assert (tmp_path / "out").read_bytes() == content
        assert sizes
        assert all(sizes)


class TestListing:
    def test_folders_files_and_what_was_moved_and_removed(
        self, leader: Computer, folder: Path
    ) -> None:
        leader.ok("put", folder, "Designs:/2026/")
        assert paths(leader, "Designs:/") == ["2026"]
        assert "2026/Photos/deep" in paths(leader, "Designs:/2026/Photos")
        assert "2026/Photos/deep/small.txt" in paths(leader, "Designs:/", "-r")
        leader.ok("mv", "Designs:/2026/Photos/deep", "Designs:/deep")
        assert paths(leader, "Designs:/deep") == ["deep/small.txt"]
        leader.ok("rm", "Designs:/2026", "Designs:/deep/small.txt")
        assert paths(leader, "Designs:/", "-r") == ["deep"]

    def test_a_file_is_not_replaced_by_a_folder(self, leader: Computer, folder: Path) -> None:
        leader.ok("put", folder, "Designs:/")
        for source, place in (
            (folder / "empty", "Designs:/Photos/run.sh/"),
            (folder / "empty", "Designs:/Photos/run.sh/deeper"),
            (folder / "deep", "Designs:/Photos/run.sh"),
        ):
            exit_code, answer = leader.run("put", source, place)
            assert (exit_code, answer["error"]) == (1, "not_a_folder")

    @pytest.mark.parametrize("place", ["Designs", "/x", "Designs:/../x", ":/x"])
    def test_malformed_places_are_refused(self, leader: Computer, place: str) -> None:
        assert leader.run("ls", place)[0] == 2

    def test_missing_places_are_reported(self, leader: Computer, tmp_path: Path) -> None:
        for command in (
            ("ls", "Designs:/x"), ("get", "Designs:/x", tmp_path / "y"), ("rm", "Designs:/x"),
            ("mv", "Designs:/x", "Designs:/y"),
        ):  # fmt: skip
            exit_code, answer = leader.run(*command)
            assert (exit_code, answer["error"]) == (1, "no_such_path")
        assert leader.run("ls", "Other:/")[1]["error"] == "space_not_found"


def paths(computer: Computer, *arguments: str) -> list[str]:
    return [entry["path"] for entry in computer.ok("ls", *arguments)["entries"]]
