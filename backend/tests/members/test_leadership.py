import asyncio

import httpx
import pytest

from tessera.kit.database import Connection
from tests.companies.test_passphrase import pair
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader, verified=True)


@pytest.fixture
async def admin(people: People, make: Factory) -> dict[str, str]:
    return await make.session(await people.admin(), verified=True)


async def roles(platform: Connection, team: Team) -> dict[str, str]:
    rows = await platform.fetch(
        "SELECT uuid, role FROM users WHERE company_id = $1", team.company.id
    )
    return {str(row["uuid"]): row["role"] for row in rows}


class TestHandOn:
    @pytest.mark.spec("4.39", "7.30")
    async def test_the_former_leader_is_out_and_holds_no_key(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        other_browser = await make.session(team.leader)
        member = await make.session(team.member, verified=True)
        body = {"passphrase": pair(team.leader, 1)}
        await client.put("/api/company/passphrase", json=body, headers=leader)
        answer = await client.put(f"/api/user/team-leader/{team.member.uuid}", headers=leader)
        assert answer.status_code == 200
        assert answer.json()["role"] == "teamLeader"
        assert await roles(platform, team) == {
            str(team.leader.uuid): "teamMember",
            str(team.member.uuid): "teamLeader",
        }
        for session in (leader, other_browser):
            assert (await client.get("/api/users", headers=session)).status_code == 401
        assert await platform.fetchval("SELECT count(*) FROM company_keys") == 0
        # The new leader's open session gets the role at the next call, and must enter the
        # passphrase.
        assert (await client.get("/api/users", headers=member)).status_code == 200
        locked = await client.get("/api/company/passphrase", headers=member)
        assert (locked.status_code, locked.json()["epoch"]) == (404, 1)
        again = {"passphrase": pair(team.member, 2)}
        entered = await client.put("/api/company/passphrase", json=again, headers=member)
        assert entered.status_code == 204
        changed = "Your company’s passphrase was changed"
        assert [(mail["to"], mail["subject"]) for mail in await outbox.messages()] == [
            (team.leader.email, changed),
            (team.leader.email, "You transferred team leadership"),
            (team.member.email, "You are now the team leader"),
            (team.member.email, changed),
        ]
        record = await platform.fetchrow(
            "SELECT * FROM activity WHERE action = 'leadership.reassigned'"
        )
        assert record is not None
        assert record["target"] == team.member.email

    async def test_who_cannot_become_leader(
        self, client: httpx.AsyncClient, people: People, team: Team, leader: dict[str, str]
    ) -> None:
        asleep = await people.person(team.company, active=False)
        for uuid, status, code in [
            (asleep.uuid, 409, "new_leader_not_active"),
            (team.leader.uuid, 409, "leader_already"),
            ((await people.team()).member.uuid, 404, "member_not_found"),
            ((await people.admin()).uuid, 404, "member_not_found"),
        ]:
            answer = await client.put(f"/api/user/team-leader/{uuid}", headers=leader)
            assert (answer.status_code, answer.json()["code"]) == (status, code)

    async def test_two_hand_overs_at_once_leave_one_leader(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
    ) -> None:
        others = [team.member, *[await people.person(team.company) for _ in range(3)]]
        answers = await asyncio.gather(
            *(client.put(f"/api/user/team-leader/{o.uuid}", headers=leader) for o in others)
        )
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses[0] == 200
        assert set(statuses[1:]) <= {401, 403}
        leaders = [r for r in (await roles(platform, team)).values() if r == "teamLeader"]
        assert len(leaders) == 1

    async def test_promoting_and_removing_somebody_at_once(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
    ) -> None:
        """Whichever comes first, the company always keeps a leader."""
        second = await make.session(team.leader, verified=True)
        await asyncio.gather(
            client.put(f"/api/user/team-leader/{team.member.uuid}", headers=leader),
            client.delete(f"/api/user/{team.member.uuid}", headers=second),
        )
        assert "teamLeader" in (await roles(platform, team)).values()


class TestByThePlatform:
    @pytest.mark.spec("1.8", "6.4", "7.30")
    async def test_the_former_leader_is_notified_who_did_it(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        admin: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        query = {"companyId": str(team.company.id), "userId": str(team.member.uuid)}
        answer = await client.put("/api/user/team-leader", params=query, headers=admin)
        assert answer.status_code == 200
        assert (await client.get("/api/users", headers=leader)).status_code == 401
        mail = await outbox.newest(team.leader.email)
        assert "Tessera support made" in mail["text"]
        record = await platform.fetchrow("SELECT * FROM activity")
        assert record is not None
        assert (record["company_id"], record["action"]) == (
            team.company.id,
            "leadership.reassigned",
        )

    async def test_a_person_of_another_company_is_not_found(
        self, client: httpx.AsyncClient, people: People, team: Team, admin: dict[str, str]
    ) -> None:
        stranger = (await people.team()).member
        query = {"companyId": str(team.company.id), "userId": str(stranger.uuid)}
        answer = await client.put("/api/user/team-leader", params=query, headers=admin)
        assert (answer.status_code, answer.json()["code"]) == (404, "member_not_found")

    async def test_two_admins_at_once_leave_one_leader(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        admin: dict[str, str],
        platform: Connection,
    ) -> None:
        others = [team.member, await people.person(team.company)]
        answers = await asyncio.gather(
            *(
                client.put(
                    "/api/user/team-leader",
                    params={"companyId": str(team.company.id), "userId": str(other.uuid)},
                    headers=admin,
                )
                for other in others
            )
        )
        assert [answer.status_code for answer in answers] == [200, 200]
        leaders = [r for r in (await roles(platform, team)).values() if r == "teamLeader"]
        assert len(leaders) == 1
