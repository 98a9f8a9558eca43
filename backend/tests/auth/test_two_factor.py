"""Authenticator and recovery codes, at every call that asks for one."""

import asyncio
import json

import httpx
import pytest

from tessera.kit.database import Connection
from tests.auth.phone_app import App, Clock, actions, enter_code, mails, outcome, read, set_up
from tests.factories.accounts import Factory, Outbox, User, derived_secret


class TestLogin:
    async def test_no_sms_is_sent_and_the_app_s_code_opens_the_session(
        self, client: httpx.AsyncClient, user: User, phone: App, outbox: Outbox
    ) -> None:
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json() == {
            "otpRequired": True, "method": "totp", "recoveryCodeOnly": False,
        }  # fmt: skip
        assert [each for each in await outbox.messages() if each["to"] == user.phone_number] == []
        opened = await enter_code(client, user, phone.next_code())
        assert opened.status_code == 200
        assert opened.json()["user"]["uuid"] == str(user.uuid)

    async def test_wrong_password_and_unknown_address_still_answer_alike(
        self, client: httpx.AsyncClient, user: User, phone: App
    ) -> None:
        body = {"password": derived_secret(), "otp": phone.next_code()}
        for path in ("/api/auth/login-onboard", "/api/auth/verify-otp"):
            sent = body if path.endswith("verify-otp") else {"password": body["password"]}
            wrong = await client.post(path, json={"emailAddress": user.email, **sent})
            unknown = await client.post(path, json={"emailAddress": "no@where.test", **sent})
            assert wrong.status_code == unknown.status_code == 401
            assert wrong.json() == unknown.json()

    async def test_a_code_is_good_once_and_so_are_those_before_it(
        self, client: httpx.AsyncClient, user: User, headers: dict[str, str], phone: App
    ) -> None:
        replayed = await enter_code(client, user, phone.code())
        assert await outcome(replayed) == (400, "code_used")
        phone.time.next_step()
        body = phone.code(1)
        answers = await asyncio.gather(*(enter_code(client, user, body) for _ in range(4)))
        # Whether the last of the losers gets "used" or "too many" depends on timing.
        winner, *losers = sorted(answer.status_code for answer in answers)
        assert winner == 200
        assert set(losers) <= {400, 429}
        assert await outcome(await enter_code(client, user, phone.code())) == (
            429,
            "too_many_tries",
        )

    async def test_a_code_of_the_login_does_not_verify_a_session_afterwards(
        self, client: httpx.AsyncClient, user: User, headers: dict[str, str], phone: App
    ) -> None:
        code = phone.next_code()
        assert (await enter_code(client, user, code)).status_code == 200
        crossed = await client.post(f"/api/auth/verify-otp/{code}", headers=headers)
        assert await outcome(crossed) == (400, "code_used")

    async def test_a_code_by_sms_is_not_taken_any_more(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        time: Clock,
        outbox: Outbox,
    ) -> None:
        await client.post("/api/auth/login-onboard", json=user.credentials)
        by_sms = await outbox.code(user.phone_number)
        app = await set_up(client, headers, time)
        if by_sms in {app.code(steps) for steps in (-1, 0, 1)}:
            pytest.skip("two random codes were equal")
        assert await outcome(await enter_code(client, user, by_sms)) == (400, "code_wrong")

    async def test_a_code_of_the_next_step_is_taken_and_one_further_is_not(
        self, client: httpx.AsyncClient, user: User, phone: App
    ) -> None:
        far = phone.code(3)
        assert await outcome(await enter_code(client, user, far)) == (400, "code_wrong")
        assert (await enter_code(client, user, phone.code(1))).status_code == 200

    async def test_fifty_parallel_guesses_of_an_app_code_count_as_at_most_five_tries(
        self, client: httpx.AsyncClient, user: User, phone: App
    ) -> None:
        wrong = phone.wrong_code()
        answers = await asyncio.gather(*(enter_code(client, user, wrong) for _ in range(50)))
        assert {answer.status_code for answer in answers} <= {400, 429, 503}
        assert sum(answer.json()["code"] == "code_wrong" for answer in answers) <= 4
        locked = await enter_code(client, user, phone.next_code())
        assert await outcome(locked) == (429, "too_many_tries")

    async def test_fifty_parallel_guesses_at_a_session(
        self, client: httpx.AsyncClient, headers: dict[str, str], phone: App
    ) -> None:
        path = f"/api/auth/verify-otp/{phone.wrong_code()}"
        answers = await asyncio.gather(*(client.post(path, headers=headers) for _ in range(50)))
        codes = [answer.json()["code"] for answer in answers]
        assert (codes.count("code_wrong"), codes.count("too_many_tries")) == (4, 46)
        right = await client.post(f"/api/auth/verify-otp/{phone.next_code()}", headers=headers)
        assert await outcome(right) == (429, "too_many_tries")
        assert 0 < right.json()["retryAfter"] <= 300

    async def test_guesses_at_a_session_and_at_the_login_are_counted_together(
        self, client: httpx.AsyncClient, user: User, headers: dict[str, str], phone: App
    ) -> None:
        wrong = phone.wrong_code()
        for _ in range(4):
            await client.post(f"/api/auth/verify-otp/{wrong}", headers=headers)
        last = await enter_code(client, user, wrong)
        assert await outcome(last) == (429, "too_many_tries")

    async def test_there_is_an_end_to_a_day_s_guesses(
        self, client: httpx.AsyncClient, user: User, phone: App, platform: Connection
    ) -> None:
        await platform.execute("UPDATE counters SET count = 50, resets_at = now() + interval '1 d'")
        answer = await enter_code(client, user, phone.next_code())
        assert await outcome(answer) == (429, "too_many_tries")

    async def test_what_turned_out_well_does_not_count(
        self, client: httpx.AsyncClient, user: User, phone: App
    ) -> None:
        for _ in range(7):
            assert (await enter_code(client, user, phone.next_code())).status_code == 200


class TestVerifiedAccess:
    async def test_the_app_s_code_verifies_a_session(
        self, client: httpx.AsyncClient, make: Factory, user: User, phone: App, outbox: Outbox
    ) -> None:
        other = await make.session(user)
        asked = await client.post("/api/auth/generate-otp", headers=other)
        assert asked.json() == {
            "otpRequired": True, "method": "totp", "recoveryCodeOnly": False,
        }  # fmt: skip
        assert [each for each in await outbox.messages() if each["to"] == user.phone_number] == []
        verified = await client.post(f"/api/auth/verify-otp/{phone.next_code()}", headers=other)
        assert verified.json() == {"verifiedFor": 300}
        allowed = await client.post("/api/auth/recovery-codes", headers=other)
        assert allowed.status_code == 200

    async def test_a_recovery_code_does_too_and_never_in_an_address(
        self, client: httpx.AsyncClient, make: Factory, user: User, phone: App
    ) -> None:
        other = await make.session(user)
        code = phone.recovery_codes[0]
        in_address = await client.post(f"/api/auth/verify-otp/{code}", headers=other)
        assert in_address.status_code == 422
        path = "/api/auth/verify-recovery-code"
        in_query = await client.post(path, params={"recoveryCode": code}, headers=other)
        assert in_query.status_code == 422
        verified = await client.post(path, json={"recoveryCode": code}, headers=other)
        assert verified.json() == {"verifiedFor": 300}


class TestRecoveryCodes:
    async def test_recovery_code_works_once_and_the_owner_is_notified(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        phone: App,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        code = phone.recovery_codes[3]
        answers = await asyncio.gather(*(enter_code(client, user, code) for _ in range(3)))
        assert sorted(answer.status_code for answer in answers) == [200, 400, 400]
        again = await enter_code(client, user, code)
        assert await outcome(again) == (400, "recovery_code_wrong")
        assert (await read(client, headers))["recoveryCodesLeft"] == 9
        mail = await outbox.newest(user.email)
        assert mail["subject"] == "A recovery code was used"
        assert "9" in mail["text"]
        assert code not in json.dumps(mail)
        assert "recoveryCode.used" in await actions(platform)

    async def test_recovery_code_may_be_typed_as_it_is_read(
        self, client: httpx.AsyncClient, user: User, phone: App
    ) -> None:
        first, second, third = phone.recovery_codes[:3]
        for typed in (first.upper(), second.replace("-", " "), third.replace("-", "")):
            assert (await enter_code(client, user, typed)).status_code == 200

    async def test_somebody_else_s_does_not_fit(
        self, client: httpx.AsyncClient, make: Factory, user: User, phone: App
    ) -> None:
        other = await make.user(user.company, "teamMember")
        app = await set_up(client, await make.session(other, verified=True), phone.time)
        stolen = await enter_code(client, user, app.recovery_codes[0])
        assert await outcome(stolen) == (400, "recovery_code_wrong")

    async def test_new_ones_replace_the_old_ones(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        phone: App,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        answer = await client.post("/api/auth/recovery-codes", headers=headers)
        new = answer.json()["recoveryCodes"]
        assert len(set(new) | set(phone.recovery_codes)) == 20
        old = await enter_code(client, user, phone.recovery_codes[0])
        assert await outcome(old) == (400, "recovery_code_wrong")
        assert (await enter_code(client, user, new[0])).status_code == 200
        assert "You have new recovery codes" in await mails(outbox, user)
        assert "recoveryCodes.madeAnew" in await actions(platform)

    async def test_recovery_codes_need_an_authenticator(
        self, client: httpx.AsyncClient, user: User, headers: dict[str, str]
    ) -> None:
        refused = await client.post("/api/auth/recovery-codes", headers=headers)
        assert await outcome(refused) == (404, "authenticator_not_on")
        guessed = await enter_code(client, user, "0000-0000-0000-0000")
        assert await outcome(guessed) == (400, "recovery_code_wrong")
