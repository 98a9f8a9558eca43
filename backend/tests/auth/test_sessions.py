from datetime import UTC, datetime, timedelta

import httpx
import pytest
from fastapi import FastAPI
from joserfc import jwt
from joserfc.jwk import OctKey

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox


async def status(client: httpx.AsyncClient, headers: dict[str, str]) -> int:
    return (await client.get("/api/auth/login-token", headers=headers)).status_code


class TestLoginToken:
    @pytest.mark.spec("7.7")
    async def test_a_living_session_answers_like_the_login(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        answer = await client.get("/api/auth/login-token", headers=headers)
        assert answer.status_code == 200
        assert answer.json()["user"]["uuid"] == str(user.uuid)
        assert f"Bearer {answer.json()['access_token']}" == headers["Authorization"]
        assert answer.headers["cache-control"] == "no-store"

    async def test_no_token_is_401_not_422(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/api/auth/login-token")
        assert (answer.status_code, answer.json()["code"]) == (401, "session_required")

    async def test_forged_login_tokens_are_refused(
        self, client: httpx.AsyncClient, make: Factory, app: FastAPI
    ) -> None:
        headers = await make.session(await make.user())
        token = headers["Authorization"].removeprefix("Bearer ")
        claims = {"sid": "x" * 43, "aud": "tessera-console", "exp": 4_000_000_000}
        head, body, signature = token.split(".")
        other_key = OctKey.import_key(b"another key of thirty-two bytes!!")
        own_key = OctKey.import_key(app.state.resources.keys.derive("session-tokens"))
        forged = [
            "eyJhbGciOiJub25lIn0." + body + ".",
            jwt.encode({"alg": "HS256"}, claims, other_key),
            jwt.encode({"alg": "HS256"}, {**claims, "aud": "another"}, own_key),
            jwt.encode({"alg": "HS256"}, {**claims, "exp": 1}, own_key),
            jwt.encode({"alg": "HS256"}, claims, own_key),
            jwt.encode({"alg": "HS512"}, claims, own_key, algorithms=["HS512"]),
            f"{head}.{body}.{signature[:-2]}",
            "nonsense",
            "a.b.c",
            "",
        ]
        for attempt in forged:
            assert await status(client, {"Authorization": f"Bearer {attempt}"}) == 401
        assert await status(client, headers) == 200


class TestEndOfSession:
    @pytest.mark.spec("7.10")
    async def test_logout_ends_the_session(self, client: httpx.AsyncClient, make: Factory) -> None:
        headers = await make.session(await make.user())
        assert (await client.post("/api/auth/logout", headers=headers)).status_code == 204
        assert await status(client, headers) == 401

    @pytest.mark.spec("9.6")
    @pytest.mark.parametrize(
        "what",
        [
            "UPDATE users SET is_active = false",
            "UPDATE companies SET is_enabled = false WHERE id <> 1",
            "UPDATE sessions SET last_seen_at = now() - interval '931 seconds'",
            "UPDATE sessions SET expires_at = now()",
            "DELETE FROM users",
        ],
    )
    async def test_what_ends_it_counts_at_once(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection, what: str
    ) -> None:
        headers = await make.session(await make.user())
        assert await status(client, headers) == 200
        await platform.execute(what)
        assert await status(client, headers) == 401

    async def test_use_keeps_it_alive(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        headers = await make.session(await make.user())
        await platform.execute("UPDATE sessions SET last_seen_at = now() - interval '14 minutes'")
        assert await status(client, headers) == 200
        seen = await platform.fetchval("SELECT last_seen_at FROM sessions")
        assert datetime.now(UTC) - seen < timedelta(seconds=30)


class TestVerifiedAccess:
    @pytest.mark.spec("3.24", "7.6", "7.14", "9.8")
    async def test_verified_access_is_given_for_a_right_code(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        refused = await client.post(
            "/api/auth/profile/email", json={"email_address": "new@company.test"}, headers=headers
        )
        assert (refused.status_code, refused.json()["code"]) == (403, "verification_required")
        sent = await client.post("/api/auth/generate-otp", headers=headers)
        assert sent.status_code == 200
        code = await outbox.code(user.phone_number)
        verified = await client.post(f"/api/auth/verify-otp/{code}", headers=headers)
        assert verified.json() == {"verifiedFor": 300}
        allowed = await client.post(
            "/api/auth/profile/email", json={"email_address": "new@company.test"}, headers=headers
        )
        assert allowed.status_code == 202

    @pytest.mark.spec("3.24", "4.18")
    async def test_verified_access_expires_and_is_not_shared_between_sessions(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        verified, other = await make.session(user, verified=True), await make.session(user)
        body = {"email_address": "new@company.test"}
        assert (
            await client.post("/api/auth/profile/email", json=body, headers=other)
        ).status_code == 403
        await platform.execute(
            "UPDATE sessions SET verified_until = now() WHERE verified_until IS NOT NULL"
        )
        assert (
            await client.post("/api/auth/profile/email", json=body, headers=verified)
        ).status_code == 403

    async def test_a_login_code_does_not_verify_a_session_and_the_other_way_round(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        await client.post("/api/auth/login-onboard", json=user.credentials)
        login_code = await outbox.code(user.phone_number)
        crossed = await client.post(f"/api/auth/verify-otp/{login_code}", headers=headers)
        assert crossed.json()["code"] == "code_expired"
        await client.post("/api/auth/generate-otp", headers=headers)
        session_code = await outbox.code(user.phone_number)
        other = await make.session(user)
        stolen = await client.post(f"/api/auth/verify-otp/{session_code}", headers=other)
        assert stolen.json()["code"] == "code_expired"

    async def test_asking_again_within_a_minute_sends_no_second_code(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        await client.post("/api/auth/generate-otp", headers=headers)
        again = await client.post("/api/auth/generate-otp", headers=headers)
        assert again.status_code == 200
        assert 0 < again.json()["resendIn"] <= 60
        assert len(await outbox.messages()) == 1
        code = await outbox.code(user.phone_number)
        verified = await client.post(f"/api/auth/verify-otp/{code}", headers=headers)
        assert verified.status_code == 200
