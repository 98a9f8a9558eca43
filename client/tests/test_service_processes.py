"""The service with real processes: a mount and a synchronised folder that live through kills, a
network that goes away, and the lock."""

import hashlib
import os
import signal
import subprocess
import sys
import time
import zipapp
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread

import httpx
import pytest

from client.delivery.bootstrap import target_name
from client.delivery.signing import sandbox_key
from client.tests import service as service_module
from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.service.program import this_program
from tessera_client.vault.profile import StateFolder
from tessera_core.release import Release, ReleaseFile, sign_release
from tests.tools import tool

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux brings FUSE with it"),
]


class Handler(BaseHTTPRequestHandler):
    """Hands the calls of other processes to the service in memory."""

    protocol_version = "HTTP/1.1"
    service: Service
    download = b""
    """The file of the release."""
    lock = Lock()

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        url = f"http://{self.headers['Host']}{self.path}"
        request = httpx.Request(
            self.command, url, headers=dict(self.headers), content=self.rfile.read(length)
        )
        try:
            with self.lock:
                if self.path.startswith("/api/downloads/file"):
                    given = httpx.Response(200, content=self.download)
                else:
                    given = self.service.answer(request)
        except httpx.TransportError:
            self.close_connection = True
            return
        self.send_response(given.status_code)
        for name, value in given.headers.items():
            if name.lower() not in {"content-length", "date", "server"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(given.content)))
        self.end_headers()
        self.wfile.write(given.content)

    do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815 - the library's names

    def log_message(self, *_: object) -> None: ...


def start(computer: Computer, *command: str | Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, **computer.variables(), "TESS_LANG": "en"}
    environment.pop("TESS_PASSWORD")
    # Whoever runs the tests may ignore the signal, as nohup does, and programs inherit that.
    former = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        return subprocess.Popen(command, env=environment)
    finally:
        signal.signal(signal.SIGHUP, former)


@pytest.fixture
def served(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(Handler, "service", service, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        origin = f"http://127.0.0.1:{server.server_address[1]}"
        monkeypatch.setattr(service_module, "ORIGIN", origin)
        Thread(target=server.serve_forever, daemon=True).start()
        yield service
        server.shutdown()


@dataclass
class Running:
    computer: Computer
    mounted: Path
    synced: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = start(self.computer, *this_program().command, "service", "run")

    def status(self) -> dict[str, str]:
        folders = self.computer.ok("service", "status")["folders"]
        return {each["kind"]: (each["status"] or {"state": ""})["state"] for each in folders}

    def children(self) -> list[int]:
        """The processes of the service that have this computer's state."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and b"\0run\0" in (entry / "cmdline").read_bytes():
                    variables = (entry / "environ").read_bytes()
                    if os.fsencode(self.computer.folder) in variables:
                        found.append(int(entry.name))
            except OSError:
                continue
        assert self.process
        return [number for number in found if number != self.process.pid]

    def mount_child(self) -> int:
        for number in self.children():
            name = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")[-2].decode()
            folders = self.computer.ok("service", "status")["folders"]
            if any(each["id"] == name and each["kind"] == "mount" for each in folders):
                return number
        raise AssertionError("no process has mounted anything")


def wait_for(is_true: Callable[[], object]) -> None:
    until = time.monotonic() + 40
    while True:
        try:
            if is_true():
                return
        except OSError:
            pass
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture
def running(served: Service, leader: Computer, tmp_path: Path) -> Iterator[Running]:
    unmount = tool("fusermount3")
    made = Running(leader, tmp_path / "mounted", tmp_path / "synced")
    made.mounted.mkdir()
    made.synced.mkdir()
    leader.ok("mount", "Designs", made.mounted, "--always")
    leader.ok("sync", made.synced, "Designs:/", "--always")
    made.start()
    yield made
    if made.process and made.process.poll() is None:
        made.process.terminate()
        made.process.wait(60)
    subprocess.run([unmount, "-uz", made.mounted], check=False, capture_output=True)


def test_folders_stay_connected_through_kills(running: Running) -> None:
    (running.synced / "a.txt").write_text("a")
    wait_for(lambda: (running.mounted / "a.txt").read_text() == "a")
    wait_for(lambda: running.status() == {"mount": "current", "sync": "current"})
    # The mount's process is killed: its folder is stale, and mounted again.
    os.kill(running.mount_child(), 9)
    wait_for(lambda: (running.mounted / "a.txt").read_text() == "a")
    # The supervisor is killed: nothing of it stays behind, and the next one begins again.
    assert running.process
    running.process.kill()
    running.process.wait()
    wait_for(lambda: not running.children() and not os.path.ismount(running.mounted))
    running.start()
    wait_for(lambda: (running.mounted / "a.txt").read_text() == "a")
    running.process.terminate()
    assert running.process.wait(60) == 0
    assert not os.path.ismount(running.mounted)
    assert running.children() == []


def test_network_that_goes_away_and_the_lock(running: Running, served: Service) -> None:
    wait_for(lambda: os.path.ismount(running.mounted))
    served.is_down = True
    (running.mounted / "offline.txt").write_text("written without a network")
    wait_for(lambda: running.status()["mount"] == "offline")
    served.is_down = False
    wait_for(lambda: running.status()["mount"] == "current")
    (entry,) = running.computer.ok("ls", "Designs:/")["entries"]
    assert entry["path"] == "offline.txt"
    running.computer.ok("lock")
    wait_for(lambda: not running.children() and not os.path.ismount(running.mounted))
    assert running.process
    assert running.process.poll() is None
    state = StateFolder(running.computer.folder, use_keyring=False)
    assert state.load_secrets().user_key is None, "what ends does not store the keys again"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_mount_in_a_terminal_sends_and_unmounts_when_it_is_stopped(
    served: Service, leader: Computer, mounted: Path, number: signal.Signals
) -> None:
    process = start(leader, *this_program().command, "mount", "Designs", mounted)
    try:
        wait_for(lambda: os.path.ismount(mounted))
        (mounted / "last.txt").write_text("closed a moment ago")
        process.send_signal(number)
        assert process.wait(60) == 0
    finally:
        process.kill()
    assert not os.path.ismount(mounted)
    (entry,) = leader.ok("ls", "Designs:/")["entries"]
    assert entry["path"] == "last.txt"


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, which nothing stays mounted at."""
    unmount, folder = tool("fusermount3"), tmp_path / "mounted"
    folder.mkdir()
    yield folder
    subprocess.run([unmount, "-uz", folder], check=False, capture_output=True)


def test_closed_files_survive_every_kill_of_the_mount(
    served: Service, leader: Computer, mounted: Path, tmp_path: Path
) -> None:
    """Before anything is sent, while it is, and afterwards."""
    expected = dict[str, bytes]()

    def save(name: str, content: bytes) -> None:
        (mounted / name).write_bytes(content)
        expected[name] = content

    def check(folder: Path) -> None:
        found = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert found.keys() == expected.keys()
        assert found == expected

    for delay in (0, 0.3, 1.0, 1.2, 1.6, 3, None):
        process = start(leader, *this_program().command, "mount", "Designs", mounted)
        try:
            wait_for(lambda: os.path.ismount(mounted))
            check(mounted)
            if delay is None:
                process.send_signal(signal.SIGINT)
                assert process.wait(60) == 0
                break
            save(f"new {delay}.bin", os.urandom(2_500_000))
            save("changed.txt", os.urandom(5000))
            save("aside~", os.urandom(700))
            (mounted / "aside~").replace(mounted / "saved.txt")
            expected["saved.txt"] = expected.pop("aside~")
            save("removed.txt", b"removed")
            (mounted / "removed.txt").unlink()
            del expected["removed.txt"]
            time.sleep(delay)
        finally:
            process.kill()
            process.wait()
    leader.ok("get", "Designs:/", tmp_path / "fetched")
    check(tmp_path / "fetched")


def make_program(path: Path, start: str) -> bytes:
    """A program of one file, as `make client` builds them, with the client from this tree."""
    source = path.with_suffix(".folder")
    source.mkdir()
    (source / "__main__.py").write_text(start)
    zipapp.create_archive(source, path, interpreter=sys.executable)
    return path.read_bytes()


OLD = """
from tessera_client.service import self_update
self_update.FIRST_CHECK_SECONDS = 0
from tessera_client.cli import main
main()
"""
NEW = """
from tessera_core import version
version.__version__ = "9.0.0"
from tessera_client.cli import main
main()
"""
BROKEN = "raise SystemExit(1)"


class TestUpdate:
    @pytest.fixture
    def program(self, served: Service, leader: Computer, tmp_path: Path) -> Path:
        leader.ok("status")
        (tmp_path / "bin").mkdir()
        make_program(tmp_path / "bin" / "tess.pyz", OLD)
        return tmp_path / "bin" / "tess.pyz"

    def publish(self, service: Service, content: bytes, patch: pytest.MonkeyPatch) -> None:
        """Signed by the sandbox's key, which counts on this computer."""
        patch.setattr(Handler, "download", content)
        platform, machine, _ = target_name().rsplit("-", 2)
        digest = hashlib.sha256(content).hexdigest()
        name = f"tess-9.0.0-{platform}-{machine}.pyz"
        file = ReleaseFile(name, (platform,), machine, True, len(content), digest)
        service.manifest = sign_release(Release("9.0.0", (file,)), sandbox_key())

    def test_service_of_the_new_version_takes_over(
        self, served: Service, leader: Computer, program: Path, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        newer = make_program(tmp_path / "new.pyz", NEW)
        self.publish(served, newer, monkeypatch)
        process = start(leader, sys.executable, program, "service", "run")
        log = leader.folder / "service.log"
        try:
            wait_for(lambda: "Version 9.0.0 runs now." in log.read_text())
            assert program.read_bytes() == newer
            assert leader.ok("service", "status")["running"]
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
        assert not leader.ok("service", "status")["running"], "the new one ends with the old one"

    def test_version_that_does_not_start_is_taken_back(
        self, served: Service, leader: Computer, program: Path, tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        before = program.read_bytes()
        self.publish(served, make_program(tmp_path / "new.pyz", BROKEN), monkeypatch)
        process = start(leader, sys.executable, program, "service", "run")
        log = leader.folder / "service.log"
        try:
            wait_for(lambda: "The version before is back." in log.read_text())
            wait_for(lambda: log.read_text().count("The service has started.") == 2)
            assert program.read_bytes() == before
            assert [path.name for path in program.parent.glob("*tess*")].count("tess.pyz") == 1
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
