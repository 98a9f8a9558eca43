"""Moving in from rclone and restic: the real programs, and programs that lie."""

import io
import json
import os
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.test_files import snapshot
from tests.tools import tool

TIME = 1_700_000_000_123_456_789


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "home"
    (root / "deep" / "empty").mkdir(parents=True)
    (root / "deep" / "report.txt").write_text("report")
    (root / "Ünïcode – 名前.txt").write_text("name")
    (root / "large.bin").write_bytes(os.urandom(5 * 2**20 + 3))
    (root / "none").touch()
    for number, path in enumerate(sorted(root.rglob("*"), reverse=True)):
        os.utime(path, ns=(TIME, TIME + number))
    return root


def ended(computer: Computer, *arguments: str | Path) -> dict[str, Any]:
    """What an import answers that is partly done."""
    exit_code, answer = computer.run("import", *arguments)
    assert exit_code == 4, answer
    return answer


class TestRclone:
    @pytest.fixture(autouse=True)
    def _remote(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        tool("rclone")
        monkeypatch.setenv("RCLONE_CONFIG_OLD_TYPE", "alias")
        monkeypatch.setenv("RCLONE_CONFIG_OLD_REMOTE", str(folder))
        monkeypatch.setenv("RCLONE_CONFIG", os.devnull)

    def test_remote_is_moved_in_with_names_times_and_sizes(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        planned = leader.ok("import", "rclone", "old:", "Designs:/moved", "--dry-run")["stored"]
        answer = leader.ok("import", "rclone", "old:", "Designs:/moved")
        assert sorted(answer["stored"]) == sorted(planned)
        assert (len(planned), answer["compared"], answer["differences"]) == (4, 6, [])
        leader.ok("get", "Designs:/moved", tmp_path / "out")
        assert snapshot(tmp_path / "out") == snapshot(folder)
        for name in ("large.bin", "deep/report.txt"):
            assert (tmp_path / "out" / name).stat().st_mtime_ns == (
                folder / name
            ).stat().st_mtime_ns

    def test_next_run_adds_what_is_new_and_skips_the_rest(
        self, leader: Computer, folder: Path
    ) -> None:
        leader.ok("import", "rclone", "old:deep", "Designs:/moved")
        answer = leader.ok("import", "rclone", "old:deep", "Designs:/moved")
        assert (answer["stored"], answer["unchanged"]) == ([], 1)
        (folder / "deep" / "report.txt").write_text("longer report")
        answer = leader.ok("import", "rclone", "old:deep", "Designs:/moved")
        assert (answer["stored"], answer["conflicts"]) == (["moved/report.txt"], [])

    def test_file_of_a_colleague_with_the_same_size_and_time_is_not_taken_for_it(
        self, leader: Computer, member: Computer, folder: Path, tmp_path: Path
    ) -> None:
        forged = tmp_path / "report.txt"
        forged.write_text("forged")
        time = (folder / "deep" / "report.txt").stat().st_mtime_ns
        os.utime(forged, ns=(time, time))
        member.ok("put", forged, "Designs:/moved/")
        answer = ended(leader, "rclone", "old:deep", "Designs:/moved")
        assert [conflict["path"] for conflict in answer["conflicts"]] == ["moved/report.txt"]
        assert answer["differences"] == []
        assert leader.binary("get", "Designs:/moved/report.txt", "-") == b"report"

    def test_missing_remote_fails(self, leader: Computer) -> None:
        exit_code, answer = leader.run("import", "rclone", "missing:", "Designs:/")
        assert (exit_code, answer["error"]) == (1, "source_failed")


class TestRestic:
    @pytest.fixture
    def repository(self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        monkeypatch.setenv("RESTIC_PASSWORD", "old password")
        monkeypatch.setenv("RESTIC_CACHE_DIR", str(tmp_path / "cache"))
        (folder / "link").symlink_to("deep/report.txt")
        (folder / "deep" / "report.txt").chmod(0o700)
        os.mkfifo(folder / "deep" / "pipe")
        os.utime(folder / "deep", ns=(TIME, TIME))
        self.back_up(folder, "init")
        self.back_up(folder, "backup", folder.name)
        return str(tmp_path / "repository")

    @staticmethod
    def back_up(folder: Path, *arguments: str) -> None:
        command = [tool("restic"), "--quiet", "--repo", str(folder.parent / "repository")]
        subprocess.run([*command, *arguments], check=True, cwd=folder.parent)

    @pytest.mark.extended
    def test_snapshot_is_moved_in_with_names_times_sizes_links_and_modes(
        self, leader: Computer, folder: Path, repository: str, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        answer = ended(leader, "restic", repository, "Designs:/old")
        assert [problem["path"] for problem in answer["failed"]] == ["home/deep/pipe"]
        assert (len(answer["stored"]), answer["compared"], answer["differences"]) == (5, 8, [])
        leader.ok("get", "Designs:/old/home", tmp_path / "out")
        (folder / "deep" / "pipe").unlink()
        os.utime(folder / "deep", ns=(TIME, TIME))
        assert snapshot(tmp_path / "out") == snapshot(folder)
        for name in ("deep/report.txt", "large.bin", "deep", "deep/empty"):
            status, old = (tmp_path / "out" / name).stat(), (folder / name).stat()
            assert (status.st_mtime_ns, status.st_mode) == (old.st_mtime_ns, old.st_mode), name

        (folder / "deep" / "new").write_text("new")
        first = leader.ok("ls", "Designs:/", "-r")["entries"]
        self.back_up(folder, "backup", folder.name)
        assert leader.ok("import", "restic", repository, "Designs:/old")["stored"] == [
            "old/home/deep/new"
        ]
        assert len(leader.ok("ls", "Designs:/", "-r")["entries"]) == len(first) + 1
        monkeypatch.setenv("RESTIC_PASSWORD", "wrong")
        exit_code, answer = leader.run("import", "restic", repository, "Designs:/")
        assert (exit_code, answer["error"]) == (1, "source_failed")


Fake = Callable[[str, str], None]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Puts a shell script in the place of a program."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)

    def make(program: str, script: str) -> None:
        path = tmp_path / "bin" / program
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o700)

    return make


RESTIC = 'case "$*" in *" ls "*) cat list;; *) cat archive; exit $(cat status);; esac'
RCLONE = 'case "$*" in lsjson*) cat list;; *bad*) printf hal; exit 1;; *) printf hello;; esac'


def restic_list(*nodes: tuple[str, str, int]) -> None:
    """Names, types and sizes."""
    rows: list[dict[str, object]] = [{"struct_type": "snapshot", "id": "0" * 64}]
    rows += [
        {
            "struct_type": "node", "path": path, "type": kind, "size": size, "mode": 0o644,
            "mtime": "2026-11-18T10:23:20.5+03:00",
        }
        for path, kind, size in nodes
    ]  # fmt: skip
    Path("list").write_text("\n".join(map(json.dumps, rows)))


def archive(*members: tuple[str, bytes, bytes, str], end: int | None = None) -> None:
    """Names, types, contents and targets of links."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as written:
        for name, kind, content, target in members:
            member = tarfile.TarInfo(name)
            member.type, member.size, member.linkname = kind, len(content), target
            written.addfile(member, io.BytesIO(content))
    Path("archive").write_bytes(stream.getvalue()[:end])
    Path("status").write_text("0")


FILE, LINK, HARD, DEVICE = tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE


class TestLies:
    def test_hostile_names_and_kinds_of_an_archive_are_not_stored(
        self, leader: Computer, fake: Fake
    ) -> None:
        fake("restic", RESTIC)
        restic_list(
            ("/good", "file", 4), ("/../../evil", "file", 4), ("//etc/passwd", "file", 4),
            ("/nul\0", "file", 4), ("/" + "x" * 300, "file", 4), ("/good", "file", 4),
            ("/device", "file", 0), ("/hard", "file", 4), ("/link", "file", 4),
            ("/folder", "symlink", 0), ("/odd", "chardev", 0),
        )  # fmt: skip
        archive(
            ("/etc/passwd", FILE, b"evil", ""), ("../../evil", FILE, b"evil", ""),
            ("device", DEVICE, b"", ""), ("hard", HARD, b"", "/etc/passwd"),
            ("link", LINK, b"", "/etc/passwd"), ("folder", FILE, b"evil", ""),
            ("unlisted", FILE, b"evil", ""), ("good", FILE, b"good", ""),
            ("good", FILE, b"evil", ""),
        )  # fmt: skip
        answer = ended(leader, "restic", "repository", "Designs:/in")
        assert answer["stored"] == ["in/good"]
        assert [problem["path"] for problem in answer["failed"]] == [
            "../../evil", "/etc/passwd", "nul\0", "x" * 300, "good", "odd"
        ]  # fmt: skip
        missing = [problem["path"] for problem in answer["differences"]]
        assert missing == ["in/device", "in/hard", "in/link", "in/folder"]
        (entry,) = leader.ok("ls", "Designs:/", "-r")["entries"]
        assert (entry["path"], entry["modified"]) == ("in/good", "2026-11-18T07:23:20Z")
        assert leader.binary("get", "Designs:/in/good", "-") == b"good"

    def test_what_came_before_a_damage_is_stored_and_the_rest_named(
        self, leader: Computer, fake: Fake
    ) -> None:
        fake("restic", RESTIC)
        restic_list(("/first", "file", 4), ("/second", "file", 3000), ("/third", "file", 4))
        archive(("first", FILE, b"1234", ""), ("second", FILE, bytes(3000), ""), end=2048)
        answer = ended(leader, "restic", "repository", "Designs:/")
        assert answer["stored"] == ["first"]
        assert len(answer["failed"]) == 2
        assert [problem["path"] for problem in answer["differences"]] == ["second", "third"]

    def test_sizes_and_failures_of_the_program_are_not_believed(
        self, leader: Computer, fake: Fake
    ) -> None:
        fake("restic", RESTIC)
        restic_list(("/short", "file", 4), ("/right", "file", 4))
        archive(("short", FILE, b"123", ""), ("right", FILE, b"1234", ""))
        Path("status").write_text("1")
        answer = ended(leader, "restic", "repository", "Designs:/")
        assert answer["stored"] == ["right"]
        assert [problem["path"] for problem in answer["differences"]] == ["short"]
        assert "restic ended with status 1" in answer["failed"][-1]["message"]

    def test_one_file_that_a_remote_cannot_read_leaves_the_others(
        self, leader: Computer, fake: Fake
    ) -> None:
        fake("rclone", RCLONE)
        names = "bad", *(f"good{number}" for number in range(20)), "unknown", "../evil"
        time = "0001-01-01T00:00:00Z"
        rows = [{"Path": name, "Size": 5, "ModTime": time, "IsDir": False} for name in names]
        rows[-2]["Size"] = -1
        Path("list").write_text(json.dumps(rows))
        answer = ended(leader, "rclone", "old:", "Designs:/")
        assert len(answer["stored"]) == 21
        assert [Path(problem["path"]).name for problem in answer["failed"]] == ["evil", "bad"]
        assert [problem["path"] for problem in answer["differences"]] == ["bad"]

    @pytest.mark.parametrize("text", ["", "[]x", '[{"Path": 1}]', '[{"ModTime": "yesterday"}]'])
    def test_lists_that_make_no_sense_are_refused(
        self, leader: Computer, fake: Fake, text: str
    ) -> None:
        fake("rclone", RCLONE)
        row = {"Path": "a", "Size": 5, "ModTime": "", "IsDir": False}
        Path("list").write_text(text.replace("{", json.dumps(row)[:-1] + ", "))
        exit_code, answer = leader.run("import", "rclone", "old:", "Designs:/")
        assert (exit_code, answer["error"]) == (1, "source_malformed")


def test_missing_program_is_named(
    leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    exit_code, answer = leader.run("import", "restic", "repository", "Designs:/")
    assert (exit_code, answer["error"]) == (1, "program_missing")
    assert answer["message"].startswith("restic is not installed")


@pytest.mark.parametrize(
    "arguments", [("zip", "a"), ("rclone", "old:", "--snapshot", "1")]
)  # fmt: skip
def test_unknown_programs_and_options_are_refused(
    leader: Computer, arguments: tuple[str, ...]
) -> None:
    exit_code, answer = leader.run("import", *arguments, "Designs:/")
    assert (exit_code, answer["error"]) == (2, "usage")
