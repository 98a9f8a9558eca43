"""What a company demands is asked at the login and at each request."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tessera.kit import clock
from tessera.kit.database import Connection
from tests.auth.passkey_device import PasskeyDevice, add, ask, log_in
from tests.auth.phone_app import App, Clock, enter_code, set_up
from tests.factories.accounts import Company, Factory, Outbox, User
from tests.factories.people import People
from tests.policies.policy import ELSEWHERE, HERE, demand
from tests.security.attacker import alive, error_of

LAPTOP = {"name": "Laptop", "system": "Linux", "version": "0.7.7"}


@dataclass(frozen=True)
class Team:
    """Both can log in."""

    company: Company
    leader: User
    member: User


@pytest.fixture
async def team(make: Factory) -> Team:
    leader = await make.user()
    return Team(leader.company, leader, await make.user(leader.company, "teamMember"))


async def log_in_by_sms(
    browser: httpx.AsyncClient, outbox: Outbox, user: User, **more: Any
) -> httpx.Response:
    asked = await browser.post("/api/auth/login-onboard", json=user.credentials)
    if asked.status_code != 200:
        return asked
    otp = await outbox.code(user.phone_number)
    body = {**user.credentials, "otp": otp, **more}
    return await browser.post("/api/auth/verify-otp", json=body)


def bearer(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['access_token']}"}


class TestNetworks:
    async def test_a_login_from_elsewhere_is_refused_after_the_password_only(
        self,
        client: httpx.AsyncClient,
        team: Team,
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        await demand(platform, team.company, networks=ELSEWHERE)
        answer = await log_in_by_sms(client, outbox, team.member)
        assert error_of(answer) == (403, "network_refused")
        assert "192.0.2.1" in answer.json()["message"]
        assert await outbox.messages() == []
        guess = {**team.member.credentials, "password": team.leader.credentials["password"]}
        wrong = await client.post("/api/auth/login-onboard", json=guess)
        assert error_of(wrong) == (401, "login_failed")

    async def test_a_session_from_elsewhere_waits_and_may_only_log_out(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        people: People,
        team: Team,
        platform: Connection,
    ) -> None:
        member = await make.session(team.member)
        laptop = await make.session(team.member, client="Laptop")
        foreign = await make.session((await people.team()).member)
        await demand(platform, team.company, networks=ELSEWHERE)
        forged = {"X-Forwarded-For": "198.51.100.7"}
        for headers, path in (
            (member, "/api/auth/login-token"),
            (member, "/api/auth/profile"),
            (laptop, "/api/storage/spaces"),
            (laptop, "/api/storage/keys"),
        ):
            answer = await client.get(path, headers=headers | forged)
            assert error_of(answer) == (403, "network_refused"), path
        assert await alive(client, foreign)
        await demand(platform, team.company, networks=HERE)
        assert await alive(client, member)
        await demand(platform, team.company, networks=ELSEWHERE)
        assert (await client.post("/api/auth/logout", headers=member)).status_code == 204
        await demand(platform, team.company)
        assert not await alive(client, member)

    @pytest.mark.parametrize(
        ("allowed", "own", "status"),
        [
            (ELSEWHERE, [], 403),
            (ELSEWHERE, ["192.0.2.1/32"], 403),
            (HERE, ["10.0.0.0/8"], 403),
            (HERE, ["192.0.2.1/32"], 200),
            (HERE, [], 200),
        ],
    )
    async def test_a_token_that_was_made_before_is_bound_to_both(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
        allowed: list[str],
        own: list[str],
        status: int,
    ) -> None:
        await demand(platform, team.company, networks=allowed)
        token = await make.api_token(team.leader, networks=own)
        answer = await client.get("/api/users", headers=token.headers)
        assert answer.status_code == status
        if status == 403:
            assert answer.json()["code"] == "api_token_address_refused"

    @pytest.mark.parametrize(
        ("wanted", "refused"),
        [
            (["192.0.2.7", "192.0.2.0/25"], None),
            (["192.0.2.7", "198.51.100.0/24"], "networks.1"),
            (["192.0.0.0/16"], "networks.0"),
            (["0.0.0.0/0"], "networks.0"),
            (["::/0"], "networks.0"),
        ],
    )
    async def test_a_new_token_names_networks_within_these(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
        wanted: list[str],
        refused: str | None,
    ) -> None:
        await demand(platform, team.company, networks=HERE)
        body = {
            "name": "Deploy",
            "scopes": ["members:read"],
            "expiresAt": (datetime.now(UTC) + timedelta(days=30)).isoformat(),
            "networks": wanted,
        }
        leader = await make.session(team.leader, verified=True)
        made = await client.post("/api/tokens", json=body, headers=leader)
        assert made.status_code == (422 if refused else 201), made.text
        if refused:
            assert made.json()["code"] == "api_token_network_outside"
            assert list(made.json()["fields"]) == [refused]
            assert not (await client.get("/api/tokens", headers=leader)).json()["tokens"]


class TestSessionLength:
    async def test_session_length_counts_from_the_login(
        self,
        client: httpx.AsyncClient,
        team: Team,
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        await demand(platform, team.company, session_hours=2, client_session_days=1)
        headers = bearer(await log_in_by_sms(client, outbox, team.member))
        await platform.execute("DELETE FROM codes")
        bearer(await log_in_by_sms(client, outbox, team.member, client=LAPTOP))
        rows = await platform.fetch(
            "SELECT kind, expires_at - created_at AS lasting FROM sessions ORDER BY kind"
        )
        assert [tuple(row) for row in rows] == [
            ("browser", timedelta(hours=2)),
            ("client", timedelta(days=1)),
        ]
        # One that a login of the same moment made longer.
        await platform.execute(
            "UPDATE sessions SET created_at = now() - interval '121 minutes',"
            " expires_at = now() + interval '1 hour'"
        )
        assert not await alive(client, headers)


class TestClientVersion:
    async def test_an_old_client_neither_logs_in_nor_stores(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        laptop = await make.session(team.member, client="Laptop")
        browser = await make.session(team.member)
        await demand(platform, team.company, min_client_version="0.7.10")
        answer = await log_in_by_sms(client, outbox, team.member, client=LAPTOP)
        assert error_of(answer) == (403, "client_too_old")
        assert "0.7.10" in answer.json()["message"]
        assert "0.7.7" in answer.json()["message"]
        answer = await client.get("/api/storage/spaces", headers=laptop)
        assert error_of(answer) == (403, "client_too_old")
        # It can update itself and log out, and a browser is no client.
        assert (await client.get("/api/auth/profile", headers=laptop)).status_code == 200
        assert (await client.get("/api/downloads", headers=laptop)).status_code == 200
        assert await alive(client, browser)

    @pytest.mark.parametrize(
        ("agent", "status"),
        [
            ("tess/0.7.10", 200),
            ("tess/0.8", 200),
            ("tess/0.7.9", 403),
            ("Mozilla/5.0", 403),
            ("tess/99999999999999999999", 403),
            ("tess/1.x", 403),
        ],
    )
    async def test_an_update_counts_without_a_new_login(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
        agent: str,
        status: int,
    ) -> None:
        laptop = await make.session(team.member, client="Laptop")
        await platform.execute("UPDATE sessions SET last_seen_at = now() - interval '1 minute'")
        await demand(platform, team.company, min_client_version="0.7.10")
        answer = await client.get("/api/storage/spaces", headers=laptop | {"User-Agent": agent})
        assert answer.status_code == status
        if status == 200:
            noted = await platform.fetchval("SELECT client_version FROM sessions")
            assert f"tess/{noted}" == agent


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(clock, "now", made.now)
    return made


class TestSecondFactors:
    async def test_who_has_none_that_counts_may_only_set_one_up(
        self,
        client: httpx.AsyncClient,
        team: Team,
        platform: Connection,
        outbox: Outbox,
        time: Clock,
    ) -> None:
        await demand(platform, team.company, second_factors=["passkey", "totp"])
        started = await log_in_by_sms(client, outbox, team.leader)
        assert started.json()["user"]["secondFactorAccepted"] is False
        headers = bearer(started)
        for path in ("/api/users", "/api/storage/keys", "/api/policies", "/api/tokens"):
            answer = await client.get(path, headers=headers)
            assert error_of(answer) == (403, "second_factor_refused"), path
        assert "passkeys and codes from an app" in answer.json()["message"]
        app: App = await set_up(client, headers, time)
        answer = await client.get("/api/users", headers=headers)
        assert error_of(answer) == (403, "second_factor_refused")
        again = await enter_code(client, team.leader, app.next_code())
        assert again.json()["user"]["secondFactorAccepted"] is True
        assert (await client.get("/api/users", headers=bearer(again))).status_code == 200

    async def test_who_has_one_that_counts_has_to_use_it(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        device = await add(client, await make.session(team.leader, verified=True))
        await demand(platform, team.company, second_factors=["passkey", "totp"])
        answer = await log_in_by_sms(client, outbox, team.leader)
        assert error_of(answer) == (403, "second_factor_refused")
        body = {**team.leader.credentials, "passkey": True}
        asked = (await client.post("/api/auth/login-onboard", json=body)).json()
        assert (asked["method"], asked["codeMethod"]) == ("passkey", None)
        guess = {**team.leader.credentials, "otp": "000000"}
        wrong = await client.post("/api/auth/verify-otp", json=guess)
        assert error_of(wrong) == (403, "second_factor_refused")
        entered = await log_in(client, team.leader, device.sign(asked["options"]))
        assert (await client.get("/api/users", headers=bearer(entered))).status_code == 200

    async def test_a_session_opened_before_is_held_back_until_verified(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
    ) -> None:
        headers = await make.session(team.leader, verified=True)
        device: PasskeyDevice = await add(client, headers)
        await demand(platform, team.company, second_factors=["passkey", "totp"])
        answer = await client.get("/api/users", headers=headers)
        assert error_of(answer) == (403, "second_factor_refused")
        own = (await client.get("/api/auth/login-token", headers=headers)).json()
        assert own["user"]["secondFactorAccepted"] is False
        path = "/api/auth/generate-otp?passkey=true"
        asked = (await client.post(path, headers=headers)).json()
        body = {"credential": device.sign(asked["options"])}
        done = await client.post("/api/auth/verify-passkey", json=body, headers=headers)
        assert done.status_code == 200
        assert (await client.get("/api/users", headers=headers)).status_code == 200

    async def test_a_passkey_that_no_longer_counts_is_not_asked_for(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
    ) -> None:
        device = await add(client, await make.session(team.leader, verified=True))
        before = await ask(client, team.leader)
        await demand(platform, team.company, second_factors=["sms"])
        body = {**team.leader.credentials, "passkey": True}
        asked = (await client.post("/api/auth/login-onboard", json=body)).json()
        assert asked["method"] == "sms"
        answer = await log_in(client, team.leader, device.sign(before))
        assert error_of(answer) == (403, "second_factor_refused")

    async def test_the_client_gets_no_half_session(
        self,
        client: httpx.AsyncClient,
        team: Team,
        platform: Connection,
        outbox: Outbox,
    ) -> None:
        await demand(platform, team.company, second_factors=["totp"])
        answer = await log_in_by_sms(client, outbox, team.member, client=LAPTOP)
        assert error_of(answer) == (403, "second_factor_refused")
        assert await platform.fetch("TABLE sessions") == []
