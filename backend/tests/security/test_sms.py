"""SMS cost money, and login codes need them: nobody may send many of them or use them up."""

import itertools
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tests.factories.accounts import Factory, Outbox
from tests.security.attacker import error_of, from_origin, together
from tests.signup.signup import Signup

LOGIN, PHONE = "/api/auth/login-onboard", "/api/auth/profile/phone"
_numbers = itertools.count(3000)


def new_phone() -> dict[str, str]:
    return {"phoneNumber": f"+1202555{next(_numbers):04}"}


class TestSmsPumping:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"sms_per_origin": 4}, "sms_countries": "US"}

    async def test_parallel_logins_send_one_code(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        answers = await together([lambda: client.post(LOGIN, json=user.credentials)] * 4)
        assert {answer.status_code for answer in answers} == {200}
        assert len(await outbox.messages()) == 1

    async def test_a_new_number_each_time(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        headers = await make.session(await make.user(), verified=True)
        phones = [f"+1202555{number:04}" for number in range(3000, 3010)]
        answers = await together(
            [
                lambda phone=phone: client.post(  # type: ignore[misc]
                    "/api/auth/profile/phone", json={"phoneNumber": phone}, headers=headers
                )
                for phone in phones
            ]
        )
        assert sorted(answer.status_code for answer in answers) == [200] * 4 + [429] * 6
        assert len(await outbox.messages()) == 4

    async def test_a_number_of_a_country_that_is_not_served(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        headers = await make.session(await make.user(), verified=True)
        answer = await client.post(
            "/api/auth/profile/phone", json={"phoneNumber": "+905321234567"}, headers=headers
        )
        assert error_of(answer) == (422, "country_not_served")
        assert await outbox.messages() == []


class TestOneMember:
    async def test_rotates_numbers_and_networks(
        self, app: FastAPI, make: Factory, outbox: Outbox
    ) -> None:
        """Each request comes from another /48, so only the account's own limit can stop them."""
        member = await make.user(role="teamMember")
        headers = await make.session(member, verified=True)
        answers = []
        for number in range(30):
            async with from_origin(app, f"2001:db8:{number:x}::1") as client:
                answers.append(await client.post(PHONE, json=new_phone(), headers=headers))
        assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 20
        assert error_of(answers[-1]) == (429, "too_many_codes")
        assert len(await outbox.messages()) == 10

    async def test_member_with_many_sessions_has_one_sms_limit(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        member = await make.user(role="teamMember")
        sessions = [await make.session(member, verified=True) for _ in range(14)]
        answers = await together(
            [
                lambda headers=headers: client.post(PHONE, json=new_phone(), headers=headers)  # type: ignore[misc]
                for headers in sessions
            ]
        )
        assert sorted(answer.status_code for answer in answers) == [200] * 10 + [429] * 4
        assert len(await outbox.messages()) == 10

    async def test_member_who_enters_every_code_is_limited_too(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        """Codes that are used count for the account too."""
        member = await make.user(role="teamMember")
        headers = await make.session(member, verified=True)
        sent = 0
        for number in range(15):
            phone = new_phone() if number % 2 else {"phoneNumber": "+12025552999"}
            answer = await client.post(PHONE, json=phone, headers=headers)
            if answer.status_code == 200:
                sent += 1
                code = await outbox.code(phone["phoneNumber"])
                await client.post(f"{PHONE}/confirm", json={"otp": code}, headers=headers)
        assert sent == 10


class TestOneRecipient:
    async def test_sms_to_one_number_of_many_accounts_are_limited(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, signup: Signup
    ) -> None:
        victim = {"phoneNumber": "+12025552998"}
        statuses = []
        for _ in range(9):
            headers = await make.session(await make.user(), verified=True)
            statuses.append((await client.post(PHONE, json=victim, headers=headers)).status_code)
        for _ in range(3):
            ticket = await signup.ticket()
            statuses.append((await signup.send(ticket, victim["phoneNumber"])).status_code)
        assert statuses == [200] * 10 + [429] * 2
        assert len([m for m in await outbox.messages() if m["to"] == "+12025552998"]) == 10

    async def test_recipient_at_the_sms_limit_still_logs_in(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        victim = await make.user(phone_number="+12025552997")
        for _ in range(12):
            headers = await make.session(await make.user(), verified=True)
            await client.post(PHONE, json={"phoneNumber": victim.phone_number}, headers=headers)
        assert (await client.post(LOGIN, json=victim.credentials)).status_code == 200

    async def test_who_enters_the_codes_is_not_limited_by_their_number(
        self, signup: Signup, client: httpx.AsyncClient
    ) -> None:
        for _ in range(12):
            ticket = await signup.ticket()
            await signup.verify_phone(ticket)


class TestPlatformBudget:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"sms": 40, "sms_other": 20}}

    async def use_up(self, client: httpx.AsyncClient, make: Factory) -> list[int]:
        statuses = []
        for _ in range(3):
            headers = await make.session(await make.user(), verified=True)
            statuses += [
                (await client.post(PHONE, json=new_phone(), headers=headers)).status_code
                for _ in range(10)
            ]
        return statuses

    async def test_keeps_a_share_for_logins(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        assert await self.use_up(client, make) == [200] * 20 + [429] * 10
        users = [await make.user(phone_number=new_phone()["phoneNumber"]) for _ in range(21)]
        logins = [await client.post(LOGIN, json=user.credentials) for user in users]
        assert [answer.status_code for answer in logins] == [200] * 20 + [429]
        assert len(await outbox.messages()) == 40

    async def test_sms_budget_is_shown_to_the_operator(
        self, app: FastAPI, client: httpx.AsyncClient, make: Factory
    ) -> None:
        await self.use_up(client, make)
        async with from_origin(app, "127.0.0.1") as here:
            text = (await here.get("/metrics")).text
        assert 'tessera_sms_budget_used{counted="all"} 0.5' in text
        assert 'tessera_sms_budget_used{counted="other"} 1.0' in text
        assert 'tessera_sms_refused_total{limit="sms_other"}' in text


class TestCompanyBudget:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"limits": {"sms_per_company": 3}}

    async def test_sms_budgets_of_members_and_of_logins_are_separate(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        company = await make.company()
        members = [
            await make.user(company, "teamMember", phone_number=new_phone()["phoneNumber"])
            for _ in range(4)
        ]
        sent = [
            (
                await client.post(
                    PHONE, json=new_phone(), headers=await make.session(member, verified=True)
                )
            ).status_code
            for member in members
        ]
        assert sent == [200] * 3 + [429]
        assert (await client.post(LOGIN, json=members[0].credentials)).status_code == 200
