"""How real editors save on the mount: one new version of the file, nothing else stays."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from client.tests.drive.conftest import OpenDrive
from client.tests.drive.test_mount import folder, opened  # noqa: F401 - fixtures
from tests.tools import tool

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux brings FUSE with it"),
]

BEFORE, AFTER = "one line\n" * 2000, "two line\n" + "one line\n" * 1999


def save_with_vim(place: Path, option: str) -> None:
    command = [tool("vim"), "-u", "NONE", "-es", "-c", f"set {option}", "-c", "1s/one/two/"]
    subprocess.run([*command, "-c", "wq", "text.md"], cwd=place, check=True, timeout=30)


def type_into(command: list[str], place: Path, *keys: bytes) -> None:
    """Types at a terminal of its own, each time after the editor has become quiet."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(place)
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    end = time.monotonic() + 120
    for key in (*keys, b""):
        # The start is answered, as is each key. The terminal would take what is typed earlier.
        patience = 60.0
        while select.select([terminal], [], [], patience)[0]:
            assert time.monotonic() < end
            patience = 0.5
            try:
                if not os.read(terminal, 65536):
                    break
            except OSError:
                break  # It has ended.
        if key:
            os.write(terminal, key)
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    assert status == 0


def save_with_nano(place: Path) -> None:
    type_into([tool("nano"), "text.md"], place, b"\x1b[3~\x1b[3~\x1b[3~two", b"\x18", b"y", b"\r")


def save_with_mg(place: Path) -> None:
    type_into([tool("mg"), "text.md"], place, b"\x04\x04\x04two", b"\x18\x13", b"\x18\x03")


SAVES = {
    "vim, aside and renamed": lambda place: save_with_vim(place, "backup backupcopy=no"),
    "vim, in place": lambda place: save_with_vim(place, "nobackup backupcopy=yes"),
    "nano": save_with_nano,
    "mg": save_with_mg,
}


@pytest.mark.parametrize("editor", SAVES)
def test_saving_leaves_one_new_version(
    folder: Path,  # noqa: F811
    opened: OpenDrive,  # noqa: F811
    editor: str,
) -> None:
    opened.write("text.md", BEFORE.encode())
    opened.send()
    SAVES[editor](folder)
    assert (folder / "text.md").read_text() == AFTER
    opened.send()
    assert not opened.notices
    tree = opened.drive.space.tree
    assert [bool(version.item) for version in tree.versions["text.md"]] == [True, True]
    assert opened.read("text.md") == AFTER.encode()
    # Some keep a backup on purpose.
    assert set(opened.names()) <= {"text.md", "text.md~"}
