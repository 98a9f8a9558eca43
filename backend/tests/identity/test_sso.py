"""Login with the company's OpenID provider: what it opens, and what it never does."""

from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tessera.kit.database import Connection
from tests.auth.passkey_device import PasskeyDevice, add
from tests.factories.accounts import Factory, Outbox, User, derived_secret
from tests.factories.people import People, Team
from tests.identity.browser import Browser
from tests.identity.issuer import SECRET, Issuer
from tests.identity.providers import remove_provider, save_provider, set_up_provider, settings_of
from tests.security.attacker import error_of


async def test_login_needs_the_secret_of_the_password_too_and_is_not_verified(
    client: httpx.AsyncClient, browser: Browser, provider: Issuer, linked: User
) -> None:
    url = await browser.start()
    query = parse_qs(urlsplit(url).query)
    assert url.startswith(f"{provider.url}/authorize?")
    assert query["redirect_uri"] == [f"http://console.test/login/company/{provider.uuid}"]
    assert query["code_challenge_method"] == ["S256"]
    assert query["login_hint"] == ["sam@acme.test"]
    early = await browser.post("login", {"password": linked.secret})
    assert error_of(early) == (409, "sso_login_expired")
    proved = await browser.post("answer", provider.authorize(url))
    assert proved.status_code == 200, proved.text
    shown = proved.json()
    assert (shown["linked"], shown["emailAddress"]) == (True, linked.email)
    assert "sealed" not in proved.text
    wrong = await browser.post("login", {"password": derived_secret()})
    assert error_of(wrong) == (401, "login_failed")
    opened = await browser.post("login", {"password": linked.secret})
    assert opened.status_code == 200
    session = {"Authorization": f"Bearer {opened.json()['access_token']}"}
    assert opened.json()["sealedUserKey"]
    kept = await client.get("/api/auth/login-token", headers=session)
    assert kept.json()["user"]["email_address"] == linked.email
    sensitive = await client.post("/api/auth/authenticator", headers=session)
    assert error_of(sensitive) == (403, "verification_required")
    again = await browser.post("login", {"password": linked.secret})
    assert error_of(again) == (409, "sso_login_expired")
    token = next(each for each in provider.asked if each[0] == "/token")
    assert token[1]["authorization"].startswith("Basic ")
    assert SECRET not in str(token[2])


async def test_tries_of_the_password_are_ten_an_hour_over_all_logins(
    browser: Browser, provider: Issuer, linked: User
) -> None:
    for _ in range(2):
        await browser.prove(provider)
        for _ in range(5):
            wrong = await browser.post("login", {"password": derived_secret()})
            assert wrong.status_code == 401
    await browser.prove(provider)
    assert (await browser.post("login", {"password": linked.secret})).status_code == 429


async def test_passkey_opens_a_verified_session_with_its_copy_of_the_key(
    client: httpx.AsyncClient,
    browser: Browser,
    provider: Issuer,
    linked: User,
    make: Factory,
    platform: Connection,
) -> None:
    device = await add(client, await make.session(linked, verified=True))
    assert (await browser.prove(provider)).json()["passkey"] is None
    await platform.execute("UPDATE passkeys SET sealed_user_key = 'sealed by the passkey'")
    proved = (await browser.prove(provider)).json()
    assert proved["userUuid"] == str(linked.uuid)
    assert [each["id"] for each in proved["passkey"]["allowCredentials"]] == [device.id]
    other = await browser.post(
        "login-passkey", {"credential": PasskeyDevice().sign(proved["passkey"])}
    )
    assert other.status_code == 400
    proved = (await browser.prove(provider)).json()
    opened = await browser.post("login-passkey", {"credential": device.sign(proved["passkey"])})
    assert opened.json()["passkeyKey"] == "sealed by the passkey"
    session = {"Authorization": f"Bearer {opened.json()['access_token']}"}
    assert (await client.post("/api/auth/authenticator", headers=session)).status_code == 200


async def test_linking_needs_password_and_code_and_binds_the_subject(
    client: httpx.AsyncClient,
    browser: Browser,
    provider: Issuer,
    member: User,
    make: Factory,
    outbox: Outbox,
    platform: Connection,
) -> None:
    shown = (await browser.prove(provider, email="Sam@acme.test", email_verified=True)).json()
    assert shown == {
        "emailAddress": member.email, "linked": False, "salt": None, "userUuid": None,
        "passkey": None,
    }  # fmt: skip
    refused = await browser.post("login", {"password": member.secret})
    assert error_of(refused) == (409, "sso_login_expired")
    assert (await browser.post("link")).status_code == 401
    unverified = await browser.post("link", headers=await make.session(member))
    assert error_of(unverified) == (403, "verification_required")
    await client.post("/api/auth/login-onboard", json=member.credentials)
    body = {**member.credentials, "otp": await outbox.code(member.phone_number)}
    opened = await client.post("/api/auth/verify-otp", json=body)
    session = {"Authorization": f"Bearer {opened.json()['access_token']}"}
    assert (await browser.post("link", headers=session)).status_code == 204
    again = await browser.post("link", headers=session)
    assert error_of(again) == (409, "sso_login_expired")
    # From now on the subject decides, whatever the address.
    assert (await browser.prove(provider, email="else@acme.test")).json()["linked"] is True
    other = await browser.prove(provider, sub="person-2", email=member.email)
    assert error_of(other) == (403, "sso_account_unknown")
    assert await platform.fetchval("SELECT count(*) FROM activity WHERE action = 'sso.linked'") == 1


async def test_somebody_else_cannot_link_what_was_proved(
    browser: Browser, provider: Issuer, member: User, make: Factory, team: Team
) -> None:
    await browser.prove(provider, email=member.email)
    colleague = await make.session(await make.user(team.company, "teamMember"), verified=True)
    assert error_of(await browser.post("link", headers=colleague)) == (409, "sso_login_expired")
    stranger = await make.session(await make.user(), verified=True)
    assert error_of(await browser.post("link", headers=stranger)) == (409, "sso_login_expired")


@pytest.mark.parametrize(
    ("claims", "columns"),
    [
        ({}, {}),
        ({"email": "nobody@acme.test"}, {}),
        ({"email": ["sam@acme.test"]}, {}),
        ({"email": "sam@acme.test"}, {"email_confirmed_at": None}),
        ({"email": "sam@else.test"}, {"email": "sam@else.test"}),
    ],
)
async def test_an_address_that_is_not_proved_on_both_sides_links_nobody(
    browser: Browser,
    provider: Issuer,
    make: Factory,
    team: Team,
    claims: dict[str, object],
    columns: dict[str, object],
) -> None:
    await make.user(team.company, "teamMember", **{"email": "sam@acme.test", **columns})
    answer = await browser.prove(provider, **claims)
    assert error_of(answer) == (403, "sso_account_unknown")


@pytest.mark.parametrize("claims", [{}, {"email_verified": True}, {"email_verified": "true"}])
async def test_an_address_in_a_domain_of_the_provider_counts_unless_it_is_called_unverified(
    browser: Browser, provider: Issuer, member: User, claims: dict[str, object]
) -> None:
    shown = (await browser.prove(provider, email=member.email, **claims)).json()
    assert (shown["emailAddress"], shown["linked"]) == (member.email, False)


@pytest.mark.parametrize("verified", [False, "false", 0, 1, "", "yes", [True], {}])
async def test_whatever_else_a_provider_says_of_an_address_is_no(
    browser: Browser, provider: Issuer, member: User, verified: object
) -> None:
    answer = await browser.prove(provider, email=member.email, email_verified=verified)
    assert error_of(answer) == (403, "sso_account_unknown")


async def test_address_is_also_read_where_some_providers_tell_it(
    browser: Browser, provider: Issuer, member: User
) -> None:
    provider.told = {"sub": "person-1", "email": member.email, "email_verified": True}
    assert (await browser.prove(provider)).json()["emailAddress"] == member.email
    provider.told = {"sub": "person-2", "email": member.email}
    assert error_of(await browser.prove(provider)) == (403, "sso_answer_refused")


async def test_account_of_another_company_is_never_reached(
    client: httpx.AsyncClient,
    browser: Browser,
    provider: Issuer,
    make: Factory,
    people: People,
    platform: Connection,
) -> None:
    other = await people.team()
    victim = await make.user(other.company, "teamMember", email="victim@acme.test")
    answer = await browser.prove(provider, email=victim.email)
    assert error_of(answer) == (403, "sso_account_unknown")
    theirs = await make.session(other.leader, verified=True)
    await set_up_provider(client, theirs, provider)
    await platform.execute(
        "INSERT INTO sso_identities (company_id, user_id, issuer, subject)"
        " VALUES ($1, $2, $3, 'person-1')",
        victim.company.id, victim.id, provider.url,
    )  # fmt: skip
    assert error_of(await browser.prove(provider)) == (403, "sso_account_unknown")


async def test_domain_alone_decides_what_the_login_page_answers(
    browser: Browser, provider: Issuer, member: User, people: People, make: Factory
) -> None:
    known = await browser.post("start", {"emailAddress": "SAM@ACME.test"})
    unknown = await browser.post("start", {"emailAddress": "nobody@acme.test"})
    assert known.status_code == unknown.status_code == 200
    other = await make.user((await people.team()).company, "teamMember", email="o@else.test")
    for address in (other.email, "x@nobody.test", "nonsense", "@", "a@b@acme.test.evil", "a@[::1]"):
        answer = await browser.post("start", {"emailAddress": address})
        assert error_of(answer) == (404, "sso_not_available")


async def test_disabled_member_is_told_after_the_password_only(
    browser: Browser, provider: Issuer, linked: User, platform: Connection
) -> None:
    await platform.execute("UPDATE users SET is_active = false WHERE id = $1", linked.id)
    await browser.prove(provider)
    wrong = await browser.post("login", {"password": derived_secret()})
    assert error_of(wrong) == (401, "login_failed")
    right = await browser.post("login", {"password": linked.secret})
    assert error_of(right) == (403, "account_disabled")


async def test_leader_saves_shows_and_removes_the_provider(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    browser: Browser,
    provider: Issuer,
    linked: User,
    platform: Connection,
) -> None:
    shown = (await client.get("/api/identity/sso", headers=leader)).json()
    assert SECRET not in str(shown)
    (listed,) = shown["providers"]
    assert listed["issuer"] == provider.url
    assert (listed["isDefault"], listed["isNeeded"], listed["linkedMembers"]) == (True, True, 1)
    assert SECRET.encode() not in await platform.fetchval("SELECT sealed_secret FROM sso_providers")
    body = settings_of(provider, "Head office", clientSecret=None)
    renamed = await save_provider(client, leader, provider.uuid, body)
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Head office")
    assert (await browser.prove(provider)).status_code == 200
    another = {**body, "clientId": "another"}
    refused = await save_provider(client, leader, provider.uuid, another)
    assert "clientSecret" in refused.json()["fields"]
    assert (await remove_provider(client, leader, provider.uuid)).status_code == 204
    ended = await browser.post("login", {"password": linked.secret})
    assert error_of(ended) == (409, "sso_login_expired")
    assert await platform.fetch("TABLE sso_identities") == []
    gone = await remove_provider(client, leader, provider.uuid)
    assert error_of(gone) == (404, "sso_provider_not_found")
    rows = await platform.fetch(
        "SELECT action, target FROM activity WHERE action LIKE 'sso.%' ORDER BY id"
    )
    assert [tuple(row) for row in rows] == [
        ("sso.added", "Main"),
        ("sso.saved", "Main (127.0.0.1)"),
        ("sso.saved", "Head office (127.0.0.1)"),
        ("sso.removed", "Head office (127.0.0.1)"),
    ]
