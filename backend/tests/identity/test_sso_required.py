"""A company that requires single sign-on: the password opens keys there, and never a login."""

import httpx
import pytest

from tessera.auth.passwords.hashing import hash_secret
from tessera.kit import clock
from tessera.kit.database import Connection
from tests.auth.passkey_device import add
from tests.auth.phone_app import App, Clock, actions, mails, set_up
from tests.factories.accounts import Factory, Outbox, User, derived_secret
from tests.factories.people import Team
from tests.fixtures.command_line import Command
from tests.identity.browser import Browser
from tests.identity.issuer import CLIENT_ID, Issuer
from tests.identity.providers import remove_provider, save_provider, settings_of
from tests.security.attacker import alive, error_of

REQUIRED = (403, "sso_required")
CLIENT = {"name": "laptop", "system": "Linux", "version": "0.7.7"}


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(clock, "now", made.now)
    return made


@pytest.fixture
async def phone(client: httpx.AsyncClient, leader: dict[str, str], time: Clock) -> App:
    """The leader's."""
    return await set_up(client, leader, time)


@pytest.fixture
async def secret(team: Team, platform: Connection) -> str:
    """Derived from the leader's password."""
    made = derived_secret()
    await platform.execute(
        "UPDATE users SET password_hash = $2 WHERE id = $1", team.leader.id, await hash_secret(made)
    )
    return made


@pytest.fixture
async def tried(provider: Issuer, team: Team, platform: Connection) -> None:
    """The leader has logged in by the provider."""
    await platform.execute(
        "INSERT INTO sso_identities (company_id, user_id, issuer, subject, last_login_at)"
        " VALUES ($1, $2, $3, 'leader', now())",
        team.company.id, team.leader.id, provider.url,
    )  # fmt: skip


async def put_requirement(
    client: httpx.AsyncClient, headers: dict[str, str], required: bool = True
) -> httpx.Response:
    body = {"required": required}
    return await client.put("/api/identity/sso/requirement", json=body, headers=headers)


@pytest.fixture
async def required(
    client: httpx.AsyncClient, leader: dict[str, str], tried: None, phone: App
) -> None:
    saved = await put_requirement(client, leader)
    assert saved.status_code == 200, saved.text
    assert saved.json()["required"] is True


async def test_both_ways_in_are_tried_before_it_is_saved(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    provider: Issuer,
    browser: Browser,
    team: Team,
    secret: str,
    make: Factory,
    time: Clock,
    platform: Connection,
    outbox: Outbox,
) -> None:
    assert error_of(await put_requirement(client, leader)) == (409, "sso_not_tried")
    await platform.execute(
        "INSERT INTO sso_identities (company_id, user_id, issuer, subject)"
        " VALUES ($1, $2, $3, 'leader')",
        team.company.id, team.leader.id, provider.url,
    )  # fmt: skip
    # Being linked is not enough.
    assert error_of(await put_requirement(client, leader)) == (409, "sso_not_tried")
    await browser.prove(provider, sub="leader")
    opened = await browser.post("login", {"password": secret})
    assert opened.status_code == 200, opened.text
    assert error_of(await put_requirement(client, leader)) == (409, "sso_needs_recovery_codes")
    await set_up(client, leader, time)
    by_provider = {"Authorization": f"Bearer {opened.json()['access_token']}"}
    # Setting up the app ended it.
    assert not await alive(client, by_provider)
    saved = await put_requirement(client, leader)
    shown = saved.json()
    assert (shown["required"], shown["isTried"], shown["recoveryCodesLeft"]) == (True, True, 10)
    again = await put_requirement(client, leader)
    assert again.json() == shown
    assert (await actions(platform)).count("sso.required") == 1
    assert "Your company now requires single sign-on" in await mails(outbox, team.leader)
    member = await make.session(team.member, verified=True)
    assert (await put_requirement(client, member, required=False)).status_code == 403
    assert (await put_requirement(client, leader, required=False)).json()["required"] is False
    assert (await actions(platform))[-1] == "sso.optional"


async def test_password_opens_no_login_whatever_comes_with_it(
    client: httpx.AsyncClient, required: None, member: User, make: Factory, outbox: Outbox
) -> None:
    device = await add(client, await make.session(member, verified=True))
    code = {**member.credentials, "otp": "123456"}
    passkey = {**member.credentials, "credential": device.sign({"challenge": "AAAA"})}
    for path, body in (
        ("login-onboard", member.credentials),
        ("login-onboard", {**member.credentials, "passkey": True}),
        ("verify-otp", code),
        ("verify-otp", {**code, "otp": "abcd-abcd-abcd-abcd"}),
        ("verify-otp", {**code, "client": CLIENT}),
        ("login-passkey", passkey),
    ):
        answer = await client.post(f"/api/auth/{path}", json=body)
        assert error_of(answer) == REQUIRED, path
        # Whoever does not know the password learns nothing.
        wrong = {**body, "password": derived_secret()}
        known = await client.post(f"/api/auth/{path}", json=wrong)
        unknown = {**wrong, "emailAddress": "nobody@acme.test"}
        missing = await client.post(f"/api/auth/{path}", json=unknown)
        assert error_of(known) == error_of(missing) == (401, "login_failed")
        assert known.json() == missing.json()
    assert [each for each in await outbox.messages() if each["to"] == member.phone_number] == []


async def test_code_that_was_sent_before_opens_no_session(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    tried: None,
    phone: App,
    member: User,
    outbox: Outbox,
) -> None:
    assert (await client.post("/api/auth/login-onboard", json=member.credentials)).is_success
    body = {**member.credentials, "otp": await outbox.code(member.phone_number)}
    await put_requirement(client, leader)
    assert error_of(await client.post("/api/auth/verify-otp", json=body)) == REQUIRED


async def test_sessions_of_browsers_without_the_provider_end(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    tried: None,
    phone: App,
    browser: Browser,
    provider: Issuer,
    linked: User,
    make: Factory,
) -> None:
    await browser.prove(provider)
    token = (await browser.post("login", {"password": linked.secret})).json()["access_token"]
    by_password, program = await make.session(linked), await make.session(linked, client="laptop")
    stranger = await make.session(await make.user())
    await put_requirement(client, leader)
    assert await alive(client, {"Authorization": f"Bearer {token}"})
    assert await alive(client, leader)
    assert await alive(client, stranger)
    assert not await alive(client, by_password)
    usage = await client.get("/api/storage/usage", headers=program)
    assert usage.status_code != 401


async def test_member_links_and_logs_in_where_the_provider_has_proved_the_account(
    client: httpx.AsyncClient,
    required: None,
    browser: Browser,
    provider: Issuer,
    member: User,
    make: Factory,
    team: Team,
    outbox: Outbox,
) -> None:
    shown = (await browser.prove(provider, email=member.email)).json()
    assert shown["linked"] is False
    cookie = {"Cookie": f"tessera_sso={browser.cookie}"}
    colleague = await make.user(team.company, "teamMember", email="other@acme.test")
    for headers, user in (({}, member), (cookie, colleague)):
        answer = await client.post(
            "/api/auth/login-onboard", json=user.credentials, headers=headers
        )
        assert error_of(answer) == REQUIRED
    asked = await client.post("/api/auth/login-onboard", json=member.credentials, headers=cookie)
    assert asked.status_code == 200
    body = {**member.credentials, "otp": await outbox.code(member.phone_number)}
    opened = await client.post("/api/auth/verify-otp", json=body, headers=cookie)
    session = {"Authorization": f"Bearer {opened.json()['access_token']}"}
    assert (await browser.post("link", headers=session)).status_code == 204
    assert "Your company account was linked" in await mails(outbox, member)
    await browser.prove(provider)
    assert (await browser.post("login", {"password": member.secret})).status_code == 200


async def test_leader_gets_in_by_a_recovery_code_and_nothing_else(
    client: httpx.AsyncClient, required: None, team: Team, secret: str, phone: App
) -> None:
    credentials = {"emailAddress": team.leader.email, "password": secret}
    for passkey in (False, True):
        asked = await client.post(
            "/api/auth/login-onboard", json={**credentials, "passkey": passkey}
        )
        assert asked.json() == {
            "otpRequired": True, "method": "totp", "recoveryCodeOnly": True,
        }  # fmt: skip
    by_app = {**credentials, "otp": phone.next_code()}
    refused = await client.post("/api/auth/verify-otp", json=by_app)
    assert error_of(refused) == (403, "recovery_code_needed")
    by_code = {**credentials, "otp": phone.recovery_codes[0]}
    opened = await client.post("/api/auth/verify-otp", json=by_code)
    assert opened.status_code == 200
    session = {"Authorization": f"Bearer {opened.json()['access_token']}"}
    assert (await put_requirement(client, session, required=False)).status_code == 200
    assert (await client.post("/api/auth/verify-otp", json=by_code)).status_code == 400


async def test_nothing_takes_the_leaders_ways_in_away(
    client: httpx.AsyncClient,
    required: None,
    leader: dict[str, str],
    provider: Issuer,
    team: Team,
    platform: Connection,
) -> None:
    removed = await remove_provider(client, leader, provider.uuid)
    assert error_of(removed) == (409, "sso_still_required")
    body = settings_of(provider, clientId="another")
    replaced = await save_provider(client, leader, provider.uuid, body)
    assert error_of(replaced) == (409, "sso_still_required")
    same = {**body, "clientId": CLIENT_ID}
    assert (await save_provider(client, leader, provider.uuid, same)).status_code == 200
    app = await client.delete("/api/auth/authenticator", headers=leader)
    assert error_of(app) == (409, "authenticator_needed")
    policies = {
        "secondFactors": ["sms"], "sessionHours": None, "clientSessionDays": None,
        "minClientVersion": None, "networks": [], "countries": [],
    }  # fmt: skip
    tightened = await client.put("/api/policies", json=policies, headers=leader)
    assert error_of(tightened) == (409, "own_second_factor_left_out")
    given = await client.put(f"/api/user/team-leader/{team.member.uuid}", headers=leader)
    assert error_of(given) == (409, "new_leader_needs_recovery_codes")
    assert await platform.fetchval("SELECT sso_required FROM companies WHERE id = $1",
                                   team.company.id)  # fmt: skip


async def test_disabled_members_are_told_so_and_a_reset_says_how_to_log_in(
    client: httpx.AsyncClient, required: None, member: User, outbox: Outbox, platform: Connection
) -> None:
    await client.post("/api/auth/forgot-password", json={"emailAddress": member.email})
    link = await outbox.token(member.email)
    shown = (await client.get("/api/auth/reset", params={"token": link})).json()
    assert (shown["state"], shown["ssoRequired"]) == ("open", True)
    await platform.execute("UPDATE users SET is_active = false WHERE id = $1", member.id)
    answer = await client.post("/api/auth/login-onboard", json=member.credentials)
    assert error_of(answer) == (403, "account_disabled")


async def test_operator_makes_it_optional(
    client: httpx.AsyncClient,
    required: None,
    member: User,
    team: Team,
    platform: Connection,
    outbox: Outbox,
    run_command: Command,
) -> None:
    uuid = str(team.company.uuid)
    lifted = await run_command("policies", "lift-sso", uuid)
    assert (lifted.exit_code, lifted.stdout) == (0, "Single sign-on is optional.\n")
    again = await run_command("policies", "lift-sso", uuid)
    assert again.stdout == "The company does not require it.\n"
    assert (await actions(platform))[-1] == "sso.liftedByPlatform"
    assert "Single sign-on is optional again" in await mails(outbox, team.leader)
    assert (await client.post("/api/auth/login-onboard", json=member.credentials)).is_success
