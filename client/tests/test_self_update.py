"""The service replaces the program by a newer release, and by nothing else."""

import hashlib
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from client.tests.conftest import Computer
from client.tests.service import Service
from client.tests.transport import MemoryTransport
from tessera_client.errors import ClientError, Refused
from tessera_client.service import self_update
from tessera_client.service.program import Program
from tessera_client.service.self_update import (
    Updater,
    UpdateWatch,
    find_file,
    load_state,
    note_started,
)
from tessera_client.vault import releases
from tessera_client.vault.account import open_account
from tessera_client.vault.profile import StateFolder
from tessera_core import base64url
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.release import Release, ReleaseFile, sign_release
from tessera_core.version import __version__

OLD = "#!/bin/sh\necho old\n"
# As a service that starts: it says so, and runs until its input ends.
NEW = """#!/bin/sh
printf '{"started": "9.0.0"}' > "$TESSERA_CLIENT_DIR/update.json"
cat > /dev/null
"""
BROKEN = "#!/bin/sh\nexit 1\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its programs are shell scripts")


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Ed25519PrivateKey:
    """The release key, pinned in the client, on a Linux computer with an x64 processor."""
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "linux")
    key = Ed25519PrivateKey.generate()
    pinned = frozenset({base64url.encode(key.public_key().public_bytes_raw())})
    monkeypatch.setattr(releases, "RELEASE_KEYS", pinned)
    return key


def release_file(content: str, **changes: Any) -> ReleaseFile:
    digest = hashlib.sha256(content.encode()).hexdigest()
    file = ReleaseFile("tess-9.0.0-linux-x64", ("linux",), "x64", False, len(content), digest)
    return replace(file, **changes)


class Publisher:
    """The service as it offers a release, and what it sends for it."""

    def __init__(self, service: Service, key: Ed25519PrivateKey) -> None:
        self._service, self._key = service, key
        self.content = b""
        self.asked: list[httpx.URL] = []

    def publish(self, *files: ReleaseFile, version: str = "9.0.0", content: str = NEW) -> None:
        self._service.manifest = sign_release(Release(version, files), self._key)
        self.content = content.encode()

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url)
        assert "authorization" not in request.headers
        return httpx.Response(200, content=self.content)


@pytest.fixture
def publisher(service: Service, key: Ed25519PrivateKey) -> Publisher:
    return Publisher(service, key)


@pytest.fixture
def updater(
    leader: Computer, publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Updater:
    file = tmp_path / "bin" / "tess"
    file.parent.mkdir()
    file.write_text(OLD)
    file.chmod(0o755)
    folder = StateFolder(leader.folder, use_keyring=False)
    monkeypatch.setenv("TESSERA_CLIENT_DIR", str(leader.folder))
    api = open_account(folder).api
    transport = MemoryTransport(publisher.answer)
    return Updater(folder, Program((str(file),), file), api, lambda: transport)


def files_of(updater: Updater) -> dict[str, str]:
    assert updater.program.file
    return {path.name: path.read_text() for path in updater.program.file.parent.iterdir()}


def look(updater: Updater) -> UpdateWatch:
    watch = UpdateWatch(lambda: updater, lambda: None)
    watch.look()
    return watch


class TestInstall:
    def test_newer_release_is_fetched_installed_and_started(
        self, updater: Updater, publisher: Publisher
    ) -> None:
        publisher.publish(release_file(NEW))
        watch = look(updater)
        assert watch.found
        _, version, part = watch.found
        before = updater.install(part)
        assert files_of(updater) == {"tess": NEW, ".tess.old": OLD}
        process = updater.start(version)
        assert process
        assert process.stdin
        process.stdin.close()
        assert process.wait(20) == 0
        assert before.read_text() == OLD

    @pytest.mark.parametrize("content", [BROKEN, "no program at all"])
    def test_release_that_does_not_start_is_taken_back_and_not_tried_again(
        self, updater: Updater, publisher: Publisher, content: str
    ) -> None:
        publisher.publish(release_file(content), content=content)
        found = look(updater).found
        assert found
        _, version, part = found
        before = updater.install(part)
        assert updater.start(version) is None
        updater.go_back(before, version)
        assert files_of(updater) == {"tess": OLD}
        assert load_state(updater.folder).refused == "9.0.0"
        assert look(updater).found is None

    def test_release_that_hangs_is_killed(
        self, updater: Updater, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert updater.program.file
        updater.program.file.write_text("#!/bin/sh\nexec sleep 1000\n")
        monkeypatch.setattr(self_update, "TRIAL_SECONDS", 0.3)
        begun = time.monotonic()
        assert updater.start("9.0.0") is None
        assert time.monotonic() - begun < 20

    def test_word_of_an_earlier_start_does_not_count(self, updater: Updater) -> None:
        note_started(updater.folder)
        assert load_state(updater.folder).started
        assert updater.program.file
        updater.program.file.write_text(BROKEN)
        assert updater.start(load_state(updater.folder).started) is None

    def test_full_disk_at_the_swap_leaves_the_old_program(
        self, updater: Updater, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        publisher.publish(release_file(NEW))
        found = look(updater).found
        assert found
        part = found[2]
        rename = Path.rename

        def fail(path: Path, target: Path) -> Path:
            if path == part:
                raise OSError(28, "No space left on device")
            return rename(path, target)

        monkeypatch.setattr(Path, "rename", fail)
        with pytest.raises(OSError, match="No space"):
            updater.install(part)
        assert files_of(updater)["tess"] == OLD


class TestLies:
    """A service, or whoever sits before it, that wants its own program to be run."""

    def check_refused(
        self, updater: Updater, error: type[Exception], code: str | None = None
    ) -> None:
        with pytest.raises(error) as failure:
            look(updater)
        if code:
            assert isinstance(failure.value, ClientError)
            assert failure.value.code == code
        assert files_of(updater) == {"tess": OLD}

    def test_unsigned_list_is_refused(
        self, updater: Updater, service: Service, publisher: Publisher
    ) -> None:
        publisher.publish(release_file(NEW))
        assert service.manifest
        service.manifest = '{"release": "{}", "key": "", "signature": ""}'
        self.check_refused(updater, NotAuthentic)
        service.manifest = "[]"
        self.check_refused(updater, Malformed)

    def test_list_signed_by_somebody_else_is_refused(
        self, updater: Updater, service: Service
    ) -> None:
        other = Ed25519PrivateKey.generate()
        service.manifest = sign_release(Release("9.0.0", (release_file(NEW),)), other)
        self.check_refused(updater, NotAuthentic)

    def test_list_that_was_changed_is_refused(
        self, updater: Updater, service: Service, publisher: Publisher
    ) -> None:
        publisher.publish(release_file(NEW))
        assert service.manifest
        service.manifest = service.manifest.replace("9.0.0", "9.0.1")
        self.check_refused(updater, NotAuthentic)

    def test_genuine_list_of_an_older_release_is_refused(
        self, updater: Updater, publisher: Publisher
    ) -> None:
        publisher.publish(release_file(NEW), version="0.0.1")
        self.check_refused(updater, Refused, "older_release")

    def test_same_version_is_not_installed_again(
        self, updater: Updater, publisher: Publisher
    ) -> None:
        publisher.publish(release_file(NEW), version=__version__)
        assert look(updater).found is None

    @pytest.mark.parametrize("sent", [NEW.replace("cat", "rm "), NEW + "\n", NEW[:-1], ""])
    def test_other_content_is_refused(
        self, updater: Updater, publisher: Publisher, sent: str
    ) -> None:
        publisher.publish(release_file(NEW), content=sent)
        self.check_refused(updater, Refused, "update_refused")

    def test_endless_content_is_not_read_to_its_end(
        self, updater: Updater, publisher: Publisher
    ) -> None:
        publisher.publish(release_file(NEW), content="x" * (1 << 22))
        self.check_refused(updater, Refused, "update_refused")

    def test_size_that_no_program_has_is_refused_before_anything_is_asked(
        self, updater: Updater, publisher: Publisher
    ) -> None:
        publisher.publish(release_file(NEW, size=1 << 40))
        self.check_refused(updater, Refused, "update_refused")
        assert publisher.asked == []

    @pytest.mark.parametrize(
        "file",
        [
            release_file(NEW, platforms=("windows",)),
            release_file(NEW, machine="arm64"),
            release_file(NEW, name="tess-9.0.0-macos-arm64", platforms=("macos",)),
            release_file(NEW, name="tess-9.0.0-linux-x64.pyz", needs_python=True),
            release_file(NEW, name="tess-9.0.0-linux-x64.deb"),
            release_file(NEW, name="tess-8.0.0-linux-x64"),
        ],
    )
    def test_file_for_another_computer_is_not_taken(
        self, updater: Updater, publisher: Publisher, file: ReleaseFile
    ) -> None:
        publisher.publish(file)
        self.check_refused(updater, ClientError, "update_missing")

    @pytest.mark.parametrize(
        "link", ["https://evil.test/file", "//evil.test/file", "file:///etc/passwd", "@evil.test/"]
    )
    def test_link_to_another_host_is_refused(
        self, updater: Updater, publisher: Publisher, service: Service, link: str
    ) -> None:
        publisher.publish(release_file(NEW))
        service.download_link = link
        self.check_refused(updater, Refused, "update_refused")
        assert publisher.asked == []

    @pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
    def test_link_of_another_user_in_the_way_is_not_followed(
        self,
        updater: Updater,
        publisher: Publisher,
        tmp_path: Path,
        link: Callable[[Path, Path], None],
    ) -> None:
        """Its maker could change what is written through it, after it was checked."""
        publisher.publish(release_file(NEW))
        precious = tmp_path / "precious"
        precious.write_text("mine")
        assert updater.program.file
        link(updater.program.file.parent / ".tess.new", precious)
        look(updater)
        assert precious.read_text() == "mine"
        assert files_of(updater)[".tess.new"] == NEW


def test_archive_is_replaced_by_an_archive(key: Ed25519PrivateKey) -> None:
    program = release_file(NEW)
    archive = release_file(NEW, name="tess-9.0.0-linux-x64.pyz", needs_python=True)
    release = Release("9.0.0", (program, archive))
    assert find_file(release, needs_python=True) == archive
    assert find_file(release, needs_python=False) == program


def test_watch_goes_on_after_a_failure(
    updater: Updater, publisher: Publisher, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(self_update, "FIRST_CHECK_SECONDS", 0)
    monkeypatch.setattr(self_update, "CHECK_SECONDS", 0.01)
    ready = list[bool]()
    watch = UpdateWatch(lambda: updater, lambda: ready.append(True))
    service.is_down = True
    watch.start()
    wait_for(lambda: watch.problem is not None)
    publisher.publish(release_file(NEW))
    service.is_down = False
    wait_for(lambda: ready)
    assert watch.found


def wait_for(is_true: Callable[[], object]) -> None:
    until = time.monotonic() + 20
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.02)
