import asyncio
import hashlib
import os
import sys
import threading

import httpx
import pytest

from tessera.auth.passwords.hashing import hash_secret
from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox, User, derived_secret


async def wrong_code(outbox: Outbox, user: User) -> str:
    return "000000" if await outbox.code(user.phone_number) != "000000" else "111111"


class TestPrelogin:
    async def test_known_address_gets_its_own_salt(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user(email="Known@Company.Test")
        for spelling in ("known@company.test", "KNOWN@company.test "):
            answer = await client.post("/api/auth/prelogin", json={"emailAddress": spelling})
            assert answer.status_code == 200
            assert len(answer.json()["salt"]) == 22
            assert answer.json()["kdf"] == 1
        assert user.salt

    async def test_unknown_address_gets_a_salt_that_stays_the_same(
        self, client: httpx.AsyncClient
    ) -> None:
        answers = [
            (await client.post("/api/auth/prelogin", json={"emailAddress": "no@where.test"})).json()
            for _ in range(2)
        ]
        other = await client.post("/api/auth/prelogin", json={"emailAddress": "not@where.test"})
        assert answers[0] == answers[1]
        assert other.json()["salt"] != answers[0]["salt"]


class TestLoginOnboard:
    @pytest.mark.spec("4.1", "9.9")
    async def test_right_password_sends_a_code_to_the_phone(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user(phone_number="+12025550112")
        answer = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert answer.status_code == 200
        assert answer.json() == {
            "otpRequired": True,
            "method": "sms",
            "sentTo": "+1••••••••12",
            "expiresIn": 300,
            "resendIn": 60,
        }
        assert len(await outbox.code("+12025550112")) == 6

    async def test_wrong_password_and_unknown_address_answer_alike(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        wrong = await client.post(
            "/api/auth/login-onboard", json={**user.credentials, "password": derived_secret()}
        )
        unknown = await client.post(
            "/api/auth/login-onboard",
            json={"emailAddress": "no@where.test", "password": derived_secret()},
        )
        assert wrong.status_code == unknown.status_code == 401
        assert wrong.json() == unknown.json()
        assert wrong.json()["code"] == "login_failed"
        assert set(wrong.headers) == set(unknown.headers)

    async def test_a_password_as_typed_is_refused_before_anything_is_looked_up(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        for address in (user.email, "no@where.test"):
            answer = await client.post(
                "/api/auth/login-onboard",
                json={"emailAddress": address, "password": "mosaic-Tile-2026"},
            )
            assert answer.status_code == 422
            assert answer.json()["code"] == "password_not_derived"
            assert "mosaic" not in answer.text

    @pytest.mark.spec("7.4")
    async def test_the_query_form_works_in_the_sandbox(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        answer = await client.post("/api/auth/login-onboard", params=user.credentials)
        assert answer.status_code == 200

    async def test_the_same_field_twice_is_refused(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        answer = await client.post(
            "/api/auth/login-onboard", params=user.credentials, json=user.credentials
        )
        assert answer.status_code == 400
        assert answer.json()["code"] == "field_given_twice"

    async def test_a_second_login_within_a_minute_sends_no_second_code(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        for _ in range(2):
            answer = await client.post("/api/auth/login-onboard", json=user.credentials)
            assert answer.status_code == 200
        assert len(await outbox.messages()) == 1
        assert 0 < answer.json()["resendIn"] <= 60

    async def test_disabled_people_and_companies_learn_it_after_the_password(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        disabled = await make.user(is_active=False)
        locked_out = await make.user()
        await platform.execute(
            "UPDATE companies SET is_enabled = false WHERE id = $1", locked_out.company.id
        )
        first = await client.post("/api/auth/login-onboard", json=disabled.credentials)
        second = await client.post("/api/auth/login-onboard", json=locked_out.credentials)
        guessed = await client.post(
            "/api/auth/login-onboard", json={**disabled.credentials, "password": derived_secret()}
        )
        assert (first.status_code, first.json()["code"]) == (403, "account_disabled")
        assert (second.status_code, second.json()["code"]) == (403, "company_disabled")
        assert guessed.status_code == 401

    async def test_leader_in_debt_may_log_in_and_a_member_may_not(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        company = await make.company()
        leader = await make.user(company)
        member = await make.user(company, "teamMember")
        await platform.execute("UPDATE companies SET deactivated_for_debt_at = now()")
        assert (
            await client.post("/api/auth/login-onboard", json=leader.credentials)
        ).status_code == 200
        assert (
            await client.post("/api/auth/login-onboard", json=member.credentials)
        ).status_code == 403

    @pytest.mark.parametrize("known", [True, False])
    async def test_login_locks_after_too_many_tries_with_the_time_left(
        self, client: httpx.AsyncClient, make: Factory, settings: object, known: bool
    ) -> None:
        address = (await make.user()).email if known else "no@where.test"
        guess = {"emailAddress": address, "password": derived_secret()}
        for _ in range(10):
            assert (await client.post("/api/auth/login-onboard", json=guess)).status_code == 401
        locked = await client.post("/api/auth/login-onboard", json=guess)
        assert locked.status_code == 429
        assert locked.json()["code"] == "too_many_tries"
        assert 0 < locked.json()["retryAfter"] <= 900
        assert "15" in locked.json()["message"]

    async def test_a_lock_at_one_origin_leaves_the_owner_free_at_another(
        self, client: httpx.AsyncClient, app: object, make: Factory
    ) -> None:
        user = await make.user()
        guess = {**user.credentials, "password": derived_secret()}
        for _ in range(11):
            await client.post("/api/auth/login-onboard", json=guess)
        elsewhere = httpx.ASGITransport(app=app, client=("198.51.100.7", 1))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=elsewhere, base_url="http://x") as other:
            answer = await other.post("/api/auth/login-onboard", json=user.credentials)
        assert answer.status_code == 200


class TestVerifyOtp:
    @pytest.mark.spec("3.1", "4.5", "7.5")
    async def test_the_code_completes_the_login(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post("/api/auth/login-onboard", json=user.credentials)
        answer = await client.post(
            "/api/auth/verify-otp",
            json={**user.credentials, "otp": await outbox.code(user.phone_number)},
        )
        assert answer.status_code == 200
        body = answer.json()
        assert set(body) == {"access_token", "user", "sealedUserKey", "salt"}
        assert body["user"]["uuid"] == str(user.uuid)
        assert body["user"]["email_address"] == user.email
        assert body["user"]["isSubscribed"] is True
        assert "members:manage" in body["user"]["permissions"]
        session = await platform.fetchrow("SELECT * FROM sessions")
        assert session is not None
        assert session["verified_until"] is not None
        handle = body["access_token"].split(".")[1]
        assert hashlib.sha256(handle.encode()).digest() != session["handle_hash"]
        actions = await platform.fetch("SELECT action FROM activity")
        assert [row["action"] for row in actions] == ["session.started"]

    async def test_a_password_changed_while_it_is_looked_at_opens_no_session(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post("/api/auth/login-onboard", json=user.credentials)
        body = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        changing = platform.transaction()
        await changing.start()
        await platform.execute("UPDATE users SET password_hash = '!' WHERE id = $1", user.id)
        asked = asyncio.create_task(client.post("/api/auth/verify-otp", json=body))
        for _ in range(500):
            if await platform.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
                break
            await asyncio.sleep(0.02)
        await changing.commit()
        assert (await asked).status_code == 401
        assert await platform.fetchval("SELECT count(*) FROM sessions") == 0

    async def test_a_code_is_good_once(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        await client.post("/api/auth/login-onboard", json=user.credentials)
        body = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        answers = await asyncio.gather(
            *(client.post("/api/auth/verify-otp", json=body) for _ in range(4))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]

    async def test_fifty_parallel_guesses_of_a_code_count_as_at_most_five_tries(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post("/api/auth/login-onboard", json=user.credentials)
        body = {**user.credentials, "otp": await wrong_code(outbox, user)}
        answers = await asyncio.gather(
            *(client.post("/api/auth/verify-otp", json=body) for _ in range(50))
        )
        assert {answer.status_code for answer in answers} <= {400, 429, 503}
        assert sum(answer.json()["code"] == "code_wrong" for answer in answers) <= 4
        assert await platform.fetchval("SELECT tries FROM codes") <= 5
        right = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        last = await client.post("/api/auth/verify-otp", json=right)
        assert last.status_code in {400, 429}

    async def test_an_expired_code_is_refused(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post("/api/auth/login-onboard", json=user.credentials)
        await platform.execute("UPDATE codes SET expires_at = now() - interval '1 second'")
        answer = await client.post(
            "/api/auth/verify-otp",
            json={**user.credentials, "otp": await outbox.code(user.phone_number)},
        )
        assert answer.json()["code"] == "code_expired"

    async def test_newest_login_code_alone_counts(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        await client.post("/api/auth/login-onboard", json=user.credentials)
        old = await outbox.code(user.phone_number)
        await platform.execute("UPDATE codes SET sent_at = now() - interval '61 seconds'")
        await client.post("/api/auth/login-onboard", json=user.credentials)
        new = await outbox.code(user.phone_number)
        if old == new:
            pytest.skip("two random codes were equal")
        answer = await client.post("/api/auth/verify-otp", json={**user.credentials, "otp": old})
        assert answer.json()["code"] == "code_wrong"

    async def test_ten_unconsumed_codes_a_day(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        for _ in range(10):
            assert (
                await client.post("/api/auth/login-onboard", json=user.credentials)
            ).status_code == 200
            await platform.execute("UPDATE codes SET sent_at = now() - interval '61 seconds'")
        answer = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert answer.status_code == 429
        assert answer.json()["code"] == "too_many_codes"

    @pytest.mark.spec("5.7", "9.9")
    @pytest.mark.parametrize("otp", ["12345", "1234567", "12345a", "١٢٣٤٥٦", ""])
    async def test_a_malformed_code_is_422(
        self, client: httpx.AsyncClient, make: Factory, otp: str
    ) -> None:
        user = await make.user()
        answer = await client.post("/api/auth/verify-otp", json={**user.credentials, "otp": otp})
        assert answer.status_code == 422
        assert "otp" in answer.json()["fields"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority per thread")
async def test_hashing_yields_to_the_event_loop() -> None:
    await hash_secret("a secret")
    hashing = [thread for thread in threading.enumerate() if thread.name.startswith("argon2")]
    assert hashing
    for thread in hashing:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, thread.native_id or 0) > own
