"""Domains count once a DNS record proves them, for one company only."""

import re
from functools import partial
from typing import Any

import httpx
import pytest

from chaos.audit.companies import QUERIES
from tessera.kit.database import Connection
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.fixtures.dns_resolver import Resolver
from tests.security.attacker import error_of, together


async def add(
    client: httpx.AsyncClient, headers: dict[str, str], domain: str = "acme.test"
) -> dict[str, Any]:
    made = await client.post("/api/identity/domains", json={"domain": domain}, headers=headers)
    assert made.status_code == 201
    shown: dict[str, Any] = made.json()
    return shown


async def check(
    client: httpx.AsyncClient, headers: dict[str, str], domain: str = "acme.test"
) -> httpx.Response:
    return await client.post(f"/api/identity/domains/{domain}/check", headers=headers)


def publish(resolver: Resolver, shown: dict[str, Any]) -> None:
    resolver.records.setdefault(shown["recordName"], []).append(shown["recordValue"])


async def test_domain_is_proved_by_its_record_and_recorded(
    client: httpx.AsyncClient, leader: dict[str, str], resolver: Resolver, platform: Connection
) -> None:
    shown = await add(client, leader, " ACME.test. ")
    assert (shown["domain"], shown["provedAt"]) == ("acme.test", None)
    assert shown["recordName"] == "_tessera-domain.acme.test"
    assert re.fullmatch(r"tessera-domain=[\w-]{32}", shown["recordValue"])
    assert error_of(await check(client, leader)) == (409, "domain_record_missing")
    resolver.records[shown["recordName"]] = ["v=spf1 -all", f"{shown['recordValue']}x"]
    assert error_of(await check(client, leader)) == (409, "domain_record_missing")
    publish(resolver, shown)
    proved = await check(client, leader)
    assert proved.status_code == 200
    assert proved.json()["provedAt"]
    listed = await client.get("/api/identity/domains", headers=leader)
    assert listed.json() == {"domains": [proved.json()], "maxDomains": 50}
    resolver.records.clear()
    again = await check(client, leader)
    assert again.json() == proved.json()
    actions = await platform.fetch("SELECT action, target FROM activity ORDER BY id")
    assert [tuple(row) for row in actions] == [
        ("domain.added", "acme.test"),
        ("domain.proved", "acme.test"),
    ]


async def test_adding_again_keeps_the_record_and_removing_renews_it(
    client: httpx.AsyncClient, leader: dict[str, str]
) -> None:
    first = await add(client, leader)
    assert await add(client, leader) == first
    removed = await client.delete("/api/identity/domains/acme.test", headers=leader)
    assert removed.status_code == 204
    again = await client.delete("/api/identity/domains/acme.test", headers=leader)
    assert error_of(again) == (404, "domain_not_found")
    assert error_of(await check(client, leader)) == (404, "domain_not_found")
    assert (await add(client, leader))["recordValue"] != first["recordValue"]


async def test_domain_of_another_script_is_looked_up_in_punycode(
    client: httpx.AsyncClient, leader: dict[str, str], resolver: Resolver
) -> None:
    shown = await add(client, leader, "Çiçek.Example")
    assert shown["domain"].encode().decode("idna") == "çiçek.example"
    publish(resolver, shown)
    assert (await check(client, leader, shown["domain"])).status_code == 200
    assert resolver.asked == [f"_tessera-domain.{shown['domain']}"]


@pytest.mark.parametrize(
    "domain",
    ["", "test", "127.0.0.1", "[::1]", "a b.test", "x@acme.test", "acme.test/x", "-a.test",
     "a..test", "*.test", "_dmarc.acme.test", "a." * 120 + "test", "acme.test\n.evil.test",
     "acme.123"],
)  # fmt: skip
async def test_what_is_no_domain_is_refused(
    client: httpx.AsyncClient, leader: dict[str, str], domain: str
) -> None:
    answer = await client.post("/api/identity/domains", json={"domain": domain}, headers=leader)
    assert answer.status_code == 422
    assert "domain" in answer.json()["fields"]


async def test_silent_resolver_is_said_so_and_proves_nothing(
    client: httpx.AsyncClient, leader: dict[str, str], resolver: Resolver
) -> None:
    publish(resolver, await add(client, leader))
    resolver.is_silent = True
    assert error_of(await check(client, leader)) == (503, "domain_lookup_failed")
    resolver.is_silent = False
    assert (await check(client, leader)).status_code == 200


async def test_other_company_cannot_use_see_or_take_a_proved_domain(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    people: People,
    make: Factory,
    resolver: Resolver,
    platform: Connection,
) -> None:
    other = await make.session((await people.team(warehouses=True)).leader, verified=True)
    ours, theirs = await add(client, leader), await add(client, other)
    assert ours["recordValue"] != theirs["recordValue"]
    publish(resolver, ours)
    assert error_of(await check(client, other)) == (409, "domain_record_missing")
    assert (await check(client, leader)).status_code == 200
    publish(resolver, theirs)
    assert error_of(await check(client, other)) == (409, "domain_taken")
    listed = (await client.get("/api/identity/domains", headers=other)).json()["domains"]
    assert [each["provedAt"] for each in listed] == [None]
    await client.delete("/api/identity/domains/acme.test", headers=other)
    assert await platform.fetchval("SELECT count(*) FROM company_domains") == 1
    await client.delete("/api/identity/domains/acme.test", headers=leader)
    publish(resolver, await add(client, other))
    assert (await check(client, other)).status_code == 200
    assert await platform.fetch(QUERIES["an entry of a directory that differs from its row"]) == []


async def test_two_companies_that_check_at_once_get_it_once(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    people: People,
    make: Factory,
    resolver: Resolver,
) -> None:
    other = await make.session((await people.team(warehouses=True)).leader, verified=True)
    for headers in (leader, other):
        publish(resolver, await add(client, headers))
    answers = await together([partial(check, client, each) for each in (leader, other)])
    assert sorted(each.status_code for each in answers) == [200, 409]


async def test_number_of_domains_and_of_checks_is_limited(
    client: httpx.AsyncClient, leader: dict[str, str], team: Team, platform: Connection
) -> None:
    await platform.execute(
        "INSERT INTO company_domains (company_id, domain, token)"
        " SELECT $1, format('d%s.test', i), 'x' FROM generate_series(1, 50) i",
        team.company.id,
    )
    more = {"domain": "one-more.test"}
    answer = await client.post("/api/identity/domains", json=more, headers=leader)
    assert error_of(answer) == (409, "too_many_domains")
    for _ in range(59):
        await client.post("/api/identity/domains", json=more, headers=leader)
    answer = await client.post("/api/identity/domains", json=more, headers=leader)
    assert answer.status_code == 429
