"""Codes by SMS, turned off by a user who has an authenticator app or a passkey."""

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from tessera.auth.two_factor.operator_resets import reset_phone
from tessera.kit.database import Connection
from tests.auth.passkey_device import PasskeyDevice, add, ask, listed, log_in
from tests.auth.phone_app import App, actions, enter_code, mails, outcome, read
from tests.factories.accounts import Factory, Outbox, User, derived_secret
from tests.security.attacker import alive

PATH = "/api/auth/second-factor/sms"


async def turn(client: httpx.AsyncClient, headers: dict[str, str], enabled: bool) -> httpx.Response:
    return await client.put(PATH, json={"enabled": enabled}, headers=headers)


async def turn_off(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    answer = await turn(client, headers, False)
    assert answer.status_code == 204, answer.text


async def sent_to(outbox: Outbox, user: User) -> list[dict[str, Any]]:
    return [each for each in await outbox.messages() if each["to"] == user.phone_number]


class TestTurnOff:
    async def test_turning_sms_off_without_another_factor_is_refused(
        self, client: httpx.AsyncClient, headers: dict[str, str], platform: Connection
    ) -> None:
        assert await outcome(await turn(client, headers, False)) == (409, "sms_needed")
        state = await read(client, headers)
        assert (state["smsEnabled"], state["smsNeeded"]) == (True, True)
        assert "sms.turnedOff" not in await actions(platform)

    async def test_turning_sms_off_needs_verified_access(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice, make: Factory
    ) -> None:
        headers = await make.session(user)
        for enabled in (False, True):
            answer = await turn(client, headers, enabled)
            assert await outcome(answer) == (403, "verification_required")

    async def test_turning_sms_off_is_recorded_mailed_and_ends_other_sessions(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        make: Factory,
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        other = await make.session(user)
        for _ in range(2):
            await turn_off(client, headers)
        state = await read(client, headers)
        assert (state["smsEnabled"], state["smsNeeded"]) == (False, False)
        assert await alive(client, headers)
        assert not await alive(client, other)
        assert (await actions(platform)).count("sms.turnedOff") == 1
        assert "Codes by SMS are turned off" in await mails(outbox, user)

    async def test_turning_sms_off_with_an_unconfirmed_app_is_refused(
        self, client: httpx.AsyncClient, headers: dict[str, str]
    ) -> None:
        assert (await client.post("/api/auth/authenticator", headers=headers)).status_code == 200
        assert await outcome(await turn(client, headers, False)) == (409, "sms_needed")

    async def test_races_with_the_removal_of_the_last_passkey(
        self,
        client: httpx.AsyncClient,
        headers: dict[str, str],
        device: PasskeyDevice,
    ) -> None:
        passkey = (await listed(client, headers))[0]["id"]
        await asyncio.gather(
            turn(client, headers, False),
            client.delete(f"/api/auth/passkeys/{passkey}", headers=headers),
        )
        state = await read(client, headers)
        assert (state["smsEnabled"], state["smsNeeded"]) == (True, True)


class TestLogin:
    async def test_login_with_a_passkey_and_sms_off_offers_no_code(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        outbox: Outbox,
    ) -> None:
        body = {**user.credentials, "passkey": True}
        before = (await client.post("/api/auth/login-onboard", json=body)).json()
        assert (before["method"], before["codeMethod"]) == ("passkey", "sms")
        await turn_off(client, headers)
        after = (await client.post("/api/auth/login-onboard", json=body)).json()
        assert (after["method"], after["codeMethod"]) == ("passkey", None)
        answer = await log_in(client, user, device.sign(await ask(client, user)))
        assert answer.status_code == 200
        assert await sent_to(outbox, user) == []

    async def test_sends_no_sms_and_says_why_only_after_the_password(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        outbox: Outbox,
    ) -> None:
        await turn_off(client, headers)
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert await outcome(asked) == (403, "sms_turned_off")
        wrong = {**user.credentials, "password": derived_secret()}
        for body in (wrong, {**wrong, "emailAddress": "nobody@company.test"}):
            asked = await client.post("/api/auth/login-onboard", json=body)
            assert await outcome(asked) == (401, "login_failed")
        assert await sent_to(outbox, user) == []

    async def test_takes_no_code_that_was_sent_before(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        outbox: Outbox,
    ) -> None:
        await client.post("/api/auth/login-onboard", json=user.credentials)
        code = await outbox.code(user.phone_number)
        await turn_off(client, headers)
        assert await outcome(await enter_code(client, user, code)) == (403, "sms_turned_off")
        # Nor after it is on again: the code was ended.
        assert (await turn(client, headers, True)).status_code == 204
        assert await outcome(await enter_code(client, user, code)) == (400, "code_expired")

    async def test_a_code_counts_in_an_app(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        phone: App,
        outbox: Outbox,
    ) -> None:
        await turn_off(client, headers)
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json() == {
            "otpRequired": True, "method": "totp", "recoveryCodeOnly": False,
        }  # fmt: skip
        assert (await enter_code(client, user, phone.next_code())).status_code == 200
        recovery = await enter_code(client, user, phone.recovery_codes[0])
        assert recovery.status_code == 200
        assert await sent_to(outbox, user) == []

    async def test_a_session_is_not_verified_by_sms_either(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        outbox: Outbox,
        make: Factory,
    ) -> None:
        await turn_off(client, headers)
        session = await make.session(user)
        asked = await client.post("/api/auth/generate-otp", headers=session)
        assert await outcome(asked) == (403, "sms_turned_off")
        answer = await client.post("/api/auth/verify-otp/123456", headers=session)
        assert await outcome(answer) == (403, "sms_turned_off")
        asked = await client.post("/api/auth/generate-otp?passkey=true", headers=session)
        assert (asked.json()["method"], asked.json()["codeMethod"]) == ("passkey", None)
        assert await sent_to(outbox, user) == []


class TestTurnedOnAgain:
    async def test_sms_is_turned_on_again_by_the_user(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        platform: Connection,
    ) -> None:
        await turn_off(client, headers)
        assert (await turn(client, headers, True)).status_code == 204
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json()["method"] == "sms"
        assert "sms.turnedOn" in await actions(platform)

    async def test_when_the_last_passkey_is_removed(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        await add(client, headers, name="Another")
        await turn_off(client, headers)
        first, second = [each["id"] for each in await listed(client, headers)]
        await client.delete(f"/api/auth/passkeys/{first}", headers=headers)
        assert (await read(client, headers))["smsEnabled"] is False
        await client.delete(f"/api/auth/passkeys/{second}", headers=headers)
        assert (await read(client, headers))["smsEnabled"] is True
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json()["method"] == "sms"
        assert "sms.turnedOn" in await actions(platform)
        assert "Codes by SMS are turned on" in await mails(outbox, user)
        # It stays on with the next passkey.
        await add(client, headers)
        assert (await read(client, headers))["smsEnabled"] is True

    async def test_when_the_app_is_turned_off(
        self, client: httpx.AsyncClient, user: User, headers: dict[str, str], phone: App
    ) -> None:
        await turn_off(client, headers)
        await client.delete("/api/auth/authenticator", headers=headers)
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json()["method"] == "sms"

    async def test_sms_stays_off_while_a_passkey_remains(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        phone: App,
        device: PasskeyDevice,
        outbox: Outbox,
    ) -> None:
        await turn_off(client, headers)
        await client.delete("/api/auth/authenticator", headers=headers)
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert await outcome(asked) == (403, "sms_turned_off")
        newest = await outbox.newest(user.email)
        assert "log in with your passkey" in newest["text"]

    async def test_sms_is_turned_on_again_by_the_operator_s_reset(
        self,
        app: FastAPI,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        phone: App,
        outbox: Outbox,
    ) -> None:
        await turn_off(client, headers)
        assert await reset_phone(app.state.resources, user.email, "+12025550111")
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json()["method"] == "sms"
        code = await outbox.code("+12025550111")
        assert (await enter_code(client, user, code)).status_code == 200

    @pytest.mark.parametrize("host", ["http://192.0.2.7", "http://[2001:db8::7]:8080"])
    async def test_while_browsers_cannot_use_passkeys_here(
        self,
        app: FastAPI,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        monkeypatch: pytest.MonkeyPatch,
        host: str,
    ) -> None:
        """The public address has become an IP address, which no passkey works for."""
        await turn_off(client, headers)
        monkeypatch.setattr(app.state.resources.settings, "public_url", host)
        asked = await client.post(
            "/api/auth/login-onboard", json={**user.credentials, "passkey": True}
        )
        assert asked.json()["method"] == "sms"
