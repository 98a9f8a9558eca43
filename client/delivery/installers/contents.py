"""What each installer brings besides the program: its licences, its icons, and who installed it."""

import shutil
from pathlib import Path

from client.delivery.installers.licences import licence_texts
from tessera_client.vault.releases import INSTALLED_BY

_PUBLIC = Path(__file__).parents[3] / "frontend" / "public"
ICON_SVG = _PUBLIC / "favicon.svg"
ICON_ICO = _PUBLIC / "favicon.ico"
ICON_PNG = Path(__file__).with_name("icon.png")

LICENCES = "licences.txt"


def copy_program(program: Path, to: Path, installer: str) -> None:
    """`installer` is the end of the installer's name, by which `tess update` finds the next one."""
    shutil.copytree(program, to, symlinks=True)
    (to / INSTALLED_BY).write_text(f"{installer}\n", encoding="utf-8", newline="\n")
    (to / LICENCES).write_text(licence_texts(), encoding="utf-8", newline="\n")
