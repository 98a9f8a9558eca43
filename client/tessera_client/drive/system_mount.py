"""Shows a drive by the system's own WebDAV client, where there is no FUSE.

The password reaches that client neither by a command line nor by the environment or a file: on
macOS it is typed into the client's own question, on Windows the system's credential store has it.
"""

import ctypes
import os
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import wintypes
from pathlib import Path
from typing import TYPE_CHECKING

from tessera_client.desktop import windows_program
from tessera_client.drive.mounted import Mounted
from tessera_client.errors import ClientError, WrongUsage

if TYPE_CHECKING:
    from tessera_client.drive.webdav import WebDavServer

ADDRESS, USER = "127.0.0.1", "tess"

CONNECT_SECONDS = 30.0
LOOK_SECONDS = 1.0

_LETTER = re.compile(r"[A-Za-z]:", re.ASCII)
_DOMAIN_PASSWORD = 2
_FOR_THIS_SESSION = 1


def is_needed() -> bool:
    """Whether the system has no FUSE, and a WebDAV client instead."""
    if sys.platform != "darwin":
        return sys.platform == "win32"
    try:
        import mfusepy  # noqa: F401, PLC0415 - it looks for the library when it is imported
    except (ImportError, OSError):
        return True
    return False


def check_letter(target: str) -> None:
    """Where Windows shows a drive."""
    if not _LETTER.fullmatch(target):
        raise WrongUsage.from_code("mount_no_letter", path=target)


def show(mounted: Mounted, target: str, on_mounted: Callable[[Sequence[str]], None]) -> None:
    """Serves and connects a drive; returns when somebody has ended the connection. `on_mounted` is
    told which command ran."""
    from tessera_client.drive.webdav import WebDavServer  # noqa: PLC0415 - slow to import

    server = WebDavServer(mounted)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        with _connected(server, target) as command:
            on_mounted(command)
            while _is_connected(target):
                time.sleep(LOOK_SECONDS)
    finally:
        server.stop()


def disconnect_command(target: str) -> list[str]:
    if sys.platform == "win32":
        return [windows_program("net.exe"), "use", target, "/delete", "/yes"]
    return ["umount", target]


@contextmanager
def _connected(server: "WebDavServer", target: str) -> Iterator[list[str]]:
    if sys.platform == "win32":
        command = [windows_program("net.exe"), "use", target, server.url, "/persistent:no"]
        with _stored_credential(server.password):
            _check(subprocess.run(command, capture_output=True, check=False).returncode, target)  # noqa: S603
            yield from _until_the_end(command, target)
    else:
        # Without dialogs: they would ask for the password again when this program has ended.
        command = ["mount_webdav", "-S", "-i", "-v", Path(target).name, server.url, target]
        _check(_answer(command, {b"user": USER, b"password": server.password}), target)
        yield from _until_the_end(command, target)


def _until_the_end(command: list[str], target: str) -> Iterator[list[str]]:
    try:
        yield command
    finally:
        if _is_connected(target):
            subprocess.run(disconnect_command(target), capture_output=True, check=False)  # noqa: S603


def _check(exit_code: int, target: str) -> None:
    if exit_code:
        raise ClientError.from_code("mount_failed", path=target)


def _is_connected(target: str) -> bool:
    if sys.platform == "win32":
        return os.path.exists(f"{target}\\")  # noqa: PTH110 - a path of another system in tests
    return os.path.ismount(target)


def _answer(command: Sequence[str], answers: dict[bytes, str]) -> int:
    """Runs a command in a terminal of its own, types what it asks for, and returns its exit code.
    Each word that a question begins with is answered once."""
    import pty  # noqa: PLC0415 - not on Windows

    process, terminal = pty.fork()
    if not process:
        os.execvp(command[0], list(command))  # noqa: S606
    shown, waiting, end = b"", dict(answers), time.monotonic() + CONNECT_SECONDS
    try:
        while time.monotonic() < end:
            ready, _, _ = select.select([terminal], [], [], 0.2)
            shown += _read(terminal) if ready else b""
            for word in [each for each in waiting if each in shown.lower()]:
                shown = b""
                os.write(terminal, f"{waiting.pop(word)}\n".encode())
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
        os.kill(process, 9)
        os.waitpid(process, 0)
        return 1
    finally:
        os.close(terminal)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1024)
    except OSError:  # Linux says so when the other end is closed.
        return b""


class _Credential(ctypes.Structure):
    _fields_ = (
        ("Flags", wintypes.DWORD),
        ("Type", wintypes.DWORD),
        ("TargetName", wintypes.LPWSTR),
        ("Comment", wintypes.LPWSTR),
        ("LastWritten", wintypes.FILETIME),
        ("CredentialBlobSize", wintypes.DWORD),
        ("CredentialBlob", ctypes.c_char_p),
        ("Persist", wintypes.DWORD),
        ("AttributeCount", wintypes.DWORD),
        ("Attributes", ctypes.c_void_p),
        ("TargetAlias", wintypes.LPWSTR),
        ("UserName", wintypes.LPWSTR),
    )


@contextmanager
def _stored_credential(password: str) -> Iterator[None]:
    """Where `net use` looks for a login; the end of the session forgets it at the latest."""
    library = getattr(ctypes, "WinDLL")("advapi32")  # noqa: B009 - only on Windows
    blob = password.encode("utf-16-le")
    credential = _Credential(
        Type=_DOMAIN_PASSWORD,
        TargetName=ADDRESS,
        CredentialBlobSize=len(blob),
        CredentialBlob=blob,
        Persist=_FOR_THIS_SESSION,
        UserName=USER,
    )
    if not library.CredWriteW(ctypes.byref(credential), 0):
        raise ClientError.from_code("mount_failed", path=ADDRESS)
    try:
        yield
    finally:
        library.CredDeleteW(ADDRESS, _DOMAIN_PASSWORD, 0)
