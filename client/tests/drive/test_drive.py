"""The drive as programs use it, without a system's mount."""

import errno
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount, OpenDrive
from client.tests.service import Service
from tessera_client.drive import sending
from tessera_client.drive.chunks import StoredContent
from tessera_client.drive.connection import Connection
from tessera_client.drive.drive import Handle
from tessera_client.drive.following import Follower
from tessera_client.drive.sealed_files import BLOCK_BYTES
from tessera_client.drive.staging import StagedFile
from tessera_client.drive.view import Content
from tessera_client.vault.changes import ChangeWriter
from tessera_core.chunks import CHUNK_BYTES
from tessera_core.files import File, Item


@pytest.fixture
def opened(leader: Computer, mount: Mount) -> OpenDrive:
    return mount(leader)


# The rest of the seeds in the second ring.
SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.extended) for seed in range(2, 20))]


def stored(computer: Computer, tmp_path: Path) -> dict[str, bytes]:
    """What another program finds in the space."""
    out = tmp_path / "out"
    computer.ok("get", "Designs:/", out, "--overwrite")
    return {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }


def fails_with(number: int) -> pytest.RaisesExc[OSError]:
    return pytest.RaisesExc(OSError, check=lambda error: error.errno == number)


class TestWriting:
    def test_closed_file_is_read_back_at_once_and_sent_later(
        self, opened: OpenDrive, leader: Computer, tmp_path: Path
    ) -> None:
        opened.write("plan.txt", b"first")
        assert opened.read("plan.txt") == b"first"
        opened.send()
        assert opened.read("plan.txt") == b"first"
        assert not opened.drive.changes
        assert stored(leader, tmp_path) == {"plan.txt": b"first"}

    def test_several_files_take_one_entry(self, opened: OpenDrive, service: Service) -> None:
        before = len(next(iter(service.spaces.values())).entries)
        for number in range(20):
            opened.write(f"{number}.txt", b"x")
        opened.send()
        assert len(next(iter(service.spaces.values())).entries) == before + 1

    def test_open_file_is_not_sent(self, opened: OpenDrive) -> None:
        handle = opened.drive.create("open.txt")
        handle.write(0, b"half")
        opened.send()
        assert opened.drive.space.tree.current("open.txt") is None
        handle.write(4, b" and half")
        handle.close()
        opened.send()
        assert opened.read("open.txt") == b"half and half"

    def test_one_changed_byte_of_a_large_file_sends_one_chunk(
        self, opened: OpenDrive, service: Service
    ) -> None:
        content = bytearray(random.Random(1).randbytes(5 * CHUNK_BYTES + 100))
        opened.write("large.bin", bytes(content))
        opened.send()
        known = set(service.packs)
        handle = opened.drive.open("large.bin", write=True)
        handle.write(3 * CHUNK_BYTES, b"!")
        handle.close()
        opened.send()
        content[3 * CHUNK_BYTES] = ord("!")
        new = [pack for name, pack in service.packs.items() if name not in known]
        assert sum(pack["length"] for pack in new) < 2 * CHUNK_BYTES
        assert opened.read("large.bin") == content

    def test_random_writes_match_a_local_file(self, opened: OpenDrive, tmp_path: Path) -> None:
        source = random.Random(7)
        local = tmp_path / "local"
        opened.write("file", b"")
        local.write_bytes(b"")
        for _ in range(6):
            handle = opened.drive.open("file", write=True)
            with local.open("r+b") as other:
                for _ in range(30):
                    at, size = source.randrange(300_000), source.randrange(1, 90_000)
                    match source.choice(["write", "write", "truncate", "read"]):
                        case "write":
                            data = source.randbytes(size)
                            handle.write(at, data)
                            other.seek(at)
                            other.write(data)
                        case "truncate":
                            handle.truncate(at)
                            other.truncate(at)
                        case "read":
                            other.seek(at)
                            assert handle.read(at, size) == other.read(size)
            handle.close()
            if source.random() < 0.5:
                opened.send()
        opened.send()
        assert opened.read("file") == local.read_bytes()

    def test_editor_that_saves_aside_leaves_one_new_version(
        self, opened: OpenDrive, service: Service
    ) -> None:
        opened.write("text.md", b"one")
        opened.send()
        opened.write(".text.md.swp", b"two")
        opened.drive.move("text.md", "text.md~")
        opened.drive.move(".text.md.swp", "text.md")
        opened.drive.remove("text.md~")
        opened.send()
        tree = opened.drive.space.tree
        assert opened.names() == ["text.md"]
        assert opened.read("text.md") == b"two"
        assert [bool(version.item) for version in tree.versions["text.md"]] == [True, True]
        assert "text.md~" not in tree.versions
        assert not opened.notices


class TestTree:
    def test_folders_are_made_moved_and_removed(self, opened: OpenDrive) -> None:
        drive = opened.drive
        drive.make_folder("a")
        opened.write("a/file", b"1")
        opened.send()
        drive.make_folder("b")
        drive.move("a", "b/a")
        opened.write("b/a/other", b"2")
        opened.send()
        assert opened.names("b/a") == ["file", "other"]
        with fails_with(errno.ENOTEMPTY):
            drive.remove_folder("b")
        for path in ("b/a/file", "b/a/other"):
            drive.remove(path)
        drive.remove_folder("b/a")
        opened.send()
        assert opened.names() == ["b"]

    def test_moves_while_files_wait_end_where_they_should(self, opened: OpenDrive) -> None:
        drive = opened.drive
        drive.make_folder("a")
        opened.write("a/file", b"1")
        handle = drive.create("a/open")
        handle.write(0, b"written ")
        drive.move("a", "b")
        opened.send()
        handle.write(8, b"on")
        handle.close()
        opened.send()
        assert opened.names() == ["b"]
        assert opened.read("b/open") == b"written on"
        assert opened.read("b/file") == b"1"

    def test_chain_of_moves_arrives_as_it_was_done(self, opened: OpenDrive) -> None:
        for name in ("a", "b"):
            opened.write(name, name.encode())
        opened.drive.make_folder("folder")
        opened.write("folder/inner", b"inner")
        opened.send()
        opened.drive.move("a", "c")
        opened.drive.move("b", "a")
        opened.drive.move("c", "b")
        opened.drive.move("folder", "other")
        opened.drive.move("other/inner", "inner")
        opened.write("other/new", b"new")
        opened.send()
        assert not opened.drive.changes
        again = _files(opened)
        assert again == {"a": b"b", "b": b"a", "inner": b"inner", "other/new": b"new"}
        assert not opened.notices

    @pytest.mark.parametrize("seed", SEEDS)
    def test_random_operations_match_a_local_folder(
        self, opened: OpenDrive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
    ) -> None:
        """The same calls on the drive and on a folder: same answers, same files in the end. Some
        are made while others are on their way."""
        source, local = random.Random(seed), tmp_path / "local"
        local.mkdir()
        number = 0

        def operate() -> None:
            nonlocal number
            number += 1
            path, other = (
                "/".join(source.choices(["a", "b", "c"], k=source.randint(1, 3))) for _ in range(2)
            )
            calls = _operation(source, opened, local, path, other, str(number).encode())
            outcomes = [_attempt(call) for call in calls]
            assert outcomes[0] == outcomes[1], (number, path, other)

        def store(writer: ChangeWriter, content: Content) -> Item | None:
            for _ in range(source.choice([0, 0, 1, 3])):
                operate()
            return store_alone(writer, content)

        store_alone = sending._store
        monkeypatch.setattr(sending, "_store", store)
        for _ in range(100):
            operate()
            if source.random() < 0.1:
                opened.send()
                assert _shown(opened) == _local(local)
            if source.random() < 0.1:
                opened.drive.rebuild_view()
        monkeypatch.setattr(sending, "_store", store_alone)
        opened.send()
        assert not opened.drive.changes
        assert not opened.notices
        assert _shown(opened) == _local(local)
        assert _files(opened) == {path: data for path, data in _local(local).items() if data}

    @pytest.mark.parametrize(
        ("path", "target"),
        [
            ("link", "/etc/passwd"),
            ("link", "../outside"),
            ("a/link", "../../outside"),
            ("a/link", "b/../../x"),
            ("link", "C:\\Windows"),
        ],
    )
    def test_link_out_of_the_space_is_refused(
        self, opened: OpenDrive, path: str, target: str
    ) -> None:
        opened.drive.make_folder("a")
        with fails_with(errno.EPERM):
            opened.drive.make_link(path, target)

    def test_colleagues_link_out_of_the_space_cannot_be_followed(
        self, leader: Computer, mount: Mount, tmp_path: Path
    ) -> None:
        (tmp_path / "link").symlink_to("/etc/passwd")
        leader.ok("put", tmp_path / "link", "Designs:/link")
        opened = mount(leader)
        with fails_with(errno.EACCES):
            opened.drive.read_link("link")
        with fails_with(errno.EACCES):
            opened.drive.open("link")

    @pytest.mark.parametrize("name", ["x" * 256, "a\0b", ".."])
    def test_impossible_name_is_refused(self, opened: OpenDrive, name: str) -> None:
        with pytest.raises(OSError):  # noqa: PT011
            opened.drive.create(name)


class TestOthers:
    def test_colleagues_file_appears(
        self, opened: OpenDrive, member: Computer, tmp_path: Path
    ) -> None:
        (tmp_path / "new.txt").write_text("hello")
        member.ok("put", tmp_path / "new.txt", "Designs:/new.txt")
        assert Follower(
            opened.drive.vault, [opened.sender], Connection(opened.notices.append)
        ).follow_once()
        assert opened.read("new.txt") == b"hello"

    def test_both_versions_stay_if_two_people_save_the_same_file(
        self, opened: OpenDrive, member: Computer, tmp_path: Path
    ) -> None:
        opened.write("plan.txt", b"first")
        opened.send()
        assert opened.read("plan.txt") == b"first"
        (tmp_path / "plan.txt").write_text("theirs")
        member.ok("put", tmp_path / "plan.txt", "Designs:/plan.txt", "--replace")
        opened.sender.follow()
        opened.write("plan.txt", b"mine")
        opened.send()
        assert opened.read("plan.txt") == b"mine"
        (kept,) = [name for name in opened.names() if "conflict" in name]
        assert opened.read(kept) == b"theirs"
        assert len(opened.notices) == 1

    def test_own_saves_in_a_row_are_no_conflict(self, opened: OpenDrive) -> None:
        for number in range(4):
            opened.write("plan.txt", str(number).encode())
            assert opened.read("plan.txt") == str(number).encode()
            opened.send()
            assert opened.read("plan.txt") == str(number).encode()
        assert opened.names() == ["plan.txt"]

    def test_file_that_moved_to_a_path_read_before_is_no_conflict(self, opened: OpenDrive) -> None:
        for folder in ("old", "new"):
            opened.drive.make_folder(folder)
            opened.write(f"{folder}/plan.txt", folder.encode())
        opened.send()
        assert opened.read("old/plan.txt") == b"old"
        opened.drive.remove_folder("old", with_contents=True)
        opened.drive.move("new", "old")
        opened.send()
        opened.write("old/plan.txt", b"changed")
        opened.send()
        assert opened.names("old") == ["plan.txt"]

    def test_file_whose_chunks_are_shorter_than_it_says_is_not_read(
        self, opened: OpenDrive
    ) -> None:
        """A colleague can put any chunks into a file: what follows would be shifted."""
        opened.write("short", b"short")
        opened.write("whole", bytes(CHUNK_BYTES))
        opened.send()
        parts = [opened.drive.space.tree.current(name) for name in ("short", "whole")]
        chunks = tuple(
            part.item.chunks[0] for part in parts if part and isinstance(part.item, File)
        )
        lie = File(2 * CHUNK_BYTES, 0, executable=False, chunks=chunks)
        with fails_with(errno.EIO):
            Handle(opened.drive, StoredContent(opened.drive.chunks, lie), can_write=False).read(
                0, 2 * CHUNK_BYTES
            )


class TestPlaces:
    def test_new_packs_are_added_to_what_is_known(self, opened: OpenDrive) -> None:
        for number in range(3):
            opened.write(f"{number}.txt", b"%d" % number)
            opened.send()
        known, space = opened.drive.chunks._known_places, opened.drive.space
        assert known._is_clear
        assert known._places == space.chunk_places()

    def test_chunk_that_a_colleague_claims_too_is_looked_at_with_all_others(
        self, opened: OpenDrive, member: Computer, tmp_path: Path
    ) -> None:
        opened.write("mine.txt", b"the same")
        opened.send()
        (tmp_path / "same.txt").write_bytes(b"the same")
        member.ok("put", tmp_path / "same.txt", "Designs:/")
        for number in range(2):
            opened.write(f"{number}.txt", b"%d" % number)
            opened.send()
            known, space = opened.drive.chunks._known_places, opened.drive.space
            assert not known._is_clear
            assert known._places == space.chunk_places()


class TestInterruptions:
    def test_closed_file_survives_a_kill(self, leader: Computer, mount: Mount) -> None:
        opened = mount(leader)
        opened.write("kept.txt", b"closed")
        opened.drive.make_folder("folder")
        opened.drive.move("kept.txt", "folder/kept.txt")
        lost = opened.drive.create("lost.txt")
        lost.write(0, b"never closed" * BLOCK_BYTES)
        assert isinstance(lost.content, StagedFile)
        lost.content.seal(is_durable=False)
        again = mount(leader)
        assert again.read("folder/kept.txt") == b"closed"
        assert again.names() == ["folder"]
        again.send()
        assert again.read("folder/kept.txt") == b"closed"
        assert not list(again.drive.journal.staging.iterdir())
        assert not again.drive.journal.first_blocks.get(lost.content.id.hex())

    @pytest.mark.parametrize("size", [1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES])
    def test_each_block_of_a_closed_file_survives_a_kill(
        self, leader: Computer, mount: Mount, size: int
    ) -> None:
        opened, content = mount(leader), random.Random(size).randbytes(size)
        opened.write("kept.bin", content)
        assert len(list(opened.drive.journal.staging.iterdir())) == (size > BLOCK_BYTES)
        again = mount(leader)
        assert again.read("kept.bin") == content
        again.drive.truncate("kept.bin", size // 2)
        assert mount(leader).read("kept.bin") == content[: size // 2]

    def test_file_that_a_program_has_synchronised_survives_a_power_failure(
        self, leader: Computer, mount: Mount
    ) -> None:
        """What lies in the database's log only may be lost then."""
        opened = mount(leader)
        handle = opened.drive.create("kept.txt")
        handle.write(0, b"kept")
        handle.keep(is_durable=True)
        for path in leader.folder.rglob("journal.sqlite-*"):
            path.unlink()
        assert mount(leader).read("kept.txt") == b"kept"

    def test_moves_that_arrived_before_a_kill_are_not_done_again(
        self, leader: Computer, mount: Mount, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened = mount(leader)
        opened.write("a", b"first")
        opened.send()
        opened.drive.move("a", "b")
        opened.write("a", b"second")

        def killed(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(opened.sender, "_finish", killed)
        with pytest.raises(KeyboardInterrupt):
            opened.send()
        again = mount(leader)
        again.send()
        assert _files(again) == {"a": b"second", "b": b"first"}
        assert not again.drive.changes

    def test_what_cannot_be_sent_waits(
        self, opened: OpenDrive, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        opened.write("plan.txt", b"offline")
        service.is_down = True
        opened.sender.attempt(opened.sender.send)
        assert opened.sender.problem is not None
        assert opened.read("plan.txt") == b"offline"
        service.is_down = False
        opened.sender.attempt(opened.sender.send)
        assert opened.sender.problem is None
        assert stored(leader, tmp_path) == {"plan.txt": b"offline"}

    def test_nothing_readable_lies_on_the_disk(self, opened: OpenDrive, leader: Computer) -> None:
        secret = b"the merger is on the third of May"
        opened.write("merger-plans.txt", secret * 1000)
        opened.send()
        assert opened.read("merger-plans.txt")
        opened.write("merger-plans.txt", secret * 2000)
        for path in Path(leader.folder).rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                assert secret not in content
                assert b"merger-plans" not in content
                assert path.stat().st_mode & 0o077 == 0

    def test_cached_file_is_read_to_its_end_without_a_network(
        self, opened: OpenDrive, service: Service
    ) -> None:
        """What is read ahead comes out of the cache too."""
        content = random.Random(2).randbytes(6 * CHUNK_BYTES)
        opened.write("large.bin", content)
        opened.send()
        assert opened.read("large.bin") == content
        opened.drive.chunks.cache.finish()
        opened.drive.chunks._memory.clear()
        service.is_down = True
        handle = opened.drive.open("large.bin")
        parts = [handle.read(at, 2**17) for at in range(0, len(content), 2**17)]
        assert b"".join(parts) == content
        assert not opened.notices

    def test_pack_is_fetched_once_for_who_reads_on(
        self, opened: OpenDrive, service: Service
    ) -> None:
        content = random.Random(5).randbytes(40 * CHUNK_BYTES)
        opened.write("large.bin", content)
        opened.send()
        fetched: Counter[str] = Counter()

        def note(request: httpx.Request, _: int) -> None:
            if "range" not in request.headers:
                fetched[request.url.path] += 1

        service.on_object = note
        handle = opened.drive.open("large.bin")
        for at in range(0, len(content), 2**18):
            assert handle.read(at, 2**18) == content[at : at + 2**18]
        assert fetched
        assert set(fetched.values()) == {1}

    def test_damaged_cache_is_fetched_again(self, opened: OpenDrive, leader: Computer) -> None:
        opened.write("file", bytes(range(256)) * 100)
        opened.send()
        content = opened.read("file")
        folder = leader.folder / "drive" / "cache"
        while not (cached := [path for path in folder.iterdir() if not path.suffix]):
            pass  # It is stored after it was read.
        for path in cached:
            data = bytearray(path.read_bytes())
            data[-20] ^= 1
            path.write_bytes(data)
        opened.drive.chunks._memory.clear()
        assert opened.read("file") == content


def _files(opened: OpenDrive) -> dict[str, bytes]:
    found = {}
    for path, node in opened.drive.view.items():
        if not node.is_folder:
            found[path] = opened.read(path)
    return found


def _shown(opened: OpenDrive) -> dict[str, bytes | None]:
    return {
        path: None if node.is_folder else opened.read(path)
        for path, node in opened.drive.view.items()
        if path
    }


def _local(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
    }


def _attempt(call: Callable[[], None]) -> bool:
    """Whether it succeeds; which of several reasons is named first differs between systems."""
    try:
        call()
    except OSError:
        return False
    return True


def _operation(
    source: random.Random, opened: OpenDrive, local: Path, path: str, other: str, data: bytes
) -> list[Callable[[], None]]:
    drive = opened.drive
    match source.choice(["write", "write", "mkdir", "mkdir", "remove", "rmdir", "move", "move"]):
        case "write":
            return [lambda: opened.write(path, data), lambda: _write(local / path, data)]
        case "mkdir":
            return [lambda: drive.make_folder(path), (local / path).mkdir]
        case "remove":
            return [lambda: drive.remove(path), (local / path).unlink]
        case "rmdir":
            return [lambda: drive.remove_folder(path), (local / path).rmdir]
    return [lambda: drive.move(path, other), lambda: _rename(local / path, local / other)]


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _rename(source: Path, target: Path) -> None:
    os.rename(source, target)  # noqa: PTH104
