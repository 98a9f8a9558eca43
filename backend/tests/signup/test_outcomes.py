import asyncio
from typing import Any

import pytest

from tessera.integrations.cards import card_provider
from tessera.integrations.cards.errors import Unreachable
from tessera.kit.database import Connection
from tessera.signup import workflows as signup_workflows
from tests.factories.accounts import Factory, derived_secret
from tests.signup.signup import (
    ASKS,
    DECLINED,
    EVERYTHING,
    NOTHING,
    STEPS,
    Signup,
    changed,
    new_payload,
    undecorated,
)


class TestDecline:
    async def test_says_the_providers_words_and_leaves_nothing(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers = await signup.ready()
        answer = await signup.register(headers, await signup.payload(DECLINED))
        assert (answer.status_code, answer.json()["code"]) == (402, "card_declined")
        assert "declined" in answer.json()["reason"]
        assert answer.json()["reason"] in answer.json()["message"]
        assert await signup.counts() == NOTHING
        row = await platform.fetchrow("SELECT state, sealed FROM registrations")
        assert row is not None
        assert (row["state"], row["sealed"]) == ("failed", None)

    async def test_declined_card_may_be_replaced_by_another(self, signup: Signup) -> None:
        headers = await signup.ready()
        payload = await signup.payload(DECLINED)
        assert (await signup.register(headers, payload)).status_code == 402
        payload["payment"]["stripeToken"] = await signup.token()
        assert (await signup.register(headers, payload)).status_code == 200
        assert await signup.counts() == EVERYTHING

    async def test_a_card_whose_bank_asks_has_to_be_confirmed_first(self, signup: Signup) -> None:
        headers = await signup.ready()
        answer = await signup.register(headers, await signup.payload(ASKS))
        assert (answer.status_code, answer.json()["code"]) == (402, "card_needs_authentication")
        assert await signup.counts() == NOTHING

    async def test_a_token_that_is_none(self, signup: Signup) -> None:
        answer = await signup.register(await signup.ready(), new_payload("tok_unheardof"))
        assert (answer.status_code, answer.json()["code"]) == (422, "card_token_invalid")
        assert await signup.counts() == NOTHING


class TestRepeated:
    async def test_answers_the_same_with_a_new_session(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        first = await signup.register(headers, payload)
        again = await signup.register(headers, payload)
        assert again.status_code == 200, again.text
        assert again.json()["data"]["user"] == first.json()["data"]["user"]
        assert again.json()["data"]["access_token"] != first.json()["data"]["access_token"]
        assert await signup.counts() == EVERYTHING

    async def test_even_after_the_ticket_ran_out(
        self, signup: Signup, platform: Connection
    ) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        await signup.register(headers, payload)
        await platform.execute("UPDATE signup_tickets SET expires_at = now()")
        assert (await signup.register(headers, payload)).status_code == 200

    async def test_but_not_hours_later(self, signup: Signup, platform: Connection) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        await signup.register(headers, payload)
        await platform.execute("UPDATE registrations SET finished_at = now() - interval '2 hours'")
        answer = await signup.register(headers, payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "signup_ticket_used")

    async def test_outcome_is_not_repeated_to_somebody_with_another_secret(
        self, signup: Signup
    ) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        await signup.register(headers, payload)
        answer = await signup.register(headers, changed(payload, "user.password", derived_secret()))
        assert (answer.status_code, answer.json()["code"]) == (409, "signup_ticket_used")

    async def test_five_at_once_make_one_company(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        answers = await asyncio.gather(*(signup.register(headers, payload) for _ in range(5)))
        assert [answer.status_code for answer in answers] == [200] * 5
        assert len({answer.json()["data"]["user"]["companyId"] for answer in answers}) == 1
        assert await signup.counts() == EVERYTHING

    async def test_two_companies_on_one_ticket_at_once(self, signup: Signup) -> None:
        headers = await signup.ready()
        payloads = [await signup.payload(), await signup.payload()]
        answers = await asyncio.gather(*(signup.register(headers, each) for each in payloads))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert await signup.counts() == EVERYTHING

    async def test_address_on_two_tickets_at_once_signs_up_once(self, signup: Signup) -> None:
        tickets = [await signup.ready(), await signup.ready()]
        payloads = [await signup.payload(), await signup.payload()]
        payloads[1]["user"]["email_address"] = payloads[0]["user"]["email_address"]
        answers = await asyncio.gather(
            *(signup.register(*each) for each in zip(tickets, payloads, strict=True))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert await signup.counts() == EVERYTHING

    async def test_an_address_taken_meanwhile_undoes_everything(
        self, signup: Signup, make: Factory
    ) -> None:
        payload = await signup.payload()
        carry_out = signup.carry_out

        async def raced(registration_id: int) -> None:
            await make.user(email=payload["user"]["email_address"])
            await carry_out(registration_id)

        signup.carry_out = raced  # type: ignore[method-assign]
        answer = await signup.register(await signup.ready(), payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "address_in_use")
        counts = await signup.counts()
        assert (counts["customers"], counts["subscriptions"], counts["users"]) == (0, 0, 1)


class TestKilledAfterTheEffect:
    async def test_a_repeated_step_does_nothing_twice(
        self, signup: Signup, platform: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Runs each step again, as if the service had died before recording the result."""
        noted = {
            "open_customer": "customer_id",
            "add_card": "card_id",
            "subscribe": "subscription_id",
        }

        async def carry_out(registration_id: int) -> None:
            for name in STEPS:
                run = undecorated(getattr(signup_workflows, name))
                assert await run(registration_id)
                if name in noted:
                    forget = f"UPDATE registrations SET {noted[name]} = NULL WHERE id = $1"
                    await platform.execute(forget, registration_id)
                    assert await run(registration_id)

        monkeypatch.setattr(signup, "carry_out", carry_out)
        answer = await signup.register(await signup.ready(), await signup.payload())
        assert answer.status_code == 200, answer.text
        assert await signup.counts() == EVERYTHING


class TestSlow:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"registration_seconds": 0.3}

    async def test_says_that_it_is_under_way_and_may_be_asked_again(self, signup: Signup) -> None:
        headers, payload = await signup.ready(), await signup.payload()
        carry_out = signup.carry_out
        go = asyncio.Event()

        async def slow(registration_id: int) -> None:
            await go.wait()
            await carry_out(registration_id)

        signup.carry_out = slow  # type: ignore[method-assign]
        answer = await signup.register(headers, payload)
        assert (answer.status_code, answer.json()["code"]) == (409, "registration_under_way")
        assert int(answer.headers["retry-after"]) > 0
        # Someone else learns nothing about it.
        stranger = changed(payload, "user.password", derived_secret())
        assert (await signup.register(headers, stranger)).json()["code"] == "signup_ticket_used"
        go.set()
        for _ in range(20):
            answer = await signup.register(headers, payload)
            if answer.status_code == 200:
                break
        assert answer.status_code == 200
        assert await signup.counts() == EVERYTHING


async def test_process_that_stops_says_that_it_is_under_way(
    signup: Signup, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers, payload = await signup.ready(), await signup.payload()
    carry_out = signup.carry_out
    has_begun, go = asyncio.Event(), asyncio.Event()

    async def slow(registration_id: int) -> None:
        has_begun.set()
        await go.wait()
        await carry_out(registration_id)

    monkeypatch.setattr(signup, "carry_out", slow)
    answering = asyncio.create_task(signup.register(headers, payload))
    await has_begun.wait()
    monkeypatch.setattr(signup.resources.announcements, "is_closed", True)
    answer = await answering
    assert (answer.status_code, answer.json()["code"]) == (409, "registration_under_way")
    go.set()


class TestProviderAway:
    """The provider is down for longer than the workflow retries: nothing is left behind."""

    async def test_unreachable_provider_is_reported_and_undone(
        self, signup: Signup, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Away:
            async def subscribe(self, **_: object) -> str:
                raise Unreachable

            async def ensure_price(self, _: object) -> str:
                return "price_1"

        async def with_trouble(registration_id: int) -> None:
            await undecorated(signup_workflows.open_customer)(registration_id)
            await undecorated(signup_workflows.add_card)(registration_id)
            assert (await signup.counts())["customers"] == 1
            monkeypatch.setattr(signup_workflows, "card_provider", lambda *_: Away())
            with pytest.raises(Unreachable):
                await undecorated(signup_workflows.subscribe)(registration_id)
            monkeypatch.setattr(signup_workflows, "card_provider", card_provider)
            await undecorated(signup_workflows.abandon_registration)(registration_id)
            # A run that was merely slow comes too late.
            assert not await undecorated(signup_workflows.subscribe)(registration_id)
            assert not await undecorated(signup_workflows.create_company_rows)(registration_id)
            await undecorated(signup_workflows.withdraw)(registration_id)

        signup.carry_out = with_trouble  # type: ignore[method-assign]
        answer = await signup.register(await signup.ready(), await signup.payload())
        assert (answer.status_code, answer.json()["code"]) == (503, "card_provider_unavailable")
        assert await signup.counts() == NOTHING

    async def test_what_was_lost_is_ended_by_the_hourly_round(
        self, signup: Signup, platform: Connection
    ) -> None:
        asked: list[int] = []

        async def lost(registration_id: int) -> None:
            await undecorated(signup_workflows.open_customer)(registration_id)
            await platform.execute(
                "UPDATE registrations SET created_at = now() - interval '4 hours'"
            )
            await undecorated(signup_workflows.end_lost_registrations)()
            asked.append(registration_id)
            await undecorated(signup_workflows.abandon_registration)(registration_id)
            await undecorated(signup_workflows.withdraw)(registration_id)

        signup.carry_out = lost  # type: ignore[method-assign]
        answer = await signup.register(await signup.ready(), await signup.payload())
        assert answer.status_code == 503
        assert await signup.counts() == NOTHING
        async with signup.resources.database.without_tenant() as connection:
            names = await connection.fetch("SELECT name FROM dbos.workflow_status")
        assert any(row["name"].endswith("end_registration") for row in names)


class TestForgetOldTickets:
    async def test_takes_registrations_and_codes_along(
        self, signup: Signup, platform: Connection
    ) -> None:
        await signup.register(await signup.ready(), await signup.payload())
        await signup.ticket()
        await platform.execute(
            "UPDATE signup_tickets SET expires_at = now() - interval '2 days'"
            " WHERE used_at IS NOT NULL"
        )
        await undecorated(signup_workflows.purge_expired_tickets)()
        for table, left in (("signup_tickets", 1), ("registrations", 0), ("guest_codes", 0)):
            assert await platform.fetchval(f"SELECT count(*) FROM {table}") == left
        assert await signup.counts() == EVERYTHING
