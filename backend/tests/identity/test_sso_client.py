"""Logins of the client program with a company account, and who would like to take them over."""

from datetime import timedelta

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, User, derived_secret
from tests.factories.people import People, Team
from tests.identity.browser import Browser
from tests.identity.issuer import Issuer
from tests.identity.program import STATE, Program, answered, confirm
from tests.identity.providers import remove_provider, set_up_provider
from tests.security.attacker import error_of

EXPIRED = (409, "sso_login_expired")
UNKNOWN = (404, "sso_client_login_unknown")


@pytest.fixture
def program(client: httpx.AsyncClient, linked: User) -> Program:
    return Program(client, linked.secret)


async def test_browser_of_the_same_computer_hands_the_code_over(
    client: httpx.AsyncClient,
    browser: Browser,
    program: Program,
    provider: Issuer,
    linked: User,
    platform: Connection,
) -> None:
    await program.begin()
    waiting = {"confirmed": False, "emailAddress": None, "salt": None}
    assert (await program.state()).json() == waiting
    assert error_of(await program.finish()) == EXPIRED
    await browser.prove(provider, sid="at the provider")
    shown = (await browser.post("client-logins/show", {"handle": program.handle})).json()
    assert (shown["name"], shown["deviceCode"]) == ("Sam's laptop", program.device_code)
    body = {"handle": program.handle, "accepted": True}
    redirect = (await browser.post("client-logins/decide", body)).json()["redirect"]
    assert redirect.startswith("http://127.0.0.1:40000/?")
    assert answered(redirect)["state"] == STATE
    # The browser's own login is used up.
    assert error_of(await browser.post("login", {"password": linked.secret})) == EXPIRED
    code = answered(redirect)["code"]
    ready = (await program.state(code)).json()
    assert ready["emailAddress"] == linked.email
    opened = await program.finish(code)
    assert opened.status_code == 200, opened.text
    row = await platform.fetchrow("SELECT * FROM sessions ORDER BY id DESC LIMIT 1")
    assert row is not None
    assert (row["kind"], row["client_name"]) == ("client", "Sam's laptop")
    assert (row["provider_issuer"], row["provider_session"]) == (provider.url, "at the provider")
    assert error_of(await program.finish(code)) == EXPIRED
    assert await platform.fetchval("SELECT count(*) FROM sso_client_logins") == 0


async def test_device_code_is_typed_where_no_browser_is(
    browser: Browser, program: Program, provider: Issuer, linked: User
) -> None:
    await program.begin(port=None)
    typed = program.device_code.lower().replace("-", " ")
    assert await confirm(browser, provider, {"deviceCode": typed}) is None
    assert (await program.state()).json()["confirmed"] is True
    wrong = await program.finish(password=derived_secret())
    assert error_of(wrong) == (401, "login_failed")
    opened = await program.finish()
    assert opened.json()["sealedUserKey"]


async def test_program_gets_in_where_single_sign_on_is_required(
    browser: Browser, program: Program, provider: Issuer, linked: User, platform: Connection
) -> None:
    await platform.execute("UPDATE companies SET sso_required = true")
    await program.begin()
    redirect = await confirm(browser, provider, {"handle": program.handle})
    assert (await program.finish(answered(redirect)["code"])).status_code == 200


async def test_nothing_is_said_about_addresses(program: Program, provider: Issuer) -> None:
    known = await program.post("", program.begin_body())
    unknown = await program.post("", program.begin_body(email="nobody@acme.test"))
    assert known.status_code == unknown.status_code == 200
    assert known.json().keys() == unknown.json().keys()
    other = await program.post("", program.begin_body(email="nobody@else.test"))
    assert error_of(other) == (404, "sso_not_available")


async def test_handle_and_code_are_nothing_without_the_verifier(
    client: httpx.AsyncClient, browser: Browser, program: Program, provider: Issuer, linked: User
) -> None:
    await program.begin()
    code = answered(await confirm(browser, provider, {"handle": program.handle}))["code"]
    thief = Program(client, linked.secret)
    thief.handle, thief.verifier = program.handle, "V" * 43
    assert error_of(await thief.state(code)) == EXPIRED
    assert error_of(await thief.finish(code)) == EXPIRED
    # A code belongs to one login.
    thief = Program(client, linked.secret)
    await thief.begin()
    await confirm(browser, provider, {"handle": thief.handle})
    assert error_of(await thief.finish(code)) == EXPIRED
    assert (await program.finish(code)).status_code == 200


async def test_link_of_an_attacker_brings_the_code_to_the_victims_own_computer(
    browser: Browser, program: Program, provider: Issuer, linked: User
) -> None:
    """The attacker has the handle and the verifier, and even the password."""
    await program.begin()
    assert await confirm(browser, provider, {"handle": program.handle})
    assert error_of(await program.state()) == EXPIRED
    assert error_of(await program.finish()) == EXPIRED
    assert error_of(await program.finish("C" * 43)) == EXPIRED
    # Nor is there a link to a login that waits for a typed code.
    await program.begin(port=None)
    await browser.prove(provider)
    for path, more in (("show", {}), ("decide", {"accepted": True})):
        answer = await browser.post(f"client-logins/{path}", {"handle": program.handle, **more})
        assert error_of(answer) == UNKNOWN


@pytest.mark.parametrize(
    "redirect",
    [
        {"port": 80, "state": STATE}, {"port": 70_000, "state": STATE}, {"port": "80@evil.test"},
        {"port": 40_000, "state": "x&code=y"}, {"port": 40_000, "state": STATE, "host": "evil"},
        "https://evil.test", {"port": 40_000},
    ],
)  # fmt: skip
async def test_redirect_goes_nowhere_else(
    program: Program, provider: Issuer, redirect: object
) -> None:
    answer = await program.post("", {**program.begin_body(), "redirect": redirect})
    assert answer.status_code == 422


async def test_decision_needs_a_linked_account_proved_in_this_browser(
    client: httpx.AsyncClient,
    browser: Browser,
    program: Program,
    provider: Issuer,
    make: Factory,
    team: Team,
) -> None:
    await program.begin()
    body = {"handle": program.handle, "accepted": True}
    assert error_of(await browser.post("client-logins/decide", body)) == EXPIRED
    await browser.start()
    assert error_of(await browser.post("client-logins/decide", body)) == EXPIRED
    pat = await make.user(team.company, "teamMember", email="pat@acme.test")
    unlinked = await browser.prove(provider, sub="person-2", email=pat.email)
    assert unlinked.json()["linked"] is False
    assert error_of(await browser.post("client-logins/decide", body)) == EXPIRED
    assert (await program.state()).json()["confirmed"] is False


async def test_people_of_another_company_find_no_login(
    client: httpx.AsyncClient,
    browser: Browser,
    program: Program,
    provider: Issuer,
    make: Factory,
    people: People,
    platform: Connection,
) -> None:
    other = await people.team()
    await platform.execute(
        "INSERT INTO company_domains (company_id, domain, token, proved_at)"
        " VALUES ($1, 'other.test', 'x', now())",
        other.company.id,
    )
    await set_up_provider(client, await make.session(other.leader, verified=True), provider)
    await platform.execute(
        "INSERT INTO sso_identities (company_id, user_id, issuer, subject)"
        " VALUES ($1, $2, $3, 'person-1')",
        other.company.id, other.member.id, provider.url,
    )  # fmt: skip
    returned = provider.authorize(await browser.start("x@other.test"))
    proved = await browser.post("answer", returned)
    assert proved.status_code == 200, proved.text
    await program.begin()
    by_handle = await browser.post("client-logins/show", {"handle": program.handle})
    await program.begin(port=None)
    by_code = await browser.post("client-logins/show", {"deviceCode": program.device_code})
    assert error_of(by_handle) == error_of(by_code) == UNKNOWN


async def test_device_codes_are_guessed_ten_times_an_hour(
    browser: Browser, program: Program, provider: Issuer
) -> None:
    await program.begin(port=None)
    for number in range(10):
        if number % 5 == 0:
            await browser.prove(provider)
        wrong = await browser.post("client-logins/show", {"deviceCode": "BBBB-BBBB"})
        assert error_of(wrong) == UNKNOWN
    await browser.prove(provider)
    right = await browser.post("client-logins/show", {"deviceCode": program.device_code})
    assert right.status_code == 429


async def test_wrong_passwords_count_with_those_of_browsers(
    browser: Browser, program: Program, provider: Issuer, linked: User
) -> None:
    await browser.prove(provider)
    for _ in range(5):
        await browser.post("login", {"password": derived_secret()})
    await program.begin(port=None)
    await confirm(browser, provider, {"deviceCode": program.device_code})
    for _ in range(5):
        wrong = await program.finish(password=derived_secret())
        assert error_of(wrong) == (401, "login_failed")
    assert (await program.finish()).status_code == 429


async def test_refused_or_expired_logins_open_nothing(
    browser: Browser, program: Program, provider: Issuer, platform: Connection
) -> None:
    await program.begin()
    refused = await confirm(browser, provider, {"handle": program.handle}, accepted=False)
    assert answered(refused) == {"error": "access_denied", "state": STATE}
    assert error_of(await program.state()) == (403, "sso_client_login_refused")
    again = await browser.post("client-logins/decide", {"handle": program.handle, "accepted": True})
    assert error_of(again) == UNKNOWN
    await program.begin()
    code = answered(await confirm(browser, provider, {"handle": program.handle}))["code"]
    await platform.execute(
        "UPDATE sso_client_logins SET expires_at = now() - $1::interval", timedelta(seconds=1)
    )
    assert error_of(await program.finish(code)) == EXPIRED


async def test_logout_removal_and_unlinking_end_a_confirmed_login(
    client: httpx.AsyncClient,
    browser: Browser,
    program: Program,
    provider: Issuer,
    leader: dict[str, str],
    team: Team,
    platform: Connection,
) -> None:
    await program.begin(port=None)
    await confirm(browser, provider, {"deviceCode": program.device_code})
    path = f"/api/auth/sso/backchannel-logout/{team.company.uuid}/{provider.uuid}"
    told = await client.post(path, data={"logout_token": provider.logout_token()})
    assert told.status_code == 200
    assert error_of(await program.finish()) == EXPIRED
    await program.begin(port=None)
    await confirm(browser, provider, {"deviceCode": program.device_code})
    await platform.execute("DELETE FROM sso_identities")
    assert error_of(await program.finish()) == EXPIRED
    assert (await remove_provider(client, leader, provider.uuid)).status_code == 204
    assert error_of(await program.state()) == EXPIRED


async def test_logout_that_names_the_session_alone_ends_a_confirmed_login(
    client: httpx.AsyncClient, browser: Browser, program: Program, provider: Issuer, team: Team
) -> None:
    await program.begin(port=None)
    await browser.prove(provider, sid="one")
    body = {"deviceCode": program.device_code, "accepted": True}
    assert (await browser.post("client-logins/decide", body)).status_code == 200
    path = f"/api/auth/sso/backchannel-logout/{team.company.uuid}/{provider.uuid}"
    for sid, confirmed in (("two", True), ("one", False)):
        body = {"logout_token": provider.logout_token(sub=None, sid=sid)}
        assert (await client.post(path, data=body)).status_code == 200
        assert ((await program.state()).status_code == 200) is confirmed
    assert error_of(await program.finish()) == EXPIRED


async def test_disabled_member_gets_no_session(
    browser: Browser, program: Program, provider: Issuer, linked: User, platform: Connection
) -> None:
    await program.begin(port=None)
    await confirm(browser, provider, {"deviceCode": program.device_code})
    await platform.execute("UPDATE users SET is_active = false WHERE id = $1", linked.id)
    wrong = await program.finish(password=derived_secret())
    assert error_of(wrong) == (401, "login_failed")
    assert error_of(await program.finish()) == (403, "account_disabled")
