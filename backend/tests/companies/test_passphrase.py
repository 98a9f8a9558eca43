import asyncio
import json
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core.envelopes import (
    new_key,
    open_company_key,
    open_former_key,
    open_passphrase,
    open_passphrase_pair,
    seal_former_key,
    seal_passphrase_pair,
)
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

    async def test_two_passphrase_changes_at_once_refuse_one_as_stale(
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

    async def test_passphrase_of_another_company_is_never_answered(
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


class History:
    """A leader who changes the passphrase and opens former ones as the browser does."""

    def __init__(self, client: httpx.AsyncClient, leader: User, headers: dict[str, str]) -> None:
        self._client, self._leader, self._headers = client, leader, headers
        self._ids = {"uid": str(leader.uuid), "cid": str(leader.company.uuid)}
        self._epoch = 0
        self._key = b""

    async def change(self, text: str, *, linked: bool = True) -> None:
        self._epoch += 1
        body = {"passphrase": pair(self._leader, self._epoch, text)}
        former, self._key = self._key, self._opened_key(body["passphrase"].split("~")[0])
        if linked and former:
            body["formerKey"] = seal_former_key(
                former, company_key=self._key, cid=self._ids["cid"], epoch=self._epoch - 1
            )
        await self.put(body, 204)

    async def put(self, body: dict[str, str], status: int) -> httpx.Response:
        answer = await self._client.put("/api/company/passphrase", json=body, headers=self._headers)
        assert answer.status_code == status, answer.text
        return answer

    async def listed(self) -> list[dict[str, Any]]:
        answer = await self._client.get("/api/company/passphrase/former", headers=self._headers)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()
        return found

    async def get(self, epoch: object) -> httpx.Response:
        return await self._client.get(
            f"/api/company/passphrase/former/{epoch}", headers=self._headers
        )

    async def opened(self, epoch: int) -> str:
        sealed = (await self.get(epoch)).json()
        key = self._opened_key(sealed["companyKey"])
        for at, link in zip(
            range(self._epoch - 1, epoch - 1, -1), sealed["formerKeys"], strict=True
        ):
            key = open_former_key(link, company_key=key, cid=self._ids["cid"], epoch=at)
        return open_passphrase(
            sealed["passphrase"], company_key=key, cid=self._ids["cid"], epoch=epoch
        )

    def _opened_key(self, sealed: str) -> bytes:
        return open_company_key(sealed, user_key=KEY, **self._ids)


class TestFormer:
    @pytest.fixture
    def history(self, client: httpx.AsyncClient, team: Team, headers: dict[str, str]) -> History:
        return History(client, team.leader, headers)

    async def test_there_is_none_before_the_first_change(self, history: History) -> None:
        assert await history.listed() == []
        await history.change("the first of all")
        assert await history.listed() == []

    async def test_former_passphrases_are_opened_with_the_current_key(
        self, history: History, team: Team, platform: Connection
    ) -> None:
        texts = ["number one of three", "number two of three", "number three of three"]
        for text in texts:
            await history.change(text)
        listed = await history.listed()
        name = await platform.fetchval(
            "SELECT first_name || ' ' || last_name FROM users WHERE id = $1", team.leader.id
        )
        assert [(row["epoch"], row["replacedBy"], row["canOpen"]) for row in listed] == [
            (2, name, True),
            (1, name, True),
        ]
        assert listed[0]["setAt"] <= listed[0]["replacedAt"]
        assert [await history.opened(epoch) for epoch in (1, 2)] == texts[:2]
        records = await platform.fetch("SELECT action, details FROM activity ORDER BY id DESC")
        assert records[0]["action"] == "passphrase.formerRevealed"
        assert json.loads(records[0]["details"]) == {"epoch": 2}

    async def test_former_passphrases_before_a_missing_key_stay_closed(
        self, history: History, platform: Connection
    ) -> None:
        await history.change("set by a former leader")
        await history.change("typed in by the new leader", linked=False)
        await history.change("changed by the new leader")
        listed = await history.listed()
        assert [(row["epoch"], row["canOpen"]) for row in listed] == [(2, True), (1, False)]
        assert await history.opened(2) == "typed in by the new leader"
        refused = await history.get(1)
        assert (refused.status_code, refused.json()["code"]) == (404, "former_passphrase_locked")
        # The envelope is kept all the same, for a holder of an old copy of its key.
        kept = await platform.fetch("SELECT sealed_passphrase FROM former_passphrases")
        assert len(kept) == 2

    async def test_former_passphrases_stay_closed_without_the_current_key(
        self, history: History, platform: Connection
    ) -> None:
        await history.change("the first of two")
        await history.change("the second of two")
        await platform.execute("DELETE FROM company_keys")
        assert [row["canOpen"] for row in await history.listed()] == [False]
        assert (await history.get(1)).status_code == 404

    async def test_whoever_replaced_it_may_have_left(
        self, history: History, team: Team, platform: Connection
    ) -> None:
        await history.change("the first of two")
        await history.change("the second of two")
        await platform.execute("UPDATE former_passphrases SET replaced_by = $1", team.member.id)
        await platform.execute("DELETE FROM users WHERE id = $1", team.member.id)
        assert [row["replacedBy"] for row in await history.listed()] == [None]

    async def test_what_is_not_the_former_key_is_refused(
        self, history: History, team: Team, people: People
    ) -> None:
        await history.change("the first of two")
        key, other_key = new_key(), new_key()
        cid, stranger = str(team.company.uuid), str((await people.team()).company.uuid)
        sealed = pair(team.leader, 2)
        for former in (
            "the first of two",
            "",
            sealed.split("~")[0],
            seal_former_key(key, company_key=other_key, cid=cid, epoch=2),
            seal_former_key(key, company_key=other_key, cid=stranger, epoch=1),
            seal_former_key(key, company_key=other_key, cid=cid, epoch=1)[:-1],
        ):
            answer = await history.put({"passphrase": sealed, "formerKey": former}, 422)
            assert answer.json()["code"] == "passphrase_not_sealed"
            assert list(answer.json()["fields"]) == ["formerKey"]
        first = {"passphrase": pair(team.leader, 1), "formerKey": seal_former_key(
            key, company_key=other_key, cid=cid, epoch=1)}  # fmt: skip
        await history.put(first, 422)
        assert await history.listed() == []

    @pytest.mark.parametrize("epoch", ["0", "-1", "2147483648", "x", "1.5"])
    async def test_a_number_that_is_no_epoch_is_refused(self, history: History, epoch: str) -> None:
        assert (await history.get(epoch)).status_code == 422

    async def test_an_unknown_epoch_is_not_found(self, history: History) -> None:
        await history.change("the only one")
        for epoch in (1, 2, 2_147_483_647):
            assert (await history.get(epoch)).status_code == 404

    async def test_former_passphrases_of_another_company_are_never_answered(
        self, history: History, client: httpx.AsyncClient, make: Factory, people: People
    ) -> None:
        await history.change("the first of two")
        await history.change("the second of two")
        stranger = (await people.team()).leader
        foreign = History(client, stranger, await make.session(stranger, verified=True))
        assert await foreign.listed() == []
        assert (await foreign.get(1)).status_code == 404
