"""What the installers hold. Their program is a stand-in; `make package-test` tries the real one."""

import gzip
import json
import plistlib
import re
import shutil
import stat
import struct
import subprocess
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from client.delivery.installers import macos
from client.delivery.installers.debian import build_deb
from client.delivery.installers.manual_pages import manual_page
from client.delivery.installers.windows import SIGN_COMMAND, build_setup
from client.delivery.platform_signatures import has_signature
from client.delivery.wheels import DeliveryFailed
from tessera_client.cli import MODULES
from tessera_core.version import __version__
from tests.tools import tool

SCRIPTS = Path(macos.__file__).with_name("macos_package")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as PyInstaller makes it, with another program inside."""
    folder = tmp_path_factory.mktemp("built") / "program"
    (folder / "_internal" / "parts").mkdir(parents=True)
    shutil.copy("/bin/true", folder / "tess")
    shutil.copy("/bin/true", folder / "tess.exe")
    (folder / "_internal" / "parts" / "a$b.txt").write_text("part")
    return folder


def output(*command: str | Path) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def deb(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool("dpkg-deb")
    return build_deb(program, "x64", tmp_path_factory.mktemp("deb"))


@pytest.fixture(scope="module")
def root(deb: Path) -> Path:
    """What the package installs."""
    output("dpkg-deb", "-x", deb, deb.parent / "root")
    return deb.parent / "root"


class TestDeb:
    def test_the_same_program_gives_the_same_package(
        self, deb: Path, program: Path, tmp_path: Path
    ) -> None:
        (program / "tess").touch()
        (program / "tess").chmod(0o700)
        assert build_deb(program, "x64", tmp_path).read_bytes() == deb.read_bytes()

    def test_package_holds_program_menu_entry_icon_manual_and_copyright(self, deb: Path) -> None:
        listed = [line.split(maxsplit=5) for line in output("dpkg-deb", "-c", deb).splitlines()]
        modes = {entry[5].removeprefix("./"): entry[0] for entry in listed}
        assert "usr/bin/tess -> ../lib/tessera/tess" in modes
        assert modes["usr/lib/tessera/tess"] == "-rwxr-xr-x"
        for name in (
            "usr/lib/tessera/_internal/parts/a$b.txt",
            "usr/share/applications/tessera.desktop",
            "usr/share/icons/hicolor/scalable/apps/tessera.svg",
            "usr/share/doc/tessera-client/copyright",
            "usr/share/man/man1/tess-put.1.gz",
            "usr/share/man/tr/man1/tess-put.1.gz",
            "usr/share/man/ar/man1/tess.1.gz",
        ):
            assert modes[name] == "-rw-r--r--"
        assert {entry[1] for entry in listed} == {"root/root"}

    def test_control_names_architecture_and_the_glibc_that_the_program_needs(
        self, deb: Path
    ) -> None:
        fields = output("dpkg-deb", "-f", deb, "Package", "Version", "Architecture", "Depends")
        package, version, architecture, depends = fields.splitlines()
        assert (package, version) == ("Package: tessera-client", f"Version: {__version__}")
        assert architecture == "Architecture: amd64"
        assert depends.startswith("Depends: libc6 (>= 2.")

    def test_update_finds_the_next_package(self, deb: Path, root: Path) -> None:
        marker = root / "usr/lib/tessera/installed-by"
        assert deb.name == f"tess-{__version__}-{marker.read_text().strip()}"

    def test_service_is_on_for_users_who_have_logged_in(self, root: Path) -> None:
        unit = root / "usr/lib/systemd/user/tessera.service"
        link = root / "usr/lib/systemd/user/default.target.wants/tessera.service"
        assert link.resolve() == unit.resolve()
        text = unit.read_text()
        assert 'ExecStart="/usr/bin/tess" "service" "run"' in text
        assert "ConditionPathExists=%h/.local/share/tessera/account.json" in text

    def test_menu_entry_is_valid(self, root: Path) -> None:
        entry = root / "usr/share/applications/tessera.desktop"
        assert output(tool("desktop-file-validate"), entry) == ""
        assert "Comment[ar]=" in entry.read_text()

    def test_copyright_names_each_part_of_the_program(self, root: Path) -> None:
        text = (root / "usr/share/doc/tessera-client/copyright").read_text()
        for part in ("tess: Apache-2.0", "Python 3.", "numpy 2", "msgspec 0", "typer 0.29"):
            assert part in text

    def test_manual_pages_are_well_formed_in_every_language(
        self, root: Path, tmp_path: Path
    ) -> None:
        mandoc = tool("mandoc")
        packed = sorted((root / "usr/share/man").rglob("*.gz"))
        assert len(packed) == 3 * (1 + len(MODULES))
        pages = [tmp_path / f"{number}.1" for number in range(len(packed))]
        for path, page in zip(packed, pages, strict=True):
            page.write_bytes(gzip.decompress(path.read_bytes()))
        command = [mandoc, "-T", "lint", "-W", "warning", *map(str, pages)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        # A date would change the bytes.
        assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []
        text = output(mandoc, "-T", "utf8", root / "usr/share/man/man1/tess-put.1.gz")
        assert "tess put [OPTIONS]" in re.sub(".\b", "", text)

    def test_a_folder_without_a_program_makes_no_package(self, tmp_path: Path) -> None:
        (tmp_path / "program").mkdir()
        with pytest.raises(DeliveryFailed, match="no program for Linux"):
            build_deb(tmp_path / "program", "x64", tmp_path)


def test_a_line_that_looks_like_a_request_is_text() -> None:
    page = manual_page("tess", {"description": [".so /etc/passwd\n'ab \\n"]})
    assert "\n\\&.so" in page
    assert "\n\\&'ab \\en" in page


@pytest.fixture(scope="module")
def setup(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool("makensis")
    return build_setup(program, "x64", tmp_path_factory.mktemp("setup"))


class TestSetup:
    @pytest.mark.extended
    def test_the_same_program_gives_the_same_bytes(
        self, setup: Path, program: Path, tmp_path: Path
    ) -> None:
        assert build_setup(program, "x64", tmp_path).read_bytes() == setup.read_bytes()

    def test_setup_holds_the_program_and_its_uninstaller(self, setup: Path, tmp_path: Path) -> None:
        output(tool("7z"), "x", "-y", f"-o{tmp_path / 'out'}", setup)
        root = tmp_path / "out"
        files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        assert files >= {
            "tess.exe",
            "tessera.ico",
            "path.ps1",
            "licences.txt",
            "installed-by",
            "uninstall.exe",
            "_internal/parts/a$b.txt",
        }
        assert setup.name == f"tess-{__version__}-{(root / 'installed-by').read_text().strip()}"
        assert not has_signature(setup)
        assert not has_signature(root / "uninstall.exe")

    @pytest.mark.extended
    def test_signed_setup_and_all_its_programs_carry_the_signature(
        self, setup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(SIGN_COMMAND, str(signing_script(tmp_path)))
        (tmp_path / "program").mkdir()
        shutil.copy(setup, tmp_path / "program/tess.exe")
        signed = build_setup(tmp_path / "program", "x64", tmp_path)
        output(tool("7z"), "x", "-y", f"-o{tmp_path / 'out'}", signed)
        for path in (signed, tmp_path / "out/uninstall.exe", tmp_path / "out/tess.exe"):
            assert has_signature(path), path


def signing_script(folder: Path) -> Path:
    """Signs a file as signtool does, with a certificate that is made for the test."""
    openssl, osslsigncode = tool("openssl"), tool("osslsigncode")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    output(
        *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=Tessera test", "-addext", "extendedKeyUsage=codeSigning"),
        *("-keyout", key, "-out", certificate),
    )
    script = folder / "sign"
    script.write_text(
        "#!/bin/sh\nset -e\n"
        f'{osslsigncode} sign -certs {certificate} -key {key} -h sha256 -in "$1" -out "$1.signed"\n'
        'mv "$1.signed" "$1"\n'
    )
    script.chmod(0o755)
    return script


class TestPackageForMac:
    def test_program_command_and_application_are_in_their_places(
        self, program: Path, tmp_path: Path
    ) -> None:
        root = tmp_path / "root"
        macos.stage(root, program, "macos-arm64.pkg")
        command = root / "usr/local/bin/tess"
        assert command.resolve() == (root / "usr/local/lib/tessera/tess").resolve()
        assert (root / "usr/local/share/man/man1/tess.1.gz").exists()
        contents = root / "Applications/Tessera.app/Contents"
        facts = plistlib.loads((contents / "Info.plist").read_bytes())
        start = contents / "MacOS" / facts["CFBundleExecutable"]
        assert start.stat().st_mode & stat.S_IXUSR
        icon = (contents / "Resources" / f"{facts['CFBundleIconFile']}.icns").read_bytes()
        assert struct.unpack(">I", icon[4:8]) == (len(icon),)
        assert icon[16:24] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", icon[32:40]) == (512, 512)

    @pytest.mark.parametrize("is_signed", [False, True])
    def test_package_says_in_every_language_that_it_is_not_signed(
        self, tmp_path: Path, is_signed: bool
    ) -> None:
        macos.write_distribution(tmp_path, "arm64", is_signed=is_signed)
        for language, texts in json.loads((SCRIPTS / "texts.json").read_text()).items():
            welcome = (tmp_path / f"resources/{language}.lproj/welcome.txt").read_text()
            assert __version__ in welcome
            assert (texts["unsigned"] in welcome) is not is_signed

    def test_distribution_names_the_package_and_its_processor(self, tmp_path: Path) -> None:
        macos.write_distribution(tmp_path, "x64", is_signed=False)
        script = ElementTree.parse(tmp_path / "distribution.xml").getroot()
        options = script.find("options")
        assert options is not None
        assert options.get("hostArchitectures") == "x86_64"
        references = {each.get("id") for each in script.iter("pkg-ref")}
        assert references == {macos.IDENTIFIER}
        bundles = plistlib.loads((tmp_path / "components.plist").read_bytes())
        assert [each["BundleIsRelocatable"] for each in bundles] == [False]

    def test_pkgbuild_and_productbuild_get_what_they_need(
        self, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Stand-ins, which run here too, check that each file they are given exists."""
        programs = tmp_path / "bin"
        programs.mkdir()
        for name in ("codesign", "pkgbuild", "productbuild"):
            stand_in = programs / name
            stand_in.write_text(STAND_IN)
            stand_in.chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
        monkeypatch.setenv("STAND_IN_LOG", str(tmp_path / "log"))
        monkeypatch.setenv(macos.APPLICATION_IDENTITY, "Developer ID Application: Tessera")
        monkeypatch.setenv(macos.INSTALLER_IDENTITY, "Developer ID Installer: Tessera")
        package = macos.build_pkg(program, "arm64", tmp_path)
        assert package.name == f"tess-{__version__}-macos-arm64.pkg"
        assert package.exists()
        log = (tmp_path / "log").read_text().splitlines()
        assert [line.split()[0] for line in log] == ["codesign", "pkgbuild", "productbuild"]
        assert "--sign Developer ID Installer: Tessera" in log[2]

    def test_scripts_have_no_mistakes_that_a_linter_finds(self) -> None:
        scripts = [*SCRIPTS.glob("scripts/*"), *SCRIPTS.glob("[a-z]*[a-z]")]
        scripts = [path for path in scripts if path.is_file() and not path.suffix]
        assert len(scripts) == 6
        for path in scripts:
            assert path.stat().st_mode & stat.S_IXUSR, path
        output(tool("shellcheck"), *scripts)

    def test_entitlements_are_a_property_list(self) -> None:
        entitlements = plistlib.loads((SCRIPTS / "entitlements.plist").read_bytes())
        assert {*entitlements.values()} == {True}


STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >>"$STAND_IN_LOG"
for word in "$@"; do
  last=$word
  case $word in
    */root | */scripts | *.plist | *.xml | */resources | */packages | *.app)
      test -e "$word" || exit 1 ;;
  esac
done
case $last in *.pkg) : >"$last" ;; esac
"""


class TestSignatures:
    @pytest.mark.parametrize(
        ("extra", "expected"), [("", False), ('<signature style="RSA"/>', True)]
    )
    def test_package_signature_is_read_from_its_table(
        self, tmp_path: Path, extra: str, expected: bool
    ) -> None:
        table = zlib.compress(f"<xar><toc>{extra}</toc></xar>".encode())
        header = struct.pack(">4sHHQQI", b"xar!", 28, 1, len(table), 0, 1)
        (tmp_path / "a.pkg").write_bytes(header + table)
        assert has_signature(tmp_path / "a.pkg") is expected

    @pytest.mark.parametrize("name", ["a.exe", "a.pkg", "a.deb"])
    @pytest.mark.parametrize(
        "content", [b"", b"MZ", b"xar!", b"MZ" + b"\xff" * 5000, b"xar!" + b"\xff" * 5000]
    )
    def test_other_files_are_not_signed(self, tmp_path: Path, name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        assert not has_signature(tmp_path / name)
