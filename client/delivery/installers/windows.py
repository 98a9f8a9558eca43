"""The setup program for Windows, compiled by NSIS, which runs on Linux too."""

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

from client.delivery.installers.contents import ICON_ICO, copy_program
from client.delivery.tools import run_tool
from tessera_core.version import __version__

_SCRIPTS = Path(__file__).with_name("windows_setup")
# Signs the file that is named after it. Without one, the setup program says that it is not signed.
SIGN_COMMAND = "TESSERA_SIGN_COMMAND"


def build_setup(program: Path, machine: str, folder: Path) -> Path:
    """`program` is the folder that PyInstaller made."""
    installer = f"windows-{machine}-setup.exe"
    to = folder / f"tess-{__version__}-{installer}"
    sign_command = os.environ.get(SIGN_COMMAND, "")
    with tempfile.TemporaryDirectory(prefix="tessera-setup-") as work:
        root, lists = Path(work) / "root", Path(work) / "files.nsh"
        copy_program(program, root, installer)
        shutil.copyfile(ICON_ICO, root / "tessera.ico")
        shutil.copyfile(_SCRIPTS / "path.ps1", root / "path.ps1")
        if sign_command:
            run_tool([*shlex.split(sign_command, posix=os.name != "nt"), str(root / "tess.exe")])
        lists.write_text("\n".join(_file_lists(root)) + "\n", encoding="utf-8")
        values = {
            "VERSION": __version__,
            "PRODUCT_VERSION": ".".join([*__version__.split("."), "0", "0"][:4]),
            "FILES": str(lists),
            "ICON": str(ICON_ICO),
            "OUTPUT": str(to.absolute()),
            **({"SIGN": sign_command} if sign_command else {}),
        }
        defines = [f"-D{name}={value}" for name, value in values.items()]
        script = str(_SCRIPTS / "setup.nsi")
        run_tool(["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *defines, script])
    return to


def _file_lists(root: Path) -> Iterator[str]:
    """Macros that install each file, and that remove each file and folder by its name."""
    folders = sorted(path for path in root.rglob("*") if path.is_dir())
    files = sorted(path for path in root.rglob("*") if path.is_file())
    yield "!macro InstallFiles"
    for path in [root, *folders]:
        own = [file for file in files if file.parent == path]
        if own:
            yield f'  SetOutPath "{_installed(path, root)}"'
        for file in own:
            yield f'  File "/oname={_escape(file.name)}" "{file}"'
    yield "!macroend"
    yield "!macro RemoveFiles"
    for file in files:
        yield f'  Delete "{_installed(file, root)}"'
    for path in reversed(folders):
        yield f'  RMDir "{_installed(path, root)}"'
    yield "!macroend"


def _installed(path: Path, root: Path) -> str:
    relative = _escape(str(PureWindowsPath(path.relative_to(root))))
    return "$INSTDIR" if path == root else f"$INSTDIR\\{relative}"


def _escape(text: str) -> str:
    return text.replace("$", "$$")
