"""What a liar sends in a provider's place, and providers that are down, slow or careless."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tessera.integrations import openid, webhooks
from tests.factories.accounts import User, derived_secret
from tests.identity.browser import Browser
from tests.identity.issuer import CLIENT_ID, Issuer
from tests.identity.providers import add_provider, save_provider, settings_of
from tests.security.attacker import error_of

REFUSED = (403, "sso_answer_refused")


@pytest.mark.extended
@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.test"}, {"iss": None}, {"aud": "another"}, {"aud": None},
        {"aud": []}, {"aud": [CLIENT_ID, "another"]}, {"azp": "another"},
        {"aud": [CLIENT_ID, "another"], "azp": "another"}, {"exp": timedelta(minutes=-2)},
        {"exp": None}, {"exp": True}, {"exp": "tomorrow"}, {"iat": timedelta(hours=-1)},
        {"iat": timedelta(days=1)}, {"iat": None}, {"nbf": timedelta(days=1)},
        {"nonce": "another"}, {"nonce": None}, {"sub": ""}, {"sub": None},
        {"sub": 7}, {"sub": "x" * 256}, {"sub": "person-1\0"},
    ],
)  # fmt: skip
async def test_token_with_other_claims_is_refused(
    browser: Browser, provider: Issuer, linked: User, claims: dict[str, Any]
) -> None:
    assert error_of(await browser.prove(provider, **claims)) == REFUSED
    login = await browser.post("login", {"password": linked.secret})
    assert error_of(login) == (409, "sso_login_expired")


async def test_clocks_may_differ_by_a_little(
    browser: Browser, provider: Issuer, linked: User
) -> None:
    late = {"iat": int(time.time()) + 40, "exp": int(time.time()) + 340}
    assert (await browser.prove(provider, **late)).status_code == 200
    both = {"aud": [CLIENT_ID, "another"], "azp": CLIENT_ID}
    assert (await browser.prove(provider, **both)).status_code == 200


@pytest.mark.parametrize(
    ("age", "accepted"), [(-550, True), (30, True), (-650, False), (90, False)]
)
def test_times_are_judged_by_the_databases_clock(
    right_time: Callable[[], float], age: int, accepted: bool
) -> None:
    issued = right_time() + age
    claims = {
        "iss": "https://id.test", "aud": CLIENT_ID, "sub": "person-1", "nonce": "n",
        "iat": issued, "exp": issued + 900,
    }  # fmt: skip

    def check() -> str:
        return openid.check_claims(
            claims, issuer="https://id.test", client_id=CLIENT_ID, nonce="n"
        ).subject

    if accepted:
        assert check() == "person-1"
    else:
        with pytest.raises(openid.ProviderFailed):
            check()


@pytest.mark.extended
@pytest.mark.parametrize(
    "header",
    [{"alg": "none"}, {"alg": "HS256"}, {"alg": "HS512"}, {"kid": "unknown"}, {"kid": 7},
     {"alg": "PS256"}, {"crit": ["exp"], "exp": 1}],
)  # fmt: skip
async def test_token_with_another_header_is_refused(
    browser: Browser, provider: Issuer, linked: User, header: dict[str, Any]
) -> None:
    provider.header = header
    assert error_of(await browser.prove(provider)) == REFUSED


@pytest.mark.extended
@pytest.mark.parametrize("token", ["", "a.b.c", "....", "e30.e30.", "x" * 30_000, "é.é.é"])
async def test_what_is_no_token_is_refused(
    browser: Browser, provider: Issuer, linked: User, token: str
) -> None:
    provider.token = token
    assert error_of(await browser.prove(provider)) == REFUSED


async def test_token_signed_by_a_key_that_is_not_published_is_refused(
    browser: Browser, provider: Issuer, linked: User
) -> None:
    published = provider.keys
    provider.rotate()
    provider.keys = published
    provider.header = {"kid": "first"}
    assert error_of(await browser.prove(provider)) == REFUSED


async def test_keys_are_kept_and_read_again_when_one_is_unknown(
    browser: Browser, provider: Issuer, linked: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        assert (await browser.prove(provider)).status_code == 200
    assert [each[0] for each in provider.asked].count("/keys") == 1
    provider.rotate()
    assert error_of(await browser.prove(provider)) == REFUSED
    assert [each[0] for each in provider.asked].count("/keys") == 1
    monkeypatch.setattr(openid, "REFRESH_SECONDS", 0)
    assert (await browser.prove(provider)).status_code == 200
    assert [each[0] for each in provider.asked].count("/keys") == 2


async def test_answer_counts_once_with_its_own_state_in_its_own_browser(
    client: httpx.AsyncClient, browser: Browser, provider: Issuer, linked: User
) -> None:
    returned = provider.authorize(await browser.start())
    stranger = Browser(client)
    assert error_of(await stranger.post("answer", returned)) == (409, "sso_login_expired")
    theirs = provider.authorize(await stranger.start())
    swapped = await stranger.post("answer", {**theirs, "state": returned["state"]})
    assert error_of(swapped) == REFUSED
    # That used the stranger's answer up.
    assert error_of(await stranger.post("answer", theirs)) == (409, "sso_login_expired")
    assert (await browser.post("answer", returned)).status_code == 200
    assert error_of(await browser.post("answer", returned)) == (409, "sso_login_expired")
    browser.cookie = f"{linked.company.id}-{'A' * 43}"
    assert error_of(await browser.post("answer", returned)) == (409, "sso_login_expired")
    for cookie in ("", "nonsense", f"999999-{'A' * 43}"):
        browser.cookie = cookie
        answer = await browser.post("login", {"password": derived_secret()})
        assert error_of(answer) == (409, "sso_login_expired")


async def test_code_of_another_login_is_refused(
    client: httpx.AsyncClient, browser: Browser, provider: Issuer, linked: User
) -> None:
    stolen = provider.authorize(await Browser(client).start())
    mine = provider.authorize(await browser.start())
    answer = await browser.post("answer", {**mine, "code": stolen["code"]})
    assert error_of(answer) == REFUSED


async def test_answer_names_the_issuer_where_the_provider_does(
    browser: Browser, provider: Issuer, linked: User
) -> None:
    returned = provider.authorize(await browser.start())
    answer = await browser.post("answer", {**returned, "issuer": "https://evil.test"})
    assert error_of(answer) == REFUSED
    openid.forget()
    provider.configuration = {"authorization_response_iss_parameter_supported": True}
    assert error_of(await browser.prove(provider)) == REFUSED
    returned = provider.authorize(await browser.start())
    answer = await browser.post("answer", {**returned, "issuer": provider.url})
    assert answer.status_code == 200


async def test_provider_that_is_down_or_slow_is_said_so(
    browser: Browser, provider: Issuer, linked: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    returned = provider.authorize(await browser.start())
    provider.status = 500
    assert error_of(await browser.post("answer", returned)) == (503, "sso_unavailable")
    returned = provider.authorize(await browser.start())
    monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", 0.1)
    provider.answering.clear()
    assert error_of(await browser.post("answer", returned)) == (503, "sso_unavailable")
    openid.forget()
    answer = await browser.post("start", {"emailAddress": linked.email})
    assert error_of(answer) == (503, "sso_unavailable")


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "ftp://acme.test", "http://acme.test", "https://10.0.0.1",
     "https://169.254.169.254", "https://user:secret@acme.test", "https://acme.test/?x=1",
     "https://acme.test/#x", "javascript:alert(1)", "https://[::1]:9", "https://acme.test:22"],
)  # fmt: skip
async def test_issuer_that_is_no_public_address_is_refused(
    client: httpx.AsyncClient, leader: dict[str, str], url: str
) -> None:
    uuid = await add_provider(client, leader, "Main")
    answer = await save_provider(client, leader, uuid, settings_of(url))
    assert answer.status_code == 422
    assert "issuer" in answer.json()["fields"]


@pytest.mark.extended
@pytest.mark.parametrize(
    "configuration",
    [
        {"issuer": "https://evil.test"}, {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://acme.test/authorize"}, {"token_endpoint": None},
        {"jwks_uri": "file:///etc/passwd"}, {"userinfo_endpoint": "https://"},
        {"token_endpoint_auth_methods_supported": ["private_key_jwt"]},
        {"authorization_endpoint": "https://acme.test/\nx"}, {"padding": "x" * 300_000},
    ],
)  # fmt: skip
async def test_configuration_that_is_not_usable_is_not_saved(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    issuer: Issuer,
    configuration: dict[str, Any],
) -> None:
    issuer.configuration = configuration
    uuid = await add_provider(client, leader, "Main")
    answer = await save_provider(client, leader, uuid, settings_of(issuer))
    assert answer.status_code == 422
    assert "issuer" in answer.json()["fields"]
    shown = await client.get("/api/identity/sso", headers=leader)
    assert [each["issuer"] for each in shown.json()["providers"]] == [None]
