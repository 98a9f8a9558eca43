from collections.abc import AsyncIterator

import asyncpg
import httpx
import pytest
from fastapi import FastAPI

from tessera.kit import workflows as engine
from tessera.kit.database import Connection
from tessera.kit.embedded_postgres import EmbeddedUrls
from tessera.kit.workflows import Resources
from tests.audit.audited import Audited
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.warehouses.leader import Leader


@pytest.fixture
async def team(people: People) -> Team:
    return await people.team(warehouses=True)


@pytest.fixture
async def leader(client: httpx.AsyncClient, make: Factory, team: Team) -> Leader:
    return Leader(client, await make.session(team.leader, verified=True), team)


@pytest.fixture
def resources(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Resources:
    resources: Resources = app.state.resources
    monkeypatch.setattr(engine, "_resources", resources)
    return resources


@pytest.fixture
async def audited(resources: Resources, team: Team, platform: Connection) -> Audited:
    return Audited(resources, team.company, platform)


@pytest.fixture
async def superuser(urls: EmbeddedUrls) -> AsyncIterator[Connection]:
    """An operator with every right on the database."""
    connection = await asyncpg.connect(urls.superuser)
    yield connection
    await connection.close()
