"""The .pkg for macOS, made by Apple's pkgbuild and productbuild, which run there alone."""

import json
import os
import plistlib
import shutil
import struct
import tempfile
from pathlib import Path

from client.delivery.installers.contents import ICON_PNG, copy_program
from client.delivery.installers.manual_pages import write_manual_pages
from client.delivery.tools import run_tool
from tessera_core.version import __version__

IDENTIFIER = "app.tessera.client"
# Names of certificates in the keychain: "Developer ID Application", with which PyInstaller signs
# the program, and "Developer ID Installer". Without them, the package says that it is not signed.
APPLICATION_IDENTITY = "TESSERA_CODESIGN_IDENTITY"
INSTALLER_IDENTITY = "TESSERA_INSTALLER_IDENTITY"

_SCRIPTS = Path(__file__).with_name("macos_package")
_ARCHITECTURES = {"x64": "x86_64", "arm64": "arm64"}
_APPLICATION = Path("Applications/Tessera.app")
_COMPONENT = "tessera.pkg"


def build_pkg(program: Path, machine: str, folder: Path) -> Path:
    """`program` is the folder that PyInstaller made."""
    installer = f"macos-{machine}.pkg"
    to = folder / f"tess-{__version__}-{installer}"
    application_identity = os.environ.get(APPLICATION_IDENTITY)
    installer_identity = os.environ.get(INSTALLER_IDENTITY)
    with tempfile.TemporaryDirectory(prefix="tessera-pkg-") as name:
        work = Path(name)
        root, packages, resources = work / "root", work / "packages", work / "resources"
        stage(root, program, installer)
        write_distribution(work, machine, is_signed=bool(installer_identity))
        packages.mkdir()
        if application_identity:
            signing = ("codesign", "--force", "--options", "runtime", "--timestamp", "--sign")
            run_tool([*signing, application_identity, str(root / _APPLICATION)])
        run_tool(
            [
                *("pkgbuild", "--root", str(root), "--install-location", "/"),
                *("--identifier", IDENTIFIER, "--version", __version__),
                *("--scripts", str(_SCRIPTS / "scripts"), "--ownership", "recommended"),
                *("--component-plist", str(work / "components.plist")),
                str(packages / _COMPONENT),
            ]
        )
        sign = ["--sign", installer_identity] if installer_identity else []
        run_tool(
            [
                *("productbuild", "--distribution", str(work / "distribution.xml")),
                *("--resources", str(resources), "--package-path", str(packages), *sign, str(to)),
            ]
        )
    return to


def stage(root: Path, program: Path, installer: str) -> None:
    """The files as they will lie below `/`."""
    library = root / "usr/local/lib/tessera"
    copy_program(program, library, installer)
    shutil.copy(_SCRIPTS / "uninstall", library)
    commands = root / "usr/local/bin"
    commands.mkdir(parents=True)
    (commands / "tess").symlink_to("../lib/tessera/tess")
    write_manual_pages(root / "usr/local/share/man")
    contents = root / _APPLICATION / "Contents"
    (contents / "MacOS").mkdir(parents=True)
    (contents / "Resources").mkdir()
    shutil.copy(_SCRIPTS / "open-page", contents / "MacOS" / "Tessera")
    (contents / "Resources" / "tessera.icns").write_bytes(_icns(ICON_PNG.read_bytes()))
    facts = {
        "CFBundleName": "Tessera",
        "CFBundleDisplayName": "Tessera",
        "CFBundleIdentifier": f"{IDENTIFIER}.page",
        "CFBundleExecutable": "Tessera",
        "CFBundleIconFile": "tessera",
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": __version__,
        "CFBundleVersion": __version__,
        "LSMinimumSystemVersion": "11.0",
        # It has no window of its own: the page opens in the browser.
        "LSUIElement": True,
    }
    (contents / "Info.plist").write_bytes(plistlib.dumps(facts))


def write_distribution(work: Path, machine: str, *, is_signed: bool) -> None:
    """What productbuild reads, with the texts that the installer shows."""
    template = (_SCRIPTS / "distribution.xml").read_text(encoding="utf-8")
    values = {
        "architecture": _ARCHITECTURES[machine],
        "identifier": IDENTIFIER,
        "version": __version__,
        "package": _COMPONENT,
    }
    (work / "distribution.xml").write_text(template.format(**values), encoding="utf-8")
    for language, texts in json.loads((_SCRIPTS / "texts.json").read_text("utf-8")).items():
        folder = work / "resources" / f"{language}.lproj"
        folder.mkdir(parents=True)
        parts = [texts["welcome"].format(version=__version__)]
        if not is_signed:
            parts.append(texts["unsigned"])
        (folder / "welcome.txt").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    bundle = {
        "RootRelativeBundlePath": str(_APPLICATION),
        # Otherwise a copy in another place would be replaced instead.
        "BundleIsRelocatable": False,
        "BundleIsVersionChecked": False,
        "BundleHasStrictIdentifier": True,
        "BundleOverwriteAction": "upgrade",
    }
    (work / "components.plist").write_bytes(plistlib.dumps([bundle]))


def _icns(png: bytes) -> bytes:
    """An icon file with one picture of 512 × 512 points."""
    entry = b"ic09" + struct.pack(">I", len(png) + 8) + png
    return b"icns" + struct.pack(">I", len(entry) + 8) + entry
