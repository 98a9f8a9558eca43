from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses


@pytest.fixture
async def team(people: People, platform: Connection) -> Team:
    """A leader alone in a company, as after signing up."""
    team = await people.team(warehouses=True)
    await platform.execute("DELETE FROM invites")
    await platform.execute("DELETE FROM users WHERE id = $1", team.member.id)
    await platform.execute(
        "UPDATE users SET first_steps_shown = true WHERE id = $1", team.leader.id
    )
    return team


class Leader:
    def __init__(self, client: httpx.AsyncClient, headers: dict[str, str]) -> None:
        self._client = client
        self._headers = headers

    async def steps(self) -> Any:
        answer = await self._client.get("/api/company/first-steps", headers=self._headers)
        assert answer.status_code == 200
        return answer.json()

    async def done(self) -> set[str]:
        return {name for name, done in (await self.steps()).items() if done}

    async def put(self, path: str) -> httpx.Response:
        return await self._client.put(f"/api/company/first-steps/{path}", headers=self._headers)

    async def sees_them(self) -> bool:
        answer = await self._client.get("/api/auth/login-token", headers=self._headers)
        return bool(answer.json()["user"]["firstSteps"])


@pytest.fixture
async def leader(client: httpx.AsyncClient, make: Factory, team: Team) -> Leader:
    return Leader(client, await make.session(team.leader))


async def test_nothing_is_done_at_first(leader: Leader) -> None:
    assert await leader.steps() == {
        "passphraseSheet": False,
        "warehouses": False,
        "members": False,
        "client": False,
    }


async def test_the_leader_says_that_the_sheet_is_kept(leader: Leader) -> None:
    for _ in range(2):
        answer = await leader.put("passphrase-sheet")
        assert answer.json()["passphraseSheet"]
    assert await leader.done() == {"passphraseSheet"}


async def test_three_warehouses_have_to_be_active(
    leader: Leader, team: Team, warehouses: Warehouses, platform: Connection
) -> None:
    for status in (2, 2, 1):
        await warehouses.add(team.company.id, status=status)
    assert await leader.done() == set()
    await platform.execute("UPDATE warehouses SET status = 2")
    assert await leader.done() == {"warehouses"}


async def test_shared_warehouses_count_only_while_the_company_uses_them(
    leader: Leader, team: Team, warehouses: Warehouses, platform: Connection
) -> None:
    for _ in range(3):
        shared = await warehouses.add(1, status=2)
        await platform.execute(
            "INSERT INTO shared_warehouses (company_id, warehouse_id) VALUES ($1, $2)",
            team.company.id, shared.id,
        )  # fmt: skip
    assert await leader.done() == set()
    await platform.execute("UPDATE companies SET can_view_warehouse = false WHERE id <> 1")
    assert await leader.done() == {"warehouses"}


async def test_an_invitation_is_enough(leader: Leader, people: People, team: Team) -> None:
    await people.invite(team.company, "new@northwind.test")
    assert await leader.done() == {"members"}


async def test_so_is_a_member(leader: Leader, people: People, team: Team) -> None:
    await people.person(team.company)
    assert await leader.done() == {"members"}


async def test_anybodys_session_of_the_client_counts(
    leader: Leader, make: Factory, team: Team
) -> None:
    await make.session(team.leader, client="Ada's laptop")
    assert await leader.done() == {"client"}


async def test_first_steps_are_shown_until_dismissed_and_never_again(
    leader: Leader, client: httpx.AsyncClient, make: Factory, team: Team
) -> None:
    assert await leader.sees_them()
    assert (await leader.put("dismissed")).status_code == 204
    assert not await leader.sees_them()
    assert not await Leader(client, await make.session(team.leader)).sees_them()


async def test_other_leaders_do_not_see_them(
    client: httpx.AsyncClient, make: Factory, people: People
) -> None:
    other = await people.team()
    assert not await Leader(client, await make.session(other.leader)).sees_them()
