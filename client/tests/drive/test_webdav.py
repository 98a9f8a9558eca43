"""The drive as WebDAV programs of this computer see it."""

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from client.tests.conftest import Computer
from client.tests.drive.conftest import Mount, OpenDrive
from client.tests.drive.rclone_check import check
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.system_mount import USER
from tessera_client.drive.webdav import WebDavServer
from tests.tools import tool


@pytest.fixture
def opened(leader: Computer, mount: Mount) -> OpenDrive:
    return mount(leader)


@pytest.fixture
def server(opened: OpenDrive) -> Iterator[WebDavServer]:
    made = WebDavServer(Mounted([opened.drive], is_single=True))
    thread = threading.Thread(target=made.serve, daemon=True)
    thread.start()
    yield made
    made.stop()
    thread.join(20)


@pytest.fixture
def dav(server: WebDavServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, auth=(USER, server.password), timeout=30) as client:
        yield client


def test_files_are_put_read_moved_and_deleted(dav: httpx.Client, opened: OpenDrive) -> None:
    assert dav.request("MKCOL", "/folder").status_code == 201
    assert dav.put("/folder/plan.txt", content=b"first").status_code == 201
    assert dav.put("/folder/plan.txt", content=b"second").status_code == 204
    assert dav.get("/folder/plan.txt").content == b"second"
    part = dav.get("/folder/plan.txt", headers={"Range": "bytes=2-3"})
    assert (part.status_code, part.content) == (206, b"co")
    target = str(dav.base_url.join("/moved.txt"))
    moved = dav.request("MOVE", "/folder/plan.txt", headers={"Destination": target})
    assert moved.status_code == 201
    opened.send()
    assert opened.read("moved.txt") == b"second"
    assert dav.delete("/folder").status_code == 204
    assert dav.get("/folder/plan.txt").status_code == 404
    assert opened.names() == ["moved.txt"]


def test_whoever_does_not_know_the_password_gets_nothing(server: WebDavServer) -> None:
    for auth in (None, (USER, "wrong"), ("other", server.password)):
        assert httpx.get(server.url, auth=auth).status_code == 401
        assert httpx.request("PROPFIND", server.url, auth=auth).status_code == 401


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.test"}, {"Origin": "https://evil.test"}, {"Origin": "null"}]
)
def test_page_of_another_site_gets_nothing(dav: httpx.Client, headers: dict[str, str]) -> None:
    assert dav.request("PROPFIND", "/", headers=headers).status_code == 403


def test_server_listens_on_this_computer_alone(server: WebDavServer) -> None:
    assert server.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("path", ["/../x", "/a/../../x", "/%2e%2e/x", "/a%00b", "/" + "x" * 300])
def test_impossible_name_is_refused_and_changes_nothing(
    dav: httpx.Client, opened: OpenDrive, path: str
) -> None:
    answer = dav.send(dav.build_request("PUT", httpx.URL(dav.base_url, raw_path=path.encode())))
    # One of the ways out of the folder may be taken for a name in it.
    assert opened.names() == ([] if answer.status_code >= 400 else ["x"])


def test_full_quota_is_told_as_such(dav: httpx.Client, opened: OpenDrive) -> None:
    opened.drive.room = 10
    assert dav.put("/large.bin", content=bytes(1000)).status_code == 507


@pytest.mark.extended
def test_protocol_suite_passes(dav: httpx.Client, server: WebDavServer, tmp_path: Path) -> None:
    assert dav.request("MKCOL", "/litmus").status_code == 201
    done = subprocess.run(
        [tool("litmus"), f"{server.url}litmus/", USER, server.password],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("100.0%") == 5, done.stdout


@pytest.mark.extended
def test_rclone_finds_every_file_as_it_was(tmp_path: Path) -> None:
    """`python -m client.tests.drive.rclone_check` does it with 10,000."""
    check(tmp_path, 300)
