"""Guests without the registration password ask for access; platform admins decide."""

from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tessera.signup import access_requests
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People
from tests.signup.signup import Signup

EMAIL = "grace@harbour.test"
REQUEST = {"name": "Grace Hopper", "companyName": "Harbour Ltd", "emailAddress": EMAIL}


class Guest:
    """A guest who asks for access, and the admin who answers."""

    def __init__(self, client: httpx.AsyncClient, headers: dict[str, str], outbox: Outbox) -> None:
        self.client = client
        self.headers = headers
        self.outbox = outbox

    async def ask(self, **changes: str) -> httpx.Response:
        return await self.client.post("/api/auth/request-access", json={**REQUEST, **changes})

    async def requests(self, **query: str) -> list[dict[str, Any]]:
        answer = await self.client.get("/api/access-requests", params=query, headers=self.headers)
        rows: list[dict[str, Any]] = answer.json()["item1"]
        return rows

    async def decide(self, decision: str) -> httpx.Response:
        request_id = (await self.requests())[0]["id"]
        return await self.client.post(
            f"/api/access-requests/{request_id}/{decision}", headers=self.headers
        )

    async def link(self) -> str:
        """The token of the newest mailed link."""
        mail = await self.outbox.newest(EMAIL)
        return str(mail["link"]).partition("/signup?token=")[2]

    async def exchange(self, token: str | None) -> httpx.Response:
        return await self.client.post("/api/auth/signup-ticket", json={"token": token})

    async def actions(self) -> list[str]:
        answer = await self.client.get("/api/activity", headers=self.headers)
        return [row["action"] for row in answer.json()["item1"]]


@pytest.fixture
async def guest(client: httpx.AsyncClient, make: Factory, people: People, outbox: Outbox) -> Guest:
    return Guest(client, await make.session(await people.admin()), outbox)


class TestRequest:
    async def test_access_request_is_listed_for_the_admin_and_recorded(self, guest: Guest) -> None:
        assert (await guest.ask()).status_code == 202
        [row] = await guest.requests()
        assert {name: row[name] for name in REQUEST} == REQUEST
        assert (row["state"], row["decidedAt"], row["expiresAt"]) == ("open", None, None)
        assert await guest.actions() == ["access.requested"]

    async def test_answers_the_same_for_every_address(self, guest: Guest, make: Factory) -> None:
        known = await make.user()
        answers = [
            await guest.ask(),
            await guest.ask(),
            await guest.ask(emailAddress=EMAIL.upper()),
            await guest.ask(emailAddress=known.email),
        ]
        assert {(answer.status_code, answer.text) for answer in answers} == {(202, "null")}
        assert len(await guest.requests()) == 2
        assert [mail["to"] for mail in await guest.outbox.messages()] == [EMAIL, known.email]

    async def test_asker_gets_a_mail_that_repeats_none_of_their_words(self, guest: Guest) -> None:
        await guest.ask()
        mail = await guest.outbox.newest(EMAIL)
        assert mail["subject"] == "We received your request"
        assert not {"Grace", "Harbour"} & set(str(mail["text"]).split())

    @pytest.mark.parametrize("changed_settings", [{"limits": {"access_requests": 2}}])
    async def test_access_requests_are_limited_per_origin(self, guest: Guest) -> None:
        answers = [await guest.ask(emailAddress=f"{n}@harbour.test") for n in range(3)]
        assert [answer.status_code for answer in answers] == [202, 202, 429]

    async def test_access_requests_are_limited_per_address(self, guest: Guest) -> None:
        answers = [await guest.ask() for _ in range(6)]
        assert [answer.status_code for answer in answers] == [202] * 5 + [429]

    @pytest.mark.parametrize(
        "change",
        [{"name": ""}, {"name": "www.evil.test"}, {"companyName": " "}, {"emailAddress": "x"}],
    )
    async def test_access_request_needs_all_fields(
        self, guest: Guest, change: dict[str, str]
    ) -> None:
        answer = await guest.ask(**change)
        assert (answer.status_code, list(answer.json()["fields"])) == (422, list(change))

    async def test_access_request_is_found_by_search_and_state(self, guest: Guest) -> None:
        await guest.ask()
        assert len(await guest.requests(searchText="HARBOUR l")) == 1
        assert await guest.requests(searchText="nobody") == []
        assert await guest.requests(filter="state:matches:approved") == []


class TestDigest:
    async def test_admins_are_told_once_of_new_requests(
        self, guest: Guest, people: People, signup: Signup
    ) -> None:
        colleague = await people.admin()
        await guest.ask()
        await guest.ask(emailAddress="second@harbour.test")
        await access_requests.tell_admins(signup.resources)
        mail = await guest.outbox.newest(colleague.email)
        assert "came since the last email: 2." in str(mail["text"])
        assert str(mail["link"]).endswith("/admin/access-requests")
        before = len(await guest.outbox.messages())
        await access_requests.tell_admins(signup.resources)
        assert len(await guest.outbox.messages()) == before

    async def test_admins_are_not_told_of_decided_requests(
        self, guest: Guest, signup: Signup
    ) -> None:
        await guest.ask()
        await guest.decide("decline")
        await access_requests.tell_admins(signup.resources)
        assert {mail["to"] for mail in await guest.outbox.messages()} == {EMAIL}


class TestApprove:
    async def test_mails_a_link_that_gives_a_ticket(self, guest: Guest) -> None:
        await guest.ask()
        answer = await guest.decide("approve")
        assert answer.json()["state"] == "approved"
        token = await guest.link()
        assert token not in answer.text
        assert (await guest.exchange(token)).json()["expiresIn"] == 3600
        assert await guest.actions() == ["access.approved", "access.requested"]

    async def test_second_approval_replaces_the_link(self, guest: Guest) -> None:
        await guest.ask()
        await guest.decide("approve")
        former = await guest.link()
        await guest.decide("approve")
        assert (await guest.exchange(former)).json()["code"] == "access_link_invalid"
        assert (await guest.exchange(await guest.link())).status_code == 200

    async def test_link_of_an_approval_expires(self, guest: Guest, platform: Connection) -> None:
        await guest.ask()
        await guest.decide("approve")
        await platform.execute("UPDATE access_requests SET expires_at = now()")
        assert (await guest.exchange(await guest.link())).status_code == 403

    async def test_a_new_ticket_ends_the_one_before(self, guest: Guest, signup: Signup) -> None:
        await guest.ask()
        await guest.decide("approve")
        token = await guest.link()
        first, second = [(await guest.exchange(token)).json()["ticket"] for _ in range(2)]
        assert (await signup.send({"X-Signup-Ticket": first})).status_code == 403
        assert (await signup.send({"X-Signup-Ticket": second})).status_code == 200


class TestDecline:
    async def test_declining_tells_the_asker_once_and_ends_the_link(
        self, guest: Guest, signup: Signup
    ) -> None:
        await guest.ask()
        await guest.decide("approve")
        token = await guest.link()
        ticket = (await guest.exchange(token)).json()["ticket"]
        sent = len(await guest.outbox.messages())
        assert (await guest.decide("decline")).json()["state"] == "declined"
        assert (await guest.outbox.newest(EMAIL))["subject"] == "About your request for access"
        await guest.decide("decline")
        assert len(await guest.outbox.messages()) == sent + 1
        assert (await guest.exchange(token)).status_code == 403
        assert (await signup.send({"X-Signup-Ticket": ticket})).status_code == 403
        assert (await guest.actions())[0] == "access.declined"

    async def test_declined_access_request_can_be_approved(self, guest: Guest) -> None:
        await guest.ask()
        await guest.decide("decline")
        assert (await guest.decide("approve")).json()["state"] == "approved"


class TestSingleUse:
    async def test_the_link_registers_one_company(self, guest: Guest, signup: Signup) -> None:
        await guest.ask()
        await guest.decide("approve")
        token = await guest.link()
        ticket = {"X-Signup-Ticket": (await guest.exchange(token)).json()["ticket"]}
        await signup.verify_phone(ticket)
        answer = await signup.register(ticket, await signup.payload())
        assert answer.status_code == 200, answer.text
        assert (await guest.requests())[0]["state"] == "used"
        assert (await guest.exchange(token)).json()["code"] == "access_link_invalid"
        assert (await guest.decide("approve")).json()["code"] == "access_request_used"


class TestOpenRegistration:
    async def test_open_registration_is_off_by_default(self, guest: Guest) -> None:
        assert (await guest.exchange(None)).json()["code"] == "signup_ticket_needed"
        assert (await guest.client.get("/api/config")).json()["openRegistration"] is False

    @pytest.mark.parametrize("changed_settings", [{"open_registration": True}])
    async def test_gives_everyone_a_ticket(self, guest: Guest, signup: Signup) -> None:
        ticket = (await guest.exchange(None)).json()["ticket"]
        assert (await signup.send({"X-Signup-Ticket": ticket})).status_code == 200
        assert (await guest.client.get("/api/config")).json()["openRegistration"] is True


async def test_decided_requests_are_deleted_after_90_days(
    guest: Guest, platform: Connection
) -> None:
    await guest.ask()
    await guest.ask(emailAddress="other@harbour.test")
    await guest.decide("decline")
    await platform.execute(
        "UPDATE access_requests SET decided_at = decided_at - interval '91 days'"
    )
    await platform.execute("SELECT purge_expired_guests()")
    assert len(await guest.requests()) == 1
