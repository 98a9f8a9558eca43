"""Replaces the program by a newer release, and goes back if that does not start.

The release's signed list is the only thing that is believed. The service can at most hide a newer
release, or answer nothing.
"""

import hashlib
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from urllib.parse import quote, urlsplit

import msgspec

from tessera_client.errors import EXPECTED, ClientError, Refused, to_client_error
from tessera_client.service.program import Program
from tessera_client.transfer.api import Api
from tessera_client.transfer.http import Connections, Transport
from tessera_client.transfer.network import NoAnswer
from tessera_client.vault.profile import StateFolder
from tessera_client.vault.releases import latest_release
from tessera_core.release import Release, ReleaseFile, version_order
from tessera_core.version import __version__

FIRST_CHECK_SECONDS = 600.0
CHECK_SECONDS = 24 * 3600.0
# The native programs have about 40 MB.
MAX_FILE_BYTES = 512 * 2**20
TRIAL_SECONDS = 120.0
# Stands for a service that another one has started.
SUPERVISED = "supervised"

_BLOCK_BYTES = 1 << 20
_WAIT_SECONDS = 60.0
_STATE = "update.json"
_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


class UpdateState(msgspec.Struct, frozen=True):
    refused: str = ""
    """A version that did not start here."""
    started: str = ""
    """The version whose service has started last."""


class DownloadLink(msgspec.Struct, frozen=True):
    url: str


@dataclass(frozen=True)
class Updater:
    folder: StateFolder
    program: Program
    api: Api
    transport: Callable[[], Transport] = lambda: Connections(
        _WAIT_SECONDS, _WAIT_SECONDS, per_block=True
    )

    def find(self) -> tuple[Release, ReleaseFile] | None:
        """The newer release and its file for this computer; None if there is nothing to do."""
        release = latest_release(self.api)
        is_newer = release.order > version_order(__version__)
        if not is_newer or release.version == load_state(self.folder).refused:
            return None
        return release, find_file(release, needs_python=self.program.needs_python)

    def fetch(self, file: ReleaseFile) -> Path:
        """Downloads next to the program, and returns the file once it is what the list says."""
        assert self.program.file
        part = self.program.file.with_name(f".{self.program.file.name}.new")
        # Whoever had made it, or a link to it, could change it after the check.
        part.unlink(missing_ok=True)
        link = self.api.post(f"/downloads/{quote(file.name)}/link", DownloadLink, repeat=True)
        try:
            self._download(link.url, file, part)
            part.chmod(0o755)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return part

    def _download(self, url: str, file: ReleaseFile, part: Path) -> None:
        if file.size > MAX_FILE_BYTES:
            raise Refused.from_code("update_refused", name=file.name)
        parts = urlsplit(url)
        if parts.scheme or parts.netloc or not parts.path.startswith("/"):
            # The token of nobody goes to another host, and neither does the question.
            raise Refused.from_code("update_refused", name=file.name)
        digest, left = hashlib.sha256(), file.size
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        transport = self.transport()
        try:
            with (
                os.fdopen(os.open(part, flags, 0o700), "wb") as target,
                transport.send("GET", f"{self.api.origin}{url}", {}) as response,
            ):
                while response.status == 200 and (block := response.read(_BLOCK_BYTES)):
                    left -= len(block)
                    if left < 0:
                        break
                    digest.update(block)
                    target.write(block)
                target.flush()
                os.fsync(target.fileno())
        except NoAnswer:
            raise ClientError.from_code("unreachable", origin=self.api.origin) from None
        finally:
            transport.close()
        if left or digest.hexdigest() != file.sha256:
            raise Refused.from_code("update_refused", name=file.name)

    def install(self, part: Path) -> Path:
        """Puts the new program in the place of the old one, and returns where that is now."""
        assert self.program.file
        before = self.program.file.with_name(f".{self.program.file.name}.old")
        before.unlink(missing_ok=True)
        # Windows lets nobody replace a program that runs, but rename it.
        self.program.file.rename(before)
        try:
            part.rename(self.program.file)
        except OSError:
            before.rename(self.program.file)
            raise
        return before

    def go_back(self, before: Path, version: str) -> None:
        assert self.program.file
        before.replace(self.program.file)
        save_state(self.folder, msgspec.structs.replace(load_state(self.folder), refused=version))

    def start(self, version: str) -> subprocess.Popen[bytes] | None:
        """Starts the service of the new program; None if it has not said in time that it runs."""
        save_state(self.folder, msgspec.structs.replace(load_state(self.folder), started=""))
        command = [*self.program.command, "service", "run", SUPERVISED]
        try:
            process = subprocess.Popen(  # noqa: S603 - a list, not a shell's line
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # A packed program would take over what the old one has unpacked.
                env={**os.environ, "PYINSTALLER_RESET_ENVIRONMENT": "1"},
            )
        except OSError:
            return None
        until = time.monotonic() + TRIAL_SECONDS
        while process.poll() is None and time.monotonic() < until:
            if load_state(self.folder).started == version:
                return process
            time.sleep(0.2)
        process.kill()
        process.wait()
        return None


def find_file(release: Release, *, needs_python: bool) -> ReleaseFile:
    """The one for this system and processor. Installers are made for other hands."""
    system = _SYSTEMS.get(sys.platform, sys.platform)
    machine = _MACHINES.get(platform.machine().lower(), platform.machine())
    program = ".exe" if system == "windows" else ""
    name = f"tess-{release.version}-{system}-{machine}{'.pyz' if needs_python else program}"
    for file in release.files:
        if file.name == name and system in file.platforms and file.machine == machine:
            return file
    raise ClientError.from_code("update_missing", version=release.version)


class UpdateWatch:
    """Looks for a newer release in the background, and fetches it."""

    def __init__(self, updater: Callable[[], Updater], on_ready: Callable[[], None]) -> None:
        self._make_updater = updater
        self._on_ready = on_ready
        self._stopped = Event()
        self.found: tuple[Updater, str, Path] | None = None
        """The version, and the file that was fetched."""
        self.problem: ClientError | None = None
        """Why the last look has failed."""

    def start(self) -> None:
        Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _watch(self) -> None:
        pause = FIRST_CHECK_SECONDS
        while not self._stopped.wait(pause):
            pause = CHECK_SECONDS
            try:
                self.look()
            except EXPECTED as error:
                self.problem = to_client_error(error)
            if self.found:
                self._on_ready()
                return

    def look(self) -> None:
        updater = self._make_updater()
        try:
            newer = updater.find()
            if newer:
                release, file = newer
                self.found = updater, release.version, updater.fetch(file)
        finally:
            updater.api.close()
        self.problem = None


def load_state(folder: StateFolder) -> UpdateState:
    try:
        return msgspec.json.decode((folder.path / _STATE).read_bytes(), type=UpdateState)
    except (OSError, ValueError):
        return UpdateState()


def save_state(folder: StateFolder, state: UpdateState) -> None:
    folder.write(_STATE, msgspec.json.encode(state).decode())


def note_started(folder: StateFolder) -> None:
    """The service of this version runs."""
    with suppress(OSError):
        state = load_state(folder)
        save_state(folder, msgspec.structs.replace(state, started=__version__))
