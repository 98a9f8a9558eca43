import hashlib
import json
import os
import time
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi import FastAPI

from client.delivery.signing import sandbox_key
from tessera.downloads import releases
from tessera.downloads.links import Ticket, read_ticket, sign_ticket
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.keys import Keys
from tessera.kit.tokens import sign_token
from tessera.settings import Settings
from tessera_core import base64url
from tessera_core.release import (
    PROGRESS,
    SANDBOX_KEY,
    Release,
    ReleaseFile,
    open_release,
    sign_release,
)
from tests.factories.accounts import Factory
from tests.factories.people import People, Team

PYZ = "tess-0.7.7-linux-x64.pyz"
MAC = "tess-0.7.7-macos-arm64"
CONTENT = {PYZ: b"an archive\n" * 9000, MAC: b"a program\n" * 10}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def listed(name: str, content: bytes) -> ReleaseFile:
    is_archive = name == PYZ
    platform, machine = ("linux", "x64") if is_archive else ("macos", "arm64")
    return ReleaseFile(name, (platform,), machine, is_archive, len(content), digest(content))


class Folder:
    """A releases folder that a test can corrupt."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def publish(
        self,
        version: str = "0.7.7",
        key: Ed25519PrivateKey | None = None,
        names: Iterable[str] = CONTENT,
    ) -> None:
        self.path.mkdir(exist_ok=True)
        for name, content in CONTENT.items():
            (self.path / name).write_bytes(content)
        files = tuple(listed(name, CONTENT.get(name, b"")) for name in names)
        manifest = sign_release(Release(version, files), key or sandbox_key())
        (self.path / "manifest.json").write_text(manifest)


@pytest.fixture
def folder(settings: Settings) -> Folder:
    return Folder(settings.releases_folder)


@pytest.fixture
def production(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(Settings, "sandbox", False)
    return monkeypatch


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def member(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.member)


async def link_for(client: httpx.AsyncClient, headers: dict[str, str], name: str) -> str:
    answer = await client.post(f"/api/downloads/{name}/link", headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["url"])


class TestRelease:
    @pytest.mark.spec("2.38", "9.25")
    async def test_version_and_each_installer_are_shown(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        answer = await client.get("/api/downloads", headers=member)
        pyz, mac = CONTENT.values()
        assert answer.json() == {
            "version": "0.7.7",
            "building": None,
            "files": [
                {
                    "fileName": PYZ,
                    "platforms": ["linux"],
                    "machine": "x64",
                    "needsPython": True,
                    "isInstaller": False,
                    "isSigned": False,
                    "available": True,
                    "size": len(pyz),
                    "sha256": digest(pyz),
                },
                {
                    "fileName": MAC,
                    "platforms": ["macos"],
                    "machine": "arm64",
                    "needsPython": False,
                    "isInstaller": False,
                    "isSigned": False,
                    "available": True,
                    "size": len(mac),
                    "sha256": digest(mac),
                },
            ],
        }

    async def test_the_manifest_is_open_to_clients_and_verifiable(
        self, client: httpx.AsyncClient, folder: Folder
    ) -> None:
        missing = await client.get("/api/downloads/manifest")
        assert (missing.status_code, missing.json()["code"]) == (404, "nothing_published")
        folder.publish()
        answer = await client.get("/api/downloads/manifest")
        assert open_release(answer.text, {SANDBOX_KEY}).version == "0.7.7"

    async def test_release_without_a_manifest_is_not_published(
        self, client: httpx.AsyncClient, member: dict[str, str]
    ) -> None:
        answer = await client.get("/api/downloads", headers=member)
        assert answer.json() == {"version": None, "files": [], "building": None}

    async def test_first_build_of_the_sandbox_is_shown_while_it_runs(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.path.mkdir()
        progress = folder.path / PROGRESS
        progress.write_text('{"done": 3, "total": 12}')
        answer = (await client.get("/api/downloads", headers=member)).json()
        assert (answer["version"], answer["building"]) == (None, {"done": 3, "total": 12})
        stopped = time.time() - releases.BUILD_SECONDS - 1
        os.utime(progress, (stopped, stopped))
        assert (await client.get("/api/downloads", headers=member)).json()["building"] is None
        progress.write_text("half a rep")
        assert (await client.get("/api/downloads", headers=member)).json()["building"] is None

    async def test_production_without_a_release_key_publishes_nothing(
        self,
        client: httpx.AsyncClient,
        folder: Folder,
        member: dict[str, str],
        production: pytest.MonkeyPatch,
    ) -> None:
        production.setattr(releases, "RELEASE_KEYS", frozenset())
        folder.publish()
        logged: list[str] = []
        production.setattr(releases.log, "error", lambda event, **_: logged.append(event))
        assert (await client.get("/api/downloads", headers=member)).status_code == 503
        assert "tessera release init" in logged[0]

    async def test_a_missing_file_is_said(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        (folder.path / MAC).unlink()
        pyz, mac = (await client.get("/api/downloads", headers=member)).json()["files"]
        assert (pyz["available"], mac["available"]) == (True, False)
        refused = await client.post(f"/api/downloads/{MAC}/link", headers=member)
        assert (refused.status_code, refused.json()["code"]) == (404, "installer_missing")

    async def test_a_file_that_was_changed_is_not_offered(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        await client.get("/api/downloads", headers=member)
        (folder.path / MAC).write_bytes(CONTENT[MAC][:-1] + b"!")
        _, mac = (await client.get("/api/downloads", headers=member)).json()["files"]
        assert not mac["available"]

    @pytest.mark.parametrize(
        "name", ["../secret", "/etc/passwd", "a/b", ".env", "..", "a\\b", "", "a\n"]
    )
    async def test_a_name_that_leads_elsewhere_spoils_the_manifest(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str], name: str
    ) -> None:
        folder.publish(names=[name])
        answer = await client.get("/api/downloads", headers=member)
        assert (answer.status_code, answer.json()["code"]) == (503, "releases_not_readable")

    async def test_a_symbolic_link_is_not_followed(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str], tmp_path: Path
    ) -> None:
        folder.publish()
        (tmp_path / "elsewhere").write_bytes(CONTENT[MAC])
        (folder.path / MAC).unlink()
        (folder.path / MAC).symlink_to(tmp_path / "elsewhere")
        _, mac = (await client.get("/api/downloads", headers=member)).json()["files"]
        assert not mac["available"]

    async def test_release_with_another_signature_is_refused(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish(key=Ed25519PrivateKey.generate())
        assert (await client.get("/api/downloads", headers=member)).status_code == 503

    async def test_release_key_alone_counts_in_production(
        self,
        client: httpx.AsyncClient,
        folder: Folder,
        member: dict[str, str],
        production: pytest.MonkeyPatch,
    ) -> None:
        key = Ed25519PrivateKey.generate()
        pinned = {base64url.encode(key.public_key().public_bytes_raw())}
        production.setattr(releases, "RELEASE_KEYS", pinned)
        folder.publish()
        assert (await client.get("/api/downloads", headers=member)).status_code == 503
        folder.publish(key=key)
        assert (await client.get("/api/downloads", headers=member)).json()["version"] == "0.7.7"

    async def test_a_broken_manifest_is_an_error_not_an_empty_list(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        (folder.path / "manifest.json").write_text("{")
        assert (await client.get("/api/downloads", headers=member)).status_code == 503

    async def test_download_without_a_subscription_has_no_files(
        self, client: httpx.AsyncClient, folder: Folder, people: People, make: Factory
    ) -> None:
        folder.publish()
        team = await people.team(subscribed=False)
        headers = await make.session(team.member)
        for answer in (
            await client.get("/api/downloads", headers=headers),
            await client.post(f"/api/downloads/{PYZ}/link", headers=headers),
        ):
            assert (answer.status_code, answer.json()["code"]) == (403, "subscription_required")


class TestLink:
    async def test_the_file_comes_whole_without_a_session(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, PYZ)
        assert member["Authorization"].split()[1] not in url
        answer = await client.get(url)
        assert answer.status_code == 200
        assert answer.content == CONTENT[PYZ]
        assert answer.headers["content-length"] == str(len(CONTENT[PYZ]))
        assert answer.headers["content-disposition"] == f'attachment; filename="{PYZ}"'
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"

    async def test_a_download_can_go_on_in_the_middle(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, PYZ)
        size = len(CONTENT[PYZ])
        whole = await client.get(url)
        part = await client.get(
            url, headers={"Range": "bytes=1000-", "If-Range": whole.headers["etag"]}
        )
        assert part.status_code == 206
        assert part.content == CONTENT[PYZ][1000:]
        assert part.headers["content-range"] == f"bytes 1000-{size - 1}/{size}"
        beyond = await client.get(url, headers={"Range": f"bytes={size}-"})
        assert beyond.status_code == 416

    async def test_download_link_is_recorded(
        self,
        client: httpx.AsyncClient,
        folder: Folder,
        member: dict[str, str],
        team: Team,
        platform: Connection,
    ) -> None:
        folder.publish()
        await link_for(client, member, MAC)
        row = await platform.fetchrow("SELECT * FROM activity WHERE action = 'client.downloaded'")
        assert row is not None
        assert row["company_id"] == team.company.id
        assert row["actor_uuid"] == team.member.uuid
        assert row["target"] == MAC
        assert json.loads(row["details"]) == {"platform": "macos", "version": "0.7.7"}

    async def test_download_link_expires_after_its_time(
        self,
        client: httpx.AsyncClient,
        folder: Folder,
        member: dict[str, str],
        settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        folder.publish()
        url = await link_for(client, member, PYZ)
        late = clock.now() + timedelta(minutes=settings.download_link_minutes, seconds=1)
        monkeypatch.setattr(clock, "now", lambda: late)
        answer = await client.get(url)
        assert (answer.status_code, answer.json()["code"]) == (403, "download_link_expired")

    async def test_download_link_is_good_for_one_version_only(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, PYZ)
        folder.publish(version="0.7.8")
        assert (await client.get(url)).json()["code"] == "download_link_expired"

    async def test_a_file_that_vanished_meanwhile_is_said(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, PYZ)
        (folder.path / PYZ).unlink()
        answer = await client.get(url)
        assert (answer.status_code, answer.json()["code"]) == (404, "installer_missing")

    @pytest.mark.parametrize("name", ["..%2f..%2fetc", "manifest.json", "tess%00", "x" * 129])
    async def test_no_other_file_can_be_named(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str], name: str
    ) -> None:
        folder.publish()
        answer = await client.post(f"/api/downloads/{name}/link", headers=member)
        assert answer.status_code in {404, 422}

    async def test_a_session_s_token_is_no_ticket_and_the_other_way_round(
        self, client: httpx.AsyncClient, app: FastAPI, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        keys: Keys = app.state.resources.keys
        later = clock.now() + timedelta(minutes=5)
        token = sign_token(keys, "handle", later)
        assert (
            await client.get("/api/downloads/file", params={"ticket": token})
        ).status_code == 403
        ticket = sign_ticket(keys, Ticket(PYZ, "0.7.7"), later)
        headers = {"Authorization": f"Bearer {ticket}"}
        assert (await client.get("/api/downloads", headers=headers)).status_code == 401

    async def test_a_tampered_ticket_is_refused(self, app: FastAPI) -> None:
        keys: Keys = app.state.resources.keys
        good = sign_ticket(keys, Ticket(PYZ, "0.7.7"), clock.now() + timedelta(days=1))
        assert read_ticket(keys, good) == Ticket(PYZ, "0.7.7")
        head, claims, signature = good.split(".")
        other = sign_ticket(keys, Ticket(MAC, "0.7.7"), clock.now() + timedelta(days=1))
        for wrong in ("", "x", f"{head}.{other.split('.')[1]}.{signature}", f"{head}.{claims}."):
            assert read_ticket(keys, wrong) is None


class TestContact:
    async def test_a_member_without_subscription_learns_whom_to_ask(
        self, client: httpx.AsyncClient, people: People, make: Factory
    ) -> None:
        team = await people.team(subscribed=False)
        await people.team()
        answer = await client.get("/api/downloads/contact", headers=await make.session(team.member))
        assert answer.json() == {"name": "Omar Haddad", "emailAddress": team.leader.email}
