"""A client that is killed at any step, and the same command again."""

import errno
import os
import random
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.transfer.journal import Journal, SpooledPack
from tessera_client.vault import changes, restore, scan
from tessera_client.vault.disk_names import DiskPaths
from tessera_core.packs import PackName
from tessera_core.shards import Coding, PackRecord, split_pack


class Killed(BaseException):
    """Passes through everything, as a kill does."""


def kill_at(service: Service, step: int) -> None:
    """Kills the client after the service has done its step-th call, before the answer."""
    remaining = [step]

    def count(_: str, answer: Any) -> Any:
        remaining[0] -= 1
        if remaining[0] == 0:
            raise Killed
        return answer

    service.on_call = count


def test_a_put_continues_after_a_kill_at_every_call(
    service: Service, leader: Computer, member: Computer, tmp_path: Path
) -> None:
    content = random.Random(4).randbytes(1_500_000)
    (tmp_path / "note.bin").write_bytes(content)
    step, killed = 1, True
    while killed:
        kill_at(service, step)
        target = f"Designs:/{step}/"
        (tmp_path / "note.bin").write_bytes(content[step:])
        try:
            leader.ok("put", tmp_path / "note.bin", target)
            killed = False
        except Killed:
            service.on_call = lambda _, answer: answer
            leader.ok("put", tmp_path / "note.bin", target)
        service.on_call = lambda _, answer: answer
        member.ok("get", f"{target}note.bin", tmp_path / f"out{step}")
        assert (tmp_path / f"out{step}").read_bytes() == content[step:]
        step += 1
    assert step > 6
    assert leader.ok("status")["pendingPacks"] == 0
    (log,) = service.spaces.values()
    versions = Counter(entry["path"] for entry in leader.ok("ls", "Designs:/", "-r")["entries"])
    assert set(versions.values()) == {1}
    assert len(log.state.packs) == len(service.packs) == step - 1, "nothing was sent twice"


def test_a_killed_creation_of_a_space_is_finished(service: Service, leader: Computer) -> None:
    step, killed = 1, True
    while killed:
        kill_at(service, step)
        name = f"Space {step}"
        try:
            leader.ok("spaces", "create", name)
            killed = False
        except Killed:
            service.on_call = lambda _, answer: answer
            created = leader.run("spaces", "create", name)
            assert created[0] == 0 or created[1]["error"] == "space_exists"
        step += 1
    service.on_call = lambda _, answer: answer
    names = [space["name"] for space in leader.ok("spaces")["spaces"]]
    assert sorted(names) == sorted(["Designs", *(f"Space {number}" for number in range(1, step))])


class TestLocalFiles:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "folder").mkdir()
        (tmp_path / "folder" / "good.txt").write_text("good")
        return tmp_path / "folder"

    def test_a_file_that_changes_while_it_is_read(
        self, leader: Computer, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        growing = folder / "growing.log"
        growing.write_text("line")
        add_chunk = changes.ChangeWriter.add_chunk

        def grow(writer: changes.ChangeWriter, chunk: bytes) -> bytes:
            if chunk == b"line":
                growing.write_text("line and another")
            return add_chunk(writer, chunk)

        monkeypatch.setattr(changes.ChangeWriter, "add_chunk", grow)
        exit_code, answer = leader.run("put", folder, "Designs:/")
        assert (exit_code, answer["stored"]) == (4, ["folder/good.txt"])
        assert "changed while" in answer["failed"][0]["message"]

    def test_a_file_that_may_not_be_read_and_a_pipe(
        self, leader: Computer, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "secret").write_text("secret")
        os.mkfifo(folder / "pipe")
        read_chunks = scan.read_chunks

        def refuse(file: scan.LocalFile) -> Iterator[bytes]:
            if file.local.name == "secret":
                raise PermissionError(errno.EACCES, "Permission denied")
            return read_chunks(file)

        monkeypatch.setattr("tessera_client.vault.put.read_chunks", refuse)
        exit_code, answer = leader.run("put", folder, "Designs:/")
        assert (exit_code, answer["stored"]) == (4, ["folder/good.txt"])
        assert len(answer["failed"]) == 2

    def test_a_full_disk_while_storing(
        self, service: Service, leader: Computer, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(Journal, "_write", full)
            exit_code, answer = leader.run("put", folder, "Designs:/")
        assert (exit_code, answer["error"]) == (1, "spool_failed")
        assert "No space left" in answer["message"]
        assert leader.ok("put", folder, "Designs:/")["stored"] == ["folder/good.txt"]

    def test_a_full_disk_while_fetching(
        self, leader: Computer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "large").write_bytes(bytes(2000))
        leader.ok("put", folder, "Designs:/")
        write = restore._write_sparse

        def full(file: Any, chunk: bytes) -> None:
            if len(chunk) == 2000:
                raise OSError(errno.ENOSPC, "No space left on device")
            write(file, chunk)

        monkeypatch.setattr(restore, "_write_sparse", full)
        exit_code, answer = leader.run("get", "Designs:/folder", tmp_path / "out")
        assert exit_code == 4
        assert answer["failed"] == [{"path": "large", "message": "No space left on device."}]
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["good.txt"]

    def test_names_that_a_system_cannot_hold(
        self, leader: Computer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("Case.txt", "case.txt", "é.txt", "e\u0301.txt"):
            (folder / name).write_text(name)
        leader.ok("put", folder, "Designs:/")
        leader.ok("rm", "Designs:/folder/good.txt")
        leader.ok("get", "Designs:/folder", tmp_path / "out")
        assert len(list((tmp_path / "out").iterdir())) == 4, "NFC and NFD are two names"
        monkeypatch.setattr("tessera_client.vault.restore.DiskPaths", lambda: DiskPaths("win32"))
        leader.ok("mv", "Designs:/folder/é.txt", "Designs:/folder/aux.txt")
        answer = leader.ok("get", "Designs:/folder", tmp_path / "windows")
        assert {each["path"] for each in answer["renamed"]} == {"aux.txt", "case.txt"}
        assert len(list((tmp_path / "windows").iterdir())) == 4

    def test_a_link_in_the_way_is_not_followed(
        self, leader: Computer, folder: Path, tmp_path: Path
    ) -> None:
        leader.ok("put", folder, "Designs:/")
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "folder").symlink_to(tmp_path / "elsewhere")
        exit_code, _ = leader.run("get", "Designs:/", tmp_path / "out")
        assert exit_code == 1
        assert list((tmp_path / "elsewhere").iterdir()) == []


def test_spool_and_journal_are_private_and_unfinished_packs_are_thrown_away(
    service: Service, leader: Computer
) -> None:
    folder = leader.folder / str(service.leader.uuid)
    spool = folder / "spool"
    leader.ok("status")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (spool / "unfinished").write_bytes(b"half a pack")
    os.utime(spool / "unfinished", (0, 0))
    journal = Journal(folder)
    journal.clean()
    assert list(spool.iterdir()) == []


class TestTwoProgramsOnOneStateFolder:
    def test_nothing_waits_while_another_program_stores_files(
        self,
        service: Service,
        leader: Computer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The packs of the first are neither sent by the others nor thrown away."""
        for name in ("old", "moved", "first", "second"):
            (tmp_path / name).write_text(name)
        leader.ok("put", tmp_path / "old", tmp_path / "moved", "Designs:/")
        packs, commit = len(service.packs), changes.ChangeWriter.commit

        def meanwhile(writer: changes.ChangeWriter) -> None:
            monkeypatch.setattr(changes.ChangeWriter, "commit", commit)
            writer._writer.finish()  # type: ignore[union-attr]
            writer._uploader.finish()
            leader.ok("rm", "Designs:/old")
            leader.ok("mv", "Designs:/moved", "Designs:/there")
            assert leader.ok("put", tmp_path / "second", "Designs:/")["stored"] == ["second"]
            commit(writer)

        monkeypatch.setattr(changes.ChangeWriter, "commit", meanwhile)
        assert leader.ok("put", tmp_path / "first", "Designs:/")["stored"] == ["first"]
        names = [entry["path"] for entry in leader.ok("ls", "Designs:/")["entries"]]
        assert names == ["first", "second", "there"]
        assert len(service.packs) == packs + 2
        assert leader.ok("status")["pendingPacks"] == 0

    def test_runs_that_have_ended_leave_no_file(self, leader: Computer, tmp_path: Path) -> None:
        (tmp_path / "note").write_text("note")
        leader.ok("put", tmp_path / "note", "Designs:/")
        (runs,) = leader.folder.rglob("runs")
        assert list(runs.iterdir()) == []

    def test_packs_of_a_running_program_are_not_taken_over(self, tmp_path: Path) -> None:
        name = PackName(uuid4(), 1, bytes(16))
        shards = split_pack(bytes(100), name, Coding(2, 3, 100))
        pack = SpooledPack(name, PackRecord.of(shards), (), is_body=False)
        with Journal(tmp_path).running() as first:
            first.add(pack, bytes(100))
            with Journal(tmp_path).running() as second:
                assert list(second.take_over(name.space)) == []
        with Journal(tmp_path).running() as third:
            assert [each.name for each in third.take_over(name.space)] == [name]
