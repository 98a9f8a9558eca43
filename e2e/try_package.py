"""`make package-test`: the .deb, as `make client` builds it, in a Debian that has nothing but its
essential packages. It takes some minutes and a mirror of Debian, so it is no part of the tests."""

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from computer import Computer
from server import running_server
from tests.tools import tool

ROOT = Path(__file__).parents[1]
# What installing and removing any package changes.
RECORDS = ("var/lib/dpkg", "var/log", "var/cache")


@pytest.fixture(scope="module")
def deb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool("dpkg-deb")
    python = ROOT / ".venv/client/bin/python"
    assert python.exists(), "PyInstaller is missing: run make .venv/.client"
    folder = tmp_path_factory.mktemp("built")
    command = [str(python), "-m", "client.delivery", "build", "--only", "native", "--to"]
    command.append(str(folder))
    paths = os.pathsep.join(str(ROOT / name) for name in ("client", "core", "."))
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, check=True)
    return next(folder.glob("*.deb"))


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """From the mirror that apt uses here."""
    if os.geteuid() != 0:
        pytest.skip("only root may enter another Debian")
    folder = tmp_path_factory.mktemp("debian") / "root"
    command = [tool("mmdebstrap"), "--variant=essential", "--quiet", "bookworm", str(folder)]
    subprocess.run(command, check=True)
    yield folder
    subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=True)


def inside(debian: Path, *command: str) -> str:
    return subprocess.run(
        ["chroot", str(debian), *command],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def files(debian: Path) -> set[str]:
    names = (str(path.relative_to(debian)) for path in debian.rglob("*"))
    return {name for name in names if not name.startswith(RECORDS)}


@pytest.mark.timeout(1200)
def test_install_store_fetch_and_remove_without_leftovers(deb: Path, debian: Path) -> None:
    before = files(debian)
    (debian / "tess.deb").write_bytes(deb.read_bytes())
    inside(debian, "dpkg", "--install", "/tess.deb")
    (debian / "tess.deb").unlink()
    home = debian / "root/home"
    (home / "docs").mkdir(parents=True)
    content = random.Random(7).randbytes(5_000_000)
    (home / "docs/large.bin").write_bytes(content)
    (home / "docs/note.txt").write_text("Merhaba, مرحبا")

    program = ("chroot", str(debian), "/usr/bin/tess")
    tess = Computer(Path("/root/home/state"), {"HOME": "/root/home"}, program)
    with running_server() as server:
        company = server.factory.company(warehouses=True)
        tess.login(server, company.leader)
        tess.ok("spaces", "create", "Designs")
        assert tess.ok("put", "/root/home/docs", "Designs:/")["notSafe"] == []
        tess.ok("get", "Designs:/docs", "/root/home/again")
    assert (home / "again/large.bin").read_bytes() == content
    assert (home / "again/note.txt").read_text() == "Merhaba, مرحبا"

    inside(debian, "dpkg", "--purge", "tessera-client")
    own = {name for name in files(debian) if name.startswith("root/home")}
    assert files(debian) - own == before
