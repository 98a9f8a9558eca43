"""The leader's own page: what is saved, and what would shut out who saves it."""

import json
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tessera_core.version import __version__
from tests.auth.phone_app import actions, mails
from tests.factories.accounts import Factory, Outbox
from tests.factories.people import People, Team
from tests.fixtures.command_line import Command
from tests.policies.policy import ELSEWHERE, HERE, demand, put, wanted
from tests.security.attacker import alive, error_of


async def test_policies_are_saved_recorded_mailed_and_removed(
    client: httpx.AsyncClient,
    team: Team,
    leader: dict[str, str],
    platform: Connection,
    outbox: Outbox,
) -> None:
    changes = {
        "secondFactors": ["sms", "passkey", "sms"],
        "sessionHours": 8,
        "clientSessionDays": 14,
        "minClientVersion": "0.7",
        "networks": ["192.0.2.1", "2001:db8::/32", "192.0.2.1/32"],
    }
    for _ in range(2):
        saved = await put(client, leader, **changes)
        assert saved.status_code == 200, saved.text
    read = (await client.get("/api/policies", headers=leader)).json()
    assert read == saved.json()
    assert read == {
        "secondFactors": ["passkey", "sms"],
        "sessionHours": 8,
        "clientSessionDays": 14,
        "minClientVersion": "0.7",
        "networks": ["192.0.2.1/32", "2001:db8::/32"],
        "countries": [],
        "maxSessionHours": 12,
        "maxClientSessionDays": 30,
        "newestClientVersion": __version__,
        "ownAddress": "192.0.2.1",
        "ownCountry": None,
        "areCountriesOffered": False,
    }
    assert await actions(platform) == ["policies.changed"]
    row = await platform.fetchval("SELECT details FROM activity")
    told = {each["field"]: (each["from"], each["to"]) for each in json.loads(row)["changes"]}
    assert told["secondFactors"] == ("", "passkey_sms")
    assert told["sessionHours"] == (None, 8)
    assert told["networks"] == ("", "192.0.2.1/32, 2001:db8::/32")
    assert await mails(outbox, team.leader) == ["Your company’s policies were changed"]
    assert (await put(client, leader)).json()["networks"] == []
    assert await platform.fetch("TABLE company_policies") == []
    assert await actions(platform) == ["policies.changed"] * 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"secondFactors": []}, "secondFactors"),
        ({"secondFactors": ["passkey"]}, "secondFactors"),
        ({"secondFactors": ["sms", "mail"]}, "secondFactors.1"),
        ({"sessionHours": 0}, "sessionHours"),
        ({"sessionHours": 13}, "sessionHours"),
        ({"clientSessionDays": 91}, "clientSessionDays"),
        ({"minClientVersion": "newest"}, "minClientVersion"),
        ({"minClientVersion": "٠.٧"}, "minClientVersion"),
        ({"minClientVersion": "1000"}, "minClientVersion"),
        ({"networks": ["192.0.2.1/24"]}, "networks.0"),
        ({"networks": ["office.example.com"]}, "networks.0"),
        ({"networks": ["192.0.2.1"] * 51}, "networks"),
        ({"countries": ["TR"]}, "countries"),
        ({"countries": ["Turkey"]}, "countries.0"),
        ({"countries": ["T1"]}, "countries.0"),
    ],
)
async def test_a_wrong_or_looser_value_is_named_and_nothing_saved(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    platform: Connection,
    change: dict[str, Any],
    field: str,
) -> None:
    answer = await put(client, leader, **change)
    assert answer.status_code == 422
    assert list(answer.json()["fields"]) == [field]
    assert await platform.fetch("TABLE company_policies") == []


class TestTheLeadersOwnWayIn:
    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"networks": ELSEWHERE}, "own_network_left_out"),
            ({"secondFactors": ["totp", "passkey"]}, "own_second_factor_left_out"),
            ({"sessionHours": 2}, "own_session_too_long"),
            ({"minClientVersion": "0.7.7"}, "own_client_too_old"),
        ],
    )
    async def test_policies_never_shut_out_the_leader_who_saves_them(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
        change: dict[str, Any],
        code: str,
    ) -> None:
        await make.session(team.leader, client="Old laptop")
        await platform.execute(
            "UPDATE sessions SET created_at = now() - interval '3 hours',"
            " client_version = CASE kind WHEN 'client' THEN '0.7.6' END"
        )
        answer = await put(client, leader, **change)
        assert error_of(answer) == (409, code)
        assert await platform.fetch("TABLE company_policies") == []
        assert await actions(platform) == []

    async def test_one_recent_computer_is_enough(
        self,
        client: httpx.AsyncClient,
        make: Factory,
        team: Team,
        leader: dict[str, str],
        platform: Connection,
    ) -> None:
        await make.session(team.leader, client="Old laptop")
        await platform.execute("UPDATE sessions SET client_version = '0.1' WHERE kind = 'client'")
        await make.session(team.leader, client="New laptop")
        assert (await put(client, leader, minClientVersion="0.7.7")).status_code == 200

    async def test_policies_are_tried_from_the_real_address(
        self, client: httpx.AsyncClient, leader: dict[str, str]
    ) -> None:
        forged = {**leader, "X-Forwarded-For": "198.51.100.7"}
        answer = await put(client, forged, networks=ELSEWHERE)
        assert error_of(answer) == (409, "own_network_left_out")


async def test_shorter_sessions_are_shortened_at_once(
    client: httpx.AsyncClient,
    make: Factory,
    team: Team,
    leader: dict[str, str],
    platform: Connection,
) -> None:
    browser = await make.session(team.member)
    laptop = await make.session(team.member, client="Laptop")
    other = await make.session(await make.user())
    await platform.execute(
        "UPDATE sessions SET created_at = now() - interval '25 hours',"
        " expires_at = now() + interval '10 days' WHERE verified_until IS NULL"
    )
    assert (await put(client, leader, sessionHours=2, clientSessionDays=1)).status_code == 200
    assert [await alive(client, each) for each in (browser, other)] == [False, True]
    answer = await client.get("/api/storage/spaces", headers=laptop)
    assert error_of(answer) == (401, "session_expired")


async def test_policies_need_verified_access_and_no_token_reads_them(
    client: httpx.AsyncClient, make: Factory, team: Team
) -> None:
    unverified = await make.session(team.leader)
    assert error_of(await put(client, unverified)) == (403, "verification_required")
    scopes = ("company:read", "company:edit", "members:manage")
    token = await make.api_token(team.leader, scopes)
    for method in ("GET", "PUT"):
        answer = await client.request(method, "/api/policies", json=wanted(), headers=token.headers)
        assert error_of(answer) == (403, "api_token_forbidden")


async def test_an_operator_lifts_policies(
    people: People,
    team: Team,
    platform: Connection,
    run_command: Command,
    outbox: Outbox,
) -> None:
    other = await people.team()
    for each in (team, other):
        await demand(platform, each.company, networks=HERE, second_factors=["sms"])
    uuid = str(team.company.uuid)
    shown = await run_command("policies", "show", uuid)
    assert "networks: 192.0.2.0/24" in shown.stdout
    lifted = await run_command("policies", "lift", uuid)
    assert (lifted.exit_code, lifted.stdout) == (0, "The policies are lifted.\n")
    again = await run_command("policies", "lift", uuid)
    assert again.stdout == "The company has no policies.\n"
    left = await platform.fetch("SELECT company_id FROM company_policies")
    assert [row["company_id"] for row in left] == [other.company.id]
    row = await platform.fetchrow("SELECT action, actor_name, origin FROM activity")
    assert tuple(row or ()) == ("policies.liftedByPlatform", "tessera admin", "command line")
    assert await mails(outbox, team.leader) == ["Your company’s policies were lifted"]
    unknown = await run_command("policies", "lift", "00000000-0000-4000-8000-000000000000")
    assert (unknown.exit_code, unknown.stdout) == (2, "")
