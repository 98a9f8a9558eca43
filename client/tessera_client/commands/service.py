"""The service: what stays connected runs after login, without a terminal."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from logging import Logger
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tessera_client.commands.backup import backup, watch_listed
from tessera_client.commands.ending import end_program, has_keys
from tessera_client.commands.mount import mount_folder
from tessera_client.commands.output import Result, notice
from tessera_client.commands.prompts import vault
from tessera_client.commands.sync import sync_connected
from tessera_client.desktop import notify
from tessera_client.errors import ClientError
from tessera_client.service.log import log_path, open_log
from tessera_client.service.presence import LOCK, is_running, this_unit
from tessera_client.service.program import Program, system_environment, this_program
from tessera_client.service.self_update import SUPERVISED, Updater, UpdateWatch, note_started
from tessera_client.service.supervisor import SCHEDULED, Supervisor
from tessera_client.texts import translate, visible
from tessera_client.vault.account import open_account
from tessera_client.vault.connected_folders import (
    ConnectedFolder,
    FolderStatus,
    find_connected,
    find_held_keys,
    held_keys,
    load_connected,
    load_status,
)
from tessera_client.vault.erasure import Removal, find_removal
from tessera_client.vault.folder_reports import FolderReport
from tessera_client.vault.kit import describe_time
from tessera_client.vault.locks import only_one
from tessera_client.vault.profile import StateFolder

_STATES = {
    "starting": "service.states.starting",
    "current": "service.states.current",
    "waiting": "service.states.waiting",
    "conflict": "service.states.conflict",
    "offline": "service.states.offline",
    "paused": "service.states.paused",
    "failed": "service.states.failed",
}


_UPDATES = {
    "itself": "service.updates.itself",
    "system": "service.updates.system",
    "pip": "service.updates.pip",
}


class Action(StrEnum):
    INSTALL = "install"
    STATUS = "status"
    REMOVE = "remove"
    RUN = "run"


def service(
    action: Annotated[
        Action, typer.Argument(help="options.service", metavar="install|status|remove|run")
    ],
    child: Annotated[
        str | None, typer.Argument(help="options.service_child", metavar="[ID]")
    ] = None,
) -> Result:
    """Keeps connected folders and watched backups running after login."""
    folder = StateFolder.from_environment()
    match action:
        case Action.INSTALL:
            return _install(folder)
        case Action.STATUS:
            return _status(folder)
        case Action.REMOVE:
            return _remove()
        case Action.RUN:
            return _run_child(folder, child) if child else _run(folder)


def _install(folder: StateFolder) -> Result:
    unit = this_unit()
    for problem in _key_problems(folder):
        notice(problem)
    if not unit.is_packaged:
        unit.path.parent.mkdir(parents=True, exist_ok=True)
        unit.path.write_bytes(unit.content)
    try:
        for command in unit.install:
            _call(command)
    except ClientError:
        if not unit.is_packaged:
            unit.path.unlink(missing_ok=True)
        raise
    ran = [" ".join(command) for command in unit.install]
    text = translate("service.installed", path=unit.path, commands="; ".join(ran))
    return Result({"path": str(unit.path), "ran": ran}, text)


def _remove() -> Result:
    unit = this_unit()
    if not unit.is_installed:
        raise ClientError.from_code("service_not_installed")
    for command in unit.remove:
        # It may have ended already, or the user may have disabled it.
        with suppress(ClientError):
            _call(command)
    if not unit.is_packaged:
        unit.path.unlink(missing_ok=True)
    return Result({"removed": str(unit.path)}, translate("service.removed"))


def _call(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - a list, not a shell's line
            command, capture_output=True, text=True, check=False, env=system_environment()
        )
    except OSError:
        raise ClientError.from_code("service_no_manager", program=command[0]) from None
    if done.returncode:
        shown = " ".join(command)
        reason = (done.stderr or done.stdout).strip()
        raise ClientError.from_code("service_command", command=shown, reason=reason)


def _key_problems(folder: StateFolder) -> list[str]:
    problems = [problem] if (problem := folder.keyring_problem()) else []
    if removal := _find_removal(folder):
        time = describe_time(removal.time)
        problems.append(translate("service.was_removed", time=time, count=removal.unsent))
    elif not has_keys(folder):
        problems.append(translate("service.no_keys"))
    return problems


def _find_removal(folder: StateFolder) -> Removal | None:
    if not folder.has_profile():
        return None
    return find_removal(folder, folder.load_profile().user)


# Status


def _status(folder: StateFolder) -> Result:
    unit = this_unit()
    is_active = is_running(folder)
    rows, problems = list[tuple[ConnectedFolder, FolderStatus | None]](), _key_problems(folder)
    if keys := find_held_keys(folder):
        user = folder.load_profile().user
        rows = [
            (connected, load_status(folder, user, keys, connected.id))
            for connected in load_connected(folder, user, keys)
        ]
    installed = translate("service.is_installed" if unit.is_installed else "service.is_not")
    running = translate("service.is_running" if is_active else "service.is_stopped")
    lines = [f"{installed} {running}", *(_line(*row) for row in rows)]
    lines += [f"! {problem}" for problem in problems]
    lines.append(translate(_UPDATES[_how_updated(this_program())]))
    data = {
        "installed": unit.is_installed,
        "running": is_active,
        "log": str(log_path(folder)),
        "folders": [
            {**msgspec.to_builtins(connected), "status": status} for connected, status in rows
        ],
        "problems": problems,
        "updates": _how_updated(this_program()),
    }
    return Result(data, "\n".join([*lines, translate("service.log_at", path=log_path(folder))]))


def _how_updated(program: Program) -> str:
    if program.file is None:
        return "pip"
    return "itself" if program.can_be_replaced else "system"


def _line(connected: ConnectedFolder, status: FolderStatus | None) -> str:
    state = "paused" if connected.paused else status.state if status else "starting"
    waiting = status.waiting if status else 0
    parts = [f"{visible(connected.folder)}: {translate(_STATES[state], count=waiting)}"]
    if status and status.error and state in {"failed", "waiting", "conflict"}:
        parts.append(status.error.as_text())
    return " ".join(parts)


# Running


def _run(folder: StateFolder) -> Result:
    """Until the system ends it; after an update the new program runs below this one."""
    is_ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: is_ended.set())
    log, program = open_log(folder), this_program()
    while not is_ended.is_set():
        supervisor = Supervisor(folder, (*program.command, "service", "run"), log)
        watch = UpdateWatch(lambda: _updater(folder, program), supervisor.stopped.set)
        if program.can_be_replaced:
            watch.start()
        _stop_with(supervisor.stopped, is_ended)
        with only_one(folder.path / LOCK, ClientError.from_code("service_running")):
            supervisor.run(lambda: note_started(folder))
        watch.stop()
        if watch.found and not is_ended.is_set() and _hand_over(*watch.found, log, is_ended):
            break
    return Result({"stopped": True}, translate("results.stopped"))


def _stop_with(stopped: threading.Event, is_ended: threading.Event) -> None:
    def wait() -> None:
        is_ended.wait()
        stopped.set()

    threading.Thread(target=wait, daemon=True).start()


def _updater(folder: StateFolder, program: Program) -> Updater:
    return Updater(folder, program, open_account(folder).api)


def _hand_over(
    updater: Updater, version: str, part: Path, log: Logger, is_ended: threading.Event
) -> bool:
    """Runs the service of the new version; returns False, with the old one back in its place, if
    that does not start."""
    before = updater.install(part)
    process = updater.start(version)
    if process is None:
        updater.go_back(before, version)
        log.warning(translate("service.log.update_failed", version=version))
        if updater.folder.wants_notifications():
            notify(translate("service.update_failed", version=version))
        return False
    log.warning(translate("service.log.updated", version=version))
    with suppress(OSError):
        before.unlink()
    while process.poll() is None:
        if is_ended.wait(1) and process.stdin and not process.stdin.closed:
            process.stdin.close()
    return True


def _run_child(folder: StateFolder, name: str) -> Result:
    """Ends when the supervisor closes standard input, or is gone."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    if name == SUPERVISED:
        return _run(folder)
    if name == SCHEDULED:
        return backup(scheduled=True)
    user, keys = folder.load_profile().user, held_keys(folder)
    try:
        connected = find_connected(load_connected(folder, user, keys), name)
    except ClientError:
        with vault() as opened:
            return watch_listed(opened, name)
    report = FolderReport(folder, name)
    report.note(FolderStatus("starting", conflicts=report.conflicts))
    if connected.kind == "mount":
        space = str(connected.space) if connected.space else None
        return mount_folder(space, Path(connected.folder))
    with report.noting_failures(), vault() as opened:
        return sync_connected(opened, connected)


def _end_with_input() -> None:
    with suppress(OSError):
        while os.read(sys.stdin.fileno(), 1024):
            pass
    end_program()
