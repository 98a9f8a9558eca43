"""What tells the system to run the service after login: a systemd unit, a launchd agent, a Windows
task. Each is a file for the user alone, and the commands that the system wants besides."""

import os
import plistlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from tessera_client.desktop import windows_program
from tessera_client.errors import ClientError

NAME = "tessera"
LABEL = "tessera.client"
TASK = "Tessera"
# What is closed is sent before the service ends.
STOP_SECONDS = 60
RESTART_SECONDS = 5
# Variables of the terminal that the service needs too.
VARIABLES = ("TESSERA_CLIENT_DIR", "TESS_NO_KEYRING")

_TASK_SPACE = "http://schemas.microsoft.com/windows/2004/02/mit/task"


# The unit of the Debian package, which is on for every user who has logged in.
PACKAGED_UNIT = Path("/usr/lib/systemd/user") / f"{NAME}.service"


@dataclass(frozen=True)
class Unit:
    path: Path
    content: bytes
    install: tuple[tuple[str, ...], ...]
    """Commands that run after the file was written."""
    remove: tuple[tuple[str, ...], ...]
    """Commands that run before the file is removed."""
    is_packaged: bool = False
    """Whether the file came with a package, and stays."""

    @property
    def is_installed(self) -> bool:
        # Of what a package brings, systemd masks what the user does not want.
        return self.path.exists() and not (self.is_packaged and _user_unit().is_symlink())


def make_unit(command: Sequence[str], environment: Mapping[str, str], platform: str) -> Unit:
    """`command` starts the service; `environment` holds what it needs of the terminal's."""
    match platform:
        case "win32":
            return _windows_task(command, environment)
        case "darwin":
            return _launchd_agent(command, environment)
    return _systemd_unit(command, environment)


def kept_environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
    if "TESSERA_CLIENT_DIR" in kept:
        kept["TESSERA_CLIENT_DIR"] = str(Path(kept["TESSERA_CLIENT_DIR"]).absolute())
    return kept


def packaged_unit() -> Unit:
    systemctl, unit = ("systemctl", "--user"), PACKAGED_UNIT.name
    return Unit(
        PACKAGED_UNIT,
        b"",
        ((*systemctl, "unmask", unit), (*systemctl, "restart", unit)),
        ((*systemctl, "mask", "--now", unit),),
        is_packaged=True,
    )


def _user_unit() -> Path:
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return config / "systemd" / "user" / f"{NAME}.service"


def _systemd_unit(command: Sequence[str], environment: Mapping[str, str]) -> Unit:
    program, *arguments = command
    if not {"\\", '"', "'"}.isdisjoint(program):
        raise ClientError.from_code("service_path", path=program)
    # systemd looks for variables in the arguments alone.
    words = [_systemd_word(program), *(_systemd_word(each, "$") for each in arguments)]
    lines = [
        "[Unit]",
        "Description=Tessera: connected folders and backups",
        "# The service waits for the network itself, and never stops trying.",
        "StartLimitIntervalSec=0",
        "",
        "[Service]",
        f"ExecStart={' '.join(words)}",
        *(f"Environment={_systemd_word(f'{name}={value}')}" for name, value in environment.items()),
        "Restart=always",
        f"RestartSec={RESTART_SECONDS}",
        "# The service ends what it has started, and mounts are unmounted.",
        "KillMode=mixed",
        f"TimeoutStopSec={STOP_SECONDS}",
        "",
        "[Install]",
        "WantedBy=default.target",
        "",
    ]
    unit = f"{NAME}.service"
    systemctl = ("systemctl", "--user")
    return Unit(
        _user_unit(),
        "\n".join(lines).encode(),
        ((*systemctl, "daemon-reload"), (*systemctl, "enable", "--now", unit)),
        ((*systemctl, "disable", "--now", unit),),
    )


def _systemd_word(text: str, doubled: str = "") -> str:
    """Quoted so that systemd takes it for what it is."""
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise ClientError.from_code("service_path", path=text)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for character in f"%{doubled}":
        escaped = escaped.replace(character, character * 2)
    return f'"{escaped}"'


def _launchd_agent(command: Sequence[str], environment: Mapping[str, str]) -> Unit:
    agent = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "EnvironmentVariables": dict(environment),
        "RunAtLoad": True,
        "KeepAlive": True,
        "ThrottleInterval": RESTART_SECONDS,
        "ExitTimeOut": STOP_SECONDS,
        "ProcessType": "Background",
        "LimitLoadToSessionType": "Aqua",
    }
    path = Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    domain = f"gui/{os.getuid() if sys.platform != 'win32' else 0}"
    return Unit(
        path,
        plistlib.dumps(agent),
        (("launchctl", "bootstrap", domain, str(path)),),
        (("launchctl", "bootout", f"{domain}/{LABEL}"),),
    )


def _windows_task(command: Sequence[str], environment: Mapping[str, str]) -> Unit:
    """A task has no environment of its own."""
    if environment:
        raise ClientError.from_code("service_variables", names=", ".join(environment))
    user = "\\".join(filter(None, (os.environ.get("USERDOMAIN"), os.environ.get("USERNAME"))))
    program, *arguments = command
    tree = {
        "RegistrationInfo": {"Description": "Tessera: connected folders and backups"},
        "Triggers": {"LogonTrigger": {"Enabled": "true", "UserId": user}},
        "Principals": {
            "Principal": {
                "UserId": user,
                "LogonType": "InteractiveToken",
                "RunLevel": "LeastPrivilege",
            }
        },
        "Settings": {
            "MultipleInstancesPolicy": "IgnoreNew",
            "DisallowStartIfOnBatteries": "false",
            "StopIfGoingOnBatteries": "false",
            "AllowHardTerminate": "true",
            "StartWhenAvailable": "true",
            "ExecutionTimeLimit": "PT0S",
            "RestartOnFailure": {"Interval": "PT1M", "Count": "999"},
        },
        "Actions": {"Exec": {"Command": program, "Arguments": subprocess.list2cmdline(arguments)}},
    }
    task = ET.Element("Task", {"version": "1.2", "xmlns": _TASK_SPACE})
    _add(task, tree)
    local = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    path = local / "tessera" / "task.xml"
    schtasks = windows_program("schtasks.exe")
    return Unit(
        path,
        ET.tostring(task, encoding="utf-16", xml_declaration=True),
        (
            (schtasks, "/Create", "/TN", TASK, "/XML", str(path), "/F"),
            (schtasks, "/Run", "/TN", TASK),
        ),
        ((schtasks, "/End", "/TN", TASK), (schtasks, "/Delete", "/TN", TASK, "/F")),
    )


def _add(parent: ET.Element, tree: Mapping[str, object]) -> None:
    for name, value in tree.items():
        child = ET.SubElement(parent, name)
        if isinstance(value, Mapping):
            _add(child, value)
        else:
            child.text = str(value)
