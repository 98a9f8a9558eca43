import hashlib
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.downloads.links import Ticket, read_ticket, sign_ticket
from tessera.downloads.schemas import Platform
from tessera.kit import clock
from tessera.kit.database import Connection
from tessera.kit.keys import Keys
from tessera.kit.tokens import sign_token
from tessera.sandbox.demo_releases import add_sample_releases
from tessera.settings import Settings
from tests.factories.accounts import Factory
from tests.factories.people import People, Team

MAC = b"a disk image\n" * 9000
WINDOWS = b"a program\n" * 10


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class Folder:
    """A releases folder that a test can corrupt."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def publish(self, version: str = "0.7.7", **changes: Any) -> None:
        self.path.mkdir(exist_ok=True)
        (self.path / "Tessera.dmg").write_bytes(MAC)
        (self.path / "Tessera.exe").write_bytes(WINDOWS)
        manifest = {
            "version": version,
            "installers": {
                "macos": {"file": "Tessera.dmg", "sha256": digest(MAC)},
                "windows": {"file": "Tessera.exe", "sha256": digest(WINDOWS)},
            },
            **changes,
        }
        (self.path / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "releases")


@pytest.fixture
def changed_settings(folder: Folder) -> dict[str, Any]:
    return {"releases_dir": str(folder.path)}


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def member(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.member)


async def link_for(client: httpx.AsyncClient, headers: dict[str, str], platform: str) -> str:
    answer = await client.post(f"/api/downloads/{platform}/link", headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["url"])


class TestRelease:
    @pytest.mark.spec("2.38", "9.25")
    async def test_version_and_each_installer_are_shown(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        answer = await client.get("/api/downloads", headers=member)
        assert answer.json() == {
            "version": "0.7.7",
            "sample": False,
            "installers": [
                {
                    "platform": "macos",
                    "available": True,
                    "fileName": "Tessera.dmg",
                    "size": len(MAC),
                    "sha256": digest(MAC),
                },
                {
                    "platform": "windows",
                    "available": True,
                    "fileName": "Tessera.exe",
                    "size": len(WINDOWS),
                    "sha256": digest(WINDOWS),
                },
            ],
        }

    async def test_without_a_manifest_nothing_is_published(
        self, client: httpx.AsyncClient, member: dict[str, str]
    ) -> None:
        answer = await client.get("/api/downloads", headers=member)
        assert answer.json() == {"version": None, "sample": False, "installers": []}

    async def test_a_missing_file_is_said(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        (folder.path / "Tessera.dmg").unlink()
        mac, windows = (await client.get("/api/downloads", headers=member)).json()["installers"]
        assert (mac["available"], mac["fileName"], mac["sha256"]) == (False, None, None)
        assert windows["available"]
        refused = await client.post("/api/downloads/macos/link", headers=member)
        assert (refused.status_code, refused.json()["code"]) == (404, "installer_missing")

    async def test_a_file_that_was_changed_is_not_offered(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        await client.get("/api/downloads", headers=member)
        (folder.path / "Tessera.dmg").write_bytes(MAC[:-1] + b"!")
        mac, _ = (await client.get("/api/downloads", headers=member)).json()["installers"]
        assert not mac["available"]

    @pytest.mark.parametrize(
        "name", ["../secret", "/etc/passwd", "a/b", ".env", "..", "a\\b", "", "a\n"]
    )
    async def test_a_name_that_leads_elsewhere_spoils_the_manifest(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str], name: str
    ) -> None:
        folder.publish(installers={"macos": {"file": name, "sha256": "0" * 64}})
        answer = await client.get("/api/downloads", headers=member)
        assert (answer.status_code, answer.json()["code"]) == (503, "releases_not_readable")

    async def test_a_symbolic_link_is_not_followed(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str], tmp_path: Path
    ) -> None:
        folder.publish()
        (tmp_path / "elsewhere").write_bytes(MAC)
        (folder.path / "Tessera.dmg").unlink()
        (folder.path / "Tessera.dmg").symlink_to(tmp_path / "elsewhere")
        mac, _ = (await client.get("/api/downloads", headers=member)).json()["installers"]
        assert not mac["available"]

    async def test_a_broken_manifest_is_an_error_not_an_empty_list(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        (folder.path / "manifest.json").write_text("{")
        assert (await client.get("/api/downloads", headers=member)).status_code == 503

    async def test_without_a_subscription_there_are_no_files(
        self, client: httpx.AsyncClient, folder: Folder, people: People, make: Factory
    ) -> None:
        folder.publish()
        team = await people.team(subscribed=False)
        headers = await make.session(team.member)
        for answer in (
            await client.get("/api/downloads", headers=headers),
            await client.post("/api/downloads/macos/link", headers=headers),
        ):
            assert (answer.status_code, answer.json()["code"]) == (403, "subscription_required")


class TestLink:
    async def test_the_file_comes_whole_without_a_session(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, "macos")
        assert member["Authorization"].split()[1] not in url
        answer = await client.get(url)
        assert answer.status_code == 200
        assert answer.content == MAC
        assert answer.headers["content-length"] == str(len(MAC))
        assert answer.headers["content-disposition"] == 'attachment; filename="Tessera.dmg"'
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"

    async def test_a_download_can_go_on_in_the_middle(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, "macos")
        whole = await client.get(url)
        part = await client.get(
            url, headers={"Range": "bytes=1000-", "If-Range": whole.headers["etag"]}
        )
        assert part.status_code == 206
        assert part.content == MAC[1000:]
        assert part.headers["content-range"] == f"bytes 1000-{len(MAC) - 1}/{len(MAC)}"
        beyond = await client.get(url, headers={"Range": f"bytes={len(MAC)}-"})
        assert beyond.status_code == 416

    async def test_it_is_written_down(
        self,
        client: httpx.AsyncClient,
        folder: Folder,
        member: dict[str, str],
        team: Team,
        platform: Connection,
    ) -> None:
        folder.publish()
        await link_for(client, member, "windows")
        row = await platform.fetchrow("SELECT * FROM activity WHERE action = 'client.downloaded'")
        assert row is not None
        assert row["company_id"] == team.company.id
        assert row["actor_uuid"] == team.member.uuid
        assert row["target"] == "Tessera.exe"
        assert json.loads(row["details"]) == {"platform": "windows", "version": "0.7.7"}

    async def test_it_runs_out(
        self,
        client: httpx.AsyncClient,
        folder: Folder,
        member: dict[str, str],
        settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        folder.publish()
        url = await link_for(client, member, "macos")
        late = clock.now() + timedelta(minutes=settings.download_link_minutes, seconds=1)
        monkeypatch.setattr(clock, "now", lambda: late)
        answer = await client.get(url)
        assert (answer.status_code, answer.json()["code"]) == (403, "download_link_expired")

    async def test_it_is_good_for_one_version_only(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, "macos")
        folder.publish(version="0.7.8")
        assert (await client.get(url)).json()["code"] == "download_link_expired"

    async def test_a_file_that_vanished_meanwhile_is_said(
        self, client: httpx.AsyncClient, folder: Folder, member: dict[str, str]
    ) -> None:
        folder.publish()
        url = await link_for(client, member, "macos")
        (folder.path / "Tessera.dmg").unlink()
        answer = await client.get(url)
        assert (answer.status_code, answer.json()["code"]) == (404, "installer_missing")

    @pytest.mark.parametrize("name", ["..%2f..%2fetc", "linux", "macos%00"])
    async def test_no_other_platform_can_be_named(
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
        ticket = sign_ticket(keys, Ticket(Platform.MACOS, "0.7.7"), later)
        headers = {"Authorization": f"Bearer {ticket}"}
        assert (await client.get("/api/downloads", headers=headers)).status_code == 401

    async def test_a_tampered_ticket_is_refused(self, app: FastAPI) -> None:
        keys: Keys = app.state.resources.keys
        good = sign_ticket(keys, Ticket(Platform.MACOS, "0.7.7"), clock.now() + timedelta(days=1))
        assert read_ticket(keys, good) == Ticket(Platform.MACOS, "0.7.7")
        head, claims, signature = good.split(".")
        other = sign_ticket(
            keys, Ticket(Platform.WINDOWS, "0.7.7"), clock.now() + timedelta(days=1)
        )
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


class TestSamples:
    def test_the_sandbox_brings_samples_that_say_so(self, tmp_path: Path) -> None:
        settings = Settings(_env_file=None, data_dir=tmp_path)
        assert add_sample_releases(settings)
        manifest = json.loads((tmp_path / "releases" / "manifest.json").read_text())
        assert (manifest["version"], manifest["sample"]) == ("0.7.7", True)
        for published in manifest["installers"].values():
            content = (tmp_path / "releases" / published["file"]).read_bytes()
            assert b"sample of the Tessera sandbox" in content
            assert digest(content) == published["sha256"]

    def test_what_is_there_already_stays(self, tmp_path: Path) -> None:
        settings = Settings(_env_file=None, data_dir=tmp_path)
        Folder(tmp_path / "releases").publish("9.9.9")
        assert not add_sample_releases(settings)
        assert "9.9.9" in (tmp_path / "releases" / "manifest.json").read_text()

    def test_an_operator_s_own_folder_is_left_alone(self, tmp_path: Path) -> None:
        own = tmp_path / "own"
        settings = Settings(_env_file=None, data_dir=tmp_path, releases_dir=str(own))
        assert not add_sample_releases(settings)
        assert not own.exists()

    async def test_samples_are_no_release_in_production(
        self,
        client: httpx.AsyncClient,
        app: FastAPI,
        folder: Folder,
        member: dict[str, str],
        settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        folder.publish(sample=True)
        assert (await client.get("/api/downloads", headers=member)).json()["sample"]
        monkeypatch.setattr(Settings, "sandbox", False)
        assert (await client.get("/api/downloads", headers=member)).status_code == 503
