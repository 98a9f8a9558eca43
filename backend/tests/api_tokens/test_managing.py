"""The leader's list of tokens: made, shown once, revoked."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.security.attacker import error_of, together

# As docs/api-tokens.md gives it to scanners of source code.
PATTERN = re.compile(r"tsk_[0-9]{1,9}-[A-Za-z0-9_-]{43}")


def wanted(**changes: Any) -> dict[str, Any]:
    expires = datetime.now(UTC) + timedelta(days=30)
    body = {"name": "Deploy", "scopes": ["members:read"], "expiresAt": expires.isoformat()}
    return {**body, **changes}


async def test_a_token_is_shown_once_and_stored_as_a_hash(
    client: httpx.AsyncClient, team: Team, leader: dict[str, str], platform: Connection
) -> None:
    body = wanted(
        name="  Payroll sync ",
        scopes=["members:read", "activity:read", "members:read"],
        networks=["203.0.113.7", "2001:db8::/32", "203.0.113.7/32"],
    )
    made = await client.post("/api/tokens", json=body, headers=leader)
    assert made.status_code == 201
    token = made.json()["token"]
    assert PATTERN.fullmatch(token)
    assert token.startswith(f"tsk_{team.company.id}-")
    listed = await client.get("/api/tokens", headers=leader)
    assert listed.json() == {"tokens": [made.json()["created"]], "maxTokens": 50}
    shown = made.json()["created"]
    assert shown["name"] == "Payroll sync"
    assert shown["scopes"] == ["activity:read", "members:read"]
    assert shown["networks"] == ["203.0.113.7/32", "2001:db8::/32"]
    assert (shown["state"], shown["lastUsedAt"], shown["lastOrigin"]) == ("active", None, None)
    secret = token.partition("-")[2]
    assert secret not in listed.text
    stored = str(await platform.fetch("TABLE api_tokens")) + str(
        await platform.fetch("TABLE activity")
    )
    assert secret not in stored
    row = await platform.fetchrow("SELECT action, target, details::text FROM activity")
    assert row is not None
    assert (row["action"], row["target"]) == ("apiToken.created", "Payroll sync")
    assert "activity:read, members:read" in row["details"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["passphrase:read"]}, "scopes.0"),
        ({"scopes": ["leadership:reassign"]}, "scopes.0"),
        ({"scopes": ["subscription:manage"]}, "scopes.0"),
        ({"scopes": ["storage:use"]}, "scopes.0"),
        ({"scopes": ["apiTokens:manage"]}, "scopes.0"),
        ({"scopes": ["companies:manage"]}, "scopes.0"),
        ({"scopes": ["*"]}, "scopes.0"),
        ({"expiresAt": "2020-01-01T00:00:00Z"}, "expiresAt"),
        ({"expiresAt": "2999-01-01T00:00:00Z"}, "expiresAt"),
        ({"expiresAt": "2026-01-01T00:00:00"}, "expiresAt"),
        ({"expiresAt": None}, "expiresAt"),
        ({"networks": ["203.0.113.0/33"]}, "networks.0"),
        ({"networks": ["203.0.113.7/24"]}, "networks.0"),
        ({"networks": ["example.com"]}, "networks.0"),
        ({"networks": ["203.0.113.7"] * 21}, "networks"),
        ({"token": "tsk_1-chosen"}, "token"),
    ],
)
async def test_a_wrong_field_is_named_and_nothing_made(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    platform: Connection,
    change: dict[str, Any],
    field: str,
) -> None:
    answer = await client.post("/api/tokens", json=wanted(**change), headers=leader)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
    assert await platform.fetch("TABLE api_tokens") == []


async def test_a_revoked_token_stops_at_once_and_stays_listed(
    client: httpx.AsyncClient, leader: dict[str, str]
) -> None:
    made = (await client.post("/api/tokens", json=wanted(), headers=leader)).json()
    token = {"Authorization": f"Bearer {made['token']}"}
    path = f"/api/tokens/{made['created']['id']}"
    assert (await client.get("/api/users", headers=token)).status_code == 200
    assert (await client.delete(path, headers=leader)).status_code == 204
    refused = await client.get("/api/users", headers=token)
    assert error_of(refused) == (401, "api_token_revoked")
    assert error_of(await client.delete(path, headers=leader)) == (404, "api_token_not_found")
    (listed,) = (await client.get("/api/tokens", headers=leader)).json()["tokens"]
    assert listed["state"] == "revoked"


@pytest.mark.parametrize("changed_settings", [{"limits": {"api_tokens": 3}}])
async def test_a_company_has_so_many_even_if_made_at_once(
    client: httpx.AsyncClient, leader: dict[str, str], platform: Connection
) -> None:
    answers = await together(
        [lambda: client.post("/api/tokens", json=wanted(), headers=leader) for _ in range(6)]
    )
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [201, 201, 201, 409, 409, 409]
    await platform.execute("UPDATE api_tokens SET expires_at = now()")
    again = await client.post("/api/tokens", json=wanted(), headers=leader)
    assert again.status_code == 201


@pytest.mark.parametrize("changed_settings", [{"limits": {"api_tokens_per_day": 2}}])
async def test_new_tokens_are_limited_per_day(
    client: httpx.AsyncClient, leader: dict[str, str]
) -> None:
    answers = [await client.post("/api/tokens", json=wanted(), headers=leader) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]


async def test_a_change_of_the_leader_revokes_the_tokens(
    client: httpx.AsyncClient, make: Factory, team: Team, leader: dict[str, str]
) -> None:
    token = await make.api_token(team.leader)
    path = f"/api/user/team-leader/{team.member.uuid}"
    assert (await client.put(path, headers=leader)).status_code == 200
    refused = await client.get("/api/users", headers=token.headers)
    assert error_of(refused) == (401, "api_token_revoked")
    new_leader = await make.session(team.member)
    (listed,) = (await client.get("/api/tokens", headers=new_leader)).json()["tokens"]
    assert (listed["state"], listed["createdBy"]) == ("revoked", "Omar Haddad")


async def test_ended_tokens_are_deleted_after_90_days(
    make: Factory, team: Team, platform: Connection
) -> None:
    kept, revoked = await make.api_token(team.leader), await make.api_token(team.leader)
    past = datetime.now(UTC) - timedelta(days=91)
    await make.api_token(team.leader, expires_at=past)
    await platform.execute("UPDATE api_tokens SET revoked_at = $2 WHERE id = $1", revoked.id, past)
    await platform.fetchval("SELECT purge_expired_logins(100)")
    assert [row["id"] for row in await platform.fetch("TABLE api_tokens")] == [kept.id]


async def test_another_companys_tokens_are_not_listed(
    client: httpx.AsyncClient, make: Factory, people: People, leader: dict[str, str]
) -> None:
    await make.api_token((await people.team()).leader)
    assert (await client.get("/api/tokens", headers=leader)).json()["tokens"] == []
