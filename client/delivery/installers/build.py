"""The installer of the system that this runs on."""

import shutil
from collections.abc import Callable
from pathlib import Path

from client.delivery.bootstrap import target_name
from client.delivery.installers.debian import build_deb
from client.delivery.installers.macos import build_pkg
from client.delivery.installers.windows import build_setup

# Systems without it (Fedora, a Windows without NSIS) get the program alone.
_BUILDERS = {
    "linux": ("dpkg-deb", build_deb),
    "windows": ("makensis", build_setup),
    "macos": ("pkgbuild", build_pkg),
}


def build_installer(program: Path, folder: Path, say: Callable[[str], None]) -> None:
    """`program` is the folder that PyInstaller made."""
    platform, machine, _ = target_name().rsplit("-", 2)
    if platform not in _BUILDERS:
        return
    tool, build = _BUILDERS[platform]
    if shutil.which(tool) is None:
        say(f"No installer without {tool}.")
        return
    build(program, machine, folder)
