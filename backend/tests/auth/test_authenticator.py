import httpx
from fastapi import FastAPI

from tessera.auth.two_factor import operator_resets
from tessera.auth.two_factor.recovery_codes import is_recovery_code
from tessera.kit import totp
from tessera.kit.database import Connection
from tessera.kit.keys import Keys
from tessera.maintenance import key_rewrap
from tests.auth.phone_app import App, Clock, actions, enter_code, mails, outcome, read, set_up
from tests.factories.accounts import Factory, Outbox, User


class TestTurningOn:
    async def test_authenticator_counts_once_the_app_has_shown_a_right_code(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        time: Clock,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        app = await set_up(client, headers, time, confirmed=False)
        before = await read(client, headers)
        assert (before["method"], before["since"], before["recoveryCodesLeft"]) == ("sms", None, 0)
        sent = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert sent.json()["method"] == "sms"
        wrong = await client.post(
            "/api/auth/authenticator/confirm", json={"otp": app.wrong_code()}, headers=headers
        )
        assert await outcome(wrong) == (400, "code_wrong")
        right = await client.post(
            "/api/auth/authenticator/confirm", json={"otp": app.code()}, headers=headers
        )
        codes = right.json()["recoveryCodes"]
        assert len(set(codes)) == 10
        assert all(is_recovery_code(code) for code in codes)
        after = await read(client, headers)
        assert (after["method"], after["recoveryCodesLeft"]) == ("totp", 10)
        assert after["since"]
        assert await actions(platform) == ["authenticator.started", "authenticator.turnedOn"]
        assert await mails(outbox, user) == ["Your authenticator app is turned on"]

    async def test_authenticator_secret_and_recovery_codes_are_not_stored_in_plain(
        self, client: httpx.AsyncClient, phone: App, platform: Connection
    ) -> None:
        tables = await platform.fetch(
            "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace = 'public'::regnamespace AND has_table_privilege(oid, 'SELECT')"
        )
        stored = ""
        for table in tables:
            stored += str([dict(row) for row in await platform.fetch(f"TABLE {table['name']}")])
        assert repr(phone.secret)[2:-1] not in stored
        assert totp.secret_text(phone.secret) not in stored
        for code in phone.recovery_codes:
            assert code not in stored
            assert code.replace("-", "") not in stored

    async def test_changed_two_factor_signs_out_the_other_sessions(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        user: User,
        headers: dict[str, str],
        time: Clock,
    ) -> None:
        async def is_in(session: dict[str, str]) -> bool:
            return (await client.get("/api/auth/sessions", headers=session)).status_code == 200

        elsewhere = await make.session(user)
        await set_up(client, headers, time, confirmed=False)
        assert await is_in(elsewhere)
        await set_up(client, headers, time)
        assert (await is_in(elsewhere), await is_in(headers)) == (False, True)
        elsewhere = await make.session(user)
        await client.delete("/api/auth/authenticator", headers=headers)
        assert (await is_in(elsewhere), await is_in(headers)) == (False, True)

    async def test_authenticator_needs_verified_access(
        self, client: httpx.AsyncClient, make: Factory, user: User
    ) -> None:
        unverified = await make.session(user)
        for method, path in (
            ("POST", "/api/auth/authenticator"),
            ("DELETE", "/api/auth/authenticator"),
            ("POST", "/api/auth/recovery-codes"),
        ):
            answer = await client.request(method, path, headers=unverified)
            assert await outcome(answer) == (403, "verification_required")

    async def test_what_was_not_started_or_too_long_ago_cannot_be_confirmed(
        self,
        client: httpx.AsyncClient,
        headers: dict[str, str],
        time: Clock,
        platform: Connection,
    ) -> None:
        path = "/api/auth/authenticator/confirm"
        nothing = await client.post(path, json={"otp": "123456"}, headers=headers)
        assert await outcome(nothing) == (409, "authenticator_not_started")
        app = await set_up(client, headers, time, confirmed=False)
        await platform.execute("UPDATE authenticators SET started_at = now() - interval '31 min'")
        late = await client.post(path, json={"otp": app.code()}, headers=headers)
        assert await outcome(late) == (409, "authenticator_not_started")

    async def test_a_new_app_replaces_the_old_one_when_it_is_confirmed(
        self, client: httpx.AsyncClient, user: User, headers: dict[str, str], phone: App
    ) -> None:
        new = await set_up(client, headers, phone.time, confirmed=False)
        assert (await enter_code(client, user, phone.next_code())).status_code == 200
        confirmed = await client.post(
            "/api/auth/authenticator/confirm", json={"otp": new.next_code()}, headers=headers
        )
        assert confirmed.status_code == 200
        assert await outcome(await enter_code(client, user, phone.next_code())) == (
            400,
            "code_wrong",
        )
        used = await enter_code(client, user, phone.recovery_codes[0])
        assert await outcome(used) == (400, "recovery_code_wrong")
        assert (await enter_code(client, user, new.code())).status_code == 200


class TestTurningOff:
    async def test_codes_come_by_sms_again(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        phone: App,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        answer = await client.delete("/api/auth/authenticator", headers=headers)
        assert answer.status_code == 204
        assert await read(client, headers) == {
            "method": "sms",
            "phoneNumber": user.phone_number[:2] + "••••••••" + user.phone_number[-2:],
            "since": None,
            "recoveryCodesLeft": 0,
            "smsEnabled": True,
            "smsNeeded": True,
        }
        assert await platform.fetch("TABLE authenticators") == []
        assert await platform.fetch("TABLE recovery_codes") == []
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json()["method"] == "sms"
        sms = await outbox.code(user.phone_number)
        assert (await enter_code(client, user, sms)).status_code == 200
        assert await mails(outbox, user) == [
            "Your authenticator app is turned on",
            "Your authenticator app is turned off",
        ]
        again = await client.delete("/api/auth/authenticator", headers=headers)
        assert await outcome(again) == (404, "authenticator_not_on")

    async def test_the_platform_s_keeper_does_it_for_who_lost_the_phone(
        self,
        client: httpx.AsyncClient,
        app: FastAPI,
        user: User,
        headers: dict[str, str],
        phone: App,
        outbox: Outbox,
        platform: Connection,
    ) -> None:
        resources = app.state.resources
        assert not await operator_resets.reset_phone(resources, "no@where.test", "+12025550188")
        assert await operator_resets.reset_phone(resources, user.email.upper(), "+12025550188")
        assert (await client.get("/api/auth/login-token", headers=headers)).status_code == 401
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json()["method"] == "sms"
        assert (
            await enter_code(client, user, await outbox.code("+12025550188"))
        ).status_code == 200
        recorded = await actions(platform)
        assert "phone.resetByPlatform" in recorded
        assert "authenticator.resetByPlatform" in recorded
        mail = await outbox.newest(user.email)
        assert mail["subject"] == "Tessera support reset your two-step login"


class TestPlatformKey:
    async def test_a_secret_moved_to_another_account_does_not_open(
        self, client: httpx.AsyncClient, make: Factory, user: User, phone: App, platform: Connection
    ) -> None:
        other = await make.user()
        app = await set_up(client, await make.session(other, verified=True), phone.time)
        await platform.execute(
            "UPDATE authenticators a SET sealed_secret = b.sealed_secret FROM authenticators b"
            " WHERE a.user_id = $1 AND b.user_id = $2",
            user.id,
            other.id,
        )
        answer = await enter_code(client, user, app.next_code())
        assert await outcome(answer) == (503, "authenticator_unreadable")
        assert (await enter_code(client, user, phone.recovery_codes[0])).status_code == 200

    async def test_a_new_platform_key_keeps_it_good(
        self, app: FastAPI, phone: App, user: User, platform: Connection
    ) -> None:
        resources = app.state.resources
        new = Keys(bytes(32))
        result = await key_rewrap.rewrap(resources.database.platform, new, resources.keys)
        assert result.sealed_rows >= 1
        sealed = await platform.fetchval("SELECT sealed_secret FROM authenticators")
        place = f"authenticator|{user.company.id}|{user.id}"
        assert new.open("authenticators", sealed, place) == phone.secret
