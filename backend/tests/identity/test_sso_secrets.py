"""The providers' secrets: sealed by the company's data key, or as version 0.8.0 sealed them."""

from collections.abc import AsyncIterator

import asyncpg
import httpx
import pytest
from fastapi import FastAPI

from tessera.identity.sso import errors
from tessera.identity.sso.client_secrets import open_secret
from tessera.identity.sso.provider_queries import provider_of_domain
from tessera.kit.database import Connection
from tessera.kit.keys import Keys
from tessera.kit.workflows import Resources
from tessera.maintenance import key_rewrap
from tests.factories.accounts import User
from tests.factories.people import Team
from tests.identity.browser import Browser
from tests.identity.issuer import SECRET, Issuer
from tests.identity.providers import add_provider, save_provider, settings_of
from tests.security.attacker import error_of


@pytest.fixture
def resources(app: FastAPI) -> Resources:
    resources: Resources = app.state.resources
    return resources


async def opened(resources: Resources, platform: Connection, team: Team) -> str:
    provider = await provider_of_domain(platform, team.company.id, "acme.test")
    assert provider is not None
    return open_secret(resources, provider)


async def stored(platform: Connection) -> asyncpg.Record:
    row = await platform.fetchrow(
        "SELECT company_id, id, sealed_secret, key_version FROM sso_providers"
        " WHERE issuer IS NOT NULL"
    )
    assert row is not None
    return row


async def test_new_key_of_the_company_seals_the_secrets_anew(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    resources: Resources,
    browser: Browser,
    provider: Issuer,
    linked: User,
    team: Team,
    platform: Connection,
) -> None:
    await add_provider(client, leader, "Not set up")
    before = await stored(platform)
    answer = await client.put("/api/company/newkey", headers=leader)
    assert answer.status_code == 200, answer.text
    after = await stored(platform)
    assert after["key_version"] == before["key_version"] + 1 == answer.json()["keyVersion"]
    assert after["sealed_secret"] != before["sealed_secret"]
    assert await opened(resources, platform, team) == SECRET
    assert (await browser.prove(provider)).status_code == 200
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        await platform.execute("DELETE FROM data_keys WHERE company_id = $1", team.company.id)


async def test_new_platform_key_keeps_the_secrets_of_providers(
    resources: Resources, browser: Browser, provider: Issuer, linked: User
) -> None:
    new = Keys(bytes(32))
    await key_rewrap.rewrap(resources.database.platform, new, resources.keys)
    await key_rewrap.rewrap(resources.database.platform, resources.keys, new)
    assert (await browser.prove(provider)).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE sso_providers SET issuer = 'https://evil.test'",
        "UPDATE sso_providers SET key_version = NULL",
        "UPDATE sso_providers SET sealed_secret = sealed_secret || '\\x00'::bytea",
    ],
)
async def test_whoever_writes_into_the_database_cannot_have_a_secret_sent_elsewhere(
    resources: Resources, provider: Issuer, team: Team, platform: Connection, change: str
) -> None:
    await platform.execute(change)
    with pytest.raises(errors.SsoSecretUnreadable):
        await opened(resources, platform, team)


async def test_new_key_is_refused_while_a_secret_does_not_open(
    client: httpx.AsyncClient, leader: dict[str, str], provider: Issuer, platform: Connection
) -> None:
    await platform.execute("UPDATE sso_providers SET sealed_secret = '\\x00'")
    refused = await client.put("/api/company/newkey", headers=leader)
    assert error_of(refused) == (503, "credentials_unreadable")
    assert (await stored(platform))["key_version"] == 1


class TestBesideTheFirstVersion:
    """Version 0.8.0 opens what the platform key has sealed, and nothing else."""

    @pytest.fixture
    async def beside(self, platform: Connection) -> AsyncIterator[None]:
        contracts = await platform.fetch(
            "SELECT name, needs_version FROM migrations WHERE needs_version IS NOT NULL"
        )
        await platform.execute("UPDATE migrations SET needs_version = NULL")
        yield
        await platform.executemany(
            "UPDATE migrations SET needs_version = $2 WHERE name = $1",
            [tuple(row) for row in contracts],
        )

    async def test_secrets_are_sealed_so_that_the_first_version_opens_them(
        self,
        beside: None,
        client: httpx.AsyncClient,
        leader: dict[str, str],
        resources: Resources,
        browser: Browser,
        provider: Issuer,
        linked: User,
        team: Team,
        platform: Connection,
    ) -> None:
        saved = await save_provider(client, leader, provider.uuid, settings_of(provider))
        assert saved.status_code == 200
        rotated = await client.put("/api/company/newkey", headers=leader)
        assert rotated.status_code == 200
        row = await stored(platform)
        assert row["key_version"] is None
        place = f"sso-secret|{row['company_id']}|{row['id']}|{provider.url}"
        assert resources.keys.open("sso-secrets", row["sealed_secret"], place).decode() == SECRET
        assert (await browser.prove(provider)).status_code == 200
        # Its use has ended.
        await platform.execute(
            "UPDATE migrations SET needs_version = '0.8.1' WHERE name LIKE '0003%'"
        )
        assert (await browser.prove(provider)).status_code == 200
        rotated = await client.put("/api/company/newkey", headers=leader)
        assert (await stored(platform))["key_version"] == rotated.json()["keyVersion"]
        assert (await browser.prove(provider)).status_code == 200
        assert await opened(resources, platform, team) == SECRET
