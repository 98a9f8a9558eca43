"""Where there is no FUSE: the commands that Windows and macOS get, with others in their place."""

import ctypes
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.tests.conftest import Computer
from tessera_client.drive import system_mount
from tessera_client.drive.mounted import Mounted
from tessera_client.errors import ClientError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its own command would run")

# Asks as the real one does, and notes all that it can be seen with.
MOUNT_WEBDAV = """#!/bin/sh
here=$(dirname "$0")
printf 'Username: ' ; read user
printf 'Password: ' ; stty -echo ; read password ; stty echo ; echo
printf '%s\\n' "$@" > "$here/arguments"
env > "$here/environment"
printf '%s\\n%s\\n' "$user" "$password" > "$here/typed"
exit $(cat "$here/exit" 2>/dev/null || echo 0)
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    for name, text in (("mount_webdav", MOUNT_WEBDAV), ("umount", '#!/bin/sh\necho "$1" > gone\n')):
        path = folder / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the system says about the mount, each time that it is asked."""
    said = [True, True, False]
    monkeypatch.setattr(system_mount, "_is_connected", lambda _: said.pop(0) if said else False)
    monkeypatch.setattr(system_mount, "LOOK_SECONDS", 0)
    return said


@pytest.mark.usefixtures("connected")
class TestMacOs:
    @pytest.fixture(autouse=True)
    def system(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "platform", "darwin")

    def test_password_is_typed_and_nowhere_else(self, programs: Path) -> None:
        ran: list[str] = []
        system_mount.show(Mounted([], is_single=False), "/Users/ada/Designs", ran.extend)
        user, password = (programs / "typed").read_text().splitlines()
        assert user == "tess"
        assert len(password) > 20
        arguments = (programs / "arguments").read_text().splitlines()
        assert ran == ["mount_webdav", *arguments]
        assert arguments[:4] == ["-S", "-i", "-v", "Designs"]
        assert arguments[4].startswith("http://127.0.0.1:")
        assert arguments[5] == "/Users/ada/Designs"
        assert password not in " ".join(ran)
        assert password not in (programs / "environment").read_text()

    def test_failure_is_told(self, programs: Path) -> None:
        (programs / "exit").write_text("3")
        with pytest.raises(ClientError) as caught:
            system_mount.show(Mounted([], is_single=False), "/Users/ada/Designs", lambda _: None)
        assert caught.value.code == "mount_failed"

    def test_command_that_never_ends_is_given_up(
        self, programs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(system_mount, "CONNECT_SECONDS", 0.3)
        (programs / "mount_webdav").write_text("#!/bin/sh\nexec sleep 60\n")
        with pytest.raises(ClientError):
            system_mount.show(Mounted([], is_single=False), "/Users/ada/Designs", lambda _: None)


class TestWindows:
    @pytest.fixture
    def calls(self, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        monkeypatch.setattr(sys, "platform", "win32")
        calls: list[Any] = []

        class Library:
            def __init__(self, name: str) -> None:
                assert name == "advapi32"

            def CredWriteW(self, reference: Any, _: int) -> int:  # noqa: N802
                found = reference._obj
                # The field itself reads as what is before the first zero.
                at = type(found).CredentialBlob.offset
                address = ctypes.c_void_p.from_buffer(found, at).value
                blob = ctypes.string_at(address or 0, found.CredentialBlobSize)
                calls.append(
                    (found.Type, found.TargetName, found.UserName, found.Persist,
                     blob.decode("utf-16-le"))
                )  # fmt: skip
                return 1

            def CredDeleteW(self, target: str, kind: int, _: int) -> int:  # noqa: N802
                calls.append((target, kind))
                return 1

        def run(command: list[str], **_: Any) -> SimpleNamespace:
            calls.append(command)
            return SimpleNamespace(returncode=0)

        monkeypatch.setattr(ctypes, "WinDLL", Library, raising=False)
        monkeypatch.setattr(subprocess, "run", run)
        return calls

    @pytest.mark.usefixtures("connected")
    def test_credential_is_stored_before_the_command_and_removed_after_it(
        self, calls: list[Any]
    ) -> None:
        ran: list[str] = []
        system_mount.show(Mounted([], is_single=False), "T:", ran.extend)
        stored, command, removed = calls
        kind, target, user, persistence, password = stored
        assert (kind, target, user, persistence) == (2, "127.0.0.1", "tess", 1)
        assert len(password) > 20
        assert command == ran
        assert command[:3] == [r"C:\Windows\System32\net.exe", "use", "T:"]
        assert command[3].startswith("http://127.0.0.1:")
        assert command[4:] == ["/persistent:no"]
        assert password not in " ".join(command)
        assert removed == ("127.0.0.1", 2)

    def test_ctrl_c_disconnects(self, calls: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(system_mount, "_is_connected", lambda _: True)

        def interrupt(_: object) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            system_mount.show(Mounted([], is_single=False), "T:", interrupt)
        assert calls[-2][1:] == ["use", "T:", "/delete", "/yes"]

    @pytest.mark.usefixtures("calls")
    @pytest.mark.parametrize("target", ["C:\\Users", "Designs", "/tmp", "TT:", "*"])
    def test_only_a_letter_can_be_mounted(self, leader: Computer, target: str) -> None:
        exit_code, answer = leader.run("mount", "Designs", target)
        assert (exit_code, answer["error"]) == (2, "mount_no_letter")
