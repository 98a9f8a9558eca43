"""Countries are demanded like networks, where the platform knows those of addresses."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tessera.kit import countries
from tessera.kit.database import Connection
from tests.auth.phone_app import actions
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.fixtures.country_database import write
from tests.policies.policy import demand, put
from tests.security.attacker import alive, error_of

# The tests call from the first.
NETWORKS = {"192.0.2.0/24": "TR", "198.51.100.0/24": "DE"}
FORGED = {"X-Forwarded-For": "198.51.100.7"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "countries.mmdb", NETWORKS)


@pytest.fixture
def changed_settings(file: Path) -> dict[str, Any]:
    return {"country_database": str(file)}


async def test_countries_are_offered_saved_and_recorded(
    client: httpx.AsyncClient, leader: dict[str, str], platform: Connection
) -> None:
    saved = (await put(client, leader, countries=["tr", " DE", "TR"])).json()
    assert saved["countries"] == ["DE", "TR"]
    assert (saved["areCountriesOffered"], saved["ownCountry"]) == (True, "TR")
    assert (await client.get("/api/policies", headers=leader)).json() == saved
    assert await actions(platform) == ["policies.changed"]
    details = await platform.fetchval("SELECT details::text FROM activity")
    assert '"DE, TR"' in details


async def test_the_leaders_own_country_has_to_be_among_them(
    client: httpx.AsyncClient, leader: dict[str, str], platform: Connection
) -> None:
    for headers in (leader, leader | FORGED):
        answer = await put(client, headers, countries=["DE", "US"])
        assert error_of(answer) == (409, "own_country_left_out")
    assert await platform.fetch("TABLE company_policies") == []


async def test_a_session_from_another_country_waits_and_may_only_log_out(
    client: httpx.AsyncClient, make: Factory, people: People, team: Team, platform: Connection
) -> None:
    member = await make.session(team.member)
    laptop = await make.session(team.member, client="Laptop")
    foreign = await make.session((await people.team()).member)
    await demand(platform, team.company, countries=["DE"])
    for headers, path in ((member, "/api/auth/profile"), (laptop, "/api/storage/spaces")):
        answer = await client.get(path, headers=headers | FORGED)
        assert error_of(answer) == (403, "country_refused")
        assert "192.0.2.1" in answer.json()["message"]
    assert await alive(client, foreign)
    await demand(platform, team.company, countries=["DE", "TR"])
    assert await alive(client, member)
    # Both have to be met.
    await demand(platform, team.company, countries=["TR"], networks=["198.51.100.0/24"])
    assert error_of(await client.get("/api/auth/profile", headers=member)) == (
        403,
        "network_refused",
    )
    await demand(platform, team.company, countries=["DE"])
    assert (await client.post("/api/auth/logout", headers=member)).status_code == 204


async def test_a_login_from_another_country_is_refused_after_the_password_only(
    client: httpx.AsyncClient, make: Factory, platform: Connection, outbox: Outbox
) -> None:
    user = await make.user()
    await demand(platform, user.company, countries=["DE"])
    asked = await client.post("/api/auth/login-onboard", json=user.credentials)
    assert error_of(asked) == (403, "country_refused")
    assert await outbox.messages() == []
    wrong = {**user.credentials, "password": (await make.user()).credentials["password"]}
    answer = await client.post("/api/auth/login-onboard", json=wrong)
    assert error_of(answer) == (401, "login_failed")
    await demand(platform, user.company, countries=["TR"])
    assert (await client.post("/api/auth/login-onboard", json=user.credentials)).status_code == 200


async def test_an_address_of_no_country_is_refused_with_the_reason(
    client: httpx.AsyncClient,
    make: Factory,
    team: Team,
    file: Path,
    platform: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(countries, "LOOK_SECONDS", 0.0)
    member = await make.session(team.member)
    leader = await make.session(team.leader, verified=True)
    await demand(platform, team.company, countries=["TR"])
    write(file, {"198.51.100.0/24": "TR"})
    answer = await client.get("/api/auth/profile", headers=member)
    assert error_of(answer) == (403, "country_unknown")
    await demand(platform, team.company)
    assert (await client.get("/api/auth/profile", headers=member)).status_code == 200
    assert error_of(await put(client, leader, countries=["TR"])) == (409, "own_country_left_out")


@pytest.mark.parametrize(
    ("countries", "own", "status"),
    [
        (["DE"], [], 403),
        (["DE"], ["192.0.2.1/32"], 403),
        (["TR"], ["198.51.100.0/24"], 403),
        (["TR"], ["192.0.2.1/32"], 200),
        (["TR"], [], 200),
    ],
)
async def test_a_token_is_bound_to_its_own_addresses_and_these_countries(
    client: httpx.AsyncClient,
    make: Factory,
    team: Team,
    platform: Connection,
    countries: list[str],
    own: list[str],
    status: int,
) -> None:
    await demand(platform, team.company, countries=countries)
    token = await make.api_token(team.leader, networks=own)
    answer = await client.get("/api/users", headers=token.headers)
    assert answer.status_code == status


class TestWithoutADatabase:
    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {}

    async def test_countries_that_are_demanded_admit_nobody(
        self, client: httpx.AsyncClient, make: Factory, team: Team, platform: Connection
    ) -> None:
        member = await make.session(team.member)
        await demand(platform, team.company, countries=["TR"])
        answer = await client.get("/api/auth/profile", headers=member)
        assert error_of(answer) == (403, "country_unknown")
