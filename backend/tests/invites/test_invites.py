import asyncio
from uuid import uuid4

import asyncpg
import httpx
import pytest

from tessera.invites import links
from tessera.invites.errors import InviteUsed
from tessera.kit.database import Connection, Database
from tessera.kit.i18n import Language
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team()


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader)


async def invite(
    client: httpx.AsyncClient, headers: dict[str, str], *addresses: str
) -> dict[str, str]:
    body = [{"email_address": address} for address in addresses]
    answer = await client.post("/api/invite/users/", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return {result["email_address"]: result["state"] for result in answer.json()}


async def state(client: httpx.AsyncClient, token: str) -> httpx.Response:
    return await client.get("/api/auth/invite", params={"token": token})


class TestInvite:
    @pytest.mark.spec("7.32")
    async def test_invited_addresses_get_an_answer_each(
        self, client: httpx.AsyncClient, team: Team, leader: dict[str, str]
    ) -> None:
        assert await invite(client, leader, "invited@x.test") == {"invited@x.test": "invited"}
        assert await invite(
            client,
            leader,
            "new@x.test",
            " other@X.test ",
            "INVITED@x.test",
            team.member.email.upper(),
            "no address",
            "a@b@c",
        ) == {
            "new@x.test": "invited",
            "other@x.test": "invited",
            "INVITED@x.test": "alreadyInvited",
            team.member.email.upper().replace("COMPANY.TEST", "company.test"): "alreadyMember",
            "no address": "invalid",
            "a@b@c": "invalid",
        }

    async def test_address_twice_in_one_list_is_invited_once(
        self, client: httpx.AsyncClient, leader: dict[str, str], outbox: Outbox
    ) -> None:
        body = [{"email_address": "a@x.test"}, {"email_address": "A@x.test"}]
        answer = await client.post("/api/invite/users/", json=body, headers=leader)
        assert [result["state"] for result in answer.json()] == ["invited", "alreadyInvited"]
        assert len(await outbox.messages()) == 1

    async def test_the_mail_speaks_the_inviter_s_language(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        for language, subject in [
            (Language.EN, "{} invites you to Tessera"),
            (Language.TR, "{} sizi Tessera’ya davet ediyor"),
            (Language.AR, "تدعوك {} إلى Tessera"),
        ]:
            await platform.execute("UPDATE users SET language = $1", language)
            await invite(client, await make.session(team.leader), f"{language}@x.test")
            mail = await outbox.newest(f"{language}@x.test")
            assert mail["subject"] == subject.format(team.name)
            assert mail["link"].startswith("http://console.test/register?token=")
            assert "{" not in mail["text"]

    async def test_a_stranger_s_address_is_accepted_and_only_its_owner_is_notified(
        self,
        client: httpx.AsyncClient,
        people: People,
        leader: dict[str, str],
        outbox: Outbox,
    ) -> None:
        stranger = (await people.team()).member
        assert await invite(client, leader, stranger.email) == {stranger.email: "invited"}
        mail = await outbox.newest(stranger.email)
        assert mail["link"] is None
        assert "already has a Tessera account" in mail["text"]
        listed = (await client.get("/api/invites", headers=leader)).json()
        assert stranger.email in [row["email_address"] for row in listed["item1"]]

    @pytest.mark.spec("7.33")
    async def test_inviting_one_address_again_sends_a_new_link(
        self,
        client: httpx.AsyncClient,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        await invite(client, leader, "a@x.test")
        old = await outbox.token("a@x.test")
        key = await platform.fetchval("SELECT key FROM invites WHERE email = 'a@x.test'")
        await platform.execute("UPDATE invites SET expires_at = now()")
        assert await invite(client, leader, "a@x.test") == {"a@x.test": "invited"}
        new = await outbox.token("a@x.test")
        assert (await state(client, old)).status_code == 404
        assert (await state(client, new)).json()["state"] == "open"
        row = await platform.fetchrow("SELECT * FROM invites WHERE email = 'a@x.test'")
        assert row is not None
        assert row["key"] == key

    @pytest.mark.parametrize("changed_settings", [{"limits": {"invites": 3}}])
    async def test_a_company_cannot_flood_the_post(
        self, client: httpx.AsyncClient, leader: dict[str, str], platform: Connection
    ) -> None:
        await invite(client, leader, "a@x.test", "b@x.test")
        body = [{"email_address": "c@x.test"}, {"email_address": "d@x.test"}]
        refused = await client.post("/api/invite/users/", json=body, headers=leader)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_invites")
        assert int(refused.headers["retry-after"]) > 80_000
        assert not await platform.fetchval("SELECT true FROM invites WHERE email = 'c@x.test'")
        assert await platform.fetchval("SELECT count(*) FROM messages") == 2
        # A refused invitation was not sent and does not count.
        assert await invite(client, leader, "c@x.test") == {"c@x.test": "invited"}

    @pytest.mark.parametrize("changed_settings", [{"limits": {"invites_per_address": 2}}])
    async def test_one_stranger_is_not_invited_more_often_than_allowed(
        self, client: httpx.AsyncClient, leader: dict[str, str], make: Factory, people: People
    ) -> None:
        await invite(client, leader, "a@x.test")
        await invite(client, leader, "a@x.test")
        body = [{"email_address": "A@x.test"}]
        refused = await client.post("/api/invite/users/", json=body, headers=leader)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_invites")
        other = await make.session((await people.team()).leader)
        assert await invite(client, other, "a@x.test") == {"a@x.test": "invited"}

    async def test_an_expired_one_in_a_list_is_renewed(
        self, client: httpx.AsyncClient, people: People, team: Team, leader: dict[str, str]
    ) -> None:
        await people.invite(team.company, "old@x.test", days_left=-1)
        assert await invite(client, leader, "old@x.test", "b@x.test") == {
            "old@x.test": "invited",
            "b@x.test": "invited",
        }

    @pytest.mark.parametrize(
        "body",
        [
            [], {}, None, [{}], [{"email": "a@x.test"}], ["a@x.test"],
            [{"email_address": "a@x.test", "role": "teamLeader"}],
            [{"email_address": "x" * 400}],
        ],
        ids=str,
    )  # fmt: skip
    async def test_what_is_no_list_of_addresses_is_422(
        self, client: httpx.AsyncClient, leader: dict[str, str], body: object
    ) -> None:
        answer = await client.post("/api/invite/users/", json=body, headers=leader)
        assert answer.status_code == 422

    async def test_invited_twice_at_once_it_is_one_invite(
        self, client: httpx.AsyncClient, leader: dict[str, str], platform: Connection
    ) -> None:
        lists = [["a@x.test", f"{n}@x.test"] for n in range(4)]
        answers = await asyncio.gather(*(invite(client, leader, *each) for each in lists))
        states = sorted(answer["a@x.test"] for answer in answers)
        assert states == ["alreadyInvited"] * 3 + ["invited"]
        assert await platform.fetchval("SELECT count(*) FROM invites WHERE email = 'a@x.test'") == 1


class TestFiveHundred:
    async def test_five_hundred_invites_are_one_transaction_and_wait_in_the_queue(
        self,
        client: httpx.AsyncClient,
        leader: dict[str, str],
        platform: Connection,
        urls: object,
    ) -> None:
        addresses = [f"person{number}@x.test" for number in range(500)]
        results = await invite(client, leader, *addresses)
        assert set(results.values()) == {"invited"}
        counted = await platform.fetchrow(
            "SELECT count(DISTINCT i.xmin::text) AS transactions, count(*) AS invites,"
            " count(m.sealed) AS waiting, count(DISTINCT i.token_hash) AS tokens"
            " FROM invites i JOIN messages m ON m.id = i.message_id"
        )
        assert counted is not None
        assert dict(counted) == {
            "transactions": 1, "invites": 500, "waiting": 500, "tokens": 500,
        }  # fmt: skip
        owner = await asyncpg.connect(urls.superuser)  # type: ignore[attr-defined]
        queued = await owner.fetchval(
            "SELECT count(*) FROM dbos.workflow_status WHERE queue_name = 'email'"
        )
        await owner.close()
        assert queued == 500
        assert (
            await platform.fetchval(
                "SELECT details->>'count' FROM activity WHERE action = 'members.invited'"
            )
            == "500"
        )

    async def test_a_failure_in_the_middle_leaves_nothing(
        self,
        client: httpx.AsyncClient,
        leader: dict[str, str],
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        async def fails(*_: object, **__: object) -> None:
            raise RuntimeError("connection lost")

        monkeypatch.setattr("tessera.invites.queries.put_invites", fails)
        with pytest.raises(AssertionError, match="internal_error"):
            await invite(client, leader, "a@x.test", "b@x.test")
        assert await platform.fetchval("SELECT count(*) FROM messages") == 0

    async def test_more_than_two_thousand_invites_are_refused(
        self, client: httpx.AsyncClient, leader: dict[str, str]
    ) -> None:
        body = [{"email_address": f"{number}@x.test"} for number in range(2_001)]
        answer = await client.post("/api/invite/users/", json=body, headers=leader)
        assert answer.status_code == 422


class TestProgress:
    async def test_counts_the_newest_list(
        self, client: httpx.AsyncClient, leader: dict[str, str], platform: Connection
    ) -> None:
        async def progress() -> dict[str, int]:
            answer = await client.get("/api/invites/progress", headers=leader)
            progressed: dict[str, int] = answer.json()
            return progressed

        await platform.execute("DELETE FROM invites")
        assert await progress() == {"total": 0, "sent": 0, "failed": 0}
        await invite(client, leader, "a@x.test", "b@x.test", "c@x.test")
        assert await progress() == {"total": 3, "sent": 0, "failed": 0}
        await platform.execute(
            "UPDATE messages SET sent_at = now(), sealed = NULL"
            " WHERE id = (SELECT min(id) FROM messages)"
        )
        await platform.execute(
            "UPDATE messages SET failed_at = now(), sealed = NULL"
            " WHERE id = (SELECT max(id) FROM messages)"
        )
        assert await progress() == {"total": 3, "sent": 1, "failed": 1}
        # Unsent invitations of an older list count towards the newer one.
        await invite(client, leader, "d@x.test")
        assert await progress() == {"total": 2, "sent": 0, "failed": 0}


class TestCancel:
    @pytest.mark.spec("7.34")
    async def test_the_link_says_so_and_the_address_may_be_invited_again(
        self, client: httpx.AsyncClient, leader: dict[str, str], outbox: Outbox, people: People
    ) -> None:
        await invite(client, leader, "a@x.test")
        token = await outbox.token("a@x.test")
        listed = (await client.get("/api/invites", headers=leader)).json()["item1"]
        path = f"/api/invite/{listed[0]['key']}"
        assert (await client.delete(path, headers=leader)).status_code == 204
        assert (await client.delete(path, headers=leader)).status_code == 404
        assert (await state(client, token)).json()["state"] == "cancelled"
        again = await invite(client, leader, "a@x.test", "b@x.test")
        assert again["a@x.test"] == "invited"
        assert (await state(client, token)).json()["state"] == "cancelled"

    @pytest.mark.spec("3.7")
    async def test_the_key_is_not_the_token(
        self, client: httpx.AsyncClient, leader: dict[str, str], outbox: Outbox
    ) -> None:
        await invite(client, leader, "a@x.test")
        listed = await client.get("/api/invites", headers=leader)
        assert await outbox.token("a@x.test") not in listed.text
        assert (await state(client, listed.json()["item1"][0]["key"])).status_code == 404


class TestCancelledOnes:
    async def listed(
        self, client: httpx.AsyncClient, headers: dict[str, str], state: str = "cancelled"
    ) -> list[tuple[str, str]]:
        query: dict[str, str | int] = {"filter": f"state:matches:{state}", "limit": 100}
        page = (await client.get("/api/invites", params=query, headers=headers)).json()
        assert page["item2"] == len(page["item1"])
        return [(row["email_address"], row["state"]) for row in page["item1"]]

    async def cancel(
        self, client: httpx.AsyncClient, headers: dict[str, str], address: str
    ) -> None:
        rows = (await client.get("/api/invites?limit=100", headers=headers)).json()["item1"]
        (key,) = [row["key"] for row in rows if row["email_address"] == address]
        assert (await client.delete(f"/api/invite/{key}", headers=headers)).status_code == 204

    @pytest.mark.spec("7.31")
    async def test_cancelled_invites_are_listed_when_the_filter_asks_for_them(
        self, client: httpx.AsyncClient, leader: dict[str, str]
    ) -> None:
        await invite(client, leader, "a@x.test", "b@x.test")
        await self.cancel(client, leader, "a@x.test")
        assert await self.listed(client, leader) == [("a@x.test", "cancelled")]
        assert ("a@x.test", "cancelled") not in await self.listed(client, leader, "open")
        unfiltered = (await client.get("/api/invites?limit=100", headers=leader)).json()
        assert "a@x.test" not in [row["email_address"] for row in unfiltered["item1"]]

    async def test_sent_again_it_has_a_new_link_and_is_no_longer_cancelled(
        self,
        client: httpx.AsyncClient,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        await invite(client, leader, "a@x.test", "b@x.test")
        old = await outbox.token("a@x.test")
        await self.cancel(client, leader, "a@x.test")
        assert await invite(client, leader, "a@x.test") == {"a@x.test": "invited"}
        new = await outbox.token("a@x.test")
        assert (await state(client, old)).json()["state"] == "cancelled"
        assert (await state(client, new)).json()["state"] == "open"
        assert await self.listed(client, leader) == []
        resent = await platform.fetchval(
            "SELECT target FROM activity WHERE action = 'invite.resent'"
        )
        assert resent == "a@x.test"

    async def test_cancelled_twice_it_is_listed_once(
        self, client: httpx.AsyncClient, leader: dict[str, str]
    ) -> None:
        for _ in range(2):
            await invite(client, leader, "a@x.test")
            await self.cancel(client, leader, "a@x.test")
        assert await self.listed(client, leader) == [("a@x.test", "cancelled")]

    async def test_a_member_s_address_is_not_listed(
        self, client: httpx.AsyncClient, leader: dict[str, str], people: People, team: Team
    ) -> None:
        await invite(client, leader, "a@x.test")
        await self.cancel(client, leader, "a@x.test")
        await people.person(team.company, email="a@x.test")
        assert await self.listed(client, leader) == []


class TestLink:
    async def test_says_where_it_stands(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        await invite(client, leader, "a@x.test")
        token = await outbox.token("a@x.test")
        assert (await state(client, token)).json() == {
            "state": "open",
            "email_address": "a@x.test",
            "companyName": team.name,
            "companyUuid": str(team.company.uuid),
        }
        for change, expected in [
            ("UPDATE invites SET expires_at = now()", "expired"),
            ("UPDATE companies SET is_enabled = false WHERE id <> 1", "cancelled"),
            ("UPDATE invites SET state = 'used', ended_at = now()", "used"),
        ]:
            await platform.execute(change)
            assert (await state(client, token)).json()["state"] == expected
        unknown = await state(client, "x" * 43)
        assert (unknown.status_code, unknown.json()["code"]) == (404, "invite_not_found")

    async def test_taken_twice_at_once_it_is_used_once(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        app: object,
        platform: Connection,
    ) -> None:
        await invite(client, leader, "a@x.test")
        invite_id = await platform.fetchval("SELECT id FROM invites WHERE email = 'a@x.test'")
        database: Database = app.state.resources.database  # type: ignore[attr-defined]

        async def take() -> str:
            async with database.tenant(team.company.id) as connection:
                try:
                    await links.take_invite(connection, invite_id)
                except InviteUsed:
                    return "used"
            return "taken"

        assert sorted(await asyncio.gather(*(take() for _ in range(4)))) == [
            "taken", "used", "used", "used",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("change", "link"),
        [
            ("expires_at = now()", "/team-members?tab=1\n"),
            (
                "state = 'cancelled', ended_at = now()",
                "/team-members?tab=1&filter=state:matches:cancelled\n",
            ),
        ],
        ids=["expired", "cancelled"],
    )
    async def test_the_leader_is_asked_for_a_new_one_once_a_day(
        self,
        client: httpx.AsyncClient,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
        change: str,
        link: str,
    ) -> None:
        await invite(client, leader, "a@x.test")
        body = {"token": await outbox.token("a@x.test")}
        await platform.execute(f"UPDATE invites SET {change}")
        asked = await client.post("/api/auth/invite/ask", json=body)
        assert asked.status_code == 202
        text = (await outbox.newest(team.leader.email))["text"]
        assert "a@x.test" in text
        assert link in text
        again = await client.post("/api/auth/invite/ask", json=body)
        assert (again.status_code, again.json()["code"]) == (429, "too_many_tries")


class TestResendMany:
    async def test_resent_invites_get_a_new_link_and_a_record_each(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        await invite(client, leader, "a@x.test")
        old = await outbox.token("a@x.test")
        expired = await people.invite(team.company, "b@x.test", days_left=-1)
        keys = [await key_of(platform, "a@x.test"), str(expired)]
        answer = await client.post("/api/invites/resend", json={"keys": keys}, headers=leader)
        assert answer.status_code == 204
        assert (await state(client, old)).status_code == 404
        for address in ("a@x.test", "b@x.test"):
            current = await state(client, await outbox.token(address))
            assert (current.json()["email_address"], current.json()["state"]) == (address, "open")
        rows = await platform.fetch(
            "SELECT target FROM activity WHERE action = 'invite.resent' ORDER BY id"
        )
        assert [row["target"] for row in rows] == ["a@x.test", "b@x.test"]

    async def test_invite_that_cannot_be_resent_refuses_all(
        self,
        client: httpx.AsyncClient,
        people: People,
        team: Team,
        leader: dict[str, str],
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        foreign = (await people.team()).invite
        await invite(client, leader, "used@x.test")
        await platform.execute(
            "UPDATE invites SET state = 'used', ended_at = now() WHERE email = 'used@x.test'"
        )
        used = await key_of(platform, "used@x.test")
        sent = len(await outbox.messages())
        for wrong, status, code in [
            (str(foreign), 404, "invite_not_found"),
            (str(uuid4()), 404, "invite_not_found"),
            (used, 409, "invite_used"),
        ]:
            body = {"keys": [str(team.invite), wrong]}
            answer = await client.post("/api/invites/resend", json=body, headers=leader)
            assert (answer.status_code, answer.json()["code"]) == (status, code)
        for keys in ([], [str(uuid4()) for _ in range(101)]):
            answer = await client.post("/api/invites/resend", json={"keys": keys}, headers=leader)
            assert answer.status_code == 422
        assert len(await outbox.messages()) == sent


async def key_of(platform: Connection, address: str) -> str:
    return str(await platform.fetchval("SELECT key FROM invites WHERE email = $1", address))
