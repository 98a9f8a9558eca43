"""Fetching again: what is skipped, kept, continued and cleaned up."""

import os
import shutil
import stat
from collections import Counter
from pathlib import Path

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from client.tests.test_files import MIB, snapshot, write
from tessera_client.vault import restore
from tessera_client.vault.part_files import part_name


@pytest.fixture
def folder(leader: Computer, tmp_path: Path) -> Path:
    root = tmp_path / "Photos"
    for number in range(5):
        write(root / "deep" / f"{number}.bin", 1000, seed=number)
    (root / "link").symlink_to("deep")
    leader.ok("put", root, "Designs:/")
    return root


@pytest.fixture
def large(leader: Computer, tmp_path: Path) -> Path:
    """A file of three packs."""
    write(tmp_path / "large.bin", 40 * MIB)
    leader.ok("put", tmp_path / "large.bin", "Designs:/")
    return tmp_path / "large.bin"


def count_reads(service: Service) -> Counter[str]:
    """How often each object is read from a warehouse."""
    reads: Counter[str] = Counter()

    def note(request: httpx.Request, _: int) -> None:
        if request.method == "GET":
            reads[str(request.url)] += 1

    service.on_object = note
    return reads


def parts(root: Path) -> list[Path]:
    return [path for path in root.rglob(".*") if path.name.endswith(".tess")]


class TestAgain:
    def test_equal_files_are_skipped(
        self, leader: Computer, service: Service, folder: Path, tmp_path: Path
    ) -> None:
        leader.ok("get", "Designs:/Photos", tmp_path / "out")
        reads = count_reads(service)
        (tmp_path / "out" / "deep" / "3.bin").unlink()
        os.utime(tmp_path / "out" / "deep" / "4.bin", (1, 1))
        answer = leader.ok("get", "Designs:/Photos", tmp_path / "out")
        assert (answer["files"], answer["unchanged"], answer["kept"]) == (1, 5, [])
        assert sum(reads.values()) > 0
        reads.clear()
        assert leader.ok("get", "Designs:/Photos", tmp_path / "out")["files"] == 0
        assert not reads

    def test_same_command_writes_to_the_same_place_each_time(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        around = tmp_path / "around"
        for _ in range(2):
            leader.ok("get", "Designs:/Photos", tmp_path / "out")
            leader.ok("get", "Designs:/Photos", f"{around}/")
            leader.ok("get", "Designs:/Photos/deep/1.bin", tmp_path / "file")
            leader.ok("get", "Designs:/Photos/deep/1.bin", around)
        assert snapshot(tmp_path / "out") == snapshot(folder)
        assert snapshot(around / "Photos") == snapshot(folder)
        assert sorted(path.name for path in around.iterdir()) == ["1.bin", "Photos"]
        assert (tmp_path / "file").is_file()

    @pytest.mark.parametrize("path", ["deep/2.bin", "link"])
    def test_changed_files_are_named_and_overwritten_only_if_asked_for(
        self, leader: Computer, folder: Path, tmp_path: Path, path: str
    ) -> None:
        leader.ok("get", "Designs:/Photos", tmp_path / "out")
        changed = tmp_path / "out" / path
        changed.unlink()
        changed.write_text("my own work")
        exit_code, answer = leader.run("get", "Designs:/Photos", tmp_path / "out")
        assert (exit_code, answer["kept"], answer["unchanged"]) == (4, [path], 5)
        assert changed.read_text() == "my own work"
        exit_code, shown, _ = leader.say("get", "Designs:/Photos", tmp_path / "out")
        assert exit_code == 4
        assert f"Not overwritten: {path} " in shown
        assert leader.ok("get", "Designs:/Photos", tmp_path / "out", "--overwrite")["kept"] == []
        assert snapshot(tmp_path / "out") == snapshot(folder)

    def test_checksum_finds_a_change_that_size_and_time_hide(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        leader.ok("get", "Designs:/Photos", tmp_path / "out")
        changed = tmp_path / "out" / "deep" / "2.bin"
        status = changed.stat()
        changed.write_bytes(bytes(1000))
        os.utime(changed, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert leader.ok("get", "Designs:/Photos", tmp_path / "out")["unchanged"] == 6
        exit_code, answer = leader.run("get", "Designs:/Photos", tmp_path / "out", "--checksum")
        assert (exit_code, answer["kept"]) == (4, ["deep/2.bin"])

    def test_version_of_the_same_size_and_time_is_not_taken_for_the_one_that_was_fetched(
        self, leader: Computer, member: Computer, tmp_path: Path
    ) -> None:
        for computer, content in ((leader, "approved"), (member, "rejected")):
            (tmp_path / "vote").write_text(content)
            os.utime(tmp_path / "vote", ns=(10**18, 10**18))
            computer.run("put", tmp_path / "vote", "Designs:/", "--replace")
            if computer is leader:
                leader.ok("get", "Designs:/vote", tmp_path / "out")
        exit_code, answer = leader.run("get", "Designs:/vote", tmp_path / "out")
        assert (exit_code, answer["unchanged"], answer["kept"]) == (4, 0, [""])
        assert leader.ok("get", "Designs:/vote", tmp_path / "out", "--overwrite")["files"] == 1
        assert (tmp_path / "out").read_text() == "rejected"

    def test_local_copy_of_unknown_origin_is_compared_once(
        self, leader: Computer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shutil.copytree(folder, tmp_path / "out", symlinks=True)
        forged = tmp_path / "out" / "deep" / "2.bin"
        status = forged.stat()
        forged.write_bytes(bytes(1000))
        os.utime(forged, ns=(status.st_atime_ns, status.st_mtime_ns))
        exit_code, answer = leader.run("get", "Designs:/Photos", tmp_path / "out")
        assert (exit_code, answer["kept"], answer["unchanged"]) == (4, ["deep/2.bin"], 5)
        forged.unlink()
        monkeypatch.setattr(restore.Restorer, "_count_equal", None)
        assert leader.ok("get", "Designs:/Photos", tmp_path / "out")["unchanged"] == 5

    def test_dry_run_lists_and_writes_nothing(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        answer = leader.ok("get", "Designs:/Photos", tmp_path / "out", "--dry-run")
        assert answer["planned"] == [*(f"deep/{number}.bin" for number in range(5)), "link"]
        assert not (tmp_path / "out").exists()
        leader.ok("get", "Designs:/Photos", tmp_path / "out")
        (tmp_path / "out" / "deep" / "0.bin").unlink()
        (tmp_path / "out" / "deep" / "1.bin").write_text("mine")
        before = snapshot(tmp_path / "out")
        exit_code, answer = leader.run("get", "Designs:/Photos", tmp_path / "out", "--dry-run")
        assert (exit_code, answer["planned"]) == (4, ["deep/0.bin"])
        assert (answer["kept"], answer["unchanged"]) == (["deep/1.bin"], 4)
        assert snapshot(tmp_path / "out") == before


@pytest.mark.extended
class TestInterrupted:
    def interrupt(self, monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
        """Ctrl+C after some chunks."""
        written, write_chunk = 0, restore._write_sparse

        def count(descriptor: int, chunk: bytes) -> None:
            nonlocal written
            if written == chunks:
                raise KeyboardInterrupt
            written += 1
            write_chunk(descriptor, chunk)

        monkeypatch.setattr(restore, "_write_sparse", count)

    @pytest.fixture
    def stopped(
        self, leader: Computer, large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Path:
        """What a fetch left that was interrupted in the last of three packs."""
        with monkeypatch.context() as patch:
            self.interrupt(patch, 35)
            assert leader.say("get", "Designs:/large.bin", tmp_path / "out" / "copy")[0] == 130
        (part,) = (tmp_path / "out").iterdir()
        assert part.stat().st_size == 35 * MIB
        return part

    def test_unfinished_file_is_hidden_and_private(self, stopped: Path) -> None:
        assert stopped.name.startswith(".")
        assert stat.S_IMODE(stopped.stat().st_mode) == 0o600

    def test_next_run_fetches_only_what_is_missing(
        self, leader: Computer, service: Service, stopped: Path, large: Path, tmp_path: Path
    ) -> None:
        reads = count_reads(service)
        assert leader.ok("get", "Designs:/large.bin", tmp_path / "out" / "copy")["files"] == 1
        assert len(reads) == 2, "two shards of the last pack"
        assert (tmp_path / "out" / "copy").read_bytes() == large.read_bytes()
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["copy"]

    @pytest.mark.parametrize("chunk", [0, 20, 34])
    def test_what_is_taken_over_is_compared(
        self, leader: Computer, stopped: Path, large: Path, tmp_path: Path, chunk: int
    ) -> None:
        with stopped.open("r+b") as file:
            file.seek(chunk * MIB + 5)
            file.write(b"forged")
        leader.ok("get", "Designs:/large.bin", tmp_path / "out" / "copy")
        assert (tmp_path / "out" / "copy").read_bytes() == large.read_bytes()

    def test_longer_or_foreign_leftovers_do_no_harm(
        self, leader: Computer, stopped: Path, large: Path, tmp_path: Path
    ) -> None:
        with stopped.open("ab") as file:
            file.write(bytes(10 * MIB))
        leader.ok("get", "Designs:/large.bin", tmp_path / "out" / "copy")
        assert (tmp_path / "out" / "copy").read_bytes() == large.read_bytes()
        (tmp_path / "out" / "copy").unlink()
        (tmp_path / "elsewhere").write_text("mine")
        stopped.symlink_to(tmp_path / "elsewhere")
        leader.ok("get", "Designs:/large.bin", tmp_path / "out" / "copy")
        stopped.hardlink_to(tmp_path / "elsewhere")
        leader.ok("get", "Designs:/large.bin", tmp_path / "out" / "copy2")
        assert (tmp_path / "elsewhere").read_text() == "mine"
        assert (tmp_path / "out" / "copy").read_bytes() == large.read_bytes()

    def test_leftovers_of_other_names_are_removed_unless_somebody_writes_them(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        fcntl = pytest.importorskip("fcntl")
        out = tmp_path / "out"
        leader.ok("get", "Designs:/Photos", out)
        mine = (out / ".0123456789abcdef.tes", out / "deep" / "0123456789abcdef.tess")
        left = (out / part_name("gone"), out / "deep" / part_name("0.bin"))
        busy = out / part_name("busy")
        for path in (*mine, *left, busy):
            path.write_text("unfinished")
            path.chmod(0o600)
        with busy.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            leader.ok("get", "Designs:/Photos", out)
            assert sorted(parts(tmp_path)) == [busy]
        assert all(path.exists() for path in mine)
        leader.ok("get", "Designs:/Photos", out)
        assert parts(tmp_path) == []

    def test_two_programs_do_not_write_the_same_part(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        fcntl = pytest.importorskip("fcntl")
        (tmp_path / "out").mkdir()
        busy = tmp_path / "out" / part_name("1.bin")
        busy.write_text("of another program")
        busy.chmod(0o600)
        with busy.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            leader.ok("get", "Designs:/Photos/deep", tmp_path / "out")
        assert busy.read_text() == "of another program"
        assert (tmp_path / "out" / "1.bin").read_bytes() == (folder / "deep" / "1.bin").read_bytes()


class TestStandardOutput:
    def test_one_file_and_nothing_else_is_written(
        self, leader: Computer, large: Path, tmp_path: Path
    ) -> None:
        content = leader.binary("get", "Designs:/large.bin", "-")
        assert content == large.read_bytes()

    def test_json_dry_run_and_folders_are_refused(self, leader: Computer, folder: Path) -> None:
        exit_code, answer = leader.run("get", "Designs:/Photos/deep/1.bin", "-")
        assert (exit_code, answer["error"]) == (2, "stdout_taken")
        assert leader.say("get", "Designs:/Photos/deep/1.bin", "-", "--dry-run")[:2] == (2, "")
        for place in ("Designs:/Photos", "Designs:/", "Designs:/Photos/link"):
            exit_code, shown, message = leader.say("get", place, "-")
            assert (exit_code, shown) == (2, "")
            assert "is not a single file" in message
        assert leader.say("get", "Designs:/nothing", "-")[:2] == (1, "")


class TestPacks:
    def test_each_pack_is_read_once_in_whatever_order_names_are(
        self, leader: Computer, service: Service, tmp_path: Path
    ) -> None:
        """Files of five packs, whose names alternate between them."""
        for pack in range(5):
            for number in range(4):
                write(tmp_path / str(pack) / f"{number}-{pack}.bin", 50_000, seed=9 * pack + number)
            leader.ok("put", *sorted((tmp_path / str(pack)).iterdir()), "Designs:/all")
        reads = count_reads(service)
        assert leader.ok("get", "Designs:/all", tmp_path / "out")["files"] == 20
        assert len(reads) == 10, "two shards of each pack"
        assert {*reads.values()} == {1}

    def test_some_of_many_small_files_are_read_in_few_ranges(
        self, leader: Computer, service: Service, tmp_path: Path
    ) -> None:
        for number in range(1000):
            write(tmp_path / "many" / f"{number // 100}" / f"{number:04}", 10_000, seed=number)
        leader.ok("put", tmp_path / "many", "Designs:/")
        ranges: list[str] = []

        def note(request: httpx.Request, _: int) -> None:
            ranges.append(request.headers.get("range", "whole"))

        service.on_object = note
        leader.ok("get", "Designs:/many/4", tmp_path / "out")
        assert snapshot(tmp_path / "out") == snapshot(tmp_path / "many" / "4")
        assert len(ranges) <= 2, ranges
        assert "whole" not in ranges


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
class TestWhatCannotBeWritten:
    def test_target_that_cannot_be_made_is_named_once(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("a file")
        exit_code, shown, message = leader.say("get", "Designs:/Photos", tmp_path / "file" / "out")
        assert (exit_code, shown) == (1, "")
        assert message == f"{tmp_path / 'file'}: This is not a folder.\n"

    def test_folders_and_devices_are_not_replaced(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "out" / "1.bin").mkdir(parents=True)
        os.mkfifo(tmp_path / "out" / "2.bin")
        command = ("get", "Designs:/Photos/deep", tmp_path / "out", "--overwrite")
        exit_code, answer = leader.run(*command)
        assert (exit_code, answer["kept"], answer["files"]) == (4, ["1.bin", "2.bin"], 3)
        assert (tmp_path / "out" / "2.bin").is_fifo()

    def test_folder_a_thousand_levels_deep_is_made(
        self, leader: Computer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        deep = Path(*["d"] * 1500)
        exit_code, answer = leader.run("get", "Designs:/Photos/link", deep / "out")
        assert exit_code == 0, answer
        (deep / "out").unlink()
        os.removedirs(deep)  # Pytest could not.


def test_times_of_folders_come_back(leader: Computer, tmp_path: Path) -> None:
    names = "private", "full/deep", "full", "empty", "."
    for name in names:
        (tmp_path / "home" / name).mkdir(parents=True, exist_ok=True)
    for name in names[:3]:
        (tmp_path / "home" / name / "key").write_text("key")
    (tmp_path / "home" / "private").chmod(0o700)
    for number, name in enumerate(names):
        os.utime(tmp_path / "home" / name, ns=(10**18, 10**18 + number))
    answer = leader.ok("put", tmp_path / "home", "Designs:/")
    assert answer["stored"] == [f"home/{name}" for name in STORED]
    for _ in range(2):
        leader.ok("get", "Designs:/home", tmp_path / "out")
        for number, name in enumerate(names):
            assert (tmp_path / "out" / name).stat().st_mtime_ns == 10**18 + number, name
    assert leader.ok("put", tmp_path / "home", "Designs:/")["unchanged"] == len(STORED)


STORED = "empty", "full/deep/key", "full/key", "private/key"


def test_folder_s_time_is_renewed_with_what_is_stored_in_it_and_not_alone(
    leader: Computer, service: Service, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    command = "backup", tmp_path / "home", "Designs:/", "--exclude", "*.tmp"
    (log,) = service.spaces.values()
    for name, is_stored in (("a", True), ("b.tmp", False), ("c", True)):
        (tmp_path / "home" / name).touch()
        os.utime(tmp_path / "home", (1, 1 + len(log.entries)))
        entries = len(log.entries)
        leader.ok(*command)
        assert (len(log.entries) > entries) is is_stored
    leader.ok("get", "Designs:/home", tmp_path / "out")
    assert (tmp_path / "out").stat().st_mtime == (tmp_path / "home").stat().st_mtime


def test_empty_file_has_size_0_in_the_list(leader: Computer, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    leader.ok("put", tmp_path / "empty", "Designs:/")
    _, shown, _ = leader.say("ls", "Designs:/")
    assert shown.split()[0] == "0"
    _, shown, _ = leader.say("versions", "Designs:/empty")
    assert "0 bytes" in shown
