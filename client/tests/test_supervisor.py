"""The service's processes: started, started again, and ended."""

import logging
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from uuid import UUID, uuid4

import pytest

from tessera_client.errors import ClientError, Unreachable
from tessera_client.service import supervisor as module
from tessera_client.service.supervisor import SCHEDULED, Supervisor
from tessera_client.vault.backups import Backup, Every, save_backups
from tessera_client.vault.connected_folders import (
    ConnectedFolder,
    FolderStatus,
    edited_connected,
    load_status,
    new_id,
    write_status,
)
from tessera_client.vault.profile import Profile, Secrets, StateFolder
from tessera_core.user_keys import PrivateKeys

USER = UUID(int=7)
KEYS = PrivateKeys.generate()
# Runs until its input ends, and leaves its number where the test finds it.
CHILD = """
    import os, sys
    from pathlib import Path
    place = Path(sys.argv[1]) / sys.argv[2]
    (place.with_suffix(".new")).write_text(str(os.getpid()))
    place.with_suffix(".new").rename(place)
    code = place.with_suffix(".exit")
    if code.exists():
        sys.exit(int(code.read_text()))
    sys.stdin.buffer.read()
    place.with_suffix(".ended").touch()
"""


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class Watched:
    """A supervisor whose children are small, with a clock that the test moves."""

    def __init__(self, root: Path) -> None:
        self.folder = StateFolder(root / "state", use_keyring=False)
        self.children = root / "children"
        self.children.mkdir()
        script = root / "child.py"
        script.write_text(textwrap.dedent(CHILD))
        self.lines: list[str] = []
        log = logging.Logger("test")
        handler = logging.Handler()
        handler.emit = lambda record: self.lines.append(record.getMessage())  # type: ignore[method-assign]
        log.addHandler(handler)
        self.clock = Clock()
        command = (sys.executable, str(script), str(self.children))
        self.supervisor = Supervisor(self.folder, command, log, self.clock)
        self.origin = "http://127.0.0.1:1"
        self.log_in()

    def log_in(self) -> None:
        profile = Profile(
            self.origin, "ada@tessera.test", "Laptop", USER, UUID(int=1), "Example", "Ada", "", ""
        )
        self.folder.save_profile(profile)
        self.folder.save_secrets(Secrets("token", bytes(32), KEYS.encode()))

    def add(self, kind: str = "sync") -> str:
        one = ConnectedFolder(new_id(), kind, "/home/ada/Secret", uuid4())  # type: ignore[arg-type]
        with edited_connected(self.folder, USER, KEYS) as folders:
            folders.append(one)
        return one.id

    def pause(self, *, paused: bool = True) -> None:
        with edited_connected(self.folder, USER, KEYS) as folders:
            for each in folders:
                each.paused = paused

    def process_of(self, name: str) -> int:
        """Waits until it runs."""
        place = self.children / name
        wait_for(place.exists)
        number = int(place.read_text())
        place.unlink()
        return number

    def has_ended(self, name: str) -> bool:
        return (self.children / name).with_suffix(".ended").exists()

    def exit_with(self, name: str, code: int | None) -> None:
        place = (self.children / name).with_suffix(".exit")
        if code is None:
            place.unlink()
        else:
            place.write_text(str(code))

    def look(self, seconds: float = 0.0) -> None:
        self.clock.time += seconds
        self.supervisor.look()

    def wait_end(self, name: str) -> None:
        process = self.supervisor._children[name].process
        assert process
        process.wait(20)


def wait_for(is_true: Callable[[], object]) -> None:
    until = time.monotonic() + 20
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    made = Watched(tmp_path)
    yield made
    made.supervisor.stop_children()


def test_each_folder_and_watched_backup_has_its_process(watched: Watched) -> None:
    one, two = watched.add(), watched.add("mount")
    watched_backup = Backup(new_id(), "/home/ada/a", uuid4(), "a", [], is_watched=True)
    other = Backup(new_id(), "/home/ada/b", uuid4(), "b", [], is_watched=False)
    save_backups(watched.folder, USER, [watched_backup, other])
    watched.look()
    assert watched.supervisor._children.keys() == {one, two, watched_backup.id}
    numbers = {watched.process_of(name) for name in (one, two, watched_backup.id)}
    watched.look()
    assert len(numbers) == 3
    watched.supervisor.stop_children()
    assert all(map(watched.has_ended, (one, two, watched_backup.id)))


def test_due_backup_is_run_once(watched: Watched) -> None:
    backup = Backup(new_id(), "/home/ada/a", uuid4(), "a", [], False, every=Every.HOUR)
    save_backups(watched.folder, USER, [backup])
    watched.exit_with(SCHEDULED, 0)
    watched.look()
    watched.process_of(SCHEDULED)
    watched.wait_end(SCHEDULED)
    save_backups(watched.folder, USER, [])
    watched.look(1)
    watched.look(1)
    assert watched.supervisor._children == {}


def test_killed_process_is_started_again_after_a_growing_pause(watched: Watched) -> None:
    name = watched.add()
    watched.look()
    first = watched.process_of(name)
    os.kill(first, 9)
    watched.wait_end(name)
    watched.look()
    assert watched.supervisor._children[name].process is None
    watched.look(1.1)
    second = watched.process_of(name)
    assert second != first
    os.kill(second, 9)
    watched.wait_end(name)
    watched.look()
    watched.look(1.1)
    assert watched.supervisor._children[name].process is None, "the pause is longer now"
    watched.look(1)
    third = watched.process_of(name)
    # One that ran for long enough begins with a short pause again.
    watched.clock.time += module.GOOD_SECONDS + 1
    os.kill(third, 9)
    watched.wait_end(name)
    watched.look()
    watched.look(1.1)
    watched.process_of(name)


def test_folder_that_is_paused_or_removed_is_stopped(watched: Watched) -> None:
    name = watched.add()
    watched.look()
    watched.process_of(name)
    watched.pause()
    watched.look()
    assert watched.has_ended(name)
    status = load_status(watched.folder, USER, KEYS, name)
    assert status
    assert status.state == "paused"
    watched.pause(paused=False)
    watched.look()
    watched.process_of(name)
    with edited_connected(watched.folder, USER, KEYS) as folders:
        folders.clear()
    watched.look()
    assert watched.supervisor._children == {}


def test_lock_ends_everything_and_new_keys_start_it_again(watched: Watched) -> None:
    name = watched.add()
    watched.look()
    watched.process_of(name)
    watched.folder.save_secrets(watched.folder.load_secrets().without_keys())
    watched.look()
    assert watched.has_ended(name)
    watched.look(10_000)
    assert watched.supervisor._children == {}
    watched.log_in()
    watched.look()
    watched.process_of(name)
    watched.folder.forget_secrets()
    watched.look()
    assert watched.supervisor._children == {}


def test_keyring_that_opens_later_is_found(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = watched.add()
    opened = watched.folder.load_secrets()
    monkeypatch.setattr(watched.folder, "load_secrets", Secrets)
    watched.look()
    assert watched.supervisor._children == {}
    monkeypatch.setattr(watched.folder, "load_secrets", lambda: opened)
    watched.look(1)
    assert watched.supervisor._children == {}, "nobody is asked again and again"
    watched.look(module.KEYS_PAUSE)
    watched.process_of(name)


def test_process_that_needs_keys_waits_for_them(watched: Watched) -> None:
    name = watched.add()
    watched.exit_with(name, 3)
    watched.look()
    watched.process_of(name)
    watched.wait_end(name)
    watched.exit_with(name, None)
    for _ in range(3):
        watched.look(100)
    assert watched.supervisor._children[name].process is None
    watched.log_in()
    watched.look(1)
    watched.process_of(name)


def test_refusal_by_a_security_check_is_told_and_not_repeated_at_once(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    monkeypatch.setattr(module, "notify", told.append)
    name = watched.add()
    watched.exit_with(name, 5)
    watched.look()
    watched.process_of(name)
    watched.wait_end(name)
    watched.look()
    watched.look(module.LONGEST_PAUSE)
    assert watched.supervisor._children[name].process is None
    assert len(told) == 1
    watched.look(module.REFUSED_PAUSE)
    watched.process_of(name)


def test_without_a_network_it_waits_and_goes_on_as_soon_as_the_service_answers(
    watched: Watched,
) -> None:
    name = watched.add()
    watched.exit_with(name, 1)
    unreachable = Unreachable.from_code("unreachable", origin=watched.origin)
    write_status(watched.folder, USER, KEYS, name, FolderStatus.of(2, [], unreachable))
    watched.look()
    watched.process_of(name)
    watched.wait_end(name)
    watched.exit_with(name, None)
    for _ in range(3):
        watched.look(100)
    assert watched.supervisor._children[name].process is None

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        watched.origin = f"http://127.0.0.1:{server.server_address[1]}"
        profile = watched.folder.load_profile()
        watched.folder.save_profile(Profile(**{**profile.__dict__, "origin": watched.origin}))
        watched.look(100)
        watched.process_of(name)
        server.shutdown()


def test_children_end_when_the_supervisor_is_killed(watched: Watched) -> None:
    """As they see it: their input ends."""
    name = watched.add()
    watched.look()
    watched.process_of(name)
    process = watched.supervisor._children[name].process
    assert process
    assert process.stdin
    process.stdin.close()
    wait_for(lambda: watched.has_ended(name))


def test_log_names_no_folder(watched: Watched) -> None:
    name = watched.add()
    watched.look()
    watched.process_of(name)
    error = ClientError.from_code("no_such_folder", path="/home/ada/Secret")
    write_status(watched.folder, USER, KEYS, name, FolderStatus.of(0, [], error))
    watched.look(1)
    watched.supervisor.stop_children()
    text = "\n".join(watched.lines)
    assert "errors.no_such_folder" in text
    assert "Secret" not in text


def test_damaged_list_stops_nothing(watched: Watched) -> None:
    name = watched.add()
    watched.look()
    watched.process_of(name)
    (watched.folder.user_folder(USER) / "connected" / "folders").write_text("damaged")
    watched.look()
    assert watched.supervisor._children[name].process is not None


def test_program_that_is_gone_is_tried_again(watched: Watched) -> None:
    name = watched.add()
    good = watched.supervisor.command
    watched.supervisor.command = ("/nowhere/tess",)
    watched.look()
    watched.look(5)
    watched.supervisor.command = good
    watched.look(100)
    watched.process_of(name)
