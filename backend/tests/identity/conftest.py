from typing import Any

import httpx
import pytest

from tessera.kit.database import Connection
from tests.factories.accounts import Factory, User
from tests.factories.people import People, Team
from tests.fixtures.dns_resolver import Resolver
from tests.identity.browser import Browser
from tests.identity.issuer import Issuer, issuer
from tests.identity.providers import set_up_provider

__all__ = ["issuer"]


@pytest.fixture
def changed_settings(resolver: Resolver) -> dict[str, Any]:
    return {"dns_resolver": resolver.address, "dns_timeout_seconds": 0.5}


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team(warehouses=True)


@pytest.fixture
async def leader(make: Factory, team: Team) -> dict[str, str]:
    return await make.session(team.leader, verified=True)


@pytest.fixture
async def member(make: Factory, team: Team) -> User:
    return await make.user(team.company, "teamMember", email="sam@acme.test")


@pytest.fixture
async def provider(
    client: httpx.AsyncClient,
    leader: dict[str, str],
    issuer: Issuer,
    team: Team,
    platform: Connection,
) -> Issuer:
    """The company's, whose domain is proved."""
    await platform.execute(
        "INSERT INTO company_domains (company_id, domain, token, proved_at)"
        " VALUES ($1, 'acme.test', 'x', now())",
        team.company.id,
    )
    issuer.uuid = await set_up_provider(client, leader, issuer)
    return issuer


@pytest.fixture
def browser(client: httpx.AsyncClient) -> Browser:
    return Browser(client)


@pytest.fixture
async def linked(provider: Issuer, member: User, platform: Connection) -> User:
    """A member who is `person-1` of the provider."""
    await platform.execute(
        "INSERT INTO sso_identities (company_id, user_id, issuer, subject)"
        " VALUES ($1, $2, $3, 'person-1')",
        member.company.id, member.id, provider.url,
    )  # fmt: skip
    return member
