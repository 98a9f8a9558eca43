"""Runs one process for each connected folder and each watched backup, and starts it again.

A process ends when its standard input does: on request, and also if the supervisor was killed."""

import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from logging import Logger
from threading import Event
from uuid import UUID

from tessera_client.desktop import notify
from tessera_client.errors import ClientError
from tessera_client.texts import translate
from tessera_client.transfer.http import Connections
from tessera_client.transfer.network import NoAnswer
from tessera_client.vault.account import open_account
from tessera_client.vault.backups import load_backups, now
from tessera_client.vault.connected_folders import (
    ConnectedFolder,
    FolderStatus,
    load_connected,
    load_status,
    write_status,
)
from tessera_client.vault.erasure import erase_files, find_removal
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.schedule import is_due
from tessera_core.user_keys import PrivateKeys

LOOK_SECONDS = 2.0
STOP_SECONDS = 45.0
# Pauses before a process is started again: doubled each time, and short again after a good while.
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
GOOD_SECONDS = 60.0
# After a security check has refused something, somebody has to look.
REFUSED_PAUSE = 600.0
NETWORK_SECONDS = 5.0
KEYS_PAUSE = 30.0
LONGEST_KEYS = 600.0

SCHEDULED = "scheduled"

_NEEDS_INPUT = 3
_REFUSED = 5


@dataclass
class Child:
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    pause: float = FIRST_PAUSE
    not_before: float = 0.0
    waits_for_network: bool = False
    waits_for_keys: bool = False
    state: tuple[str, str] | None = None
    """What the log has said about it last."""


@dataclass
class Supervisor:
    folder: StateFolder
    command: Sequence[str]
    """Starts one child, with its name as last argument."""
    log: Logger
    clock: Callable[[], float] = time.monotonic
    stopped: Event = field(default_factory=Event)
    _children: dict[str, Child] = field(default_factory=dict)
    _stamp: object = object
    _account: tuple[UUID, PrivateKeys] | None = None
    _keys_at: float = 0.0
    _keys_pause: float = 0.0
    _next_probe: float = 0.0

    def run(self, on_started: Callable[[], None] = lambda: None) -> None:
        """Returns after `stopped` is set, when every child has ended."""
        self._say("service.log.started")
        try:
            self.look()
            on_started()
            while not self.stopped.wait(LOOK_SECONDS):
                self.look()
        finally:
            self.stop_children()
            self._say("service.log.stopped")

    def look(self) -> None:
        """Brings what runs in line with what should."""
        self._look_for_keys()
        for name, child in self._children.items():
            if child.process is not None and child.process.poll() is not None:
                self._note_end(name, child, child.process.returncode)
        wanted = self._wanted()
        for name in [name for name in self._children if name not in wanted]:
            self._stop([self._children.pop(name)])
        self._probe_network()
        for name in wanted:
            child = self._children.setdefault(name, Child())
            if child.process is None and self._may_start(child):
                self._start(name, child)
            self._log_state(name, child)

    # What should run

    def _look_for_keys(self) -> None:
        """Reads the keyring after something was stored there, and now and then while it shows
        nothing: it may be locked itself, and ask its user."""
        stamp = self.folder.secrets_stamp()
        is_changed = stamp != self._stamp
        if not is_changed and (self._account or self.clock() < self._keys_at):
            return
        self._keys_pause = KEYS_PAUSE if is_changed else min(self._keys_pause * 2, LONGEST_KEYS)
        self._keys_at = self.clock() + self._keys_pause
        account = self._find_account()
        if account is None and self._account is not None:
            self._say("service.log.locked")
        elif account and self._account is None:
            self._say("service.log.unlocked")
        self._stamp, self._account = stamp, account
        if account is None:
            self._finish_erasure()
        for child in self._children.values():
            child.waits_for_keys = False

    def _find_account(self) -> tuple[UUID, PrivateKeys] | None:
        try:
            account = open_account(self.folder)
        except ClientError:
            return None
        try:
            if not account.has_user_key:
                return None
            # After an unlock the keys are read from the service once, which stores them here.
            return account.user, account.held_keys or account.keys
        except ClientError:
            return None
        finally:
            account.api.close()

    def _finish_erasure(self) -> None:
        """Some systems delete no file that a process has open."""
        with suppress(ClientError):
            user = self.folder.load_profile().user
            if find_removal(self.folder, user):
                self.stop_children()
                erase_files(self.folder.user_folder(user))

    def _wanted(self) -> set[str]:
        if self._account is None:
            return set()
        user, keys = self._account
        wanted = set[str]()
        try:
            for connected in load_connected(self.folder, user, keys):
                if connected.paused:
                    self._note_paused(connected)
                else:
                    wanted.add(connected.id)
            backups = load_backups(self.folder, user)
        except ClientError as error:
            self._say("service.log.problem", code=error.code)
            return {*self._children}
        wanted |= {backup.id for backup in backups if backup.is_watched}
        scheduled = self._children.get(SCHEDULED)
        is_running = scheduled is not None and scheduled.process is not None
        if is_running or any(is_due(backup, now()) for backup in backups):
            wanted.add(SCHEDULED)
        return wanted

    def _note_paused(self, connected: ConnectedFolder) -> None:
        assert self._account
        known = load_status(self.folder, *self._account, connected.id)
        if known is None or known.state != "paused":
            conflicts = known.conflicts if known else []
            status = FolderStatus("paused", known.waiting if known else 0, conflicts)
            with suppress(OSError):
                write_status(self.folder, *self._account, connected.id, status)

    # Starting and ending

    def _may_start(self, child: Child) -> bool:
        waits = child.waits_for_network or child.waits_for_keys
        return not waits and self.clock() >= child.not_before

    def _start(self, name: str, child: Child) -> None:
        try:
            child.process = subprocess.Popen(  # noqa: S603 - a list, not a shell's line
                [*self.command, name],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            self._postpone(child)
            self._say("service.log.problem", code=type(error).__name__)
            return
        child.started_at, child.state = self.clock(), None
        self._say("service.log.child_started", name=name)

    def _note_end(self, name: str, child: Child, code: int) -> None:
        child.process = None
        if name == SCHEDULED and not code:
            return
        self._say("service.log.child_ended", name=name, code=code)
        status = load_status(self.folder, *self._account, name) if self._account else None
        if code == _NEEDS_INPUT:
            child.waits_for_keys = True
        elif status and status.state == "offline":
            child.waits_for_network = True
        if self.clock() - child.started_at > GOOD_SECONDS:
            child.pause = FIRST_PAUSE
        self._postpone(child)
        if code == _REFUSED:
            child.not_before = self.clock() + REFUSED_PAUSE
            if self.folder.wants_notifications():
                notify(translate("service.refused"))

    def _postpone(self, child: Child) -> None:
        child.not_before = self.clock() + child.pause
        child.pause = min(child.pause * 2, LONGEST_PAUSE)

    def _probe_network(self) -> None:
        """What could not reach the service is started again as soon as it answers."""
        waiting = [child for child in self._children.values() if child.waits_for_network]
        if not waiting or self.clock() < self._next_probe:
            return
        self._next_probe = self.clock() + NETWORK_SECONDS
        if self._is_service_there():
            for child in waiting:
                child.waits_for_network, child.pause, child.not_before = False, FIRST_PAUSE, 0.0

    def _is_service_there(self) -> bool:
        origin = self.folder.load_profile().origin
        connections = Connections(NETWORK_SECONDS, NETWORK_SECONDS)
        try:
            with connections.send("GET", f"{origin}/healthz", {}):
                return True
        except NoAnswer:
            return False
        finally:
            connections.close()

    def stop_children(self) -> None:
        children, self._children = list(self._children.values()), {}
        self._stop(children)

    def _stop(self, children: Sequence[Child]) -> None:
        """What does not end in time is killed: no closed file is lost by that."""
        processes = [child.process for child in children if child.process is not None]
        for process in processes:
            if process.stdin:
                process.stdin.close()
        until = time.monotonic() + STOP_SECONDS
        for process in processes:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    # The log

    def _log_state(self, name: str, child: Child) -> None:
        """Says once what a folder says about itself, without the names in it."""
        status = load_status(self.folder, *self._account, name) if self._account else None
        if status is None or child.process is None:
            return
        state = status.state, status.error.key if status.error else ""
        if state != child.state:
            child.state = state
            self._say("service.log.state", name=name, state=state[0], reason=state[1])

    def _say(self, key: str, **values: object) -> None:
        self.log.warning(translate(key, **values))
