"""A program for this computer's system that brings its own Python, made by PyInstaller."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from client.delivery.bootstrap import target_name
from client.delivery.wheels import DeliveryFailed
from tessera_core.version import __version__

_ROOT = Path(__file__).parents[2]


def build_native(folder: Path) -> Path:
    """Needs an environment with client/requirements.txt and client/requirements-build.txt."""
    platform, machine, _ = target_name().rsplit("-", 2)
    suffix = ".exe" if sys.platform == "win32" else ""
    name = f"tess-{__version__}-{platform}-{machine}"
    with tempfile.TemporaryDirectory(prefix="tessera-native-") as work:
        start = Path(work) / "tess.py"
        start.write_text("from tessera_client.cli import main\n\nmain()\n", encoding="utf-8")
        command = [
            *(sys.executable, "-m", "PyInstaller", "--onefile", "--noconfirm", "--log-level=ERROR"),
            *("--name", name, "--distpath", str(folder), "--workpath", work, "--specpath", work),
            *("--paths", str(_ROOT / "client"), "--paths", str(_ROOT / "core")),
            *("--collect-submodules=keyring.backends", "--copy-metadata=keyring"),
            "--collect-submodules=tessera_core.providers",
            "--collect-submodules=tessera_client.commands",
            *("--collect-data=tessera_client", "--hidden-import=tessera_client.ui.server"),
            str(start),
        ]
        environment = {**os.environ, "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "315532800"}
        done = subprocess.run(command, env=environment, check=False)  # noqa: S603 - no shell
        if done.returncode:
            raise DeliveryFailed("PyInstaller failed; its messages are above.")
    return folder / f"{name}{suffix}"
