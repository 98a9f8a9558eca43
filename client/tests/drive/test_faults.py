"""What goes wrong below the drive: disks, clouds, the service, clocks."""

import errno
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount, OpenDrive
from client.tests.drive.test_drive import fails_with
from client.tests.service import Problem, Service
from tessera_client.commands.mount import _check_folder
from tessera_client.drive import chunks, following, sealed_files
from tessera_client.drive.connection import Connection
from tessera_client.drive.first_blocks import FirstBlocks
from tessera_client.drive.following import Follower
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.sealed_files import BLOCK_BYTES
from tessera_client.transfer import download
from tessera_client.transfer.answers import ChangedSpaces
from tessera_core.chunks import CHUNK_BYTES
from tests.tools import tool


@pytest.fixture
def opened(leader: Computer, mount: Mount) -> OpenDrive:
    return mount(leader)


class Disk:
    """Takes nothing while it is full."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        for owner, name in ((sealed_files, "_write_at"), (FirstBlocks, "put")):
            patch.setattr(owner, name, self._limited(getattr(owner, name)))

    def _limited(self, write: Callable[..., None]) -> Callable[..., None]:
        def limited(*arguments: object) -> None:
            if self.is_full:
                raise OSError(errno.ENOSPC, "")
            write(*arguments)

        return limited


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def forget(opened: OpenDrive) -> None:
    """Whatever is read next comes from the clouds."""
    opened.drive.chunks._memory.clear()
    opened.drive.chunks.cache.finish()
    for path in opened.drive.chunks.cache.folder.iterdir():
        path.unlink()


class TestFullDisk:
    def test_write_fails_and_takes_nothing(self, opened: OpenDrive, disk: Disk) -> None:
        handle = opened.drive.create("large.bin")
        content = random.Random(1).randbytes(40 * BLOCK_BYTES)
        disk.is_full = True
        written = 0
        with fails_with(errno.ENOSPC):
            while True:
                handle.write(written, content[written : written + BLOCK_BYTES])
                written += BLOCK_BYTES
        for _ in range(100):
            with fails_with(errno.ENOSPC):
                handle.write(written, content[written : written + BLOCK_BYTES])
        assert handle.status().size == written <= 32 * BLOCK_BYTES
        disk.is_full = False
        handle.write(written, content[written:])
        handle.close()
        opened.send()
        assert opened.read("large.bin") == content

    def test_closed_file_is_kept_as_soon_as_there_is_room(
        self, opened: OpenDrive, disk: Disk
    ) -> None:
        handle = opened.drive.create("note.txt")
        handle.write(0, b"closed")
        disk.is_full = True
        with fails_with(errno.ENOSPC):
            handle.keep()
        handle.close()
        (notice,) = opened.notices
        assert "could not be kept" in notice
        assert opened.drive.waiting == 1
        assert opened.read("note.txt") == b"closed"
        opened.drive.rebuild_view()
        opened.drive.keep_again()
        assert opened.read("note.txt") == b"closed"
        disk.is_full = False
        opened.drive.keep_again()
        opened.send()
        assert opened.drive.waiting == 0
        assert opened.read("note.txt") == b"closed"
        assert opened.notices == [notice]

    def test_file_that_was_not_kept_can_be_removed(self, opened: OpenDrive, disk: Disk) -> None:
        handle = opened.drive.create("note.txt")
        handle.write(0, b"closed")
        disk.is_full = True
        handle.close()
        opened.drive.remove("note.txt")
        opened.drive.keep_again()
        assert opened.names() == []
        assert not opened.drive.not_kept

    def test_sent_file_that_cannot_be_deleted_is_deleted_at_the_next_start(
        self, leader: Computer, mount: Mount, opened: OpenDrive, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(_: FirstBlocks, file: str) -> None:
            raise OSError(errno.ENOSPC, file)

        opened.write("note.txt", b"closed")
        with monkeypatch.context() as patch:
            patch.setattr(FirstBlocks, "remove", fail)
            opened.send()
        assert opened.drive.waiting == 0
        count = "SELECT count(*) FROM first_blocks"
        assert opened.drive.journal._database.execute(count).fetchone() == (1,)
        again = mount(leader)
        assert again.drive.journal._database.execute(count).fetchone() == (0,)

    def test_journal_that_cannot_grow_is_told_as_such(self, opened: OpenDrive) -> None:
        database = opened.drive.journal._database
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        with fails_with(errno.ENOSPC):
            for number in range(1000):
                opened.drive.make_folder(f"{number:0200}")
        shown = opened.names()
        database.execute("PRAGMA max_page_count = 100000")
        opened.send()
        assert opened.names() == shown

    def test_cache_is_only_a_cache(
        self, opened: OpenDrive, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened.write("plan.txt", b"first")
        opened.send()
        forget(opened)
        real = os.open

        def full(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
            if Path(path).parent.name == "cache":
                raise OSError(errno.ENOSPC, "")
            return real(path, flags, *args, **kwargs)

        monkeypatch.setattr("tessera_client.drive.cache.os.open", full)
        assert opened.read("plan.txt") == b"first"
        assert not opened.notices


class TestClouds:
    CONTENT = random.Random(3).randbytes(3 * CHUNK_BYTES)

    @pytest.mark.parametrize("lost", range(3))
    def test_reads_and_writes_go_on_without_one(
        self, opened: OpenDrive, service: Service, lost: int
    ) -> None:
        opened.write("large.bin", self.CONTENT)
        opened.send()
        forget(opened)
        service.lose(lost)
        handle = opened.drive.open("large.bin")
        assert handle.read(CHUNK_BYTES, 10) == self.CONTENT[CHUNK_BYTES:][:10]
        assert opened.read("large.bin") == self.CONTENT
        opened.write("new.txt", b"new")
        opened.send()
        forget(opened)
        assert opened.read("new.txt") == b"new"
        assert not opened.notices

    def test_read_fails_with_a_line_that_says_why_if_two_are_down(
        self, opened: OpenDrive, service: Service
    ) -> None:
        opened.write("large.bin", self.CONTENT)
        opened.send()
        forget(opened)
        service.on_object = lambda _, index: httpx.Response(503) if index < 2 else None
        for _ in range(3):
            with fails_with(errno.EIO):
                opened.read("large.bin")
        (notice,) = opened.notices
        assert "Only 1 of 2 needed pieces" in notice
        service.on_object = lambda *_: None
        assert opened.read("large.bin") == self.CONTENT

    def test_clouds_that_never_answer_are_not_waited_for(
        self, opened: OpenDrive, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened.write("plan.txt", b"first")
        opened.send()
        forget(opened)
        released = threading.Event()

        def hold(_: httpx.Request, __: int) -> None:
            released.wait(60)

        service.on_object = hold
        assert chunks.MAX_SECONDS <= 30
        monkeypatch.setattr(chunks, "MAX_SECONDS", 0.3)
        with fails_with(errno.EIO):
            opened.read("plan.txt")
        released.set()
        assert "do not answer in time" in opened.notices[0]


class TestService:
    def test_file_stays_here_if_the_quota_is_reached(
        self, opened: OpenDrive, service: Service
    ) -> None:
        def use_up(name: str, answer: Any) -> Any:
            return {**answer, "left": 0} if name == "GET /storage/usage" else answer

        opened.write("plan.txt", b"first")
        service.is_full, service.on_call = True, use_up
        opened.sender.attempt(opened.sender.send)
        assert len(opened.notices) == 1
        assert opened.drive.waiting == 1
        assert opened.read("plan.txt") == b"first"
        handle = opened.drive.create("more.txt")
        with fails_with(errno.ENOSPC):
            handle.write(0, b"x")
        handle.close()
        service.is_full, service.on_call = False, lambda _, answer: answer
        opened.sender.attempt(opened.sender.send)
        assert opened.drive.waiting == 0
        opened.write("more.txt", b"there is room again")

    @pytest.mark.parametrize(
        "lie",
        [
            {"quota": -1},
            {"quota": 2**63},
            {"quota": "much"},
            {"left": 2**70},
            {"left": "nothing"},
            {"left": None},
            {"quota": 1.5},
        ],
    )
    def test_impossible_quota_is_not_taken_over(
        self, opened: OpenDrive, service: Service, lie: dict[str, Any]
    ) -> None:
        opened.drive.learn_room()
        mounted = Mounted([opened.drive], is_single=True)
        before = mounted.room()
        service.on_call = lambda _, answer: {**answer, **lie}
        opened.drive.learn_room()
        assert mounted.room() == before
        opened.write("plan.txt", b"first")

    @pytest.mark.parametrize(
        ("lie", "room"),
        [
            ({"left": -5}, (25 * 10**9, 0)),
            ({"quota": 100, "left": 2**62}, (100, 100)),
            ({"quota": 2**63 - 1, "left": 2**63 - 1}, (2**63 - 1, 2**63 - 1)),
        ],
    )
    def test_unlikely_quota_gives_numbers_that_a_system_can_show(
        self, opened: OpenDrive, service: Service, lie: dict[str, int], room: tuple[int, int]
    ) -> None:
        service.on_call = lambda _, answer: {**answer, **lie}
        opened.drive.learn_room()
        assert Mounted([opened.drive], is_single=True).room() == room

    def test_disk_of_this_computer_counts_while_the_quota_is_unknown(
        self, opened: OpenDrive, service: Service
    ) -> None:
        service.is_down = True
        opened.drive.learn_room()
        total, free = Mounted([opened.drive], is_single=True).room()
        assert total >= free > 0

    def test_whoever_lost_the_access_sees_nothing(
        self, opened: OpenDrive, service: Service
    ) -> None:
        mounted = Mounted([opened.drive], is_single=True)
        opened.write("plan.txt", b"first")
        opened.send()
        handle = opened.drive.open("plan.txt")
        opened.write("unsent.txt", b"waits")

        def refuse(name: str, answer: Any) -> Any:
            if name.endswith("/log"):
                raise Problem(404, "space_not_found")
            return answer

        service.on_call = refuse
        opened.sender.attempt(opened.sender.follow)
        assert len(opened.notices) == 1
        with fails_with(errno.EACCES):
            handle.read(0, 5)
        for call in (mounted.status, mounted.entries, mounted.find):
            with fails_with(errno.EACCES):
                call("/")
        assert opened.drive.waiting == 1
        # The service may have lied, or somebody has granted the access again.
        service.on_call = lambda _, answer: answer
        opened.sender.attempt(opened.sender.follow)
        opened.sender.attempt(opened.sender.send)
        assert mounted.status("/unsent.txt").size == 5
        assert opened.drive.waiting == 0

    def test_whoever_was_logged_out_sees_nothing(
        self, opened: OpenDrive, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(following, "RETRY_SECONDS", 0.02)
        opened.write("plan.txt", b"first")
        opened.send()
        connection = opened.drive.connection
        follower = Follower(opened.drive.vault, [opened.sender], connection)
        service.people.remove(service.leader)
        follower.start()
        while not connection.is_ended:
            time.sleep(0.01)
        follower.stop()
        service.people.append(service.leader)
        with fails_with(errno.EACCES):
            opened.read("plan.txt")
        assert len(opened.notices) == 1


class TestClock:
    @pytest.mark.parametrize(("hours", "word"), [(-1, "ahead"), (48, "behind")])
    def test_file_waits_until_the_clock_is_set(
        self, opened: OpenDrive, service: Service, hours: int, word: str
    ) -> None:
        """The service's clock is that much ahead of this computer's."""
        opened.write("plan.txt", b"first")
        service.clock = time.time() + hours * 3600
        opened.sender.attempt(opened.sender.send)
        assert [word in notice for notice in opened.notices] == [True]
        assert opened.read("plan.txt") == b"first"
        service.clock = None
        opened.sender.attempt(opened.sender.send)
        assert opened.drive.waiting == 0

    def test_links_that_a_wrong_clock_takes_for_fresh_are_asked_for_again(
        self, opened: OpenDrive, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened.write("plan.txt", b"first")
        opened.send()
        forget(opened)
        assert opened.read("plan.txt") == b"first"
        forget(opened)
        asked = len(service.exchanges)

        def expire(_: httpx.Request, __: int) -> httpx.Response | None:
            names = [name for name, _, _ in service.exchanges[asked:]]
            return None if "POST /storage/links" in names else httpx.Response(403)

        service.on_object = expire
        with fails_with(errno.EIO):
            opened.read("plan.txt")
        monkeypatch.setattr(download, "_OLD_SECONDS", -1)
        assert opened.read("plan.txt") == b"first"


class TestHeldCall:
    @pytest.fixture
    def follower(self, opened: OpenDrive) -> Follower:
        return Follower(opened.drive.vault, [opened.sender], opened.drive.connection)

    def test_call_that_was_held_while_the_computer_slept_is_given_up(
        self, follower: Follower, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The other end has hung up, and nobody tells."""
        monkeypatch.setattr(following, "TICK_SECONDS", 0.01)
        real, begun = time.time, time.monotonic()
        monkeypatch.setattr(
            "tessera_client.drive.following.time.time",
            lambda: real() + (3600 if time.monotonic() - begun > 0.05 else 0),
        )
        assert not follower._wait(Future[ChangedSpaces]())

    def test_call_that_is_held_longer_than_asked_for_is_given_up(
        self, follower: Follower, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(following, "TICK_SECONDS", 0.01)
        monkeypatch.setattr(following, "PATIENCE_SECONDS", 0.05)
        assert not follower._wait(Future[ChangedSpaces]())

    @pytest.mark.parametrize("is_changed", [True, False])
    def test_service_that_always_answers_at_once_is_asked_ever_less(
        self,
        opened: OpenDrive,
        service: Service,
        follower: Follower,
        monkeypatch: pytest.MonkeyPatch,
        *,
        is_changed: bool,
    ) -> None:
        """Whether it claims that something has changed, or holds nothing."""

        def lie(name: str, answer: Any) -> Any:
            if name != "POST /storage/changes":
                return answer
            return {"changed": [str(opened.drive.space.id)] if is_changed else []}

        service.on_call = lie
        pauses: list[float] = []

        def wait(seconds: float) -> bool:
            pauses.append(seconds)
            if len(pauses) == 10:
                follower.stop()
            return False

        monkeypatch.setattr(follower._stopped, "wait", wait)
        follower._follow()
        assert [round(pause) for pause in pauses] == [2, 4, 8, 16, 32, 60, 60, 60, 60, 60]

    def test_what_changed_resets_the_pause(
        self,
        opened: OpenDrive,
        member: Computer,
        follower: Follower,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        pauses: list[float] = []
        (tmp_path / "new.txt").write_text("new")

        def wait(seconds: float) -> bool:
            pauses.append(seconds)
            if len(pauses) == 3:
                member.ok("put", tmp_path / "new.txt", "Designs:/")
            if len(pauses) == 4:
                follower.stop()
            return False

        monkeypatch.setattr(follower._stopped, "wait", wait)
        follower._follow()
        # The first one found that the member was granted the space.
        assert [round(pause) for pause in pauses[:3]] == [1, 2, 4]
        assert pauses[3] <= 1
        assert opened.read("new.txt") == b"new"


def test_connection_says_each_change_once() -> None:
    said: list[str] = []
    connection = Connection(said.append)
    connection.works()
    assert said == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux brings FUSE with it")
def test_mount_whose_program_was_killed_is_taken_away(tmp_path: Path) -> None:
    tool("fusermount3")
    place = tmp_path / "mounted"
    place.mkdir()
    program = (
        "import sys; from tessera_client.drive import fuse;"
        " from tessera_client.drive.mounted import Mounted;"
        " fuse.mount(Mounted([], is_single=False), sys.argv[1], lambda: None)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, place])
    try:
        end = time.monotonic() + 20
        while not place.is_mount():
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    with fails_with(errno.ENOTCONN):
        list(place.iterdir())
    _check_folder(place)
    assert not place.is_mount()
    assert list(place.iterdir()) == []
