"""The real service, killed in the middle of a rotation or a save. Whichever statement it was, no
credential is lost and the work is resumed."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.factories.warehouses import Stored, Warehouses
from tests.fixtures.kill_points import Hold
from tests.fixtures.process import Service
from tests.fixtures.waiting import eventually
from tests.warehouses.leader import DROPBOX, FORMS, S3

pytestmark = [pytest.mark.extended, pytest.mark.timeout(900)]

ROTATING = {
    "the new key is written": ("INSERT ON data_keys", ""),
    "the first credentials are resealed": ("UPDATE OF sealed ON warehouses", ""),
    "the last credentials are resealed": ("UPDATE OF sealed ON warehouses", "NEW.type = 5"),
    "the old key is destroyed": ("DELETE ON data_keys", ""),
    "the work is enqueued": ("INSERT ON dbos.workflow_status", "NEW.name LIKE '%health%'"),
    "it is recorded": ("INSERT ON activity", "NEW.action = 'encryptionKey.rotated'"),
    "the first health file is noted": ("UPDATE OF health_version ON warehouses", ""),
    "the files are done": (
        "INSERT ON dbos.operation_outputs", "NEW.function_name LIKE '%publish_health_files%'",
    ),
}  # fmt: skip
SAVING = {
    "it is written": ("INSERT ON warehouses", ""),
    "the credentials are sealed": ("UPDATE OF sealed ON warehouses", ""),
    "the result is written": ("UPDATE OF last_check_at ON warehouses", ""),
    "the change is noted": ("INSERT ON warehouse_transitions", ""),
}


@pytest.fixture
def service(urls: EmbeddedUrls, tmp_path: Path) -> Iterator[Service]:
    service = Service(urls, tmp_path, warehouse_wait_seconds="2")
    service.start()
    yield service
    service.kill()


class World:
    """One service for all steps, and a separate company for each."""

    def __init__(self, service: Service, platform: Connection, hold: Hold, folder: Path) -> None:
        self.service = service
        self.platform = platform
        self.hold = hold
        self.clouds = folder / "clouds"

    async def call(
        self, headers: dict[str, str], method: str, path: str, **more: Any
    ) -> httpx.Response | None:
        """Returns None if the service died during the call."""
        async with httpx.AsyncClient(base_url=self.service.address, timeout=60) as http:
            try:
                return await http.request(method, f"/api{path}", headers=headers, **more)
            except httpx.TransportError:
                return None

    async def killed(
        self, headers: dict[str, str], event: tuple[str, str], *call: str, **more: Any
    ) -> None:
        await self.hold.at(*event)
        asked = asyncio.create_task(self.call(headers, *call, **more))
        await self.hold.kill(self.service)
        await asked
        self.service.start()


@pytest.fixture
def world(service: Service, platform: Connection, hold: Hold, tmp_path: Path) -> World:
    return World(service, platform, hold, tmp_path)


async def company(people: People, make: Factory) -> tuple[Team, dict[str, str]]:
    team = await people.team(warehouses=True)
    return team, await make.session(team.leader, verified=True)


def health_versions(clouds: Path, company_id: int) -> list[int]:
    files = [json.loads(file.read_text()) for file in clouds.rglob("health-*.json")]
    return [file["keyVersion"] for file in files if file["company"] == company_id]


async def test_killed_while_a_key_is_renewed(
    world: World, people: People, make: Factory, warehouses: Warehouses
) -> None:
    for step, event in ROTATING.items():
        team, headers = await company(people, make)
        company_id = team.company.id
        stored = []
        for form in FORMS.values():
            answer = await world.call(
                headers, "POST", "/warehouse", json={**form, "path": f"c{company_id}"}
            )
            assert answer is not None
            assert answer.status_code == 200, answer.text
            stored.append(Stored(answer.json()["id"], company_id))
        before = [await warehouses.form(each) for each in stored]
        await world.killed(headers, event, "PUT", "/company/newkey")
        versions = await world.platform.fetch(
            "SELECT version FROM data_keys WHERE company_id = $1", company_id
        )
        assert len(versions) == 1, step
        assert [await warehouses.form(each) for each in stored] == before, step
        # A user who got no response submits again.
        again = await world.call(headers, "PUT", "/company/newkey")
        assert again is not None
        assert again.status_code == 200, step
        version = again.json()["keyVersion"]
        assert version == versions[0]["version"] + 1, step
        assert [await warehouses.form(each) for each in stored] == before, step

        async def published(company_id: int = company_id, version: int = version) -> bool:
            found = await asyncio.to_thread(health_versions, world.clouds, company_id)
            return found == [version] * 4

        async def active(headers: dict[str, str] = headers) -> bool:
            page = await world.call(headers, "GET", "/all")
            return page is not None and page.json()["summary"]["active"] == 4

        await eventually(published, f"the health files follow: {step}")
        await eventually(active, f"and so do the states: {step}")


async def test_killed_while_a_warehouse_is_saved(
    world: World, people: People, make: Factory, warehouses: Warehouses
) -> None:
    for step, event in SAVING.items():
        team, headers = await company(people, make)
        company_id = team.company.id
        form = {**S3, "path": f"c{company_id}"}
        await world.killed(headers, event, "POST", "/warehouse", json=form)

        async def settled(company_id: int = company_id) -> bool:
            waiting: int = await world.platform.fetchval(
                "SELECT count(*) FROM warehouses WHERE company_id = $1"
                " AND (checking_since IS NOT NULL OR status <> 2)",
                company_id,
            )
            return waiting == 0

        await eventually(settled, f"the check is made up for: {step}")
        rows = await world.platform.fetch(
            "SELECT id FROM warehouses WHERE company_id = $1", company_id
        )
        for row in rows:
            opened = await warehouses.form(Stored(row["id"], company_id))
            assert opened["secret"] == S3["secret"], step
        # Before the commit there is nothing, after it everything.
        assert len(rows) == (0 if step in {"it is written", "the credentials are sealed"} else 1)
        answer = await world.call(headers, "POST", "/warehouse", json={**DROPBOX, "path": "x"})
        assert answer is not None
        assert answer.status_code == 200, step
