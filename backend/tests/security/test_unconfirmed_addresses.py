"""Who signs up with somebody else's address holds it only until its owner shows up."""

import httpx

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox, User
from tests.security.attacker import error_of
from tests.signup.signup import Signup, changed
from tests.signup.test_invited import GUEST, Invitation


async def squatter(make: Factory, address: str, platform: Connection, *, days: int = 0) -> User:
    """An account whose address was never confirmed, made and last used so many days ago."""
    user = await make.user(email=address, email_confirmed_at=None)
    await platform.execute(
        "UPDATE users SET created_at = now() - $2 * interval '1 day' WHERE id = $1", user.id, days
    )
    return user


async def address_of(platform: Connection, user: User) -> str:
    address: str = await platform.fetchval("SELECT email FROM users WHERE id = $1", user.id)
    return address


class TestYieldsToProof:
    async def test_unconfirmed_address_yields_to_an_invited_person(
        self, invitation: Invitation, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        """The invitation has reached the address."""
        holder = await squatter(make, GUEST, platform)
        await invitation.signup.verify_phone(invitation.headers)
        registered = await invitation.register(invitation.person())
        assert registered.status_code == 200, registered.text
        assert registered.json()["user"]["email_address"] == GUEST
        assert (await address_of(platform, holder)).endswith("@tessera.invalid")
        login = await invitation.signup.client.post(
            "/api/auth/login-onboard", json=holder.credentials
        )
        assert error_of(login) == (401, "login_failed")
        record = await platform.fetchrow(
            "SELECT action, target FROM activity WHERE company_id = $1", holder.company.id
        )
        assert record is not None
        assert tuple(record) == ("email.released", GUEST)

    async def test_an_invitation_to_it_has_a_link(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        await squatter(make, "held@elsewhere.test", platform)
        headers = await make.session(await make.user())
        await client.post(
            "/api/invite/users/", json=[{"email_address": "held@elsewhere.test"}], headers=headers
        )
        assert "/register?token=" in (await outbox.newest("held@elsewhere.test"))["link"]

    async def test_unconfirmed_address_yields_to_a_confirmed_change(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        holder = await squatter(make, "held@elsewhere.test", platform)
        owner = await make.user()
        headers = await make.session(owner, verified=True)
        wanted = {"email_address": "held@elsewhere.test"}
        await client.post("/api/auth/profile/email", json=wanted, headers=headers)
        token = {"token": await outbox.token("held@elsewhere.test")}
        confirmed = await client.post("/api/auth/confirm-email", json=token, headers=headers)
        assert confirmed.status_code == 200
        assert await address_of(platform, owner) == "held@elsewhere.test"
        assert await address_of(platform, holder) != "held@elsewhere.test"

    async def test_a_confirmed_address_does_not_yield(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        holder = await make.user(email="held@elsewhere.test")
        headers = await make.session(await make.user(), verified=True)
        wanted = {"email_address": "held@elsewhere.test"}
        await client.post("/api/auth/profile/email", json=wanted, headers=headers)
        assert "held@elsewhere.test" not in [mail["to"] for mail in await outbox.messages()]
        assert await address_of(platform, holder) == "held@elsewhere.test"


class TestYieldsToAnotherSignUp:
    async def register(self, signup: Signup, address: str) -> httpx.Response:
        payload = changed(await signup.payload(), "user.email_address", address)
        return await signup.register(await signup.ready(), payload)

    async def test_when_it_has_been_unused_for_a_week(
        self, signup: Signup, make: Factory, platform: Connection
    ) -> None:
        holder = await squatter(make, "held@elsewhere.test", platform, days=8)
        answer = await self.register(signup, "held@elsewhere.test")
        assert answer.status_code == 200, answer.text
        assert await address_of(platform, holder) != "held@elsewhere.test"

    async def test_unconfirmed_address_of_six_days_does_not_yield(
        self, signup: Signup, make: Factory, platform: Connection
    ) -> None:
        await squatter(make, "held@elsewhere.test", platform, days=6)
        answer = await self.register(signup, "held@elsewhere.test")
        assert error_of(answer) == (409, "address_in_use")

    async def test_unconfirmed_address_of_a_used_account_does_not_yield(
        self, signup: Signup, make: Factory, platform: Connection
    ) -> None:
        """Somebody who works with the account and has forgotten to confirm keeps it."""
        holder = await squatter(make, "held@elsewhere.test", platform, days=30)
        await make.session(holder)
        answer = await self.register(signup, "held@elsewhere.test")
        assert error_of(answer) == (409, "address_in_use")
