import httpx
import pytest

from tessera_core.user_keys import PrivateKeys
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.storage.client import Device, SpaceClient, create_space, recovery_body


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
    await leader.ok("PUT", "/recovery", recovery_body(leader, recovery))
    return await create_space(leader, recovery)
