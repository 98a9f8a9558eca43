import asyncio

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core.envelopes import new_key, open_passphrase_pair, seal_passphrase_pair
from tests.factories.accounts import Factory, User
from tests.factories.people import People, Team

KEY = new_key()


def pair(user: User, epoch: int, passphrase: str = "three clouds, one mosaic") -> str:
    return seal_passphrase_pair(
        passphrase,
        user_key=KEY,
        uid=str(user.uuid),
        cid=str(user.company.uuid),
        epoch=epoch,
    )


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def headers(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader, verified=True)


class TestPassphrase:
    async def test_a_replaced_one_is_kept_for_whoever_has_its_key(
        self,
        client: httpx.AsyncClient,
        team: Team,
        headers: dict[str, str],
        platform: Connection,
    ) -> None:
        former = pair(team.leader, 1, "the first of two")
        for sealed in (former, pair(team.leader, 2, "the second of two")):
            body = {"passphrase": sealed}
            await client.put("/api/company/passphrase", json=body, headers=headers)
        kept = await platform.fetch("SELECT epoch, sealed_passphrase FROM former_passphrases")
        assert [tuple(row) for row in kept] == [(1, former.partition("~")[2])]
        key, _, _ = former.partition("~")
        opened = open_passphrase_pair(
            f"{key}~{kept[0]['sealed_passphrase']}",
            user_key=KEY,
            uid=str(team.leader.uuid),
            cid=str(team.company.uuid),
        )
        assert opened == "the first of two"

    @pytest.mark.spec("1.14", "3.23", "7.23")
    async def test_set_reveal_and_change(
        self,
        client: httpx.AsyncClient,
        team: Team,
        headers: dict[str, str],
        platform: Connection,
    ) -> None:
        locked = await client.get("/api/company/passphrase", headers=headers)
        assert (locked.status_code, locked.json()["code"]) == (404, "passphrase_locked")
        assert locked.json()["epoch"] == 0
        for epoch in (1, 2):
            body = {"passphrase": pair(team.leader, epoch, f"number {epoch} of them")}
            changed = await client.put("/api/company/passphrase", json=body, headers=headers)
            assert changed.status_code == 204
            revealed = await client.get("/api/company/passphrase", headers=headers)
            assert revealed.headers["content-type"].startswith("text/plain")
            assert revealed.headers["cache-control"] == "no-store"
            opened = open_passphrase_pair(
                revealed.text,
                user_key=KEY,
                uid=str(team.leader.uuid),
                cid=str(team.company.uuid),
            )
            assert opened == f"number {epoch} of them"
        records = await platform.fetch("SELECT action FROM activity ORDER BY id")
        assert [row["action"] for row in records] == [
            "passphrase.changed",
            "passphrase.revealed",
        ] * 2

    async def test_the_epoch_has_to_be_the_next(
        self, client: httpx.AsyncClient, team: Team, headers: dict[str, str]
    ) -> None:
        first = {"passphrase": pair(team.leader, 1)}
        assert (
            await client.put("/api/company/passphrase", json=first, headers=headers)
        ).status_code == 204
        for epoch in (1, 3, 2_000_000_000):
            body = {"passphrase": pair(team.leader, epoch)}
            answer = await client.put("/api/company/passphrase", json=body, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (409, "passphrase_epoch_stale")
            assert answer.json()["epoch"] == 1

    async def test_of_two_changes_at_once_one_is_refused_as_stale(
        self, client: httpx.AsyncClient, team: Team, headers: dict[str, str]
    ) -> None:
        answers = await asyncio.gather(
            *(
                client.put(
                    "/api/company/passphrase",
                    json={"passphrase": pair(team.leader, 1)},
                    headers=headers,
                )
                for _ in range(4)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [204, 409, 409, 409]

    async def test_what_is_not_sealed_for_the_caller_is_refused(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        headers: dict[str, str],
        platform: Connection,
    ) -> None:
        good = pair(team.leader, 1)
        stranger = await people.team()
        company_key, passphrase = good.split("~")
        for text in (
            "three clouds, one mosaic",
            "",
            good + "~",
            company_key,
            f"{passphrase}~{company_key}",
            f"{company_key}~three clouds, one mosaic",
            f"{company_key}~{pair(team.leader, 2).split('~')[1]}",
            pair(team.member, 1),
            pair(stranger.leader, 1),
            good[:-1],
            "x" * 3_000,
        ):
            answer = await client.put(
                "/api/company/passphrase", json={"passphrase": text}, headers=headers
            )
            assert (answer.status_code, answer.json()["code"]) == (422, "passphrase_not_sealed")
            assert "mosaic" not in answer.text
        assert await platform.fetchval("SELECT count(*) FROM company_passphrases") == 0

    @pytest.mark.spec("7.24")
    async def test_the_query_form_of_the_specification(
        self, client: httpx.AsyncClient, team: Team, headers: dict[str, str]
    ) -> None:
        answer = await client.put(
            "/api/company/passphrase",
            params={"passphrase": pair(team.leader, 1)},
            headers=headers,
        )
        assert answer.status_code == 204

    async def test_a_copy_of_an_older_epoch_is_no_copy(
        self,
        client: httpx.AsyncClient,
        team: Team,
        headers: dict[str, str],
        platform: Connection,
    ) -> None:
        body = {"passphrase": pair(team.leader, 1)}
        await client.put("/api/company/passphrase", json=body, headers=headers)
        await platform.execute("UPDATE company_passphrases SET epoch = 2")
        answer = await client.get("/api/company/passphrase", headers=headers)
        assert (answer.status_code, answer.json()["epoch"]) == (404, 2)

    async def test_another_company_s_passphrase_is_never_answered(
        self,
        client: httpx.AsyncClient,
        people: People,
        make: Factory,
        team: Team,
        headers: dict[str, str],
    ) -> None:
        body = {"passphrase": pair(team.leader, 1)}
        await client.put("/api/company/passphrase", json=body, headers=headers)
        stranger = await make.session((await people.team()).leader, verified=True)
        answer = await client.get("/api/company/passphrase", headers=stranger)
        assert (answer.status_code, answer.json()["epoch"]) == (404, 0)
