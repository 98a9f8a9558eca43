"""Several providers of one company: which one a domain leads to, and what one of them, or another
company, may do where another one counts."""

import asyncio
import json
import time
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tessera import limits
from tessera.auth.accounts import Account, own_account
from tessera.authz.context import Access
from tessera.identity.sso import logins
from tessera.kit.database import Connection
from tessera_core import base64url
from tests.auth.phone_app import actions
from tests.factories.accounts import Factory, User
from tests.factories.people import People, Team
from tests.identity.browser import Browser
from tests.identity.issuer import CLIENT_ID, Issuer, second_issuer
from tests.identity.providers import (
    add_provider,
    remove_provider,
    save_provider,
    set_up_provider,
    settings_of,
)
from tests.security.attacker import alive, error_of

__all__ = ["second_issuer"]

REFUSED = (403, "sso_answer_refused")
UNKNOWN = (403, "sso_account_unknown")
EXPIRED = (409, "sso_login_expired")


async def lead(
    client: httpx.AsyncClient, leader: dict[str, str], domain: str, uuid: str | None
) -> httpx.Response:
    return await client.put(
        f"/api/identity/sso/domains/{domain}", json={"provider": uuid}, headers=leader
    )


async def make_default(
    client: httpx.AsyncClient, leader: dict[str, str], uuid: str
) -> httpx.Response:
    return await client.put("/api/identity/sso/default", json={"provider": uuid}, headers=leader)


async def prove_domain(platform: Connection, company: int, domain: str) -> None:
    await platform.execute(
        "INSERT INTO company_domains (company_id, domain, token, proved_at)"
        " VALUES ($1, $2, 'x', now())",
        company, domain,
    )  # fmt: skip


async def lose_domain(platform: Connection, domain: str) -> None:
    await platform.execute(
        "UPDATE company_domains SET proved_at = NULL, lost_at = now(), missed_checks = 7,"
        " missing_since = now() WHERE domain = $1",
        domain,
    )


async def link_to(platform: Connection, user: User, issuer: Issuer, subject: str) -> None:
    await platform.execute(
        "INSERT INTO sso_identities (company_id, user_id, issuer, subject)"
        " VALUES ($1, $2, $3, $4)",
        user.company.id, user.id, issuer.url, subject,
    )  # fmt: skip


@pytest.fixture
async def second(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    provider: Issuer,
    second_issuer: Issuer,
    team: Team,
    platform: Connection,
) -> Issuer:
    """Another provider of the company, to which another domain leads."""
    await prove_domain(platform, team.company.id, "branch.test")
    second_issuer.uuid = await set_up_provider(client, leader, second_issuer, "Branch")
    led = await lead(client, leader, "branch.test", second_issuer.uuid)
    assert led.status_code == 200, led.text
    return second_issuer


@pytest.fixture
async def pat(make: Factory, team: Team) -> User:
    """With an address of the second provider's domain."""
    return await make.user(team.company, "teamMember", email="pat@branch.test")


async def log_in(browser: Browser, user: User) -> dict[str, str]:
    opened = await browser.post("login", {"password": user.secret})
    assert opened.status_code == 200, opened.text
    return {"Authorization": f"Bearer {opened.json()['access_token']}"}


async def prove(browser: Browser, issuer: Issuer, address: str, **claims: Any) -> httpx.Response:
    return await browser.post("answer", issuer.authorize(await browser.start(address), **claims))


async def test_each_domain_leads_to_its_provider_and_the_others_to_the_default_one(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    team: Team,
    platform: Connection,
) -> None:
    await prove_domain(platform, team.company.id, "third.test")
    # The first one that was set up.
    for domain, issuer in (
        ("acme.test", provider), ("branch.test", second), ("third.test", provider),
    ):  # fmt: skip
        assert (await browser.start(f"nobody@{domain}")).startswith(issuer.url)
    changed = (await make_default(client, leader, second.uuid)).json()
    assert [each["isDefault"] for each in changed["providers"]] == [False, True]
    assert (await browser.start("nobody@third.test")).startswith(second.url)
    shown = (await lead(client, leader, "third.test", provider.uuid)).json()
    assert (await browser.start("nobody@third.test")).startswith(provider.url)
    assert shown["domains"] == [
        {"domain": "acme.test", "provider": None, "isLost": False},
        {"domain": "branch.test", "provider": second.uuid, "isLost": False},
        {"domain": "third.test", "provider": provider.uuid, "isLost": False},
    ]
    assert (await lead(client, leader, "third.test", None)).status_code == 200
    assert (await browser.start("nobody@third.test")).startswith(second.url)
    row = await platform.fetchrow(
        "SELECT target, details FROM activity WHERE action = 'domain.providerChanged'"
        " ORDER BY id LIMIT 1"
    )
    assert row is not None
    assert row["target"] == "branch.test"
    assert json.loads(row["details"]) == {
        "changes": [{"field": "provider", "from": None, "to": "Branch (127.0.0.1)"}]
    }
    assert (await actions(platform)).count("sso.defaultChanged") == 1


async def test_providers_are_named_once_limited_and_lead_nowhere_before_they_are_set_up(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    issuer: Issuer,
    team: Team,
    platform: Connection,
) -> None:
    await prove_domain(platform, team.company.id, "acme.test")
    uuid = await add_provider(client, leader, "Main")
    answer = await browser.post("start", {"emailAddress": "sam@acme.test"})
    assert error_of(answer) == (404, "sso_not_available")
    for refused in (
        await make_default(client, leader, uuid), await lead(client, leader, "acme.test", uuid),
    ):  # fmt: skip
        assert error_of(refused) == (409, "sso_provider_not_set_up")
    body = {"name": "mAIN"}
    taken = await client.post("/api/identity/sso/providers", json=body, headers=leader)
    assert "name" in taken.json()["fields"]
    maximum = limits.SSO_PROVIDERS.maximum
    for number in range(1, maximum):
        await add_provider(client, leader, f"Branch {number}")
    full = await client.post("/api/identity/sso/providers", json={"name": "x"}, headers=leader)
    assert error_of(full) == (409, "too_many_sso_providers")
    saved = await save_provider(client, leader, uuid, settings_of(issuer, "branch 1"))
    assert "name" in saved.json()["fields"]
    assert (await remove_provider(client, leader, uuid)).status_code == 204


async def test_an_issuer_counts_once_per_company(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    provider: Issuer,
    second: Issuer,
    pat: User,
    platform: Connection,
) -> None:
    await link_to(platform, pat, second, "person-1")
    again = await add_provider(client, leader, "Again")
    for uuid, name in ((again, "Again"), (second.uuid, "Branch")):
        body = settings_of(provider, name, clientId="another")
        refused = await save_provider(client, leader, uuid, body)
        assert refused.status_code == 422
        assert list(refused.json()["fields"]) == ["issuer"]
    assert await platform.fetchval("SELECT count(*) FROM sso_identities") == 1


async def test_lost_domain_leads_where_it_is_led_and_links_nobody(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    pat: User,
    team: Team,
    platform: Connection,
) -> None:
    await lose_domain(platform, "branch.test")
    moved = await lead(client, leader, "branch.test", provider.uuid)
    assert moved.json()["domains"] == [
        {"domain": "acme.test", "provider": None, "isLost": False},
        {"domain": "branch.test", "provider": provider.uuid, "isLost": True},
    ]
    assert (await browser.start(pat.email)).startswith(provider.url)
    assert error_of(await prove(browser, provider, pat.email, email=pat.email)) == UNKNOWN
    # Another company has it, or it never was proved.
    await platform.execute(
        "UPDATE company_domains SET lost_at = NULL, missed_checks = 0, missing_since = NULL"
        " WHERE domain = 'branch.test'"
    )
    refused = await lead(client, leader, "branch.test", second.uuid)
    assert error_of(refused) == (404, "sso_domain_not_proved")


async def test_provider_and_domain_of_another_company_are_out_of_reach(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second_issuer: Issuer,
    people: People,
    make: Factory,
    platform: Connection,
) -> None:
    other = await people.team()
    theirs = await make.session(other.leader, verified=True)
    uuid = await set_up_provider(client, theirs, second_issuer)
    await prove_domain(platform, other.company.id, "else.test")
    not_found = (404, "sso_provider_not_found")
    for refused in (
        await lead(client, leader, "acme.test", uuid),
        await make_default(client, leader, uuid),
        await save_provider(client, leader, uuid, settings_of(second_issuer)),
        await remove_provider(client, leader, uuid),
        await lead(client, leader, "acme.test", str(uuid4())),
    ):
        assert error_of(refused) == not_found
    for domain in ("else.test", "nobody.test"):
        refused = await lead(client, leader, domain, provider.uuid)
        assert error_of(refused) == (404, "sso_domain_not_proved")
    assert (await browser.start("x@acme.test")).startswith(provider.url)
    assert (await browser.start("x@else.test")).startswith(second_issuer.url)


async def test_callback_of_one_provider_with_the_token_of_another_proves_nobody(
    browser: Browser, provider: Issuer, second: Issuer, linked: User, pat: User
) -> None:
    returned = provider.authorize(await browser.start())
    # As if the browser had been passed on to the other one, whose code this would be.
    mixed = await browser.post("answer", {**returned, "provider": second.uuid})
    assert error_of(mixed) == REFUSED
    assert error_of(await browser.post("answer", returned)) == EXPIRED
    assert "/token" not in [each[0] for each in (*provider.asked, *second.asked)]
    now = int(time.time())
    for claimed in (provider, second):
        returned = second.authorize(await browser.start(pat.email))
        second.token = provider.sign({
            "iss": claimed.url, "aud": CLIENT_ID, "sub": "person-1", "iat": now, "exp": now + 300,
            "nonce": second.codes[returned["code"]]["nonce"],
        })  # fmt: skip
        assert error_of(await browser.post("answer", returned)) == REFUSED


async def test_provider_proves_nobody_whose_domain_leads_to_another(
    browser: Browser, provider: Issuer, second: Issuer, linked: User, pat: User
) -> None:
    """Whatever address or subject it names."""
    for claims in ({"email": linked.email}, {"sub": "person-1"}, {"email": "x@branch.test"}):
        assert error_of(await prove(browser, second, pat.email, **claims)) == UNKNOWN
    shown = (await prove(browser, second, pat.email, email=pat.email)).json()
    assert (shown["linked"], shown["emailAddress"]) == (False, pat.email)


async def test_person_of_one_provider_logs_in_by_another_once_linked_anew(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    linked: User,
    make: Factory,
    team: Team,
    platform: Connection,
) -> None:
    await browser.prove(provider, sid="one")
    before = await log_in(browser, linked)
    assert (await lead(client, leader, "acme.test", second.uuid)).status_code == 200
    shown = (await prove(browser, second, linked.email, email=linked.email)).json()
    assert shown["linked"] is False
    assert error_of(await browser.post("login", {"password": linked.secret})) == EXPIRED
    # Until then the former one counts, for whoever begins there.
    await lead(client, leader, "branch.test", provider.uuid)
    former = await prove(Browser(client), provider, "x@branch.test")
    assert former.json()["linked"] is True
    assert (await browser.post("link")).status_code == 401
    session = await make.session(linked, verified=True)
    assert (await browser.post("link", headers=session)).status_code == 204
    assert (await prove(browser, second, linked.email)).json()["linked"] is True
    await log_in(browser, linked)
    assert error_of(await prove(browser, provider, "x@branch.test")) == UNKNOWN
    # The former one has no say any more, about logouts neither.
    for claims in ({"sid": "one"}, {"sub": None, "sid": "one"}):
        path = f"/api/auth/sso/backchannel-logout/{team.company.uuid}/{provider.uuid}"
        body = {"logout_token": provider.logout_token(**claims)}
        assert (await client.post(path, data=body)).status_code == 200
    assert await alive(client, before)
    rows = await platform.fetch("SELECT issuer FROM sso_identities")
    assert [row["issuer"] for row in rows] == [second.url]


async def test_link_needs_the_domain_to_lead_to_the_provider_still(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    pat: User,
    make: Factory,
) -> None:
    await prove(browser, second, pat.email, email=pat.email)
    await lead(client, leader, "branch.test", None)
    session = await make.session(pat, verified=True)
    assert error_of(await browser.post("link", headers=session)) == UNKNOWN


async def test_removal_unlinks_its_people_alone_and_ends_their_logins_under_way(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    linked: User,
    pat: User,
    platform: Connection,
) -> None:
    await link_to(platform, pat, second, "person-2")
    await browser.prove(provider)
    proved, returned = Browser(client), Browser(client)
    await prove(proved, second, pat.email, sub="person-2")
    answer = second.authorize(await returned.start(pat.email), sub="person-2")
    assert error_of(await remove_provider(client, leader, provider.uuid)) == (
        409, "sso_default_needed",
    )  # fmt: skip
    assert (await remove_provider(client, leader, second.uuid)).status_code == 204
    assert error_of(await proved.post("login", {"password": pat.secret})) == EXPIRED
    assert error_of(await returned.post("answer", answer)) == EXPIRED
    await log_in(browser, linked)
    rows = await platform.fetch("SELECT user_id FROM sso_identities")
    assert [row["user_id"] for row in rows] == [linked.id]
    # Its domain leads to the default one.
    assert (await browser.start(pat.email)).startswith(provider.url)
    assert (await remove_provider(client, leader, provider.uuid)).status_code == 204


async def test_removal_while_the_code_is_exchanged_proves_nobody(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    pat: User,
    platform: Connection,
) -> None:
    await link_to(platform, pat, second, "person-1")
    returned = second.authorize(await browser.start(pat.email))
    second.answering.clear()
    answering = asyncio.create_task(browser.post("answer", returned))
    async with asyncio.timeout(10):
        while second.asked[-1][0] != "/token":  # noqa: ASYNC110 - asked in a thread
            await asyncio.sleep(0.01)
    assert (await remove_provider(client, leader, second.uuid)).status_code == 204
    second.answering.set()
    assert error_of(await answering) == UNKNOWN
    assert error_of(await browser.post("login", {"password": pat.secret})) == EXPIRED


async def test_another_issuer_or_client_id_unlinks_its_people_alone(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    linked: User,
    pat: User,
    platform: Connection,
) -> None:
    await link_to(platform, pat, second, "person-2")
    await prove(browser, second, pat.email, sub="person-2")
    body = settings_of(second, "Branch", clientId="another")
    assert (await save_provider(client, leader, second.uuid, body)).status_code == 200
    assert error_of(await browser.post("login", {"password": pat.secret})) == EXPIRED
    rows = await platform.fetch("SELECT user_id FROM sso_identities")
    assert [row["user_id"] for row in rows] == [linked.id]
    assert (await browser.start(pat.email)).startswith(second.url)


async def test_link_to_a_provider_that_is_replaced_meanwhile_is_refused(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    pat: User,
    make: Factory,
    platform: Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The subject is the former client's: another one may know another person by it."""
    await link_to(platform, pat, provider, "person-7")
    await prove(browser, second, pat.email, email=pat.email)
    session = await make.session(pat, verified=True)

    async def replace_first(access: Access) -> Account:
        body = settings_of(second, "Branch", clientId="another")
        assert (await save_provider(client, leader, second.uuid, body)).status_code == 200
        return await own_account(access)

    monkeypatch.setattr(logins, "own_account", replace_first)
    assert error_of(await browser.post("link", headers=session)) == EXPIRED
    # Nothing is half done: the link to the other provider is still there.
    rows = await platform.fetch("SELECT issuer, subject FROM sso_identities")
    assert [tuple(row) for row in rows] == [(provider.url, "person-7")]


async def test_while_it_is_required_a_provider_stays_as_long_as_anybody_needs_it(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    provider: Issuer,
    second: Issuer,
    linked: User,
    pat: User,
    platform: Connection,
) -> None:
    await link_to(platform, pat, second, "person-2")
    await platform.execute("UPDATE companies SET sso_required = true")
    still = (409, "sso_still_required")
    replaced = settings_of(second, "Branch", clientId="another")

    async def refused() -> None:
        assert error_of(await remove_provider(client, leader, second.uuid)) == still
        assert error_of(await save_provider(client, leader, second.uuid, replaced)) == still

    await refused()
    # Nobody is led there any more, but somebody is linked.
    await lead(client, leader, "branch.test", None)
    await refused()
    # The other way round, also while the record of the domain is missing.
    await platform.execute("DELETE FROM sso_identities WHERE issuer = $1", second.url)
    await lead(client, leader, "branch.test", second.uuid)
    await lose_domain(platform, "branch.test")
    await refused()
    assert (await lead(client, leader, "branch.test", None)).status_code == 200
    assert (await remove_provider(client, leader, second.uuid)).status_code == 204
    assert error_of(await remove_provider(client, leader, provider.uuid)) == still


async def test_logout_counts_at_the_address_of_its_provider_alone(
    client: httpx.AsyncClient,
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    linked: User,
    pat: User,
    team: Team,
    platform: Connection,
) -> None:
    """Also where both name the same subject and session."""
    await link_to(platform, pat, second, "person-1")
    await browser.prove(provider, sid="one")
    sam = await log_in(browser, linked)
    await prove(browser, second, pat.email, sid="one")
    session = await log_in(browser, pat)

    async def tell(to: Issuer, token: str) -> httpx.Response:
        path = f"/api/auth/sso/backchannel-logout/{team.company.uuid}/{to.uuid}"
        return await client.post(path, data={"logout_token": token})

    for claims in ({}, {"sid": "one"}, {"sub": None, "sid": "one"}, {"iss": second.url}):
        refused = await tell(second, provider.logout_token(**claims))
        assert error_of(refused) == (400, "sso_logout_refused")
    assert (await tell(second, second.logout_token(sid="one"))).status_code == 200
    assert not await alive(client, session)
    assert await alive(client, sam)


async def test_login_of_the_client_is_confirmed_by_the_provider_that_its_address_leads_to(
    client: httpx.AsyncClient,
    browser: Browser,
    provider: Issuer,
    second: Issuer,
    linked: User,
    pat: User,
    platform: Connection,
) -> None:
    await link_to(platform, pat, second, "person-1")
    body = {
        "emailAddress": linked.email, "challenge": base64url.encode(bytes(32)), "redirect": None,
        "client": {"name": "laptop", "system": "Linux", "version": "0.7.7"},
    }  # fmt: skip
    started = (await client.post("/api/auth/sso/client-logins", json=body)).json()
    await prove(browser, second, pat.email)
    named = {"deviceCode": started["deviceCode"]}
    shown = await browser.post("client-logins/show", named)
    decided = await browser.post("client-logins/decide", {**named, "accepted": True})
    assert error_of(shown) == error_of(decided) == (404, "sso_client_login_unknown")
    await browser.prove(provider)
    assert (await browser.post("client-logins/show", named)).status_code == 200
