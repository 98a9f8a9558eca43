"""Calls with a token: what it may do, and what each kind of wrong token is answered."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tessera.api_tokens.schemas import ApiTokenScope
from tessera.authz.permissions import ROLE_PERMISSIONS, TOKEN_SCOPES, Role
from tessera.kit.database import Connection
from tests.authz.matrix import MATRIX
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.factories.warehouses import Warehouses
from tests.security.attacker import error_of
from tests.security.cells import Attack

NEVER = ("passphrase", "leadership", "key", "storage:use", "storage:grant", "storage:manage")
REFUSALS = {"api_token_scope_missing", "api_token_forbidden"}


async def recorded(platform: Connection) -> list[tuple[str, str, str]]:
    rows = await platform.fetch(
        "SELECT actor_name, action, target FROM activity WHERE api_token_id IS NOT NULL ORDER BY id"
    )
    return [tuple(row) for row in rows]


@pytest.fixture
def attack(
    client: httpx.AsyncClient, people: People, make: Factory, warehouses: Warehouses
) -> Attack:
    return Attack(client, people, make, warehouses)


@pytest.fixture
async def scopes(client: httpx.AsyncClient) -> dict[str, str | None]:
    """What each call needs, as the reference shows it; without the calls that are open to all."""
    described = (await client.get("/api/openapi.json")).json()["paths"]
    return {
        f"{method.upper()} {path}": operation["x-access"].get("scope")
        for path, methods in described.items()
        for method, operation in methods.items()
        if "x-access" in operation
    }


def test_scopes_are_permissions_of_the_leader_and_never_secrets() -> None:
    assert ROLE_PERMISSIONS[Role.TEAM_LEADER] > TOKEN_SCOPES
    assert {*map(str, TOKEN_SCOPES)} == {*map(str, ApiTokenScope)}
    assert [scope for scope in TOKEN_SCOPES if scope.startswith(NEVER)] == []


async def test_verified_calls_are_closed_to_tokens(scopes: dict[str, str | None]) -> None:
    assert [row.call for row in MATRIX if row.verified and scopes[row.call]] == []
    assert set(scopes.values()) - {None} == set(TOKEN_SCOPES)


@pytest.mark.extended
async def test_a_token_with_every_scope_makes_only_calls_that_are_open(
    attack: Attack, make: Factory, team: Team, scopes: dict[str, str | None], platform: Connection
) -> None:
    token = await make.api_token(team.leader, list(TOKEN_SCOPES))
    target = await attack.target(team)
    closed = [row for row in MATRIX if row.call in scopes and scopes[row.call] is None]
    assert len(closed) > 90
    before = await platform.fetchval("SELECT count(*) FROM activity")
    for row in closed:
        answer = await attack.send(row, target, token.headers)
        assert error_of(answer) == (403, "api_token_forbidden"), row.call
    records = await recorded(platform)
    assert records == [("Deploy", "apiToken.refused", row.call) for row in closed]
    assert await platform.fetchval("SELECT count(*) FROM activity") == before + len(closed)


@pytest.mark.extended
@pytest.mark.parametrize("scope", sorted(TOKEN_SCOPES))
async def test_a_token_does_what_its_scope_allows_and_nothing_else(
    attack: Attack,
    make: Factory,
    people: People,
    team: Team,
    scopes: dict[str, str | None],
    platform: Connection,
    scope: str,
) -> None:
    token = await make.api_token(team.leader, [scope])
    target = await attack.target(team)
    rows = [row for row in MATRIX if row.call in scopes]
    for row in rows:
        if scopes[row.call] != scope:
            refused = await attack.send(row, target, token.headers)
            assert refused.json()["code"] in REFUSALS, row.call
    assert {action for _, action, _ in await recorded(platform)} == {"apiToken.refused"}
    allowed = [row for row in rows if scopes[row.call] == scope]
    assert allowed
    for row in allowed:
        for expected, foreign in ((row.own, False), (row.foreign, True)):
            status = expected.split()[2] if expected else "-"
            if status == "-":
                continue
            own = await people.team(warehouses=True)
            stranger = await people.team(warehouses=True)
            headers = (await make.api_token(own.leader, [scope])).headers
            place = await attack.target(stranger if foreign else own)
            answer = await attack.send(row, place, headers)
            assert str(answer.status_code) == status, (row.call, foreign)


class TestRecords:
    async def test_every_call_is_in_the_activity_with_the_tokens_name(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
    ) -> None:
        token = await make.api_token(
            team.leader, ["members:read", "members:manage"], name="Ada Lindqvist"
        )
        uuid = str(team.member.uuid)
        body = {
            "uuid": uuid,
            "firstName": "New",
            "lastName": "Name",
            "email_address": team.member.email,
            "phoneNumber": team.member.phone_number,
        }
        assert (await client.get("/api/users", headers=token.headers)).status_code == 200
        changed = await client.put("/api/user", json=body, headers=token.headers)
        assert changed.status_code == 200
        own_id = {"company_id": team.company.id}
        await client.get("/api/users/{company_id}".format(**own_id), headers=token.headers)
        assert await recorded(platform) == [
            ("Ada Lindqvist", "apiToken.called", "GET /api/users"),
            ("Ada Lindqvist", "apiToken.called", "PUT /api/user"),
            ("Ada Lindqvist", "member.updated", team.member.email),
            ("Ada Lindqvist", "apiToken.called", "GET /api/users/{company_id}"),
        ]
        assert await platform.fetchval("SELECT count(actor_uuid) FROM activity") == 0
        shown = (await client.get("/api/activity", headers=leader)).json()["item1"]
        assert {each["apiTokenId"] for each in shown} == {token.id}
        table = await client.get("/api/activity/export", headers=leader)
        assert "Ada Lindqvist (API token)" in table.text

    async def test_the_list_shows_the_last_use(
        self, client: httpx.AsyncClient, make: Factory, team: Team, leader: dict[str, str]
    ) -> None:
        token = await make.api_token(team.leader)
        await client.get("/api/activity", headers=token.headers)
        (listed,) = (await client.get("/api/tokens", headers=leader)).json()["tokens"]
        assert (listed["lastUsedAt"], listed["lastOrigin"]) == (None, None)
        await client.get("/api/users", headers=token.headers)
        (listed,) = (await client.get("/api/tokens", headers=leader)).json()["tokens"]
        assert listed["lastOrigin"] == "192.0.2.1"
        assert listed["lastUsedAt"] is not None


class TestRefused:
    @pytest.mark.parametrize(
        "wrong",
        [
            "tsk_",
            "tsk_1",
            "tsk_x-" + "a" * 43,
            "tsk_9999999999-" + "a" * 43,
            "tsk_1-" + "a" * 42,
            "tsk_1-" + "a" * 44,
            "tsk_1-" + "a" * 40 + "é!?",
            "tsk_2000000-" + "a" * 43,
            "tsk_" + "1" * 5_000,
        ],
    )
    async def test_a_malformed_or_unknown_token(
        self, client: httpx.AsyncClient, team: Team, platform: Connection, wrong: str
    ) -> None:
        header = (b"Authorization", f"Bearer {wrong}".encode())
        answer = await client.get("/api/users", headers=[header])
        assert error_of(answer) == (401, "api_token_invalid")
        assert await platform.fetch("TABLE activity") == []

    async def test_a_token_that_names_another_company(
        self, client: httpx.AsyncClient, make: Factory, people: People, team: Team
    ) -> None:
        token = (await make.api_token(team.leader)).token
        other = (await people.team()).company.id
        moved = f"tsk_{other}-{token.partition('-')[2]}"
        answer = await client.get("/api/users", headers={"Authorization": f"Bearer {moved}"})
        assert error_of(answer) == (401, "api_token_invalid")

    async def test_another_companys_token_sees_its_own_people_only(
        self, client: httpx.AsyncClient, make: Factory, people: People, team: Team
    ) -> None:
        other = await people.team()
        token = await make.api_token(other.leader, list(TOKEN_SCOPES))
        listed = await client.get("/api/users", headers=token.headers)
        assert {each["uuid"] for each in listed.json()["item1"]} == {
            str(other.leader.uuid),
            str(other.member.uuid),
        }
        foreign = await client.get(f"/api/users/{team.company.id}", headers=token.headers)
        assert foreign.status_code == 404

    async def test_an_expired_token(
        self, client: httpx.AsyncClient, make: Factory, team: Team, platform: Connection
    ) -> None:
        past = datetime.now(UTC) - timedelta(seconds=1)
        token = await make.api_token(team.leader, expires_at=past)
        answer = await client.get("/api/users", headers=token.headers)
        assert error_of(answer) == (401, "api_token_expired")
        assert [action for _, action, _ in await recorded(platform)] == ["apiToken.refused"]

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE users SET is_active = false",
            "UPDATE users SET role = 'teamMember'",
            "UPDATE companies SET is_enabled = false WHERE id <> 1",
            "UPDATE companies SET deactivated_for_debt_at = now() WHERE id <> 1",
        ],
    )
    async def test_a_token_of_somebody_who_no_longer_leads(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        platform: Connection,
        change: str,
    ) -> None:
        token = await make.api_token(team.leader)
        await platform.execute(change)
        answer = await client.get("/api/users", headers=token.headers)
        assert error_of(answer) == (401, "api_token_revoked")

    @pytest.mark.parametrize(
        ("networks", "status"),
        [
            (["192.0.2.1/32"], 200),
            (["10.0.0.0/8", "192.0.2.0/24"], 200),
            (["10.0.0.0/8"], 403),
            (["::1/128"], 403),
            (["0.0.0.0/0"], 200),
            (["::/0"], 403),
        ],
    )
    async def test_a_call_from_another_address(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        networks: list[str],
        status: int,
    ) -> None:
        token = await make.api_token(team.leader, networks=networks)
        forged = {**token.headers, "X-Forwarded-For": "10.0.0.1"}
        answer = await client.get("/api/users", headers=forged)
        assert answer.status_code == status
        if status == 403:
            assert answer.json()["code"] == "api_token_address_refused"

    async def test_the_subscription_counts_for_tokens_too(
        self, client: httpx.AsyncClient, make: Factory, people: People
    ) -> None:
        team = await people.team(subscribed=False)
        token = await make.api_token(team.leader)
        answer = await client.get("/api/users", headers=token.headers)
        assert error_of(answer) == (403, "subscription_required")

    async def test_a_stored_scope_that_no_token_may_have_gives_nothing(
        self, client: httpx.AsyncClient, make: Factory, team: Team
    ) -> None:
        token = await make.api_token(team.leader, ["passphrase:manage", "apiTokens:manage"])
        for path in ("/api/company/alerts", "/api/tokens", "/api/users"):
            answer = await client.get(path, headers=token.headers)
            assert answer.json()["code"] in REFUSALS

    async def test_open_calls_ignore_a_token(
        self, client: httpx.AsyncClient, make: Factory, team: Team, platform: Connection
    ) -> None:
        token = await make.api_token(team.leader)
        assert (await client.get("/api/config", headers=token.headers)).status_code == 200
        assert await recorded(platform) == []


class TestLimits:
    @pytest.mark.parametrize("changed_settings", [{"limits": {"api_token_calls": 3}}])
    async def test_calls_are_limited_per_token(
        self, client: httpx.AsyncClient, make: Factory, team: Team, platform: Connection
    ) -> None:
        token, other = await make.api_token(team.leader), await make.api_token(team.leader)
        answers = [await client.get("/api/users", headers=token.headers) for _ in range(5)]
        assert [each.status_code for each in answers] == [200, 200, 200, 429, 429]
        assert int(answers[-1].headers["retry-after"]) > 0
        assert len(await recorded(platform)) == 3
        assert (await client.get("/api/users", headers=other.headers)).status_code == 200

    @pytest.mark.parametrize("changed_settings", [{"limits": {"api_token_failures": 3}}])
    async def test_unknown_tokens_are_limited_per_origin(
        self, client: httpx.AsyncClient, make: Factory, team: Team
    ) -> None:
        wrong: dict[str, Any] = {"Authorization": f"Bearer tsk_{team.company.id}-{'a' * 43}"}
        answers = [await client.get("/api/users", headers=wrong) for _ in range(5)]
        assert [each.status_code for each in answers] == [401, 401, 401, 429, 429]
        good = await make.api_token(team.leader)
        assert (await client.get("/api/users", headers=good.headers)).status_code == 200
