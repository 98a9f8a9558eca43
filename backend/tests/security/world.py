"""The service in this process, for the steps of a state machine, which are not coroutines."""

import asyncio
import itertools
import json
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import asyncpg
import httpx

from tessera.integrations.cards import connect
from tessera.main import create_app
from tessera.notifications.sealing import open_message
from tessera.settings import Settings
from tests.factories.accounts import Factory
from tests.factories.people import People
from tests.security.model import Company, Person, Session
from tests.subscription.billing import Billing

T = TypeVar("T")


class World:
    def __init__(self, product: Settings) -> None:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._phones = itertools.count(1000)
        self.run(self._open(product))

    def run(self, work: Awaitable[T]) -> T:
        async def wait() -> T:
            return await work

        return self._runner.run(wait())

    async def _open(self, product: Settings) -> None:
        app = create_app(product)
        self.resources = app.state.resources
        await self._stack.enter_async_context(self.resources.database)
        transport = httpx.ASGITransport(app=app, client=("192.0.2.1", 40000))
        self.client = await self._stack.enter_async_context(
            httpx.AsyncClient(transport=transport, base_url="http://console.test")
        )
        provider = connect(product, self.resources.database, transport=httpx.ASGITransport(app=app))
        self._stack.push_async_callback(provider.close)
        self.platform = await asyncpg.connect(product.database_platform_url)
        self._stack.push_async_callback(self.platform.close)
        self.make = Factory(self.platform, self.resources)
        self.billing = Billing(self.client, self.resources, provider, self.make, self.platform)
        admin = await People(self.platform, self.make).admin()
        self.admin = await self.make.session(admin, verified=True)

    def close(self) -> None:
        self.run(self._stack.aclose())
        self._runner.close()

    def call(self, method: str, path: str, headers: dict[str, str], **more: Any) -> httpx.Response:
        return self.run(self.client.request(method, f"/api{path}", headers=headers, **more))

    def sent(self, to: str) -> dict[str, Any]:
        """The content of the newest message to an address or phone."""
        rows = self.run(
            self.platform.fetch(
                "SELECT id, company_id, sealed FROM messages WHERE sealed IS NOT NULL"
                " ORDER BY id DESC LIMIT 3"
            )
        )
        for row in rows:
            text = open_message(self.resources.keys, row["company_id"], row["id"], row["sealed"])
            message: dict[str, Any] = json.loads(text)
            if message["to"] == to:
                return message
        raise AssertionError(f"nothing was sent to {to}")

    def new_company(self) -> Company:
        """Creates a company with a leader and two members, all signed in."""
        made = self.run(self.make.company(subscribed=False))
        name = self.run(self.platform.fetchval("SELECT name FROM companies WHERE id = $1", made.id))
        company = Company(made.id, str(made.uuid), name)
        for role in ("teamLeader", "teamMember", "teamMember"):
            user = self.run(self.make.user(made, role, phone_number=self.phone()))
            credentials = user.credentials
            person = Person(str(user.uuid), user.email, user.phone_number, credentials, role)
            company.people[person.uuid] = person
            headers = self.run(self.make.session(user, verified=True))
            company.sessions.append(Session(headers, person))
        return company

    def phone(self) -> str:
        return f"+1202555{next(self._phones):04}"
