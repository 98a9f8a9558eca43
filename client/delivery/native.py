"""A program for this computer's system that brings its own Python, made by PyInstaller."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from client.delivery.bootstrap import target_name
from client.delivery.wheels import DeliveryFailed
from tessera_core.version import __version__

_ROOT = Path(__file__).parents[2]
_SPEC = Path(__file__).with_name("program.spec")


@contextmanager
def built_native(folder: Path) -> Iterator[Path]:
    """Builds the single program into `folder`, and gives the one for installers, for a while.

    Needs an environment with client/requirements.txt and client/requirements-build.txt.
    """
    platform, machine, _ = target_name().rsplit("-", 2)
    name = f"tess-{__version__}-{platform}-{machine}"
    with tempfile.TemporaryDirectory(prefix="tessera-native-") as work:
        start, output = Path(work) / "tess.py", Path(work) / "output"
        start.write_text("from tessera_client.cli import main\n\nmain()\n", encoding="utf-8")
        command = [
            *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=ERROR"),
            *("--distpath", str(output), "--workpath", work, str(_SPEC)),
            *("--", "--name", name, "--start", str(start), "--root", str(_ROOT)),
        ]
        environment = {**os.environ, "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "315532800"}
        done = subprocess.run(command, env=environment, check=False)  # noqa: S603 - no shell
        if done.returncode:
            raise DeliveryFailed("PyInstaller failed; its messages are above.")
        for single in output.glob(f"{name}*"):
            shutil.move(single, folder / single.name)
        yield output / "program"
