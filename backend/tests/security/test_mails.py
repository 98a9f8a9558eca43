"""Mails to addresses that somebody typed in: few of them, and without that person's own words."""

from typing import Any

import httpx
import pytest

from tests.factories.accounts import Factory, Outbox, User
from tests.factories.people import People
from tests.security.attacker import error_of
from tests.signup.test_invited import GUEST

EMAIL = "/api/auth/profile/email"


def links_in(mail: dict[str, Any]) -> bool:
    return (
        "evil.test" in mail["text"] or "evil.test" in mail["html"] or "evil.test" in mail["subject"]
    )


class TestToStrangers:
    async def test_mails_to_one_named_address_are_limited(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        victim = {"email_address": "victim@elsewhere.test"}
        statuses = []
        for _ in range(3):
            headers = await make.session(await make.user(), verified=True)
            for _ in range(3):
                answer = await client.post(EMAIL, json=victim, headers=headers)
                statuses.append(answer.status_code)
        assert statuses == [202] * 5 + [429] * 4
        assert error_of(answer) == (429, "too_many_mails")
        assert int(answer.headers["retry-after"]) > 0
        sent = [mail for mail in await outbox.messages() if mail["to"] == victim["email_address"]]
        assert len(sent) == 5

    @pytest.mark.parametrize("changed_settings", [{"limits": {"mails_per_account": 6}}])
    async def test_mails_to_addresses_named_by_one_account_are_limited(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        headers = await make.session(await make.user(), verified=True)
        statuses = [
            (
                await client.post(
                    EMAIL, json={"email_address": f"{number}@elsewhere.test"}, headers=headers
                )
            ).status_code
            for number in range(8)
        ]
        assert statuses == [202] * 6 + [429] * 2

    async def update(
        self, client: httpx.AsyncClient, leader: dict[str, str], member: User, **changes: str
    ) -> httpx.Response:
        body = {
            "uuid": str(member.uuid),
            "firstName": "Omar",
            "lastName": "Haddad",
            "email_address": member.email,
            "phoneNumber": member.phone_number,
            **changes,
        }
        return await client.put("/api/user", json=body, headers=leader)

    async def test_a_leader_proposes_addresses_and_phones(
        self, client: httpx.AsyncClient, people: People, make: Factory, outbox: Outbox
    ) -> None:
        """Each proposal mails the member too, so a member gets few of them."""
        team = await people.team()
        leader = await make.session(team.leader)
        statuses = []
        for number in range(4):
            for changes in (
                {"email_address": f"{number}@elsewhere.test"},
                {"phoneNumber": f"+1202555300{number}"},
            ):
                answer = await self.update(client, leader, team.member, **changes)
                statuses.append(answer.status_code)
        assert statuses == [200] * 5 + [429] * 3
        sent = [mail for mail in await outbox.messages() if mail["to"] == team.member.email]
        assert len(sent) == 5

    @pytest.mark.parametrize("changed_settings", [{"limits": {"mails_per_account": 6}}])
    async def test_a_leader_edits_many_members(
        self, client: httpx.AsyncClient, people: People, make: Factory
    ) -> None:
        team = await people.team()
        leader = await make.session(team.leader)
        members = [await people.person(team.company) for _ in range(8)]
        statuses = [
            (
                await self.update(
                    client, leader, member, email_address=f"{member.uuid.hex}@elsewhere.test"
                )
            ).status_code
            for member in members
        ]
        assert statuses == [200] * 6 + [429] * 2

    async def test_reset_mails_to_one_mailbox_are_limited(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        """The answers stay alike; the newest link in the mailbox goes on working."""
        user = await make.user()
        for _ in range(12):
            answer = await client.post(
                "/api/auth/forgot-password", json={"emailAddress": user.email}
            )
            assert answer.status_code == 202
        assert len(await outbox.messages()) == 5
        token = await outbox.token(user.email)
        state = await client.get("/api/auth/reset", params={"token": token})
        assert state.json()["state"] == "open"


class TestWordsOfOthers:
    @pytest.mark.parametrize(
        "name", ["http://evil.test", "Win at evil.test", "www.evil", "evil.test/now", "a@evil"]
    )
    async def test_a_name_with_an_address_is_refused(
        self, client: httpx.AsyncClient, make: Factory, name: str
    ) -> None:
        headers = await make.session(await make.user())
        body = {"firstName": name, "lastName": "L", "language": "en"}
        answer = await client.put("/api/auth/profile", json=body, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["fields"] == {
            "firstName": "A name cannot contain a web or email address."
        }

    @pytest.mark.parametrize(
        "name", ["J.R.", "St.John", "O'Neil-Smith", "Ayşe Nur", "عمر", "Dr. No"]
    )
    async def test_names_of_people_are_accepted(
        self, client: httpx.AsyncClient, make: Factory, name: str
    ) -> None:
        headers = await make.session(await make.user())
        body = {"firstName": name, "lastName": "L", "language": "en"}
        answer = await client.put("/api/auth/profile", json=body, headers=headers)
        assert answer.status_code == 200

    async def test_a_stranger_is_not_greeted_in_them(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user(first_name="Claim your prize")
        headers = await make.session(user, verified=True)
        victim = {"email_address": "victim@elsewhere.test"}
        await client.post(EMAIL, json=victim, headers=headers)
        mail = await outbox.newest("victim@elsewhere.test")
        assert "prize" not in mail["text"] + mail["html"] + mail["subject"]
        own = await outbox.newest(user.email)
        assert "Claim your prize" in own["text"]

    async def test_a_company_named_like_a_site_is_not_a_link(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        leader = await make.user(first_name="evil.test", last_name="http://evil.test/now")
        headers = await make.session(leader)
        company = {
            "name": "evil.test",
            "email": "office@company.test",
            "phoneNumber": "+12025550142",
            "address": {"state": "ME", "zipCode": "04101", "addressLine1": "1 Street"},
        }
        assert (await client.put("/api/company", json=company, headers=headers)).status_code == 200
        await client.post("/api/invite/users/", json=[{"email_address": GUEST}], headers=headers)
        mail = await outbox.newest(GUEST)
        assert not links_in(mail)
        assert "evil.\u2060test" in mail["text"]
