from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.auth.test_passwords import new_password
from tests.factories.accounts import Factory, Outbox, User
from tests.security.attacker import alive, error_of, snapshot

ATTACKER = "leader@evil.test"


class TestLeaderWantsAMembersAccount:
    async def test_changes_the_address_and_resets(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        leader = await make.user()
        member = await make.user(leader.company, "teamMember")
        headers = await make.session(leader, verified=True)
        form = {
            "uuid": str(member.uuid),
            "firstName": "Ada",
            "lastName": "Lindqvist",
            "email_address": ATTACKER,
            "phoneNumber": "+12025550166",
        }
        changed = await client.put("/api/user", json=form, headers=headers)
        assert changed.json()["email_address"] == member.email
        for address in (ATTACKER, member.email):
            await client.post("/api/auth/forgot-password", json={"emailAddress": address})
        mails = [mail for mail in await outbox.messages() if "reset-password" in str(mail["link"])]
        assert [mail["to"] for mail in mails] == [member.email]
        # The link sent to the new address is useless to its recipient.
        token = await outbox.token(ATTACKER)
        confirmed = await client.post(
            "/api/auth/confirm-email", json={"token": token}, headers=headers
        )
        assert error_of(confirmed) == (403, "link_of_another_account")
        # The member's own session alone does not confirm it either.
        unverified = await make.session(member)
        link = await client.get(
            "/api/auth/confirm-email", params={"token": token}, headers=unverified
        )
        assert link.json() == {
            "currentEmailAddress": member.email,
            "newEmailAddress": ATTACKER,
            "isChange": True,
        }
        confirmed = await client.post(
            "/api/auth/confirm-email", json={"token": token}, headers=unverified
        )
        assert error_of(confirmed) == (403, "verification_required")
        reset = await client.post(
            "/api/auth/reset-password", json={"token": token, **new_password(member)}
        )
        assert error_of(reset) == (404, "link_unknown")
        sent = await client.post("/api/auth/login-onboard", json=member.credentials)
        assert sent.json()["sentTo"].endswith(member.phone_number[-2:])
        row = await platform.fetchrow("SELECT * FROM users WHERE id = $1", member.id)
        assert row is not None
        assert (row["email"], row["phone_number"]) == (member.email, member.phone_number)


class TestTheLeaderStays:
    @pytest.fixture
    async def leader(self, make: Factory) -> User:
        return await make.user()

    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("PUT", "/user/status/{leader}", {"enabled": False}),
            ("PUT", "/user/status/{leader}", None),
            ("DELETE", "/user/{leader}", None),
            ("PUT", "/user/team-leader/{leader}", None),
            ("PUT", "/user/team-leader?companyId={company}&userId={leader}", None),
            ("PUT", "/user", {"uuid": "{leader}", "role": "teamMember"}),
        ],
    )
    async def test_disable_delete_and_demote(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        leader: User,
        platform: Connection,
        method: str,
        path: str,
        body: Any,
    ) -> None:
        """Tried by the leader, by a member and by an admin."""
        member = await make.user(leader.company, "teamMember")
        admin = await make.user(role="admin")
        named = {"leader": leader.uuid, "company": leader.company.id}
        if body and "uuid" in body:
            body = {**body, "uuid": str(leader.uuid)}
        sessions = [await make.session(who, verified=True) for who in (leader, member, admin)]
        for headers in sessions:
            answer = await client.request(
                method, f"/api{path.format(**named)}", json=body, headers=headers
            )
            assert answer.status_code in {403, 409, 422}, answer.text
        row = await platform.fetchrow("SELECT role, is_active FROM users WHERE id = $1", leader.id)
        assert row is not None
        assert tuple(row) == ("teamLeader", True)
        assert await alive(client, sessions[0])

    async def test_member_cannot_become_admin(
        self, client: httpx.AsyncClient, make: Factory, leader: User, platform: Connection
    ) -> None:
        admin = await make.session(await make.user(role="admin"), verified=True)
        for company in (1, leader.company.id):
            other = await make.user(role="admin")
            answer = await client.put(
                "/api/user/team-leader",
                params={"companyId": company, "userId": str(other.uuid)},
                headers=admin,
            )
            assert answer.status_code in {403, 404}
        assert await platform.fetchval("SELECT count(*) FROM users WHERE role = 'admin'") == 3


class TestThePlatformsCompany:
    async def test_company_of_the_platform_is_out_of_reach(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        admin = await make.user(role="admin")
        other = await make.user(role="admin")
        headers = await make.session(admin, verified=True)
        before = await snapshot(platform, 1)
        for method, path, body in (
            ("PUT", "/company/status/1", {"enabled": False}),
            ("PUT", "/company/status/1", None),
            ("DELETE", "/company/1", {"name": "Tessera"}),
            ("PUT", f"/user/team-leader?companyId=1&userId={other.uuid}", None),
            ("PUT", f"/user/status/{other.uuid}", {"enabled": False}),
            ("PUT", f"/user/status/{admin.uuid}", {"enabled": False}),
            ("DELETE", f"/user/{other.uuid}", None),
            ("GET", "/users/1", None),
            ("GET", "/invites/1", None),
            ("POST", "/invite/users/", [{"email_address": ATTACKER}]),
        ):
            answer = await client.request(method, f"/api{path}", json=body, headers=headers)
            assert answer.status_code == 403, f"{method} {path}: {answer.text}"
        assert await snapshot(platform, 1) == before
        listed = (await client.get("/api/companies?limit=100", headers=headers)).json()
        assert 1 not in [company["id"] for company in listed["item1"]]
