"""The same action submitted twice, or by two users at once."""

import asyncio
from types import ModuleType
from typing import Any
from uuid import UUID

import httpx
import pytest

from tessera.auth.passwords import service
from tessera.auth.passwords.hashing import hash_secret
from tessera.kit.database import Connection
from tessera.signup import register_member
from tessera.signup import service as signup_service
from tessera_core.kdf import salt_from_text
from tests.auth.test_passwords import new_password, reset_token
from tests.factories.accounts import Factory, Outbox, derived_secret, sealed_user_key
from tests.security.attacker import error_of, together
from tests.signup.signup import EVERYTHING, Signup, changed, with_ids
from tests.signup.test_invited import Invitation
from tests.subscription.billing import Billing


class TestRegister:
    async def test_submitted_many_times_it_makes_one_company(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        answers = await together([lambda: signup.register(headers, payload)] * 5)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.json()["data"]["user"]["companyId"] for answer in answers}) == 1
        assert await signup.counts() == EVERYTHING

    async def test_ticket_used_at_once_for_three_companies_makes_one(self, signup: Signup) -> None:
        headers = await signup.ready()
        payloads = [await signup.payload() for _ in range(3)]
        answers = await together(
            [lambda each=each: signup.register(headers, each) for each in payloads]  # type: ignore[misc]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        assert await signup.counts() == EVERYTHING

    async def test_address_on_two_tickets_at_once_makes_one_account(
        self, signup: Signup, platform: Connection
    ) -> None:
        tickets = [await signup.ticket() for _ in range(2)]
        payloads = [await signup.payload() for _ in tickets]
        address = payloads[0]["user"]["email_address"]
        payloads[1] = changed(payloads[1], "user.email_address", address.upper())
        for ticket in tickets:
            await signup.verify_phone(ticket)
            await platform.execute("UPDATE guest_codes SET sent_at = now() - interval '1 hour'")
        answers = await together(
            [
                lambda pair=pair: signup.register(*pair)  # type: ignore[misc]
                for pair in zip(tickets, payloads, strict=True)
            ]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert await signup.counts() == EVERYTHING

    async def test_the_loser_does_not_get_the_winner_s_session(self, signup: Signup) -> None:
        """Two calls with the same ticket and ids, but different secrets."""
        headers, payload = await signup.ready(), await signup.payload()
        payloads = [changed(payload, "user.password", derived_secret()) for _ in range(4)]
        answers = await together(
            [lambda each=each: signup.register(headers, each) for each in payloads]  # type: ignore[misc]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert await signup.counts() == EVERYTHING


def meet_after_hashing(monkeypatch: pytest.MonkeyPatch, module: ModuleType, calls: int) -> None:
    """Holds each call, whose first checks have passed, until all are about to write."""
    barrier = asyncio.Barrier(calls)

    async def hash_and_meet(secret: str) -> str:
        hashed = await hash_secret(secret)
        await barrier.wait()
        return hashed

    monkeypatch.setattr(module, "hash_secret", hash_and_meet)


class TestInvite:
    @pytest.mark.parametrize("same", [True, False], ids=["one person", "two people"])
    async def test_invitation_used_at_once_makes_one_account(
        self,
        invitation: Invitation,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
        same: bool,
    ) -> None:
        await invitation.signup.verify_phone(invitation.headers)
        people = [invitation.person(), invitation.person()]
        people[1] = people[0] if same else people[1]
        meet_after_hashing(monkeypatch, register_member, len(people))
        answers = await together(
            [lambda person=person: invitation.register(person) for person in people]  # type: ignore[misc]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        loser = max(answers, key=lambda answer: answer.status_code)
        assert error_of(loser) == (409, "invite_used")
        members = "SELECT count(*) FROM users WHERE role = 'teamMember'"
        assert await platform.fetchval(members) == 1
        winner = min(answers, key=lambda answer: answer.status_code)
        registered = await platform.fetchval("SELECT uuid FROM users WHERE role = 'teamMember'")
        assert winner.json()["user"]["uuid"] == str(registered)
        sessions = await platform.fetchval(
            "SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id"
            " WHERE u.role = 'teamMember'"
        )
        assert sessions == 1

    async def test_uuid_on_two_invitations_at_once_makes_one_account(
        self,
        invitation: Invitation,
        outbox: Outbox,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        address = "second@harbour.test"
        await invitation.signup.client.post(
            "/api/invite/users/",
            json=[{"email_address": address}],
            headers=invitation.leader_headers,
        )
        other = Invitation(
            invitation.signup,
            invitation.leader,
            invitation.leader_headers,
            await outbox.token(address),
        )
        uid = UUID(invitation.person()["uuid"])
        calls = []
        for number, link in enumerate((invitation, other)):
            phone = f"+1202555014{number}"
            await invitation.signup.verify_phone(link.headers, phone)
            calls.append((link, _with_uuid(link, uid, phone)))
        meet_after_hashing(monkeypatch, register_member, len(calls))
        answers = await together(
            [lambda call=call: call[0].register(call[1]) for call in calls]  # type: ignore[misc]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        loser = max(answers, key=lambda answer: answer.status_code)
        assert error_of(loser) == (409, "uuid_taken")
        states = await platform.fetch("SELECT state FROM invites ORDER BY 1")
        assert [row["state"] for row in states] == ["open", "used"]


def _with_uuid(link: Invitation, uid: UUID, phone: str) -> dict[str, Any]:
    person = link.person(uuid=str(uid), phoneNumber=phone)
    salt = salt_from_text(person["salt"])
    return {**person, "userKey": sealed_user_key(uid, link.company.uuid, salt)}


class TestSignup:
    async def test_two_companies_on_one_ticket_that_passed_the_checks(
        self, signup: Signup, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        headers = await signup.ready()
        payloads = [await signup.payload() for _ in range(2)]
        meet_after_hashing(monkeypatch, signup_service, len(payloads))
        answers = await together(
            [lambda each=each: signup.register(headers, each) for each in payloads]  # type: ignore[misc]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        loser = max(answers, key=lambda answer: answer.status_code)
        assert error_of(loser) == (409, "signup_ticket_used")
        assert await signup.counts() == EVERYTHING

    @pytest.mark.parametrize("which", ["user", "company", "both"])
    async def test_uuid_on_two_tickets_at_once_makes_one_account(
        self,
        signup: Signup,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
        which: str,
    ) -> None:
        tickets = []
        for _ in range(2):
            tickets.append(await signup.ready())
            await platform.execute("UPDATE guest_codes SET sent_at = now() - interval '1 hour'")
        payloads = [await signup.payload() for _ in tickets]
        uid, cid = (UUID(payloads[0][name]["uuid"]) for name in ("user", "company"))
        own_uid, own_cid = (UUID(payloads[1][name]["uuid"]) for name in ("user", "company"))
        payloads[1] = with_ids(
            payloads[1],
            own_uid if which == "company" else uid,
            own_cid if which == "user" else cid,
        )
        meet_after_hashing(monkeypatch, signup_service, len(tickets))
        answers = await together(
            [
                lambda pair=pair: signup.register(*pair)  # type: ignore[misc]
                for pair in zip(tickets, payloads, strict=True)
            ]
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        loser = max(answers, key=lambda answer: answer.status_code)
        assert error_of(loser) == (409, "uuid_taken")
        assert await signup.counts() == EVERYTHING


class TestChangePassword:
    async def test_a_reset_meanwhile_wins(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        outbox: Outbox,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The change has checked the old password and hashes the new one when the reset comes."""
        user = await make.user()
        headers = await make.session(user)
        reset = {"token": await reset_token(client, outbox, user), **new_password(user)}
        change = {**new_password(user), "oldPassword": user.secret}

        async def hash_after_reset(secret: str) -> str:
            if secret == change["password"]:
                answer = await client.post("/api/auth/reset-password", json=reset)
                assert answer.status_code == 204
            return await hash_secret(secret)

        monkeypatch.setattr(service, "hash_secret", hash_after_reset)
        late = await client.put("/api/auth/password", json=change, headers=headers)
        assert error_of(late) == (403, "old_password_wrong")
        login = {"emailAddress": user.email, "password": reset["password"]}
        assert (await client.post("/api/auth/login-onboard", json=login)).status_code == 200

    async def test_session_ended_meanwhile_changes_no_password(
        self, client: httpx.AsyncClient, make: Factory, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        user = await make.user()
        stolen, own = await make.session(user), await make.session(user)
        change = {**new_password(user), "oldPassword": user.secret}

        async def hash_after_signing_out(secret: str) -> str:
            answer = await client.post("/api/auth/sessions/end-others", headers=own)
            assert answer.status_code == 204
            return await hash_secret(secret)

        monkeypatch.setattr(service, "hash_secret", hash_after_signing_out)
        late = await client.put("/api/auth/password", json=change, headers=stolen)
        assert error_of(late) == (401, "session_expired")
        login = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert login.status_code == 200


class TestPayment:
    async def test_a_card_added_many_times(self, billing: Billing) -> None:
        leader = await billing.leader()
        token = await billing.token()
        answers = await together(
            [lambda: leader.call("POST", "/add", json={"stripeToken": token})] * 4
        )
        assert {answer.status_code for answer in answers} == {200}
        await billing.settle()
        assert len((await leader.methods())["cards"]) == 1

    async def test_a_subscription_started_many_times(self, billing: Billing) -> None:
        leader = await billing.leader()
        await leader.add()
        answers = await together(
            [lambda: leader.call("PUT", "/reactivate", json={"amount": 75_000})] * 4
        )
        assert {answer.status_code for answer in answers} <= {200, 409}
        kinds = await billing.platform.fetch(
            "SELECT kind FROM sandbox_stripe_objects WHERE kind IN ('subscription', 'invoice')"
        )
        assert sorted(row["kind"] for row in kinds) == ["invoice", "subscription"]

    async def test_cancel_and_reactivate_at_once_agree_with_the_provider(
        self, billing: Billing
    ) -> None:
        leader = await billing.leader()
        await leader.start()
        answers = await together(
            [lambda: leader.call("PUT", "/cancel"), lambda: leader.call("PUT", "/reactivate")] * 2
        )
        assert {answer.status_code for answer in answers} == {200}
        seen = await leader.methods()
        customer = await billing.platform.fetchval(
            "SELECT customer_id FROM companies WHERE id = $1", leader.company_id
        )
        subscription = (await billing.provider.account(customer)).subscription
        assert subscription is not None
        assert bool(subscription.cancel_at) == seen["isCanceled"] == (not seen["autoRenew"])
        await billing.settle()
        assert await leader.methods() == seen
