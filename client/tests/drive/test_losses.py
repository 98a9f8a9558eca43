"""What closed files survive: a full disk, a kill, a power failure, and writers at the same time."""

import errno
import os
import shutil
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount
from tessera_client.drive.first_blocks import FirstBlocks
from tessera_client.drive.journal import DriveJournal
from tessera_client.drive.sealed_files import BLOCK_BYTES, SealedFile
from tessera_client.drive.sending import Sender
from tessera_client.drive.staging import StagedFile
from tessera_client.vault.changes import ChangeWriter


def refuse(*_: object) -> None:
    raise OSError(errno.ENOSPC, "")


class TestFullDisk:
    @pytest.mark.parametrize("is_flushed", [True, False])
    def test_file_whose_change_could_not_be_noted_is_kept_later(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch, *, is_flushed: bool
    ) -> None:
        opened = mount(leader)
        handle = opened.drive.create("note.txt")
        handle.write(0, b"closed")
        with monkeypatch.context() as patch:
            patch.setattr(DriveJournal, "append", refuse)
            if is_flushed:
                with pytest.raises(OSError, match=str(errno.ENOSPC)):
                    handle.keep()
            else:
                handle.close()
        if is_flushed:
            handle.close()
        opened.drive.keep_again()
        assert opened.drive.waiting == 1
        opened.drive.rebuild_view()
        assert opened.read("note.txt") == b"closed"

    def test_drive_opens_although_nothing_can_be_deleted(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mount(leader).write("kept.txt", b"kept")
        monkeypatch.setattr(FirstBlocks, "keep_only", refuse)
        assert mount(leader).read("kept.txt") == b"kept"

    def test_journal_gives_its_space_back(self, leader: Computer, mount: Mount) -> None:
        opened = mount(leader)
        for number in range(100):
            opened.write(f"{number}.bin", os.urandom(100_000))
        opened.send()
        assert opened.drive.waiting == 0
        opened.drive.close()
        assert (leader.folder / "drive" / "journal.sqlite").stat().st_size < 1_000_000


class TestKill:
    @pytest.mark.parametrize("blocks", [3, 20])
    def test_content_that_was_closed_stays_until_the_next_is(
        self, leader: Computer, mount: Mount, blocks: int
    ) -> None:
        opened, content = mount(leader), os.urandom(blocks * BLOCK_BYTES)
        opened.write("a.bin", content)
        opened.write("other.txt", b"other")
        handle = opened.drive.open("a.bin", write=True, truncate=True)
        handle.write(0, os.urandom((blocks - 1) * BLOCK_BYTES))
        again = mount(leader)
        assert again.read("a.bin") == content
        again.send()
        assert (again.drive.waiting, again.read("a.bin")) == (0, content)

    def test_record_names_no_block_that_another_handle_writes_meanwhile(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = mount(leader)
        first = opened.drive.create("log.txt")
        first.write(0, b"A" * 100)
        second = opened.drive.open("log.txt", write=True)
        seal = StagedFile.seal
        writer = threading.Thread(target=second.write, args=(BLOCK_BYTES, b"B" * 100))

        def seal_and_write(file: StagedFile, *, is_durable: bool) -> None:
            seal(file, is_durable=is_durable)
            monkeypatch.setattr(StagedFile, "seal", seal)
            writer.start()
            writer.join(0.2)

        monkeypatch.setattr(StagedFile, "seal", seal_and_write)
        first.keep()
        writer.join()
        again = mount(leader)
        assert again.read("log.txt")[:100] == b"A" * 100

    def test_write_that_comes_while_another_handle_is_noted_is_noted_too(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = mount(leader)
        first = opened.drive.create("log.txt")
        first.write(0, b"A" * 100)
        second = opened.drive.open("log.txt", write=True)
        touch, seal = StagedFile.touch, StagedFile.seal
        noted, touched = threading.Event(), threading.Event()
        writer = threading.Thread(target=second.write, args=(100, b"B" * 100))

        def touch_and_wait(file: StagedFile) -> None:
            touch(file)
            if threading.current_thread() is writer:
                touched.set()
                noted.wait(5)

        def seal_and_write(file: StagedFile, *, is_durable: bool) -> None:
            seal(file, is_durable=is_durable)
            monkeypatch.setattr(StagedFile, "seal", seal)
            writer.start()
            touched.wait(0.2)

        monkeypatch.setattr(StagedFile, "touch", touch_and_wait)
        monkeypatch.setattr(StagedFile, "seal", seal_and_write)
        first.keep()
        noted.set()
        writer.join()
        second.keep()
        assert mount(leader).read("log.txt") == b"A" * 100 + b"B" * 100

    @pytest.mark.parametrize("way", ["truncated", "in place", "aside"])
    def test_own_version_that_arrived_just_before_is_no_conflict(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch, way: str
    ) -> None:
        opened = mount(leader)
        opened.write("a.txt", b"before")
        with monkeypatch.context() as patch:
            patch.setattr(Sender, "_finish", refuse)
            with pytest.raises(OSError, match=str(errno.ENOSPC)):
                opened.send()
        again = mount(leader)
        assert (again.drive.waiting, again.read("a.txt")) == (1, b"before")
        if way == "truncated":
            again.write("a.txt", b"after")
        elif way == "in place":
            handle = again.drive.open("a.txt", write=True)
            handle.write(0, b"after ")
            handle.close()
        else:
            again.write("aside~", b"after")
            again.drive.move("aside~", "a.txt")
        again.send()
        assert again.names() == ["a.txt"]
        assert again.read("a.txt").strip() == b"after"

    @pytest.mark.parametrize("is_open", [True, False])
    def test_save_while_the_one_before_is_on_its_way_is_no_conflict(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch, *, is_open: bool
    ) -> None:
        opened, commit = mount(leader), Sender._commit
        opened.write("a.txt", b"one")
        handle = None if not is_open else opened.drive.open("a.txt", write=True, truncate=True)

        def commit_and_save(sender: Sender, writer: ChangeWriter) -> None:
            commit(sender, writer)
            if not is_open:
                opened.write("a.txt", b"two")

        with monkeypatch.context() as patch:
            patch.setattr(Sender, "_commit", commit_and_save)
            opened.send()
        if handle:
            handle.write(0, b"two")
            handle.close()
        again = mount(leader)
        again.send()
        assert (again.names(), again.read("a.txt")) == (["a.txt"], b"two")

    def test_version_of_somebody_else_stays_a_conflict(
        self, leader: Computer, member: Computer, mount: Mount, tmp_path: Path
    ) -> None:
        opened = mount(leader)
        opened.write("a.txt", b"the same")
        (tmp_path / "a.txt").write_bytes(b"the same")
        member.ok("put", tmp_path / "a.txt", "Designs:/")
        again = mount(leader)
        again.write("a.txt", b"after")
        again.send()
        assert len(again.names()) == 2


class TestPowerFailure:
    def test_blocks_go_after_the_change_that_named_them(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        opened = mount(leader)
        handle = opened.drive.create("a.bin")
        handle.write(0, os.urandom(3 * BLOCK_BYTES))
        handle.keep(is_durable=True)
        handle.close()
        remove, counts = SealedFile.remove, list[Any]()

        def remove_and_look(file: SealedFile) -> None:
            # Without its log, the database is what a power failure may leave.
            copy = shutil.copy(leader.folder / "drive" / "journal.sqlite", tmp_path / "left")
            with sqlite3.connect(copy) as database:
                counts.append(database.execute("SELECT count(*) FROM changes").fetchone()[0])
            remove(file)

        monkeypatch.setattr(SealedFile, "remove", remove_and_look)
        opened.send()
        assert counts == [0]

    def test_damaged_file_keeps_no_other_from_being_sent(
        self, leader: Computer, mount: Mount
    ) -> None:
        opened = mount(leader)
        opened.write("a.bin", os.urandom(3 * BLOCK_BYTES))
        opened.write("z.txt", b"other")
        for path in opened.drive.journal.staging.iterdir():
            path.write_bytes(b"")
        again = mount(leader)
        again.sender.attempt(again.send)
        assert again.drive.waiting == 1
        assert any("a.bin" in notice for notice in again.notices)
        again.drive.remove("a.bin")
        again.sender.attempt(again.send)
        assert again.drive.waiting == 0
