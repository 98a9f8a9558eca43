"""Logouts that the company's provider announces, and those that somebody else makes up."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tessera.integrations import openid
from tessera.kit.database import Connection
from tests.factories.accounts import Factory, User, derived_secret
from tests.factories.people import People, Team
from tests.identity.browser import Browser
from tests.identity.issuer import CLIENT_ID, Issuer
from tests.identity.providers import set_up_provider
from tests.security.attacker import alive, error_of

REFUSED = (400, "sso_logout_refused")


class Caller:
    """Whoever calls what the provider should call."""

    def __init__(self, client: httpx.AsyncClient, team: Team, provider: Issuer) -> None:
        self._client = client
        self._path = f"{team.company.uuid}/{provider.uuid}"

    async def tell(self, token: str, path: str | None = None) -> httpx.Response:
        return await self.send({"logout_token": token}, path)

    async def send(self, form: Any, path: str | None = None) -> httpx.Response:
        path = f"/api/auth/sso/backchannel-logout/{path or self._path}"
        if isinstance(form, bytes):
            return await self._client.post(path, content=form)
        return await self._client.post(path, data=form)


@pytest.fixture
def caller(client: httpx.AsyncClient, team: Team, provider: Issuer) -> Caller:
    return Caller(client, team, provider)


async def log_in(browser: Browser, provider: Issuer, user: User, **claims: Any) -> dict[str, str]:
    proved = await browser.prove(provider, **claims)
    assert proved.status_code == 200, proved.text
    opened = await browser.post("login", {"password": user.secret})
    return {"Authorization": f"Bearer {opened.json()['access_token']}"}


async def client_session(make: Factory, platform: Connection, user: User) -> dict[str, str]:
    session = await make.session(user)
    await platform.execute(
        "UPDATE sessions SET kind = 'client', client_name = 'laptop', client_version = '0.7.7'"
        " WHERE id = (SELECT max(id) FROM sessions)"
    )
    return session


async def test_logout_ends_what_began_with_that_session_and_the_programs(
    client: httpx.AsyncClient,
    browser: Browser,
    caller: Caller,
    provider: Issuer,
    linked: User,
    make: Factory,
    team: Team,
    platform: Connection,
) -> None:
    one = await log_in(browser, provider, linked, sid="one")
    two = await log_in(browser, provider, linked, sid="two")
    by_code = await make.session(linked)
    program = await client_session(make, platform, linked)
    colleague = await make.session(team.member)
    answer = await caller.tell(provider.logout_token(sid="one"))
    assert (answer.status_code, answer.json()) == (200, {})
    assert answer.headers["cache-control"] == "no-store"
    assert not await alive(client, one)
    for session in (two, by_code, colleague):
        assert await alive(client, session)
    # By which the client program knows that it has to forget its keys.
    ended = await client.get("/api/storage/keys", headers=program)
    assert error_of(ended) == (401, "session_ended")
    again = await caller.tell(provider.logout_token(sid="one"))
    assert again.status_code == 200
    rows = await platform.fetch("SELECT actor_name FROM activity WHERE action = 'sso.loggedOut'")
    assert [row["actor_name"] for row in rows] == ["127.0.0.1"]


@pytest.mark.parametrize("named", [{}, {"sub": None, "sid": "one"}])
async def test_logout_may_name_the_person_or_the_session_alone(
    client: httpx.AsyncClient,
    browser: Browser,
    caller: Caller,
    provider: Issuer,
    linked: User,
    named: dict[str, Any],
) -> None:
    session = await log_in(browser, provider, linked, sid="one")
    assert (await caller.tell(provider.logout_token(**named))).status_code == 200
    assert not await alive(client, session)


async def test_logout_also_ends_a_login_under_way(
    browser: Browser, caller: Caller, provider: Issuer, linked: User
) -> None:
    await browser.prove(provider, sid="one")
    assert (await caller.tell(provider.logout_token(sid="two"))).status_code == 200
    wrong = await browser.post("login", {"password": derived_secret()})
    assert error_of(wrong) == (401, "login_failed")
    assert (await caller.tell(provider.logout_token(sid="one"))).status_code == 200
    late = await browser.post("login", {"password": linked.secret})
    assert error_of(late) == (409, "sso_login_expired")


@pytest.mark.parametrize("named", [{}, {"sub": None, "sid": "one"}])
async def test_logout_that_names_one_thing_alone_ends_a_login_under_way(
    browser: Browser, caller: Caller, provider: Issuer, linked: User, named: dict[str, Any]
) -> None:
    """Of somebody who has no session yet."""
    await browser.prove(provider, sid="one")
    other = {"sub": "person-2"} if not named else {"sub": None, "sid": "two"}
    assert (await caller.tell(provider.logout_token(**other))).status_code == 200
    wrong = await browser.post("login", {"password": derived_secret()})
    assert error_of(wrong) == (401, "login_failed")
    assert (await caller.tell(provider.logout_token(**named))).status_code == 200
    late = await browser.post("login", {"password": linked.secret})
    assert error_of(late) == (409, "sso_login_expired")


async def test_logout_of_a_session_ends_nothing_of_somebody_who_is_not_linked(
    client: httpx.AsyncClient,
    browser: Browser,
    caller: Caller,
    provider: Issuer,
    member: User,
    make: Factory,
    platform: Connection,
) -> None:
    """Otherwise a provider that names an address could end that person's programs."""
    program = await client_session(make, platform, member)
    proved = await browser.prove(provider, email=member.email, sid="one")
    assert proved.json()["linked"] is False
    told = await caller.tell(provider.logout_token(sub=None, sid="one"))
    assert told.status_code == 200
    assert (await client.get("/api/storage/keys", headers=program)).status_code != 401


@pytest.mark.extended
@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.test"}, {"aud": "another"}, {"aud": [CLIENT_ID, "another"]},
        {"iat": timedelta(hours=-1)}, {"iat": None}, {"iat": timedelta(days=1)},
        {"exp": timedelta(minutes=-2)}, {"exp": None}, {"nonce": "x"}, {"nonce": ""},
        {"jti": None}, {"jti": ""}, {"jti": 7},
        {"jti": "x" * 256}, {"events": None}, {"events": {}}, {"events": [openid.LOGOUT_EVENT]},
        {"events": {openid.LOGOUT_EVENT: True}}, {"sub": None}, {"sub": ["person-1"]},
        {"sub": ""}, {"sid": 7}, {"sub": None, "sid": ""},
    ],
)  # fmt: skip
async def test_other_claims_end_nothing(
    client: httpx.AsyncClient,
    browser: Browser,
    caller: Caller,
    provider: Issuer,
    linked: User,
    claims: dict[str, Any],
) -> None:
    session = await log_in(browser, provider, linked)
    answer = await caller.tell(provider.logout_token(**claims))
    assert error_of(answer) == REFUSED
    assert answer.headers["cache-control"] == "no-store"
    assert await alive(client, session)


@pytest.mark.parametrize(
    "header", [{"alg": "none"}, {"alg": "HS256"}, {"kid": "unknown"}, {"alg": "PS256"}]
)
async def test_other_signatures_end_nothing(
    client: httpx.AsyncClient,
    browser: Browser,
    caller: Caller,
    provider: Issuer,
    linked: User,
    header: dict[str, Any],
) -> None:
    session = await log_in(browser, provider, linked)
    provider.header = header
    assert error_of(await caller.tell(provider.logout_token())) == REFUSED
    provider.header = {"kid": "first"}
    published = provider.keys
    provider.rotate()
    provider.keys = published
    assert error_of(await caller.tell(provider.logout_token())) == REFUSED
    assert await alive(client, session)


async def test_token_counts_once_and_an_id_token_never(
    client: httpx.AsyncClient, browser: Browser, caller: Caller, provider: Issuer, linked: User
) -> None:
    token = provider.logout_token()
    assert (await caller.tell(token)).status_code == 200
    session = await log_in(browser, provider, linked)
    assert error_of(await caller.tell(token)) == REFUSED
    # An ID token, which has a nonce: refused for it alone, and for its missing `events` alone.
    for claims in ({"nonce": "x"}, {"events": None}):
        assert error_of(await caller.tell(provider.logout_token(**claims))) == REFUSED
    assert await alive(client, session)
    # Nor is a logout a login.
    provider.token = provider.logout_token()
    assert error_of(await browser.prove(provider)) == (403, "sso_answer_refused")


@pytest.mark.extended
@pytest.mark.parametrize(
    "form",
    [b"", b"\xff", b"logout_token=", b"logout_token=a.b.c", b"token=x", b"x" * 40_000,
     b"logout_token=" + b"x" * 30_000, b"&".join([b"a=b"] * 100)],
)  # fmt: skip
async def test_what_is_no_logout_is_refused(
    caller: Caller, provider: Issuer, linked: User, form: bytes
) -> None:
    assert error_of(await caller.send(form)) == REFUSED


async def test_two_tokens_and_huge_bodies_are_refused(
    client: httpx.AsyncClient, browser: Browser, caller: Caller, provider: Issuer, linked: User
) -> None:
    session = await log_in(browser, provider, linked)
    pair = [provider.logout_token(), provider.logout_token()]
    assert error_of(await caller.send({"logout_token": pair})) == REFUSED
    assert error_of(await caller.send(b"x" * 2_000_000)) == (413, "body_too_large")
    assert await alive(client, session)


async def test_provider_ends_nothing_in_another_company(
    client: httpx.AsyncClient,
    browser: Browser,
    caller: Caller,
    provider: Issuer,
    linked: User,
    make: Factory,
    people: People,
) -> None:
    """Also not with the same issuer, client id and subject, which a shared provider may have."""
    session = await log_in(browser, provider, linked, sid="one")
    other = await people.team()
    theirs = await set_up_provider(
        client, await make.session(other.leader, verified=True), provider
    )
    for claims in ({}, {"sub": None, "sid": "one"}):
        path = f"{other.company.uuid}/{theirs}"
        answer = await caller.tell(provider.logout_token(**claims), path)
        assert answer.status_code == 200
    assert await alive(client, session)
    for company, uuid in (
        (other.company.uuid, provider.uuid),
        (linked.company.uuid, theirs),
        (linked.company.uuid, uuid4()),
        (uuid4(), provider.uuid),
    ):
        answer = await caller.tell(provider.logout_token(), f"{company}/{uuid}")
        assert error_of(answer) == REFUSED
    assert await alive(client, session)


async def test_unknown_people_and_a_silent_provider_are_no_reason_to_fail(
    client: httpx.AsyncClient, browser: Browser, caller: Caller, provider: Issuer, linked: User
) -> None:
    session = await log_in(browser, provider, linked)
    for claims in ({"sub": "person-2"}, {"sub": None, "sid": "unknown"}):
        assert (await caller.tell(provider.logout_token(**claims))).status_code == 200
    openid.forget()
    provider.status = 500
    assert error_of(await caller.tell(provider.logout_token())) == REFUSED
    assert await alive(client, session)


async def test_page_shows_where_logouts_are_announced(
    client: httpx.AsyncClient, leader: dict[str, str], provider: Issuer, team: Team
) -> None:
    shown = (await client.get("/api/identity/sso", headers=leader)).json()
    assert [each["backchannelLogoutUri"] for each in shown["providers"]] == [
        f"http://console.test/api/auth/sso/backchannel-logout/{team.company.uuid}/{provider.uuid}"
    ]
