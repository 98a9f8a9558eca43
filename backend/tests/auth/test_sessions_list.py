from typing import Any

import httpx

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, Outbox, User

CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


async def log_in(
    client: httpx.AsyncClient, outbox: Outbox, user: User, user_agent: str
) -> dict[str, str]:
    headers = {"User-Agent": user_agent}
    await client.post("/api/auth/login-onboard", json=user.credentials, headers=headers)
    code = await outbox.code(user.phone_number)
    answer = await client.post(
        "/api/auth/verify-otp", json={**user.credentials, "otp": code}, headers=headers
    )
    assert answer.status_code == 200
    return {"Authorization": f"Bearer {answer.json()['access_token']}"}


async def listed(client: httpx.AsyncClient, headers: dict[str, str]) -> list[dict[str, Any]]:
    answer = await client.get("/api/auth/sessions", headers=headers)
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()
    return found


async def alive(client: httpx.AsyncClient, headers: dict[str, str]) -> bool:
    return (await client.get("/api/auth/login-token", headers=headers)).status_code == 200


async def actions(platform: Connection) -> list[str]:
    rows = await platform.fetch("SELECT action FROM activity ORDER BY id")
    return [row["action"] for row in rows]


class TestOwnSessions:
    async def test_what_where_and_when_with_the_own_one_first(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        first = await log_in(client, outbox, user, CHROME)
        second = await log_in(client, outbox, user, FIREFOX)
        await make.session(await make.user(user.company, "teamMember"))
        found = await listed(client, first)
        assert [(each["browser"], each["system"], each["current"]) for each in found] == [
            ("Chrome", "Windows", True),
            ("Firefox", "Linux", False),
        ]
        assert {each["origin"] for each in found} == {"192.0.2.1"}
        assert set(found[0]) == {
            "id", "kind", "browser", "system", "clientName", "clientVersion", "origin",
            "startedAt", "lastUsedAt", "current",
        }  # fmt: skip
        assert [each["current"] for each in await listed(client, second)] == [True, False]
        rows = await platform.fetch("TABLE sessions")
        kept = [value for row in rows for value in row.values() if isinstance(value, str)]
        assert "Chrome" in str(kept)
        assert "Mozilla" not in str(kept)
        assert "126" not in str(kept)

    async def test_ended_idle_and_expired_ones_are_left_out(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        headers = await make.session(user)
        for change in (
            "ended_at = now()",
            "last_seen_at = now() - interval '931 seconds'",
            "expires_at = now()",
        ):
            await make.session(user)
            await platform.execute(
                f"UPDATE sessions SET {change} WHERE id = (SELECT max(id) FROM sessions)"
            )
        assert [each["current"] for each in await listed(client, headers)] == [True]


class TestEndOne:
    async def test_ended_session_is_logged_out_at_once(
        self, client: httpx.AsyncClient, make: Factory, outbox: Outbox, platform: Connection
    ) -> None:
        user = await make.user()
        here = await log_in(client, outbox, user, CHROME)
        there = await log_in(client, outbox, user, FIREFOX)
        other = next(each for each in await listed(client, here) if not each["current"])
        ended = await client.delete(f"/api/auth/sessions/{other['id']}", headers=here)
        assert ended.status_code == 204
        assert not await alive(client, there)
        assert await alive(client, here)
        again = await client.delete(f"/api/auth/sessions/{other['id']}", headers=here)
        assert (again.status_code, again.json()["code"]) == (404, "session_not_found")
        newest = await platform.fetchrow("SELECT * FROM activity ORDER BY id DESC LIMIT 1")
        assert newest is not None
        assert (newest["action"], newest["target"]) == ("session.signedOut", "Firefox, Linux")

    async def test_a_colleague_s_and_a_stranger_s_do_not_exist(
        self, client: httpx.AsyncClient, make: Factory
    ) -> None:
        leader = await make.user()
        colleague = await make.session(await make.user(leader.company, "teamMember"))
        stranger = await make.session(await make.user())
        headers = await make.session(leader)
        for victim in (colleague, stranger):
            (theirs,) = await listed(client, victim)
            answer = await client.delete(f"/api/auth/sessions/{theirs['id']}", headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (404, "session_not_found")
            assert await alive(client, victim)


class TestEndMany:
    async def test_all_other_sessions_are_ended(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        here, there, further = [await make.session(user) for _ in range(3)]
        colleague = await make.session(await make.user(user.company, "teamMember"))
        answer = await client.post("/api/auth/sessions/end-others", headers=here)
        assert answer.status_code == 204
        assert [await alive(client, each) for each in (here, there, further, colleague)] == [
            True, False, False, True,
        ]  # fmt: skip
        assert await actions(platform) == ["session.othersSignedOut"]

    async def test_all_sessions_are_ended(
        self, client: httpx.AsyncClient, make: Factory, platform: Connection
    ) -> None:
        user = await make.user()
        here, there = [await make.session(user) for _ in range(2)]
        answer = await client.post("/api/auth/sessions/end-all", headers=here)
        assert answer.status_code == 204
        assert [await alive(client, each) for each in (here, there)] == [False, False]
        assert await actions(platform) == ["session.allSignedOut"]
