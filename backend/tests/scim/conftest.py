import httpx
import pytest

from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.scim.directory import Directory


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader, verified=True)


@pytest.fixture
async def directory(client: httpx.AsyncClient, team: Team, leader: dict[str, str]) -> Directory:
    made = await client.post("/api/provisioning/token", headers=leader)
    assert made.status_code == 201, made.text
    return Directory(client, team, made.json()["token"], leader)
