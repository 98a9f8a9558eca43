import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from tessera.integrations.cards import connect
from tessera.kit.database import Connection
from tests.factories.accounts import Outbox
from tests.signup.signup import Signup


@pytest.fixture
async def signup(
    app: FastAPI, client: httpx.AsyncClient, platform: Connection, outbox: Outbox
) -> AsyncIterator[Signup]:
    resources = app.state.resources
    provider = connect(
        resources.settings, resources.database, transport=httpx.ASGITransport(app=app)
    )
    guest = Signup(client, resources, platform, outbox)
    worker = asyncio.create_task(guest.work())
    yield guest
    worker.cancel()
    await asyncio.gather(worker, return_exceptions=True)
    await provider.close()
