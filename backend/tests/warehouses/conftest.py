from pathlib import Path

import httpx
import pytest

from tessera.settings import Settings
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.warehouses.leader import Leader


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team(warehouses=True)


@pytest.fixture
async def leader(client: httpx.AsyncClient, make: Factory, team: Team) -> Leader:
    return Leader(client, await make.session(team.leader, verified=True), team)


@pytest.fixture
def clouds(settings: Settings) -> Path:
    """The folder where the sandbox stores what is written to the clouds."""
    return settings.data_dir / "clouds"
