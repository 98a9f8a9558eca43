"""Notifications and folders on the desktop, where there is one. Nothing passes through a shell."""

import html
import ntpath
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tessera_client.errors import ClientError
from tessera_client.texts import visible

TITLE = "Tessera"
MAX_CHARACTERS = 300
TIMEOUT_SECONDS = 5
# A file manager that has not ended by then has opened its window.
OPEN_SECONDS = 2

_OSASCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)
# PowerShell would take arguments for a part of the script.
_POWERSHELL = """
$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications,
    ContentType = WindowsRuntime]
$toast = $manager::GetTemplateContent('ToastText02')
$texts = $toast.GetElementsByTagName('text')
[void]$texts[0].AppendChild($toast.CreateTextNode($env:TESS_TITLE))
[void]$texts[1].AppendChild($toast.CreateTextNode($env:TESS_TEXT))
$program = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
$manager::CreateToastNotifier($program).Show(
    [Windows.UI.Notifications.ToastNotification]::new($toast))
"""


def windows_program(path: str) -> str:
    """A program of the system: by its name alone, Windows looks in the current folder first."""
    return ntpath.join(os.environ.get("SYSTEMROOT", "C:\\Windows"), "System32", path)


def notify(text: str) -> None:
    text = visible(text)[:MAX_CHARACTERS]
    program, *arguments = command(sys.platform, text)
    path = shutil.which(program)
    if path is None:
        return
    environment = {**os.environ, "TESS_TITLE": TITLE, "TESS_TEXT": text}
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(  # noqa: S603 - a list, not a shell's line
            [path, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )


def command(platform: str, text: str) -> list[str]:
    match platform:
        case "win32":
            powershell = windows_program("WindowsPowerShell\\v1.0\\powershell.exe")
            return [powershell, "-NoProfile", "-NonInteractive", "-Command", _POWERSHELL]
        case "darwin":
            script = [part for line in _OSASCRIPT for part in ("-e", line)]
            return ["osascript", *script, TITLE, text]
    # Desktops read the text as markup.
    escaped = html.escape(text, quote=False)
    return ["notify-send", f"--app-name={TITLE}", "--", TITLE, escaped]


def open_folder(folder: Path) -> None:
    """Shows a folder in the system's file manager. A file or a link in its place is not opened: the
    system could run it, or show another folder."""
    if not folder.is_absolute() or folder.is_symlink() or not folder.is_dir():
        raise ClientError.from_code("folder_gone", path=folder)
    if sys.platform == "win32":
        os.startfile(folder, "explore")  # noqa: S606 - a verb that runs nothing
        return
    program, *arguments = open_command(sys.platform, folder)
    path = shutil.which(program)
    if path is None:
        raise ClientError.from_code("no_file_manager", path=folder)
    opener = subprocess.Popen(  # noqa: S603 - a list, not a shell's line
        [path, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with suppress(subprocess.TimeoutExpired):
        if opener.wait(OPEN_SECONDS):
            raise ClientError.from_code("no_file_manager", path=folder)


def open_command(platform: str, folder: Path) -> list[str]:
    if platform == "darwin":
        # Shown in the folder above: opening one that is called x.app would start it.
        return ["open", "-R", str(folder)]
    return ["xdg-open", str(folder)]
