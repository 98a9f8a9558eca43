"""Copies files to the drive with rclone, by WebDAV, and has rclone compare every byte.

python -m client.tests.drive.rclone_check --files 10000
"""

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from client.tests.drive.conftest import new_vault, wait_until_sent
from tessera_client.drive.opening import open_drives
from tessera_client.drive.system_mount import USER
from tessera_client.drive.webdav import WebDavServer
from tests.tools import tool


def make_files(folder: Path, count: int) -> None:
    source = random.Random(count)
    for number in range(count):
        path = folder / f"{number // 100:03}" / f"Datei {number:05}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.randbytes(source.randint(0, 8 * 1024)))


@contextmanager
def serving(folder: Path) -> Iterator[WebDavServer]:
    """The drive of a new space, with the service and the clouds in memory."""
    with (
        new_vault(folder) as vault,
        open_drives(vault, "Designs", print) as mounted,
        ExitStack() as stack,
    ):
        server = WebDavServer(mounted)
        thread = threading.Thread(target=server.serve, daemon=True)
        thread.start()
        # Its threads would keep a run that fails from ending.
        stack.callback(server.stop)
        yield server
        wait_until_sent(mounted)


def run_rclone(folder: Path, server: WebDavServer, *arguments: str) -> str:
    program = tool("rclone")
    obscured = subprocess.run(
        [program, "obscure", "-"], input=server.password, capture_output=True, text=True, check=True
    ).stdout.strip()
    config = folder / "rclone.conf"
    config.write_text(
        f"[drive]\ntype = webdav\nvendor = other\nurl = {server.url}\nuser = {USER}\n"
        # Else rclone makes 100 calls a second, as old versions always do.
        f"pass = {obscured}\npacer_min_sleep = 1us\n"
    )
    done = subprocess.run(
        [program, "--config", str(config), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stderr


def check(folder: Path, files: int) -> str:
    """Copies files to the drive and compares all of them."""
    local = folder / "local"
    make_files(local, files)
    with serving(folder / "state") as server:
        run_rclone(folder, server, "copy", str(local), "drive:copied", "--transfers", "8")
        said = run_rclone(folder, server, "check", str(local), "drive:copied", "--download")
    assert f"{files} matching files" in said, said
    assert "0 differences found" in said, said
    return said


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10_000)
    with tempfile.TemporaryDirectory() as name:
        begun = time.monotonic()
        said = check(Path(name), parser.parse_args().files)
        sys.stdout.write(f"{said}{time.monotonic() - begun:.0f} s\n")


if __name__ == "__main__":
    main()
