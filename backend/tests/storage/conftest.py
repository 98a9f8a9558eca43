from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from tessera.kit.workflows import Resources
from tessera.settings import Settings
from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses
from tests.storage.client import Device, SpaceClient, create_space, new_record, record_body
from tests.storage.packs import add_warehouses, bucket


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team(warehouses=True)


@pytest.fixture
async def leader(client: httpx.AsyncClient, make: Factory, team: Team) -> Device:
    return Device(client, team.leader, await make.session(team.leader, verified=True))


@pytest.fixture
async def member(client: httpx.AsyncClient, make: Factory, team: Team) -> Device:
    return Device(client, team.member, await make.session(team.member))


@pytest.fixture
async def space(leader: Device, member: Device) -> SpaceClient:
    """A space of the leader's; both have keys, and the member has no access yet."""
    await leader.register_keys()
    await member.register_keys()
    recovery = PrivateKeys.generate()
    await leader.ok("PUT", "/recovery/record", record_body(new_record(leader, recovery)))
    return await create_space(leader, recovery)


@pytest.fixture
def resources(app: FastAPI) -> Resources:
    return app.state.resources  # type: ignore[no-any-return]


@pytest.fixture
async def buckets(warehouses: Warehouses, team: Team, settings: Settings) -> list[Path]:
    """Gives the company three warehouses and returns their folders."""
    await add_warehouses(warehouses, team.company.id)
    folders = [bucket(settings, team.company.id, number) for number in range(3)]
    for folder in folders:
        folder.mkdir(parents=True)
    return folders
