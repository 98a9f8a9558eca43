"""The .deb for Debian, Ubuntu and their relatives. The same program gives the same bytes."""

import gzip
import hashlib
import os
import re
import shutil
import tempfile
import textwrap
from pathlib import Path

from client.delivery.installers.contents import ICON_SVG, LICENCES, copy_program
from client.delivery.installers.manual_pages import write_manual_pages
from client.delivery.tools import run_tool
from client.delivery.wheels import DeliveryFailed
from tessera_client.service.units import PACKAGED_UNIT, make_unit
from tessera_client.texts import Language, catalogue
from tessera_core.version import __version__

PACKAGE = "tessera-client"

_ROOT = Path(__file__).parents[3]
_PROGRAM = Path("usr/lib/tessera")
_ARCHITECTURES = {"x64": "amd64", "arm64": "arm64"}
_EPOCH = 315532800
# For users who are logged in; the others have nothing to reload or to end.
_SCRIPTS = {
    "postinst": f"""#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke --user daemon-reload || true
    deb-systemd-invoke --user restart {PACKAGED_UNIT.name} || true
fi
""",
    "prerm": f"""#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke --user stop {PACKAGED_UNIT.name} || true
fi
""",
}
_GLIBC = re.compile(rb"GLIBC_(\d+)\.(\d+)\0")


def build_deb(program: Path, machine: str, folder: Path) -> Path:
    """`program` is the folder that PyInstaller made."""
    installer = f"linux-{machine}.deb"
    to = folder / f"tess-{__version__}-{installer}"
    with tempfile.TemporaryDirectory(prefix="tessera-deb-") as work:
        root = Path(work) / "root"
        _write_files(root, program, installer)
        _write_control(root, machine)
        _set_modes_and_times(root)
        _pack(root, to)
    return to


def _write_files(root: Path, program: Path, installer: str) -> None:
    copy_program(program, root / _PROGRAM, installer)
    commands = root / "usr/bin"
    commands.mkdir(parents=True)
    (commands / "tess").symlink_to(Path("..") / _PROGRAM.relative_to("usr") / "tess")
    share = root / "usr/share"
    write_manual_pages(share / "man")
    _write_unit(root)
    documents = share / "doc" / PACKAGE
    documents.mkdir(parents=True)
    shutil.move(root / _PROGRAM / LICENCES, documents / "copyright")
    changes = (_ROOT / "CHANGELOG.md").read_bytes()
    (documents / "changelog.gz").write_bytes(gzip.compress(changes, mtime=0))
    icons = share / "icons/hicolor/scalable/apps"
    icons.mkdir(parents=True)
    shutil.copyfile(ICON_SVG, icons / "tessera.svg")
    menu = share / "applications"
    menu.mkdir(parents=True)
    (menu / "tessera.desktop").write_text(_menu_entry(), encoding="utf-8")


def _write_unit(root: Path) -> None:
    """On for every user who has logged in with tess."""
    unit = make_unit(("/usr/bin/tess", "service", "run"), {}, "linux").content.decode()
    account = "ConditionPathExists=%h/.local/share/tessera/account.json"
    path = root / PACKAGED_UNIT.relative_to("/")
    wanted = path.with_name("default.target.wants") / path.name
    wanted.parent.mkdir(parents=True)
    path.write_text(unit.replace("[Unit]\n", f"[Unit]\n{account}\n", 1), encoding="utf-8")
    wanted.symlink_to(Path("..") / path.name)


def _menu_entry() -> str:
    comments = []
    for language in Language:
        summary = _summary(language)
        key = "Comment" if language is Language.EN else f"Comment[{language}]"
        comments.append(f"{key}={summary[0].upper()}{summary[1:]}")
    lines = [
        "[Desktop Entry]",
        *("Type=Application", "Name=Tessera", *comments),
        *("Exec=tess ui", "Icon=tessera", "Terminal=false"),
        "Categories=Network;FileTransfer;",
    ]
    return "\n".join(lines) + "\n"


def _write_control(root: Path, machine: str) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    kilobytes = sum(-(-path.stat().st_size // 1024) for path in files)
    control = root / "DEBIAN"
    control.mkdir()
    paragraphs = catalogue(Language.EN)["program"]["description"].split("\n\n")
    fields = {
        "Package": PACKAGE,
        "Version": __version__,
        "Architecture": _ARCHITECTURES[machine],
        "Maintainer": "Tessera",
        "Installed-Size": str(kilobytes),
        "Depends": f"libc6 (>= {_oldest_glibc(files)})",
        "Recommends": "ca-certificates, fuse3, xdg-utils",
        "Suggests": "gnome-keyring | kwalletmanager, libnotify-bin",
        "Section": "net",
        "Priority": "optional",
        "Description": _summary(Language.EN) + "\n" + textwrap.indent(paragraphs[0], " "),
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (control / "control").write_text(text, encoding="utf-8")
    sums = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  "
        f"{path.relative_to(root)}\n"
        for path in files
    ]
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")
    for name, script in _SCRIPTS.items():
        (control / name).write_text(script, encoding="utf-8")
        (control / name).chmod(0o755)


def _oldest_glibc(files: list[Path]) -> str:
    """The newest version that a symbol of the program asks for."""
    contents = (path.read_bytes() for path in files)
    found = [
        (int(major), int(minor))
        for content in contents
        if content.startswith(b"\x7fELF")
        for major, minor in _GLIBC.findall(content)
    ]
    if not found:
        raise DeliveryFailed("The folder holds no program for Linux.")
    major, minor = max(found)
    return f"{major}.{minor}"


def _summary(language: Language) -> str:
    return str(catalogue(language)["program"]["summary"])


def _set_modes_and_times(root: Path) -> None:
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            is_executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if is_executable else 0o644)
        os.utime(path, (_EPOCH, _EPOCH), follow_symlinks=False)


def _pack(root: Path, to: Path) -> None:
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(to)]
    # The result of several threads depends on their number.
    run_tool(command, {"SOURCE_DATE_EPOCH": str(_EPOCH), "DPKG_DEB_THREADS_MAX": "1"})
