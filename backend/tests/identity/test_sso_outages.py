"""A company whose provider does not answer: everybody else logs in meanwhile, and its own people
without the provider; and addresses of the provider that nobody can bend."""

import asyncio
from urllib.parse import parse_qs, urlsplit

import httpx

from tessera.integrations import openid
from tests.factories.accounts import Factory, Outbox, User
from tests.identity.browser import Browser
from tests.identity.issuer import Issuer
from tests.security.attacker import error_of


async def test_others_log_in_while_a_provider_does_not_answer(
    client: httpx.AsyncClient,
    browser: Browser,
    provider: Issuer,
    linked: User,
    make: Factory,
    outbox: Outbox,
) -> None:
    returned = provider.authorize(await browser.start())
    provider.answering.clear()
    waiting = asyncio.create_task(browser.post("answer", returned))
    try:
        for _ in range(1_000):
            if "/token" in [path for path, _, _ in provider.asked]:
                break
            await asyncio.sleep(0.01)
        for user in (linked, await make.user()):
            asked = await client.post("/api/auth/login-onboard", json=user.credentials)
            assert asked.status_code == 200, asked.text
            body = {**user.credentials, "otp": await outbox.code(user.phone_number)}
            assert (await client.post("/api/auth/verify-otp", json=body)).status_code == 200
        assert not waiting.done()
    finally:
        provider.answering.set()
    # Nothing is half done: the answer that was late counts as any other.
    assert (await waiting).status_code == 200
    assert (await browser.post("login", {"password": linked.secret})).status_code == 200


async def test_provider_that_was_away_is_asked_again(
    browser: Browser, provider: Issuer, linked: User
) -> None:
    openid.forget()
    provider.status = 503
    unavailable = await browser.post("start", {"emailAddress": linked.email})
    assert error_of(unavailable) == (503, "sso_unavailable")
    provider.status = 200
    assert (await browser.prove(provider)).status_code == 200
    assert (await browser.post("login", {"password": linked.secret})).status_code == 200


async def test_provider_is_told_the_services_own_address_whatever_the_browser_says(
    browser: Browser, provider: Issuer, linked: User
) -> None:
    forged = (
        {"Host": "evil.test"},
        {"X-Forwarded-Host": "evil.test", "Forwarded": "host=evil.test"},
        {"Origin": "https://evil.test", "Referer": "https://evil.test/"},
    )
    for headers in forged:
        started = await browser.post("start", {"emailAddress": linked.email}, headers)
        assert started.status_code == 200, (headers, started.text)
        query = parse_qs(urlsplit(started.json()["url"]).query)
        assert query["redirect_uri"] == [f"http://console.test/login/company/{provider.uuid}"]
