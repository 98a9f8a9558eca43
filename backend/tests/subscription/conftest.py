"""The product and the payment sandbox in one process: the SDK reaches the sandbox in memory, and
tests run workflows on request."""

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from tessera.integrations.cards import connect
from tessera.kit.database import Connection
from tests.factories.accounts import Factory
from tests.subscription.billing import Billing


@pytest.fixture
async def billing(
    app: FastAPI, client: httpx.AsyncClient, make: Factory, platform: Connection
) -> AsyncIterator[Billing]:
    resources = app.state.resources
    provider = connect(
        resources.settings, resources.database, transport=httpx.ASGITransport(app=app)
    )
    yield Billing(client, resources, provider, make, platform)
    await provider.close()
