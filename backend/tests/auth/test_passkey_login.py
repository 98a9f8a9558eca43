import asyncio
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core import base64url
from tests.auth.passkey_device import USER_PRESENT, PasskeyDevice, add, ask, listed, log_in
from tests.auth.phone_app import App, actions, outcome
from tests.factories.accounts import Factory, Outbox, User, derived_secret


class TestLogin:
    async def test_a_passkey_takes_the_place_of_the_code(
        self,
        client: httpx.AsyncClient,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
        outbox: Outbox,
    ) -> None:
        options = await ask(client, user)
        assert options["rpId"] == "console.test"
        assert options["userVerification"] == "required"
        assert [each["id"] for each in options["allowCredentials"]] == [device.id]
        answer = await log_in(client, user, device.sign(options))
        assert answer.status_code == 200
        session = {"Authorization": f"Bearer {answer.json()['access_token']}"}
        assert (await listed(client, session))[0]["lastUsedAt"]
        assert [each["to"] for each in await outbox.messages()] == [user.email]

    async def test_a_code_does_as_before(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice, outbox: Outbox
    ) -> None:
        await ask(client, user)
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json()["method"] == "sms"
        body = {**user.credentials, "otp": await outbox.code(user.phone_number)}
        assert (await client.post("/api/auth/verify-otp", json=body)).status_code == 200

    async def test_the_authenticator_app_does_as_before(
        self, client: httpx.AsyncClient, user: User, phone: App, device: PasskeyDevice
    ) -> None:
        await ask(client, user)
        asked = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert asked.json() == {
            "otpRequired": True, "method": "totp", "recoveryCodeOnly": False,
        }  # fmt: skip
        for otp in (phone.next_code(), phone.recovery_codes[0]):
            body = {**user.credentials, "otp": otp}
            assert (await client.post("/api/auth/verify-otp", json=body)).status_code == 200

    async def test_the_password_is_needed_for_both_calls(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice
    ) -> None:
        options = await ask(client, user)
        wrong = {**user.credentials, "password": derived_secret()}
        asked = await client.post("/api/auth/login-onboard", json={**wrong, "passkey": True})
        assert await outcome(asked) == (401, "login_failed")
        answer = await client.post(
            "/api/auth/login-passkey", json={**wrong, "credential": device.sign(options)}
        )
        assert await outcome(answer) == (401, "login_failed")

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            (lambda device: replace(device, origin="https://evil.test"), "passkey_of_another_site"),
            (lambda device: replace(device, rp_id="evil.test"), "passkey_of_another_site"),
            (lambda device: replace(device, flags=USER_PRESENT), "passkey_refused"),
            (lambda device: replace(device, key=PasskeyDevice().key), "passkey_refused"),
            (lambda device: PasskeyDevice(), "passkey_unknown"),
        ],
    )
    async def test_login_with_an_unverified_passkey_is_refused(
        self,
        client: httpx.AsyncClient,
        user: User,
        device: PasskeyDevice,
        change: Callable[[PasskeyDevice], PasskeyDevice],
        code: str,
        platform: Connection,
    ) -> None:
        signed = change(device).sign(await ask(client, user))
        assert await outcome(await log_in(client, user, signed)) == (400, code)
        assert "session.started" not in await actions(platform)
        assert await platform.fetchval("SELECT last_used_at FROM passkeys") is None

    async def test_a_challenge_is_good_once_and_for_a_while(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice, platform: Connection
    ) -> None:
        expired = (400, "passkey_challenge_expired")
        signed = device.sign(await ask(client, user))
        assert (await log_in(client, user, signed)).status_code == 200
        assert await outcome(await log_in(client, user, signed)) == expired
        signed = device.sign(await ask(client, user))
        await platform.execute("UPDATE passkey_challenges SET expires_at = now()")
        assert await outcome(await log_in(client, user, signed)) == expired
        old = device.sign(await ask(client, user))
        await ask(client, user)
        assert await outcome(await log_in(client, user, old)) == expired

    async def test_two_answers_to_one_challenge_log_in_once(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice
    ) -> None:
        signed = device.sign(await ask(client, user))
        answers = await asyncio.gather(*(log_in(client, user, signed) for _ in range(4)))
        assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]

    async def test_a_challenge_belongs_to_its_user_and_purpose(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        user: User,
        headers: dict[str, str],
        device: PasskeyDevice,
    ) -> None:
        colleague = await make.user(user.company, "teamMember")
        theirs = await make.session(colleague, verified=True)
        own = await add(client, theirs)
        options = await ask(client, colleague)
        crossed = await log_in(client, user, device.sign(options))
        assert await outcome(crossed) == (400, "passkey_challenge_expired")
        stolen = await log_in(client, colleague, device.sign(options))
        assert await outcome(stolen) == (400, "passkey_unknown")
        options = await ask(client, colleague)
        verified = await client.post(
            "/api/auth/verify-passkey", json={"credential": own.sign(options)}, headers=theirs
        )
        assert await outcome(verified) == (400, "passkey_challenge_expired")

    async def test_a_user_handle_of_another_user_is_refused(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice
    ) -> None:
        signed = device.sign(await ask(client, user))
        answer = await log_in(client, user, {**signed, "userHandle": base64url.encode(bytes(16))})
        assert await outcome(answer) == (400, "passkey_unknown")

    async def test_a_counter_that_goes_back_is_refused(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice
    ) -> None:
        for count, status in ((0, 200), (5, 200), (6, 200), (6, 400), (2, 400), (0, 400), (7, 200)):
            device.sign_count = count
            answer = await log_in(client, user, device.sign(await ask(client, user)))
            assert answer.status_code == status, count
            if status == 400:
                assert answer.json()["code"] == "passkey_copied"

    async def test_failures_are_limited_like_codes(
        self, client: httpx.AsyncClient, user: User, device: PasskeyDevice
    ) -> None:
        stranger = PasskeyDevice()
        for _ in range(4):
            answer = await log_in(client, user, stranger.sign(await ask(client, user)))
            assert await outcome(answer) == (400, "passkey_unknown")
        last = await log_in(client, user, stranger.sign(await ask(client, user)))
        assert await outcome(last) == (429, "too_many_tries")
        right = await log_in(client, user, device.sign(await ask(client, user)))
        assert await outcome(right) == (429, "too_many_tries")


class TestVerification:
    async def test_a_passkey_gives_verified_access(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        user: User,
        device: PasskeyDevice,
        platform: Connection,
    ) -> None:
        session = await make.session(user)
        path = "/api/auth/generate-otp"
        asked = await client.post(path, params={"passkey": True}, headers=session)
        assert asked.json()["method"] == "passkey"
        signed = device.sign(asked.json()["options"])
        other = await make.session(user)
        crossed = await client.post(
            "/api/auth/verify-passkey", json={"credential": signed}, headers=other
        )
        assert await outcome(crossed) == (400, "passkey_challenge_expired")
        answer = await client.post(
            "/api/auth/verify-passkey", json={"credential": signed}, headers=session
        )
        assert answer.json() == {"verifiedFor": 300}
        started = await client.post("/api/auth/passkeys/start", headers=session)
        assert started.status_code == 200
        assert (await actions(platform))[-1] == "session.verified"

    async def test_verification_without_a_passkey_asks_for_a_code(
        self, client: httpx.AsyncClient, make: Factory, user: User, device: PasskeyDevice
    ) -> None:
        path = "/api/auth/generate-otp"
        asked = await client.post(path, headers=await make.session(user))
        assert asked.json()["method"] == "sms"
        session = await make.session(await make.user())
        asked = await client.post(path, params={"passkey": True}, headers=session)
        assert asked.json()["method"] == "sms"
