"""The README's walk: from the download page to a rescue without the service."""

import hashlib
import random
import shutil
import sys
from pathlib import Path

import httpx
import pytest

from accounts import PASSPHRASE, Account
from client.delivery.__main__ import build_wheel
from client.delivery.archive import write_archive
from client.delivery.bootstrap import target_name
from client.delivery.signing import sandbox_key, sign_folder
from client.delivery.targets import all_targets
from client.delivery.wheels import collect_wheels
from computer import Computer
from server import Server, running_server
from tessera_core.version import __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make client` builds, for this computer alone."""
    folder = tmp_path_factory.mktemp("releases")
    here = [target for target in all_targets() if target.name == target_name()]
    wheels = collect_wheels(here, ROOT / "dist" / "wheels", lambda *_: None)
    name = f"tess-{__version__}-{here[0].platform}.pyz"
    write_archive(build_wheel(folder), wheels, folder / name)
    sign_folder(folder, sandbox_key())
    return folder


@pytest.mark.extended
@pytest.mark.timeout(1200)
def test_download_put_lose_a_cloud_get_stop_the_service_rescue(
    releases: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    (folder / "large.bin").write_bytes(random.Random(1).randbytes(20_000_000))
    (folder / "deep" / "note.txt").write_text("Merhaba, مرحبا")
    (folder / "empty").write_bytes(b"")

    with running_server(releases_dir=str(releases)) as server:
        company = server.factory.company(warehouses=True)
        pyz = download(server, company.leader, tmp_path)
        tess = computer(pyz, tmp_path / "computer")
        tess.login(server, company.leader)
        assert tess.ok("update", "--verify", pyz)["file"] == pyz.name
        tess.ok("spaces", "create", "Designs")
        assert tess.ok("put", folder, "Designs:/")["notSafe"] == []
        kit = tess.with_code(server, company.leader, "recovery-kit", "--to", tmp_path / "kit.html")

        clouds = server.log.parent / "clouds"
        (clouds / f"google/northwind-archive-{company.id}").rename(tmp_path / "lost")
        tess.ok("get", "Designs:/docs", tmp_path / "restored")
        assert contents(tmp_path / "restored") == contents(folder)
        places = (f"s3/northwind-tessera-{company.id}", f"azure/demo/northwind-{company.id}")
        copies = [
            shutil.copytree(clouds / place, tmp_path / f"copy{number}")
            for number, place in enumerate(places)
        ]

    # The service and its database are deleted by now.
    assert not clouds.exists()
    computer(pyz, tmp_path / "fresh").ok(
        "rescue", *copies, "--to", tmp_path / "rescued",
        TESS_PASSPHRASE=PASSPHRASE, TESS_RECOVERY_CODE=kit["recoveryCode"],
    )  # fmt: skip
    assert contents(tmp_path / "rescued" / "Designs" / "docs") == contents(folder)


def download(server: Server, account: Account, to: Path) -> Path:
    """As the download page does: with a link that the browser fetches."""
    headers = {"Authorization": f"Bearer {server.factory.token(account)}"}
    with httpx.Client(base_url=server.address, timeout=60) as http:
        (listed,) = http.get("/api/downloads", headers=headers).json()["files"]
        link = http.post(f"/api/downloads/{listed['fileName']}/link", headers=headers).json()
        content = http.get(link["url"]).content
    assert (len(content), hashlib.sha256(content).hexdigest()) == (
        listed["size"],
        listed["sha256"],
    )
    path = to / str(listed["fileName"])
    path.write_bytes(content)
    return path


def computer(pyz: Path, folder: Path) -> Computer:
    """A computer with a plain Python: no packages, no variables of this process."""
    home = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    return Computer(folder, home, (sys.executable, "-I", "-S", str(pyz)))


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
