import inspect

import httpx
import pytest
from fastapi import FastAPI

from tessera.auth.passwords.workflows import send_reset_link
from tessera.kit import workflows
from tessera.kit.database import Connection
from tessera.kit.tokens import hash_handle, new_handle
from tests.auth.test_passwords import new_password, reset_token
from tests.factories.accounts import Factory, Outbox, User
from tests.security.attacker import error_of, together
from tests.signup.signup import Signup
from tests.signup.test_invited import GUEST, Invitation

HOSTS = {
    "Host": "evil.test",
    "X-Forwarded-Host": "evil.test",
    "X-Forwarded-Proto": "javascript",
    "Forwarded": "host=evil.test",
    "X-Original-URL": "http://evil.test",
    "Origin": "http://evil.test",
    "Referer": "http://evil.test/reset-password",
}
MARKUP = '<img src=x onerror=alert(1)>"&{{7*7}}{name}%s\u2028Bcc: all@evil.test'


class TestInvite:
    async def cancel(self, invitation: Invitation) -> None:
        client, headers = invitation.signup.client, invitation.leader_headers
        key = (await client.get("/api/invites", headers=headers)).json()["item1"][0]["key"]
        assert (await client.delete(f"/api/invite/{key}", headers=headers)).status_code == 204

    async def test_reused_invitation_is_refused(self, invitation: Invitation) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        assert (await invitation.register(invitation.person())).status_code == 200
        assert error_of(await invitation.register(invitation.person())) == (409, "invite_used")
        assert error_of(await invitation.signup.send(invitation.headers)) == (409, "invite_used")

    async def test_expired_invitation_is_refused(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        lasting = await platform.fetchval("SELECT expires_at - created_at FROM invites")
        assert lasting.days == 7
        await invitation.signup.verify_phone(invitation.headers)
        await platform.execute("UPDATE invites SET expires_at = now()")
        assert error_of(await invitation.register(invitation.person())) == (409, "invite_expired")

    async def test_cancelled_invitation_is_refused(self, invitation: Invitation) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        await self.cancel(invitation)
        assert error_of(await invitation.register(invitation.person())) == (409, "invite_cancelled")

    async def test_renewed_the_old_link_is_dead(self, invitation: Invitation) -> None:
        await invitation.signup.client.post(
            "/api/invite/users/",
            json=[{"email_address": GUEST}],
            headers=invitation.leader_headers,
        )
        assert error_of(await invitation.register(invitation.person())) == (404, "invite_not_found")

    async def test_the_public_handle_opens_nothing(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        handle = str(await platform.fetchval("SELECT key FROM invites"))
        invitation.token = handle
        assert error_of(await invitation.register(invitation.person())) == (404, "invite_not_found")

    async def test_raced_by_two_guests_and_the_leader(
        self, invitation: Invitation, platform: Connection
    ) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        client, headers = invitation.signup.client, invitation.leader_headers
        key = await platform.fetchval("SELECT key FROM invites")
        *registered, cancelled = await together(
            [
                *[lambda: invitation.register(invitation.person())] * 4,
                lambda: client.delete(f"/api/invite/{key}", headers=headers),
            ]
        )
        made = sum(answer.status_code == 200 for answer in registered)
        assert made == (0 if cancelled.status_code == 204 else 1)
        people = "SELECT count(*) FROM users WHERE role = 'teamMember'"
        assert await platform.fetchval(people) == made


class TestResetLink:
    async def test_forged_host_does_not_reach_the_reset_link(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        for number, (name, value) in enumerate(HOSTS.items(), start=1):
            user = await make.user()
            answer = await client.post(
                "/api/auth/forgot-password",
                json={"emailAddress": user.email},
                headers={name: value},
            )
            assert answer.status_code == 202
            messages = await outbox.messages()
            assert len(messages) == number
            assert messages[-1]["link"].startswith("http://console.test/reset-password?token=")
            assert "evil" not in str(messages[-1])

    async def test_raced_it_sets_one_password(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        token = await reset_token(client, outbox, user)
        answers = await together(
            [
                lambda: client.post(
                    "/api/auth/reset-password", json={"token": token, **new_password(user)}
                )
            ]
            * 4
        )
        assert sorted(answer.status_code for answer in answers) == [204, 409, 409, 409]

    async def test_links_are_of_one_purpose(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        token = await reset_token(client, outbox, user)
        headers = await make.session(user)
        crossed = await client.post(
            "/api/auth/confirm-email", json={"token": token}, headers=headers
        )
        assert error_of(crossed) == (404, "link_unknown")
        as_invite = await client.get("/api/auth/invite", params={"token": token})
        assert error_of(as_invite) == (404, "invite_not_found")


class TestOpenResetLinks:
    """An account has at most one, and none that is older than its password or address."""

    async def reset(
        self, client: httpx.AsyncClient, token: str, user: User, **more: str
    ) -> httpx.Response:
        body = {"token": token, **new_password(user), **more}
        return await client.post("/api/auth/reset-password", json=body)

    async def sibling(self, platform: Connection, user: User, token: str = "") -> str:
        """Adds a second open link, past the service."""
        token = token or new_handle(user.company.id)
        await platform.execute(
            "INSERT INTO links (company_id, user_id, purpose, token_hash, email, expires_at)"
            " VALUES ($1, $2, 'reset', $3, $4, now() + interval '30 minutes')",
            user.company.id, user.id, hash_handle(token), user.email,
        )  # fmt: skip
        return token

    async def test_a_link_that_names_no_company_is_unknown(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        token = await self.sibling(platform, user, new_handle())
        assert error_of(await self.reset(client, token, user)) == (404, "link_unknown")

    async def test_a_link_that_names_another_company_is_unknown(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user, other = await make.user(), await make.user()
        token = await self.sibling(platform, user, new_handle(other.company.id))
        assert error_of(await self.reset(client, token, user)) == (404, "link_unknown")

    async def test_requested_many_times_at_once(
        self, app: FastAPI, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        keys = app.state.resources.keys
        sealed = keys.seal("reset-requests", user.email.encode(), "reset-request")
        requests = await platform.fetch(
            "INSERT INTO reset_requests (sealed_address, language)"
            " SELECT $1, 'en' FROM generate_series(1, 40) RETURNING id",
            sealed,
        )
        workflows._resources = app.state.resources
        send = inspect.unwrap(send_reset_link.run)
        await together(
            [
                lambda request_id=row["id"]: send(request_id)  # type: ignore[misc]
                for row in requests
            ]
        )
        assert await platform.fetchval("SELECT count(*) FROM links") == 1

    async def test_a_used_link_takes_the_others_with_it(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        token = await reset_token(client, outbox, user)
        other = await self.sibling(platform, user)
        assert (await self.reset(client, token, user)).status_code == 204
        assert error_of(await self.reset(client, other, user)) == (404, "link_unknown")

    async def test_a_changed_password_ends_them(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        token = await reset_token(client, outbox, user)
        body = {**new_password(user), "oldPassword": user.secret}
        headers = await make.session(user)
        changed = await client.put("/api/auth/password", json=body, headers=headers)
        assert changed.status_code == 204
        assert error_of(await self.reset(client, token, user)) == (404, "link_unknown")

    async def test_a_changed_address_ends_them(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        """The link was sent to a mailbox that no longer belongs to the account."""
        user = await make.user()
        token = await reset_token(client, outbox, user)
        headers = await make.session(user, verified=True)
        address = {"email_address": "new@company.test"}
        await client.post("/api/auth/profile/email", json=address, headers=headers)
        confirm = {"token": await outbox.token("new@company.test")}
        answer = await client.post("/api/auth/confirm-email", json=confirm, headers=headers)
        assert answer.status_code == 200
        assert error_of(await self.reset(client, token, user)) == (404, "link_unknown")


class TestNamesInMails:
    @pytest.mark.parametrize(
        "name", ["Ada\r\nBcc: all@evil.test", "Ada\nX: y", "Ada\x00", "Ada\x85B", "Ada\u202e"]
    )
    async def test_line_ends_are_refused(
        self, client: httpx.AsyncClient, make: Factory, name: str
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        body = {"firstName": name, "lastName": "L", "language": "en"}
        answer = await client.put("/api/auth/profile", json=body, headers=headers)
        assert (answer.status_code, list(answer.json()["fields"])) == (422, ["firstName"])
        company = {
            "name": name,
            "email": "office@company.test",
            "phoneNumber": "+12025550142",
            "address": {"state": "ME", "zipCode": "04101", "addressLine1": "1 Street"},
        }
        answer = await client.put("/api/company", json=company, headers=headers)
        assert (answer.status_code, list(answer.json()["fields"])) == (422, ["name"])

    @pytest.mark.parametrize("address", ["a@b.test\r\nBcc: c@d.test", "a@b.test,c@d.test", "<a@b>"])
    async def test_addresses_hold_one_address(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, address: str
    ) -> None:
        headers = await make.session(await make.user())
        answer = await client.post(
            "/api/invite/users/", json=[{"email_address": address}], headers=headers
        )
        assert answer.json()[0]["state"] == "invalid"
        assert await outbox.messages() == []

    async def test_markup_is_shown_as_text(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        leader = await make.user(first_name=MARKUP, last_name="L")
        await self._rename(client, make, leader)
        for mail in await outbox.messages():
            assert "<img" not in mail["html"], mail["subject"]
            assert "&lt;img" in mail["html"]
            assert "{{7*7}}" in mail["html"]
            assert len(mail["subject"].splitlines()) == 1

    async def _rename(self, client: httpx.AsyncClient, make: Factory, leader: User) -> None:
        headers = await make.session(leader)
        company = {
            "name": MARKUP,
            "email": "office@company.test",
            "phoneNumber": "+12025550142",
            "address": {"state": "ME", "zipCode": "04101", "addressLine1": "1 Street"},
        }
        renamed = await client.put("/api/company", json=company, headers=headers)
        assert renamed.status_code == 200, renamed.text
        invited = await client.post(
            "/api/invite/users/", json=[{"email_address": GUEST}], headers=headers
        )
        assert invited.json()[0]["state"] == "invited"
        await client.post("/api/auth/forgot-password", json={"emailAddress": leader.email})


class TestSkippedSteps:
    async def test_registering_without_a_ticket(self, signup: Signup) -> None:
        payload = await signup.payload()
        for headers in ({}, {"X-Signup-Ticket": "x" * 43}, {"X-Invite-Token": "x" * 43}):
            assert (await signup.register(headers, payload)).status_code == 403

    async def test_registering_without_a_verified_phone(self, signup: Signup) -> None:
        ticket = await signup.ticket()
        payload = await signup.payload()
        assert error_of(await signup.register(ticket, payload)) == (409, "phone_not_verified")
        await signup.send(ticket)
        assert error_of(await signup.register(ticket, payload)) == (409, "phone_not_verified")

    async def test_a_phone_verified_under_another_ticket_or_invite(
        self, signup: Signup, invitation: Invitation
    ) -> None:
        await signup.verify_phone(invitation.headers)
        answer = await signup.register(await signup.ticket(), await signup.payload())
        assert error_of(answer) == (409, "phone_not_verified")

    async def test_sign_up_call_without_a_ticket_is_refused(
        self, signup: Signup, client: httpx.AsyncClient
    ) -> None:
        for answer in (
            await signup.send({}),
            await signup.verify({}, "000000"),
            await client.post("/api/auth/verify-email", params={"email": "a@b.test"}),
            await signup.register({}, await signup.payload()),
        ):
            assert error_of(answer) == (403, "signup_ticket_needed")
        assert (await client.post("/api/payment/setup-intent")).status_code == 401
