"""The record of a proved domain is looked up daily, and a domain without one can be lost."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from chaos.audit.companies import QUERIES
from tessera.identity.domains import checks, workflows
from tessera.kit import workflows as engine
from tessera.kit.database import Connection
from tests.auth.phone_app import actions
from tests.factories.accounts import Factory, Outbox, User
from tests.factories.people import People, Team
from tests.fixtures.dns_resolver import Resolver
from tests.identity.browser import Browser
from tests.identity.issuer import Issuer
from tests.security.attacker import error_of

NAME = "_tessera-domain.acme.test"
OURS = "tessera-domain=x"


class Days:
    """Lets days pass for the checks of a company."""

    def __init__(self, app: FastAPI, platform: Connection, company_id: int) -> None:
        self._app, self._platform, self._company_id = app, platform, company_id

    async def check(self) -> None:
        await checks.check_proved(self._app.state.resources, self._company_id)

    async def pass_by(self, days: int) -> None:
        for _ in range(days):
            await self._platform.execute(
                "UPDATE company_domains SET checked_at = checked_at - interval '1 day',"
                " missing_since = missing_since - interval '1 day'"
            )
            await self.check()


@pytest.fixture
async def proved(platform: Connection, team: Team, resolver: Resolver) -> None:
    resolver.records[NAME] = [OURS]
    await platform.execute(
        "INSERT INTO company_domains (company_id, domain, token, proved_at, checked_at)"
        " VALUES ($1, 'acme.test', 'x', now(), now())",
        team.company.id,
    )


@pytest.fixture
def days(app: FastAPI, platform: Connection, team: Team, proved: None) -> Days:
    return Days(app, platform, team.company.id)


@pytest.fixture
async def other(client: httpx.AsyncClient, make: Factory, people: People) -> dict[str, str]:
    """The leader of another company that has added the domain too."""
    headers = await make.session((await people.team(warehouses=True)).leader, verified=True)
    added = await client.post(
        "/api/identity/domains", json={"domain": "acme.test"}, headers=headers
    )
    assert added.status_code == 201
    return headers


async def shown(client: httpx.AsyncClient, headers: dict[str, str]) -> dict[str, Any]:
    listed = await client.get("/api/identity/domains", headers=headers)
    domain: dict[str, Any] = listed.json()["domains"][0]
    return domain


async def check(client: httpx.AsyncClient, headers: dict[str, str]) -> httpx.Response:
    return await client.post("/api/identity/domains/acme.test/check", headers=headers)


async def subjects(outbox: Outbox) -> list[tuple[str, str]]:
    # What keeps mail programs from making links of names.
    unmarked = str.maketrans("", "", "\u2060")
    return [(mail["to"], mail["subject"].translate(unmarked)) for mail in await outbox.messages()]


async def test_domain_is_lost_after_seven_days_without_its_record(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    team: Team,
    days: Days,
    resolver: Resolver,
    platform: Connection,
    outbox: Outbox,
) -> None:
    await days.pass_by(2)
    assert await actions(platform) == []
    # Somebody else's token proves nothing for this company.
    resolver.records[NAME] = ["tessera-domain=y", f"{OURS}x", "v=spf1 -all"]
    await days.pass_by(6)
    item = await shown(client, leader)
    assert (item["provedAt"] is None, item["missingSince"] is None) == (False, False)
    assert await actions(platform) == ["domain.recordMissing"]
    to = team.leader.email
    assert await subjects(outbox) == [(to, "The DNS record of acme.test is missing")]
    await days.pass_by(1)
    item = await shown(client, leader)
    assert (item["provedAt"], item["lostAt"] is None) == (None, False)
    assert await actions(platform) == ["domain.recordMissing", "domain.lost"]
    assert (await subjects(outbox))[1:] == [
        (to, "acme.test no longer counts as your company’s domain")
    ]
    await days.pass_by(3)
    assert len(await actions(platform)) == 2
    assert error_of(await check(client, leader)) == (409, "domain_record_missing")
    resolver.records[NAME].append(OURS)
    again = (await check(client, leader)).json()
    assert again["provedAt"]
    assert (again["missingSince"], again["lostAt"]) == (None, None)
    assert await platform.fetch(QUERIES["an entry of a directory that differs from its row"]) == []


@pytest.mark.parametrize("by", ["the daily check", "the leader"])
async def test_record_that_returns_begins_the_count_anew(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    days: Days,
    resolver: Resolver,
    platform: Connection,
    by: str,
) -> None:
    records = resolver.records.pop(NAME)
    await days.pass_by(6)
    resolver.records[NAME] = records
    if by == "the leader":
        assert (await check(client, leader)).json()["missingSince"] is None
    else:
        await days.pass_by(1)
    del resolver.records[NAME]
    await days.pass_by(6)
    assert (await shown(client, leader))["provedAt"]
    assert await actions(platform) == [
        "domain.recordMissing", "domain.recordFound", "domain.recordMissing",
    ]  # fmt: skip


async def test_resolver_that_fails_counts_for_nothing(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    days: Days,
    resolver: Resolver,
    platform: Connection,
) -> None:
    del resolver.records[NAME]
    await days.pass_by(6)
    resolver.is_silent = True
    await days.pass_by(2)
    assert (await shown(client, leader))["provedAt"]
    resolver.is_silent = False
    await days.pass_by(1)
    assert (await shown(client, leader))["lostAt"]


async def test_repeated_round_counts_a_day_once(
    days: Days, resolver: Resolver, platform: Connection
) -> None:
    del resolver.records[NAME]
    await days.pass_by(1)
    for _ in range(8):
        await days.check()
    assert await platform.fetchval("SELECT missed_checks FROM company_domains") == 1


async def test_daily_round_enqueues_each_company_with_a_proved_domain_once(
    app: FastAPI,
    team: Team,
    proved: None,
    other: dict[str, str],
    platform: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "_resources", app.state.resources)
    run: Callable[[], Awaitable[None]] = inspect.unwrap(workflows.check_all_domains)
    for _ in range(2):
        await run()
    rows = await platform.fetch(
        "SELECT workflow_uuid FROM dbos.workflow_status WHERE name = $1",
        workflows.check_domains.name,
    )
    assert [row["workflow_uuid"].rpartition("-")[0] for row in rows] == [
        f"domains-{team.company.id}"
    ]


class TestTakeover:
    async def test_never_while_the_first_record_is_there_or_was_at_the_last_check(
        self,
        client: httpx.AsyncClient,
        leader: dict[str, str],
        other: dict[str, str],
        days: Days,
        resolver: Resolver,
    ) -> None:
        theirs = (await shown(client, other))["recordValue"]
        resolver.records[NAME].append(theirs)
        assert error_of(await check(client, other)) == (409, "domain_taken")
        await days.pass_by(1)
        # Gone, but no daily check has seen that.
        resolver.records[NAME] = [theirs]
        assert error_of(await check(client, other)) == (409, "domain_taken")
        await days.pass_by(1)
        # One check is not enough.
        assert error_of(await check(client, other)) == (409, "domain_taken")
        await days.pass_by(1)
        # Missed twice, but there again.
        resolver.records[NAME] = [theirs, OURS]
        assert error_of(await check(client, other)) == (409, "domain_taken")
        assert (await shown(client, leader))["provedAt"]

    @pytest.mark.parametrize("missed", [2, 9])
    async def test_once_two_checks_have_missed_it(
        self,
        client: httpx.AsyncClient,
        leader: dict[str, str],
        other: dict[str, str],
        team: Team,
        days: Days,
        resolver: Resolver,
        platform: Connection,
        outbox: Outbox,
        missed: int,
    ) -> None:
        # A domain that nobody else proves goes on counting.
        resolver.records[NAME] = [f"tessera-domain={'y' * 32}"]
        await days.pass_by(missed)
        assert error_of(await check(client, other)) == (409, "domain_record_missing")
        assert bool((await shown(client, leader))["provedAt"]) is (missed < 7)
        resolver.records[NAME] = [(await shown(client, other))["recordValue"]]
        assert (await check(client, other)).json()["provedAt"]
        item = await shown(client, leader)
        assert (item["provedAt"], item["missingSince"], item["lostAt"]) == (None, None, None)
        assert (team.leader.email, "Another company has proved acme.test") in await subjects(outbox)
        assert "domain.passedOn" in await actions(platform)
        resolver.records[NAME].append(OURS)
        assert error_of(await check(client, leader)) == (409, "domain_taken")
        broken = QUERIES["an entry of a directory that differs from its row"]
        assert await platform.fetch(broken) == []


class TestSingleSignOnByALostDomain:
    @pytest.fixture
    async def lost(self, provider: Issuer, platform: Connection) -> Issuer:
        await platform.execute(
            "UPDATE company_domains SET proved_at = NULL, lost_at = now(), missed_checks = 7,"
            " missing_since = now()"
        )
        return provider

    async def test_linked_members_log_in(
        self, lost: Issuer, browser: Browser, linked: User
    ) -> None:
        assert (await browser.prove(lost)).json()["linked"] is True
        opened = await browser.post("login", {"password": linked.secret})
        assert opened.status_code == 200

    async def test_nobody_is_linked(
        self, lost: Issuer, browser: Browser, member: User, platform: Connection
    ) -> None:
        answer = await browser.prove(lost)
        assert error_of(answer) == (403, "sso_account_unknown")
        assert await platform.fetch("TABLE sso_identities") == []
