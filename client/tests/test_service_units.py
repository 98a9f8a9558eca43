"""The files by which a system starts the service, and the commands that install them."""

import os
import plistlib
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import keyring
import keyring.errors
import pytest

from client.tests.conftest import Computer
from tessera_client.commands import service as command
from tessera_client.errors import ClientError
from tessera_client.service import presence, units
from tessera_client.service.log import FILES, MAX_BYTES, log_path, open_log
from tessera_client.service.program import Program, this_program
from tessera_client.service.units import Unit, kept_environment, make_unit
from tessera_client.vault.profile import StateFolder
from tests.tools import tool

COMMAND = ["/opt/My $HOME/100% tess", "service", "run"]
STARTED, ENDED = "The service has started.", "The service has ended."


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path / "home"


def wait_for(is_true: Callable[[], object]) -> None:
    until = time.monotonic() + 30
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.05)


class Systemd:
    """Reads a unit as systemd does where it matters here: starts ExecStart, and starts it again."""

    def __init__(self, unit: Unit) -> None:
        lines = [line.partition("=") for line in unit.content.decode().splitlines()]
        self.settings = {name: value for name, _, value in lines if value}
        given = [value.replace("%%", "%") for name, _, value in lines if name == "Environment"]
        words = (word for value in given for word in shlex.split(value))
        self.environment = {**os.environ, **dict(word.split("=", 1) for word in words)}
        program, *arguments = shlex.split(self.settings["ExecStart"].replace("%%", "%"))
        self.command = [program, *(word.replace("$$", "$") for word in arguments)]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, env=self.environment)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.settings["Restart"] == "always"
        self.start()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


class TestSystemd:
    @pytest.fixture
    def program(self, tmp_path: Path) -> Path:
        """systemd wants one that is there."""
        program = tmp_path / "My $HOME" / "100% tess"
        program.parent.mkdir()
        program.symlink_to(sys.executable)
        return program

    def test_systemd_finds_nothing_wrong_with_the_unit(self, program: Path, tmp_path: Path) -> None:
        variables = {"TESSERA_CLIENT_DIR": f'{tmp_path}/a "b" 5%', "TESS_NO_KEYRING": "1"}
        unit = make_unit([str(program), "service", "run", 'a "$b" 5%'], variables, "linux")
        path = tmp_path / "tessera.service"
        path.write_bytes(unit.content)
        done = subprocess.run(
            [tool("systemd-analyze"), "verify", "--user", "--man=no", path],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        )
        said = [line for line in done.stderr.splitlines() if "tessera" in line.lower()]
        assert (done.returncode, said) == (0, [])

    @pytest.mark.extended
    def test_service_is_started_again_and_ends_when_asked(self, tmp_path: Path) -> None:
        state = tmp_path / 'a "state" 5%'
        variables = {"TESSERA_CLIENT_DIR": str(state), "TESS_NO_KEYRING": "1", "TESS_LANG": "en"}
        systemd = Systemd(
            make_unit((*this_program().command, "service", "run"), variables, "linux")
        )
        log = log_path(StateFolder(state, use_keyring=False))
        try:
            wait_for(lambda: log.exists() and STARTED in log.read_text())
            systemd.kill()
            wait_for(lambda: log.read_text().count(STARTED) == 2)
        finally:
            exit_code = systemd.stop()
        assert exit_code == 0
        assert log.read_text().count(ENDED) == 1

    @pytest.mark.parametrize("name", ["/opt/a\nExecStartPre=/bin/evil", '/opt/"a"', "/opt/a\\b"])
    def test_name_that_a_unit_cannot_hold_is_refused(self, name: str) -> None:
        with pytest.raises(ClientError) as failure:
            make_unit([name, "service", "run"], {}, "linux")
        assert failure.value.code == "service_path"


def test_launchd_agent_runs_after_login_and_is_started_again(home: Path) -> None:
    unit = make_unit(COMMAND, {"TESS_NO_KEYRING": "1"}, "darwin")
    agent = plistlib.loads(unit.content)
    assert agent["ProgramArguments"] == COMMAND
    assert (agent["RunAtLoad"], agent["KeepAlive"]) == (True, True)
    assert agent["EnvironmentVariables"] == {"TESS_NO_KEYRING": "1"}
    assert unit.path == home / "Library" / "LaunchAgents" / f"{agent['Label']}.plist"
    assert unit.install[0][:2] == ("launchctl", "bootstrap")
    assert unit.remove[0][-1].endswith(agent["Label"])


class TestWindows:
    def test_task_runs_for_its_user_without_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("USERDOMAIN", "OFFICE")
        monkeypatch.setenv("USERNAME", "ada & omar")
        unit = make_unit([r"C:\Users\ada\tess.exe", "service", "run", "a b"], {}, "win32")
        task = ET.fromstring(unit.content)
        space = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
        values = {each.tag.removeprefix(space): each.text for each in task.iter()}
        assert unit.content[:2] in {b"\xff\xfe", b"\xfe\xff"}
        assert values["Command"] == r"C:\Users\ada\tess.exe"
        assert values["Arguments"] == 'service run "a b"'
        assert values["UserId"] == r"OFFICE\ada & omar"
        assert values["RunLevel"] == "LeastPrivilege"
        assert values["ExecutionTimeLimit"] == "PT0S"
        order = [each.tag.removeprefix(space) for each in task]
        # The scheduler insists on it.
        assert order == ["RegistrationInfo", "Triggers", "Principals", "Settings", "Actions"]
        # By its name alone, Windows would look for it in the current folder first.
        commands = {called[0] for called in (*unit.install, *unit.remove)}
        assert commands == {r"C:\Windows\System32\schtasks.exe"}

    def test_variables_that_a_task_cannot_set_are_named(self) -> None:
        with pytest.raises(ClientError, match="TESSERA_CLIENT_DIR"):
            make_unit(COMMAND, {"TESSERA_CLIENT_DIR": "C:\\state"}, "win32")


class TestCommand:
    @pytest.fixture
    def called(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
        calls = list[tuple[str, ...]]()
        monkeypatch.setattr(command, "_call", calls.append)
        monkeypatch.setattr(sys, "platform", "linux")
        return calls

    def test_install_status_and_remove(
        self, leader: Computer, called: list[tuple[str, ...]], home: Path
    ) -> None:
        path = home / ".config" / "systemd" / "user" / "tessera.service"
        assert leader.ok("service", "install")["path"] == str(path)
        assert str(leader.folder) in path.read_text()
        assert called[-1] == ("systemctl", "--user", "enable", "--now", "tessera.service")
        status = leader.ok("service", "status")
        assert (status["installed"], status["running"], status["updates"]) == (True, False, "pip")
        leader.ok("service", "remove")
        assert not path.exists()
        assert called[-1][-3:] == ("disable", "--now", "tessera.service")
        exit_code, answer = leader.run("service", "remove")
        assert (exit_code, answer["error"]) == (1, "service_not_installed")

    def test_system_that_refuses_leaves_nothing_behind(
        self, leader: Computer, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "bin").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
        exit_code, answer = leader.run("service", "install")
        assert (exit_code, answer["error"]) == (1, "service_no_manager")
        script = tmp_path / "bin" / "systemctl"
        script.write_text("#!/bin/sh\necho Failed to connect to bus >&2\nexit 1\n")
        script.chmod(0o755)
        exit_code, answer = leader.run("service", "install")
        assert (exit_code, answer["error"]) == (1, "service_command")
        assert "Failed to connect to bus" in answer["message"]
        assert not list(home.rglob("tessera.service"))

    def test_service_of_the_debian_package_is_turned_off_and_on(
        self,
        called: list[tuple[str, ...]],
        home: Path,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        packaged, file = tmp_path / "tessera.service", tmp_path / "tess"
        packaged.write_text("the package's")
        monkeypatch.setattr(units, "PACKAGED_UNIT", packaged)
        installed = Program((str(file),), file, installer="linux-x64.deb")
        monkeypatch.setattr(presence, "this_program", lambda: installed)
        for name in units.VARIABLES:
            monkeypatch.delenv(name, raising=False)
        folder = StateFolder(tmp_path / "state", use_keyring=False)
        assert command._status(folder).data["installed"]
        command._remove()
        assert called == [("systemctl", "--user", "mask", "--now", "tessera.service")]
        mask = home / ".config" / "systemd" / "user" / "tessera.service"
        mask.parent.mkdir(parents=True)
        mask.symlink_to("/dev/null")
        assert not command._status(folder).data["installed"]
        command._install(folder)
        assert [call[2] for call in called[1:]] == ["unmask", "restart"]
        assert packaged.read_text() == "the package's"

    def test_status_names_missing_keys(self, leader: Computer) -> None:
        leader.ok("status")
        assert leader.ok("service", "status")["problems"] == []
        leader.ok("lock")
        (problem,) = leader.ok("service", "status")["problems"]
        assert "keys are locked" in problem

    def test_system_without_a_keyring_is_told(
        self, leader: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: str) -> None:
            raise keyring.errors.NoKeyringError

        monkeypatch.setattr(keyring, "get_password", fail)
        _, answer = leader.run("service", "status", TESS_NO_KEYRING="0")
        (problem,) = answer["problems"]
        assert "keyring" in problem


def test_only_what_the_service_needs_of_the_environment_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TESS_PASSWORD", "secret")
    monkeypatch.setenv("TESSERA_CLIENT_DIR", "state")
    monkeypatch.delenv("TESS_NO_KEYRING", raising=False)
    monkeypatch.chdir(tmp_path)
    assert kept_environment() == {"TESSERA_CLIENT_DIR": str(tmp_path / "state")}


def test_log_is_bounded(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path, use_keyring=False)
    log = open_log(folder)
    for _ in range(40):
        log.warning("x" * (MAX_BYTES // 10))
    sizes = [path.stat().st_size for path in tmp_path.glob("service.log*")]
    assert len(sizes) == FILES
    assert max(sizes) <= MAX_BYTES


class TestProgram:
    def test_single_program_starts_itself(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        file = tmp_path / "tess"
        file.touch()
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", str(file))
        program = this_program()
        assert program == Program((str(file),), file)
        assert program.can_be_replaced

    def test_what_an_installer_brought_is_not_replaced(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "installed-by").write_text("windows-x64-setup.exe\n")
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "tess.exe"))
        assert not this_program().can_be_replaced

    def test_archive_starts_with_its_python(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        file = tmp_path / "tess.pyz"
        file.touch()
        monkeypatch.setattr(sys, "argv", [str(file)])
        assert this_program() == Program((sys.executable, str(file)), file, needs_python=True)

    def test_package_of_pip_has_no_file_to_replace(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "argv", ["/usr/bin/tess"])
        assert not this_program().can_be_replaced

    def test_package_in_the_current_folder_is_not_run(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        planted = tmp_path / "tessera_client"
        planted.mkdir()
        (planted / "__init__.py").write_text("raise SystemExit('planted')")
        monkeypatch.setattr(sys, "argv", ["/usr/bin/tess"])
        command = [*this_program().command, "--version"]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout.startswith("tess ")
