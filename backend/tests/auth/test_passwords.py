import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core.kdf import new_salt, salt_to_text
from tests.factories.accounts import Factory, Outbox, User, derived_secret, sealed_user_key


def new_password(user: User) -> dict[str, str]:
    salt = new_salt()
    return {
        "password": derived_secret(),
        "salt": salt_to_text(salt),
        "userKey": sealed_user_key(user.uuid, user.company.uuid, salt),
    }


async def reset_token(client: httpx.AsyncClient, outbox: Outbox, user: User) -> str:
    answer = await client.post("/api/auth/forgot-password", json={"emailAddress": user.email})
    assert answer.status_code == 202
    return await outbox.token(user.email)


class TestForgotPassword:
    async def test_known_and_unknown_addresses_answer_alike(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        known = await client.post("/api/auth/forgot-password", json={"emailAddress": user.email})
        unknown = await client.post(
            "/api/auth/forgot-password", json={"emailAddress": "no@where.test"}
        )
        assert known.status_code == unknown.status_code == 202
        assert known.content == unknown.content
        assert [message["to"] for message in await outbox.messages()] == [user.email]

    async def test_the_link_is_built_from_the_configured_address(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        await client.post(
            "/api/auth/forgot-password",
            json={"emailAddress": user.email},
            headers={"Host": "evil.test", "X-Forwarded-Host": "evil.test"},
        )
        message = await outbox.newest(user.email)
        assert message["link"].startswith("http://console.test/reset-password?token=")
        assert "evil" not in str(message)

    async def test_the_mail_follows_the_user_s_language(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user(language="ar", first_name="<b>عمر</b>")
        await client.post("/api/auth/forgot-password", json={"emailAddress": user.email})
        message = await outbox.newest(user.email)
        assert 'dir="rtl"' in message["html"]
        assert "<b>" not in message["html"]


class TestReset:
    @pytest.mark.spec("7.9")
    async def test_a_new_password_by_link(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        old_session = await make.session(user)
        await platform.execute(
            "INSERT INTO company_keys VALUES ($1, $2, 1, 'sealed')", user.company.id, user.id
        )
        token = await reset_token(client, outbox, user)
        state = await client.get("/api/auth/reset", params={"token": token})
        assert state.json() == {
            "state": "open",
            "uid": str(user.uuid),
            "cid": str(user.company.uuid),
            "ssoRequired": False,
        }
        body = {"token": token, **new_password(user)}
        answer = await client.post("/api/auth/reset-password", json=body)
        assert answer.status_code == 204
        dead = await client.get("/api/auth/login-token", headers=old_session)
        assert dead.status_code == 401
        assert await platform.fetchval("SELECT count(*) FROM company_keys") == 0
        login = {"emailAddress": user.email, "password": body["password"]}
        assert (await client.post("/api/auth/login-onboard", json=login)).status_code == 200
        old = await client.post("/api/auth/login-onboard", json=user.credentials)
        assert old.status_code == 401
        actions = [row["action"] for row in await platform.fetch("SELECT action FROM activity")]
        assert actions == ["password.reset"]

    async def test_a_link_works_once(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        token = await reset_token(client, outbox, user)
        await client.post("/api/auth/reset-password", json={"token": token, **new_password(user)})
        again = await client.post(
            "/api/auth/reset-password", json={"token": token, **new_password(user)}
        )
        assert (again.status_code, again.json()["code"]) == (409, "link_used")
        state = await client.get("/api/auth/reset", params={"token": token})
        assert state.json() == {
            "state": "used", "uid": None, "cid": None, "ssoRequired": False,
        }  # fmt: skip

    async def test_a_newer_link_replaces_the_older(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        first = await reset_token(client, outbox, user)
        second = await reset_token(client, outbox, user)
        assert first != second
        assert (await client.get("/api/auth/reset", params={"token": first})).status_code == 404

    async def test_expired_reset_link_is_refused(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        token = await reset_token(client, outbox, user)
        await platform.execute("UPDATE links SET expires_at = now()")
        state = await client.get("/api/auth/reset", params={"token": token})
        assert state.json()["state"] == "expired"
        answer = await client.post(
            "/api/auth/reset-password", json={"token": token, **new_password(user)}
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "link_expired")

    async def test_an_unknown_link_is_404(self, client: httpx.AsyncClient) -> None:
        answer = await client.get("/api/auth/reset", params={"token": "x" * 43})
        assert (answer.status_code, answer.json()["code"]) == (404, "link_unknown")

    @pytest.mark.parametrize("wrong", ["plain", "other company", "other user", "other salt", "cut"])
    async def test_a_wrong_envelope_changes_nothing(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        outbox: Outbox,
        platform: Connection,
        wrong: str,
    ) -> None:
        user, stranger = await make.user(), await make.user()
        token = await reset_token(client, outbox, user)
        body = {"token": token, **new_password(user)}
        salt = new_salt()
        body["userKey"] = {
            "plain": "my secret key",
            "other company": sealed_user_key(user.uuid, stranger.company.uuid, salt),
            "other user": sealed_user_key(stranger.uuid, user.company.uuid, salt),
            "other salt": sealed_user_key(user.uuid, user.company.uuid, new_salt()),
            "cut": body["userKey"][:-4],
        }[wrong]
        before = await platform.fetch("SELECT * FROM users ORDER BY id")
        answer = await client.post("/api/auth/reset-password", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "envelope_malformed")
        assert await platform.fetch("SELECT * FROM users ORDER BY id") == before
        assert (await client.get("/api/auth/reset", params={"token": token})).json()[
            "state"
        ] == "open"

    async def test_a_password_as_typed_is_refused(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox
    ) -> None:
        user = await make.user()
        token = await reset_token(client, outbox, user)
        body = {"token": token, **new_password(user), "password": "correct horse battery"}
        answer = await client.post("/api/auth/reset-password", json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "password_not_derived")


class TestChangePassword:
    async def test_the_old_one_is_needed_and_other_sessions_end(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        here, there = await make.session(user), await make.session(user)
        wrong = {"oldPassword": derived_secret(), **new_password(user)}
        refused = await client.put("/api/auth/password", json=wrong, headers=here)
        assert (refused.status_code, refused.json()["code"]) == (403, "old_password_wrong")
        right = {"oldPassword": user.secret, **new_password(user)}
        changed = await client.put("/api/auth/password", json=right, headers=here)
        assert changed.status_code == 204
        assert (await client.get("/api/auth/login-token", headers=here)).status_code == 200
        assert (await client.get("/api/auth/login-token", headers=there)).status_code == 401

    async def test_guessing_the_old_one_is_limited(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        for _ in range(10):
            wrong = {"oldPassword": derived_secret(), **new_password(user)}
            await client.put("/api/auth/password", json=wrong, headers=headers)
        right = {"oldPassword": user.secret, **new_password(user)}
        assert (
            await client.put("/api/auth/password", json=right, headers=headers)
        ).status_code == 429

    async def test_password_change_without_a_session_is_401_whatever_the_body(
        self, client: httpx.AsyncClient
    ) -> None:
        assert (await client.put("/api/auth/password", json={})).status_code == 401
