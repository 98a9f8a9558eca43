import asyncio
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Company, Factory, Outbox, User
from tests.signup.signup import PHONE, Signup, new_person

GUEST = "omar@harbour.test"


@dataclass
class Invitation:
    signup: Signup
    leader: User
    leader_headers: dict[str, str]
    token: str

    @property
    def company(self) -> Company:
        return self.leader.company

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Invite-Token": self.token}

    def person(self, **changes: Any) -> dict[str, Any]:
        return new_person(self.company.uuid, **changes)

    async def register(self, person: dict[str, Any]) -> httpx.Response:
        return await self.signup.client.post(
            "/api/auth/register", params={"token": self.token}, json=person
        )


@pytest.fixture
async def invitation(signup: Signup, make: Factory, outbox: Outbox) -> Invitation:
    leader = await make.user()
    headers = await make.session(leader)
    await signup.client.post("/api/invite/users/", json=[{"email_address": GUEST}], headers=headers)
    return Invitation(signup, leader, headers, await outbox.token(GUEST))


class TestRegister:
    @pytest.mark.spec("7.3")
    async def test_makes_a_member_and_a_session(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        person = invitation.person()
        answer = await invitation.register(person)
        assert answer.status_code == 200, answer.text
        assert answer.json().keys() == {"access_token", "user"}
        user = answer.json()["user"]
        assert (user["uuid"], user["email_address"], user["role"], user["companyUuid"]) == (
            person["uuid"], GUEST, "teamMember", str(invitation.company.uuid),
        )  # fmt: skip
        assert (user["phoneNumber"], user["emailConfirmed"]) == (PHONE, True)
        bearer = {"Authorization": f"Bearer {answer.json()['access_token']}"}
        again = await invitation.signup.client.get("/api/auth/login-token", headers=bearer)
        assert again.json()["sealedUserKey"] == person["userKey"]
        assert await platform.fetchval("SELECT state FROM invites") == "used"
        actions = await platform.fetch("SELECT action FROM activity")
        assert "member.registered" in {row["action"] for row in actions}

    async def test_registered_member_logs_in_afterwards(self, invitation: Invitation) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        person = invitation.person()
        await invitation.register(person)
        login = await invitation.signup.client.post(
            "/api/auth/login-onboard",
            json={"emailAddress": GUEST, "password": person["password"]},
        )
        assert login.status_code == 200

    async def test_where_single_sign_on_is_required_no_session_opens(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        await platform.execute(
            "UPDATE companies SET sso_required = true WHERE id = $1", invitation.company.id
        )
        await invitation.signup.verify_phone(invitation.headers)
        person = invitation.person()
        answer = await invitation.register(person)
        assert (answer.status_code, answer.json()) == (200, {"access_token": None, "user": None})
        assert "set-cookie" not in answer.headers
        assert await platform.fetchval("SELECT state FROM invites") == "used"
        row = await platform.fetchrow(
            "SELECT uuid::text, is_active FROM users WHERE email = $1", GUEST
        )
        assert tuple(row or ()) == (person["uuid"], True)
        login = await invitation.signup.client.post(
            "/api/auth/login-onboard",
            json={"emailAddress": GUEST, "password": person["password"]},
        )
        assert (login.status_code, login.json()["code"]) == (403, "sso_required")

    @pytest.mark.spec("4.19")
    async def test_the_phone_comes_first(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        answer = await invitation.register(invitation.person())
        assert (answer.status_code, answer.json()["code"]) == (409, "phone_not_verified")
        assert await platform.fetchval("SELECT state FROM invites") == "open"

    async def test_a_phone_verified_for_somebody_else_counts_for_nothing(
        self, invitation: Invitation
    ) -> None:
        await invitation.signup.ready()
        answer = await invitation.register(invitation.person())
        assert answer.json()["code"] == "phone_not_verified"

    @pytest.mark.spec("4.21")
    async def test_changing_the_phone_and_back(self, invitation: Invitation) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        other = await invitation.register(invitation.person(phoneNumber="+12025550143"))
        assert other.json()["code"] == "phone_not_verified"
        assert (await invitation.register(invitation.person())).status_code == 200

    async def test_two_at_once_make_one_account(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        answers = await asyncio.gather(
            *(invitation.register(invitation.person()) for _ in range(4))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert {a.json()["code"] for a in answers if a.status_code == 409} == {"invite_used"}
        count = "SELECT count(*) FROM users WHERE role = 'teamMember'"
        assert await platform.fetchval(count) == 1

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ("expires_at = now()", "invite_expired"),
            ("state = 'cancelled', ended_at = now()", "invite_cancelled"),
            ("state = 'used', ended_at = now()", "invite_used"),
        ],
    )
    async def test_an_invitation_that_has_ended(
        self, invitation: Invitation, platform: Connection, change: str, code: str
    ) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        await platform.execute(f"UPDATE invites SET {change}")
        answer = await invitation.register(invitation.person())
        assert (answer.status_code, answer.json()["code"]) == (409, code)
        sent = await invitation.signup.send(invitation.headers, "+12025550143")
        assert sent.json()["code"] == code

    async def test_unknown_invitation_is_refused(self, signup: Signup, make: Factory) -> None:
        person = new_person((await make.company()).uuid)
        answer = await signup.client.post(
            "/api/auth/register", params={"token": "x" * 43}, json=person
        )
        assert (answer.status_code, answer.json()["code"]) == (404, "invite_not_found")

    async def test_an_address_with_an_account_elsewhere(
        self, invitation: Invitation, make: Factory, platform: Connection
    ) -> None:
        await make.user(email=GUEST)
        await invitation.signup.verify_phone(invitation.headers)
        answer = await invitation.register(invitation.person())
        assert (answer.status_code, answer.json()["code"]) == (409, "address_in_use")
        assert await platform.fetchval("SELECT state FROM invites") == "open"

    async def test_an_id_that_exists(self, invitation: Invitation, platform: Connection) -> None:
        from tessera_core.kdf import salt_from_text
        from tests.factories.accounts import sealed_user_key

        await invitation.signup.verify_phone(invitation.headers)
        person = invitation.person(uuid=str(invitation.leader.uuid))
        person["userKey"] = sealed_user_key(
            invitation.leader.uuid, invitation.company.uuid, salt_from_text(person["salt"])
        )
        answer = await invitation.register(person)
        assert (answer.status_code, answer.json()["code"]) == (409, "uuid_taken")
        assert await platform.fetchval("SELECT state FROM invites") == "open"

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("firstName", ""),
            ("lastName", " "),
            ("phoneNumber", "2025550142"),
            ("password", "correct horse battery"),
            ("password", ""),
            ("salt", "short"),
            ("userKey", "my key"),
            ("uuid", "omar"),
            ("role", "teamLeader"),
            ("email_address", "other@harbour.test"),
        ],
    )
    async def test_invited_member_with_an_invalid_field_is_refused(
        self, invitation: Invitation, field: str, value: str
    ) -> None:
        answer = await invitation.register(invitation.person(**{field: value}))
        assert answer.status_code == 422
        assert field in answer.json()["fields"]

    async def test_keys_made_for_another_company(
        self, invitation: Invitation, make: Factory
    ) -> None:
        other = new_person((await make.company()).uuid)
        answer = await invitation.register(other)
        assert (answer.status_code, answer.json()["code"]) == (422, "envelope_malformed")

    async def test_a_disabled_company_takes_nobody(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        await platform.execute("UPDATE companies SET is_enabled = false WHERE id <> 1")
        assert (await invitation.register(invitation.person())).json()["code"] == "invite_cancelled"


class TestAskForInvitation:
    async def test_mails_the_leader_once_a_day(
        self, invitation: Invitation, platform: Connection, outbox: Outbox
    ) -> None:
        await platform.execute("UPDATE invites SET expires_at = now()")
        body = {"token": invitation.token}
        asked = await invitation.signup.client.post("/api/auth/invite/ask", json=body)
        assert asked.status_code == 202
        assert GUEST in (await outbox.newest(invitation.leader.email))["text"]
        again = await invitation.signup.client.post("/api/auth/invite/ask", json=body)
        assert again.status_code == 429
