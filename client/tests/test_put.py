"""Where `put` stores what, and what it leaves out."""

import io
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.vault import changes, scan
from tessera_core.chunks import CHUNK_BYTES


def paths(computer: Computer) -> list[str]:
    return [entry["path"] for entry in computer.ok("ls", "Designs:/", "-r")["entries"]]


class TestTarget:
    @pytest.fixture(autouse=True)
    def files(self, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("one.txt", "two.txt", "folder/three.txt", "other/one.txt"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(name)
        leader.ok("put", tmp_path / "two.txt", "Designs:/old/")
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize(
        ("sources", "target", "stored"),
        [
            (["one.txt"], "", ["one.txt"]),
            (["one.txt"], "new.txt", ["new.txt"]),
            (["one.txt"], "new/", ["new/one.txt"]),
            (["one.txt"], "old", ["old/one.txt"]),
            (["one.txt"], "old/two.txt", ["old/two.txt"]),
            (["one.txt"], "a/b/c.txt", ["a/b/c.txt"]),
            (["folder"], "new", ["new/three.txt"]),
            (["folder"], "new/", ["new/folder/three.txt"]),
            (["folder"], "old", ["old/folder/three.txt"]),
            (["one.txt", "folder"], "new", ["new/one.txt", "new/folder/three.txt"]),
        ],
    )
    def test_put_stores_where_cp_would(
        self, leader: Computer, sources: list[str], target: str, stored: list[str]
    ) -> None:
        assert leader.ok("put", *sources, f"Designs:/{target}")["stored"] == stored

    @pytest.mark.parametrize(
        ("sources", "target"),
        [
            (["one.txt", "two.txt"], "old/two.txt"),
            (["one.txt"], "old/two.txt/"),
            (["one.txt"], "old/two.txt/deeper"),
            (["folder"], "old/two.txt"),
        ],
    )
    def test_file_is_not_taken_for_a_folder(
        self, leader: Computer, sources: list[str], target: str
    ) -> None:
        exit_code, answer = leader.run("put", *sources, f"Designs:/{target}")
        assert (exit_code, answer["error"]) == (1, "not_a_folder")

    def test_second_source_of_the_same_name_is_refused_and_the_rest_stored(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        exit_code, answer = leader.run("put", "one.txt", "other/one.txt", "two.txt", "Designs:/")
        assert (exit_code, answer["stored"]) == (4, ["one.txt", "two.txt"])
        assert [problem["path"] for problem in answer["failed"]] == ["other/one.txt"]
        leader.ok("get", "Designs:/one.txt", tmp_path / "out")
        assert (tmp_path / "out").read_text() == "one.txt"

    def test_missing_source_is_named_and_the_rest_stored(self, leader: Computer) -> None:
        exit_code, answer = leader.run("put", "missing", "one.txt", "Designs:/")
        assert (exit_code, answer["stored"]) == (4, ["one.txt"])
        assert [problem["path"] for problem in answer["failed"]] == ["missing"]
        assert leader.run("put", "missing", "Designs:/")[0] == 2

    def test_dry_run_lists_what_would_be_stored(self, leader: Computer) -> None:
        _, text, _ = leader.say("put", "one.txt", "folder", "Designs:/", "--dry-run")
        assert text.splitlines()[:2] == ["one.txt", "folder/three.txt"]
        assert paths(leader) == ["old/two.txt"]


class TestStandardInput:
    def feed(self, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
        class Input(io.RawIOBase):
            """Gives little at a time, as a pipe does."""

            left = io.BytesIO(content)

            def readable(self) -> bool:
                return True

            def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
                part = self.left.read(min(len(buffer), 65_000))
                buffer[: len(part)] = part
                return len(part)

        stream = io.TextIOWrapper(io.BufferedReader(cast("io.RawIOBase", Input())))
        # The test runner replaces `sys.stdin` itself.
        monkeypatch.setattr("tessera_client.commands.files.sys", Stdin(stream))

    def test_content_of_unknown_size_is_stored_and_its_entry_copied(
        self, service: Service, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        content = random.Random(1).randbytes(2 * CHUNK_BYTES + 5)
        for size in (len(content), 0):
            self.feed(monkeypatch, content[:size])
            answer = leader.ok("put", "-", f"Designs:/dumps/{size}")
            assert (answer["stored"], answer["bytes"]) == ([f"dumps/{size}"], size)
            flushes = [name for name, *_ in service.exchanges if name.endswith("/log/flush")]
            assert flushes, "the warehouses have the log too"
            service.exchanges.clear()
            leader.ok("get", f"Designs:/dumps/{size}", tmp_path / str(size))
            assert (tmp_path / str(size)).read_bytes() == content[:size]

    def test_repeated_dump_replaces_its_own_former_one_alone(
        self, leader: Computer, member: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for computer, conflicts in ((leader, 0), (leader, 0), (member, 1)):
            self.feed(monkeypatch, random.randbytes(10))
            _, answer = computer.run("put", "-", "Designs:/dump")
            assert len(answer["conflicts"]) == conflicts

    @pytest.mark.parametrize("target", ["Designs:/", "Designs:/new/", "Designs:/folder"])
    def test_name_is_needed(self, leader: Computer, tmp_path: Path, target: str) -> None:
        (tmp_path / "note").write_text("note")
        leader.ok("put", tmp_path / "note", "Designs:/folder/")
        exit_code, answer = leader.run("put", "-", target)
        assert (exit_code, answer["error"]) == (2, "stream_without_name")


class Stdin:
    def __init__(self, stream: io.TextIOWrapper) -> None:
        self.stdin = stream


class TestContents:
    @pytest.fixture
    def note(self, leader: Computer, tmp_path: Path) -> Path:
        note = tmp_path / "note"
        note.write_text("one")
        leader.ok("put", note, "Designs:/")
        return note

    def test_change_that_keeps_time_and_size_is_found_by_its_content(
        self, leader: Computer, note: Path
    ) -> None:
        before = note.stat()
        note.write_text("two")
        os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert leader.ok("put", note, "Designs:/")["unchanged"] == 1
        assert leader.ok("put", note, "Designs:/", "--checksum")["stored"] == ["note"]

    def test_other_time_alone_is_no_change_of_content(self, leader: Computer, note: Path) -> None:
        os.utime(note, ns=(1, 1))
        assert leader.ok("put", note, "Designs:/", "--checksum")["unchanged"] == 1


class TestPatterns:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        names = "a.txt", "b.tmp", "keep.tmp", "build/x.txt", "src/build/y.txt", "src/c.txt", "src/d"
        for name in names:
            path = tmp_path / "folder" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
        return tmp_path / "folder"

    @pytest.mark.parametrize(
        ("options", "stored"),
        [
            (["--exclude", "*.tmp"], "a.txt build/x.txt src/build/y.txt src/c.txt src/d"),
            (["--exclude", "build"], "a.txt b.tmp keep.tmp src/c.txt src/d"),
            (["--exclude", "/build/"], "a.txt b.tmp keep.tmp src/build/y.txt src/c.txt src/d"),
            (["--exclude", "src/**/y.txt", "--exclude", "*.tmp"],
             "a.txt build/x.txt src/c.txt src/d"),
            (["--include", "*.txt"], "a.txt build/x.txt src/build/y.txt src/c.txt"),
            (["--include", "*.txt", "--exclude", "build"], "a.txt src/c.txt"),
        ],
    )  # fmt: skip
    def test_patterns_are_those_of_gitignore(
        self, leader: Computer, folder: Path, options: list[str], stored: str
    ) -> None:
        answer = leader.ok("put", folder, "Designs:/", *options, "--dry-run")
        assert answer["stored"] == [f"folder/{name}" for name in stored.split()]

    def test_ignore_files_of_folders_are_obeyed(self, leader: Computer, folder: Path) -> None:
        (folder / ".tessignore").write_text("# not these\n*.tmp\n!keep.tmp\n/build/\n")
        (folder / "src" / ".tessignore").write_text("d\n!build\n")
        assert leader.ok("backup", folder, "Designs:/x")["stored"] == [
            f"x/{name}"
            for name in (
                ".tessignore", "a.txt", "keep.tmp", "src/.tessignore", "src/build/y.txt",
                "src/c.txt",
            )
        ]  # fmt: skip

    def test_what_is_no_file_of_patterns_is_named_and_leaves_nothing_out(
        self, leader: Computer, folder: Path
    ) -> None:
        patterns = folder / "src" / ".tessignore"
        patterns.mkdir()
        exit_code, answer = leader.run("put", folder, "Designs:/")
        assert exit_code == 4
        assert [problem["path"] for problem in answer["failed"]] == [str(patterns)]
        assert "folder/src/c.txt" in answer["stored"]

    def test_folder_whose_ignore_file_cannot_be_read_is_named_and_left_out(
        self, leader: Computer, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "src" / ".tessignore").write_text("*.log")
        opened = os.open

        def refuse(path: Any, *options: Any, **more: Any) -> int:
            if str(path).endswith(".tessignore"):
                raise PermissionError(13, "Permission denied", path)
            return opened(path, *options, **more)

        monkeypatch.setattr(os, "open", refuse)
        exit_code, answer = leader.run("put", folder, "Designs:/")
        assert exit_code == 4
        assert [problem["path"] for problem in answer["failed"]] == [str(folder / "src")]
        assert not [path for path in answer["stored"] if "src" in path]

    def test_state_of_the_client_is_left_out_of_a_backup(
        self, leader: Computer, tmp_path: Path
    ) -> None:
        (tmp_path / "note").write_text("note")
        stored = leader.ok("backup", tmp_path, "Designs:/x")["stored"]
        assert "x/note" in stored
        assert not [path for path in stored if "sqlite" in path]


class TestPush:
    def test_push_sends_what_an_outage_has_delayed_and_says_so(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        (tmp_path / "note").write_text("note")
        service.on_object = lambda _, index: httpx.Response(503) if index == 1 else None
        exit_code, text, _ = leader.say("put", tmp_path / "note", "Designs:/")
        assert exit_code == 4
        assert "tess push" in text
        reason = "Cloud 1 does not have all pieces yet. tessera.test answered with status 503."
        assert reason in text.splitlines()
        exit_code, answer = leader.run("push")
        assert (exit_code, answer["sent"]) == (4, 0)
        (waiting,) = answer["waiting"]
        assert (waiting["space"], waiting["packs"], waiting["files"]) == ("Designs", 1, ["note"])
        assert waiting["reasons"] == [reason]
        service.on_object = lambda *_: None
        pushed = leader.ok("push")
        assert (pushed["sent"], pushed["waiting"], pushed["unfinished"]) == (1, [], 0)
        assert leader.ok("status")["pendingPacks"] == 0
        assert leader.ok("push")["sent"] == 0

    def test_push_says_what_only_the_same_command_can_finish(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        (tmp_path / "note").write_text("note")
        service.on_object = lambda *_: httpx.Response(503)
        exit_code, answer = leader.run("put", tmp_path / "note", "Designs:/")
        assert (exit_code, len(answer["reasons"])) == (4, 3)
        service.on_object = lambda *_: None
        exit_code, answer = leader.run("push")
        assert (exit_code, answer["sent"], answer["unfinished"]) == (4, 0, 1)
        assert leader.ok("put", tmp_path / "note", "Designs:/")["stored"] == ["note"]
        assert leader.ok("push")["unfinished"] == 0

    @pytest.mark.parametrize("days", [2, 7])
    def test_what_waited_for_days_is_stored_with_the_time_of_its_sending(
        self,
        service: Service,
        leader: Computer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        days: int,
    ) -> None:
        """The service refuses entries of more than a day ago."""
        (tmp_path / "note").write_text("note")
        (tmp_path / "partly").write_text("partly")
        service.on_object = lambda _, index: httpx.Response(503) if index == 1 else None
        assert leader.run("put", tmp_path / "partly", "Designs:/")[0] == 4
        service.on_object = lambda *_: httpx.Response(503)
        assert leader.run("put", tmp_path / "note", "Designs:/")[0] == 4
        later = time.time() + days * 24 * 3600
        monkeypatch.setattr(time, "time", lambda: later)
        service.on_object = lambda *_: None
        leader.run("push")
        assert leader.ok("put", tmp_path / "note", "Designs:/")["stored"] == ["note"]
        (log,) = service.spaces.values()
        assert log.state.time == int(later * 1000)
        assert (leader.ok("push")["unfinished"], leader.ok("status")["pendingPacks"]) == (0, 0)


def test_file_that_vanishes_while_others_are_stored_is_named(
    leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gone", "stays"):
        (tmp_path / "folder" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "folder" / name).write_text(name)
    read_chunks = scan.read_chunks

    def vanish(file: scan.LocalFile) -> object:
        if file.local.name == "gone":
            file.local.unlink()
        return read_chunks(file)

    monkeypatch.setattr("tessera_client.vault.put.read_chunks", vanish)
    exit_code, answer = leader.run("put", tmp_path / "folder", "Designs:/")
    assert (exit_code, answer["stored"]) == (4, ["folder/stays"])
    assert [Path(problem["path"]).name for problem in answer["failed"]] == ["gone"]


@pytest.mark.parametrize("outage", [False, True])
def test_file_with_more_packs_than_an_entry_names_is_stored_in_several(
    service: Service,
    leader: Computer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    outage: bool,
) -> None:
    """If a part of it could not be stored, the file is left out until it is."""
    monkeypatch.setattr(changes, "MAX_PACKS", 1)
    content = random.Random(3).randbytes(34 * CHUNK_BYTES)
    (tmp_path / "large").write_bytes(content)
    (tmp_path / "small").write_text("small")
    refused = set[str]()

    def refuse_the_first_pack(request: httpx.Request, _: int) -> httpx.Response | None:
        pack = request.url.path.split("/")[-1]
        if request.method == "PUT" and not refused - {pack}:
            refused.add(pack)
            return httpx.Response(503)
        return None

    if outage:
        service.on_object = refuse_the_first_pack
    sources = tmp_path / "large", tmp_path / "small"
    exit_code, answer = leader.run("put", *sources, "Designs:/")
    expected = (4, ["small"]) if outage else (0, ["large", "small"])
    assert (exit_code, answer["stored"]) == expected
    service.on_object = lambda *_: None
    again = leader.ok("put", *sources, "Designs:/")
    assert again["stored"] == (["large"] if outage else [])
    leader.ok("get", "Designs:/large", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == content
    (log,) = service.spaces.values()
    added = Counter(pack.sequence for pack in log.state.packs.values())
    assert max(added.values()) <= 2, "one that is full, and one that was begun"


def test_file_that_shares_a_chunk_with_one_that_could_not_be_stored_is_left_out_too(
    service: Service, leader: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No entry names the pack that holds the chunk, although its warehouses have it."""
    monkeypatch.setattr(changes, "MAX_OPERATIONS", 2)  # Each file gets an entry of its own.
    shared = random.Random(5).randbytes(CHUNK_BYTES)
    (tmp_path / "a").write_bytes(random.Random(6).randbytes(16 * CHUNK_BYTES) + shared)
    (tmp_path / "b").write_bytes(shared)
    packs = list[str]()

    def refuse_the_first_pack(request: httpx.Request, _: int) -> httpx.Response | None:
        pack = request.url.path.split("/")[-1]
        if request.method == "PUT":
            packs.append(pack)
        return httpx.Response(503) if request.method == "PUT" and pack == packs[0] else None

    service.on_object = refuse_the_first_pack
    exit_code, answer = leader.run("put", tmp_path / "a", tmp_path / "b", "Designs:/")
    assert (exit_code, answer["stored"]) == (4, [])
    service.on_object = lambda *_: None
    leader.ok("put", tmp_path / "a", tmp_path / "b", "Designs:/")
    leader.ok("get", "Designs:/b", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == shared


@pytest.mark.parametrize("command", ["put", "backup"])
def test_first_run_says_what_is_not_kept(leader: Computer, tmp_path: Path, command: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "one.txt").write_text("one")
    said = [leader.say(command, tmp_path / "folder", "Designs:/")[2] for _ in range(2)]
    assert "extended attributes and access lists are not" in said[0]
    assert "hard links become separate files" in said[0]
    assert said[1] == ""
    assert "hard links" in " ".join(leader.say(command, "--help")[1].split())
