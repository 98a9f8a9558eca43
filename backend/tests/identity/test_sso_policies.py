"""What a company demands of logins with a company account, in the browser and in `tess`."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import User, derived_secret
from tests.identity.browser import Browser
from tests.identity.issuer import Issuer
from tests.identity.program import Program, confirm
from tests.policies.policy import ELSEWHERE, HERE, demand
from tests.security.attacker import error_of

LogIn = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(params=["browser", "tess"])
def log_in(
    request: pytest.FixtureRequest,
    client: httpx.AsyncClient,
    browser: Browser,
    provider: Issuer,
    linked: User,
) -> LogIn:
    """Logs in with the company account, and the password or another one."""

    async def in_browser(password: str = linked.secret) -> httpx.Response:
        await browser.prove(provider)
        return await browser.post("login", {"password": password})

    async def in_program(password: str = linked.secret) -> httpx.Response:
        program = Program(client, linked.secret)
        await program.begin(port=None)
        await confirm(browser, provider, {"deviceCode": program.device_code})
        return await program.finish(password=password)

    return in_browser if request.param == "browser" else in_program


def bearer(opened: httpx.Response) -> dict[str, str]:
    assert opened.status_code == 200, opened.text
    return {"Authorization": f"Bearer {opened.json()['access_token']}"}


@pytest.mark.parametrize(
    ("policies", "code"),
    [({"networks": ELSEWHERE}, "network_refused"), ({"countries": ["DE"]}, "country_unknown")],
)
async def test_a_login_from_elsewhere_is_refused_after_the_password_only(
    log_in: LogIn, linked: User, platform: Connection, policies: dict[str, Any], code: str
) -> None:
    await demand(platform, linked.company, **policies)
    assert error_of(await log_in(derived_secret())) == (401, "login_failed")
    assert error_of(await log_in()) == (403, code)
    assert (
        await platform.fetchval("SELECT count(*) FROM sessions WHERE user_id = $1", linked.id) == 0
    )


async def test_a_session_waits_for_the_network(
    client: httpx.AsyncClient, log_in: LogIn, linked: User, platform: Connection
) -> None:
    await demand(platform, linked.company, networks=HERE)
    session = bearer(await log_in())
    assert (await client.get("/api/auth/profile", headers=session)).status_code == 200
    await demand(platform, linked.company, networks=ELSEWHERE)
    refused = await client.get("/api/auth/profile", headers=session)
    assert error_of(refused) == (403, "network_refused")


async def test_the_second_step_is_the_providers_to_demand(
    client: httpx.AsyncClient, log_in: LogIn, linked: User, platform: Connection
) -> None:
    await demand(platform, linked.company, second_factors=["totp"])
    session = bearer(await log_in())
    assert (await client.get("/api/auth/profile", headers=session)).status_code == 200


async def test_sessions_last_as_long_as_others(
    log_in: LogIn, linked: User, platform: Connection
) -> None:
    await demand(platform, linked.company, session_hours=2, client_session_days=1)
    bearer(await log_in())
    row = await platform.fetchrow(
        "SELECT kind, expires_at - created_at AS lasting FROM sessions WHERE user_id = $1",
        linked.id,
    )
    assert row is not None
    assert (
        row["lasting"] == {"browser": timedelta(hours=2), "client": timedelta(days=1)}[row["kind"]]
    )


async def test_an_old_program_is_refused_and_a_browser_is_none(
    request: pytest.FixtureRequest, log_in: LogIn, linked: User, platform: Connection
) -> None:
    await demand(platform, linked.company, min_client_version="0.7.10")
    opened = await log_in()
    if "tess" in request.node.callspec.id:
        assert error_of(opened) == (403, "client_too_old")
    else:
        assert opened.status_code == 200
