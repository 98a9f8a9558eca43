"""One company's heavy calls leave the other companies their share of the service."""

import asyncio
import csv
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.types import Message, Scope

from tessera.activity import exports, queries
from tessera.kit import exports as kit_exports
from tessera.kit import fair_queue
from tessera.kit.database import Connection, Database
from tessera.kit.fair_queue import TURNS_WAITED_FOR
from tessera.kit.middleware import REFUSED
from tessera.kit.tokens import company_of_bearer, new_api_token, new_scim_token
from tests.factories.accounts import Factory
from tests.factories.people import People, Team
from tests.fixtures.waiting import until
from tests.security.attacker import error_of

EXPORT = "/api/activity/export"


class HeldExport:
    """Stops the first export between the selection of its rows and the rows themselves."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def by_keys(self, *arguments: Any) -> list[queries.Activity]:
        if not self.begun.is_set():
            self.begun.set()
            await self.goes_on.wait()
        return await queries.OF_COMPANY.by_keys(*arguments)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldExport]:
    held = HeldExport()

    class HeldListing:
        keys = staticmethod(queries.OF_COMPANY.keys)
        by_keys = held.by_keys

    class Queries:
        OF_COMPANY = HeldListing

    monkeypatch.setattr(exports, "queries", Queries)
    yield held
    held.goes_on.set()


async def add_activity(platform: Connection, team: Team, rows: int) -> None:
    await platform.execute(
        "INSERT INTO activity (company_id, action, target)"
        " SELECT $1, 'row.added', n::text FROM generate_series(1, $2::int) AS n",
        team.company.id,
        rows,
    )


class TestExports:
    async def test_a_company_exports_once_at_a_time(
        self,
        client: httpx.AsyncClient,
        people: People,
        make: Factory,
        platform: Connection,
        held: HeldExport,
    ) -> None:
        team, other = await people.team(), await people.team()
        await add_activity(platform, team, 3)
        leader, stranger = await make.session(team.leader), await make.session(other.leader)
        first = asyncio.create_task(client.get(EXPORT, headers=leader))
        await held.begun.wait()
        for language, begins in (("en", "An export"), ("tr", "Şirketiniz"), ("ar", "هناك")):
            second = await client.get(EXPORT, headers={**leader, "Accept-Language": language})
            assert error_of(second) == (429, "export_running")
            assert int(second.headers["retry-after"]) >= 1
            assert second.json()["message"].startswith(begins)
        assert (await client.get(EXPORT, headers=stranger)).status_code == 200
        assert (await client.get("/api/activity", headers=leader)).status_code == 200
        held.goes_on.set()
        assert (await first).status_code == 200
        assert (await client.get(EXPORT, headers=leader)).status_code == 200

    async def test_exports_of_everything_run_one_at_a_time(
        self, client: httpx.AsyncClient, people: People, make: Factory, platform: Connection
    ) -> None:
        admin = await make.session(await people.admin())
        path = "/api/admin/activity/export"
        assert (await client.get(path, headers=admin)).status_code == 200
        await platform_lease(platform, "now() + interval '1 minute'")
        assert error_of(await client.get(path, headers=admin)) == (429, "export_running")
        await platform_lease(platform, "now() - interval '1 second'")
        assert (await client.get(path, headers=admin)).status_code == 200

    async def test_a_refused_filter_ends_the_lease(
        self, client: httpx.AsyncClient, people: People, make: Factory
    ) -> None:
        leader = await make.session((await people.team()).leader)
        for _ in range(2):
            answer = await client.get(EXPORT, params={"filter": "x:contains:y"}, headers=leader)
            assert error_of(answer) == (422, "filter_not_understood")

    async def test_rows_of_every_batch_in_order(
        self,
        client: httpx.AsyncClient,
        people: People,
        make: Factory,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(kit_exports, "BATCH", 4)
        team = await people.team()
        await add_activity(platform, team, 10)
        leader = await make.session(team.leader)
        answer = await client.get(EXPORT, params={"sort": "at:asc"}, headers=leader)
        targets = [row[3] for row in csv.reader(answer.text.splitlines()[1:])]
        assert targets == [str(number) for number in range(1, 11)]

    async def test_a_client_that_does_not_read_holds_no_connection(
        self, app: FastAPI, people: People, make: Factory, platform: Connection
    ) -> None:
        team = await people.team()
        await add_activity(platform, team, 3)
        leader = await make.session(team.leader)
        stuck = asyncio.Event()
        reads = asyncio.Event()

        async def send(message: Message) -> None:
            if message.get("body"):
                stuck.set()
                await reads.wait()

        download = asyncio.create_task(app(scope_of(EXPORT, leader), never, send))
        await stuck.wait()
        database: Database = app.state.resources.database
        assert (database.exports.in_use, database.app.in_use) == (0, 0)
        assert await platform.fetchval("SELECT count(*) FROM leases") == 1
        reads.set()
        await download
        assert await platform.fetchval("SELECT count(*) FROM leases") == 0

    @pytest.mark.parametrize("ends", ["client leaves", "too slow"])
    async def test_an_unfinished_download_ends_the_lease(
        self,
        app: FastAPI,
        people: People,
        make: Factory,
        platform: Connection,
        monkeypatch: pytest.MonkeyPatch,
        ends: str,
    ) -> None:
        monkeypatch.setattr(kit_exports, "MAX_SECONDS", 60 if ends == "client leaves" else 0.05)
        team = await people.team()
        await add_activity(platform, team, 3)
        leader = await make.session(team.leader)
        stuck = asyncio.Event()
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)
            if message.get("body"):
                stuck.set()
                await asyncio.Event().wait()

        async def receive() -> Message:
            if ends == "client leaves":
                await stuck.wait()
                return {"type": "http.disconnect"}
            return await never()

        await app(scope_of(EXPORT, leader), receive, send)
        assert sent[-1].get("more_body"), "the response looks complete"
        assert await platform.fetchval("SELECT count(*) FROM leases") == 0


async def platform_lease(platform: Connection, expires: str) -> None:
    await platform.execute(
        "INSERT INTO leases (company_id, name, expires_at) VALUES (1, 'export', " + expires + ")"
        " ON CONFLICT (company_id, name) DO UPDATE SET expires_at = excluded.expires_at"
    )


async def never() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


def scope_of(path: str, headers: dict[str, str]) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.1", 40000),
        "server": ("console.test", 80),
    }


class TestConnections:
    """With two connections, the share of a company is one."""

    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"pool_size": 2}

    async def test_slow_calls_of_one_company_leave_connections_to_others(
        self, app: FastAPI, client: httpx.AsyncClient, people: People, make: Factory
    ) -> None:
        team, other = await people.team(), await people.team()
        leader, stranger = await make.session(team.leader), await make.session(other.leader)
        assert (await client.get("/api/users", headers=leader)).status_code == 200
        database: Database = app.state.resources.database
        async with database.tenant(team.company.id):
            own = [asyncio.create_task(client.get("/api/users", headers=leader)) for _ in range(5)]
            await until(lambda: waiting(database) >= len(own))
            assert (await client.get("/api/users", headers=stranger)).status_code == 200
            assert not any(call.done() for call in own)
        assert {answer.status_code for answer in await asyncio.gather(*own)} == {200}

    @pytest.mark.parametrize(
        ("path", "new_token"), [("/api/users", new_api_token), ("/scim/v2/Users", new_scim_token)]
    )
    async def test_invented_tokens_take_no_connection_of_the_company_that_they_name(
        self,
        app: FastAPI,
        client: httpx.AsyncClient,
        people: People,
        path: str,
        new_token: Callable[[int], tuple[str, str]],
    ) -> None:
        team = await people.team()
        database: Database = app.state.resources.database
        headers = {"Authorization": f"Bearer {new_token(team.company.id)[0]}"}
        async with database.tenant(team.company.id), asyncio.timeout(20):
            assert (await client.get(path, headers=headers)).status_code == 401


def waiting(database: Database) -> int:
    return sum(len(calls) for calls in database.app.queue._waiting.values())


class TestOverload:
    """With two connections, the share of a company is one: each of its calls that waits is a
    turn."""

    @pytest.fixture
    def changed_settings(self) -> dict[str, Any]:
        return {"pool_size": 2}

    @pytest.fixture
    async def busy(
        self, app: FastAPI, client: httpx.AsyncClient, people: People, make: Factory
    ) -> AsyncIterator[tuple[Database, dict[str, str]]]:
        """The database, and the session of somebody in a company whose calls are waiting: one more
        than are waited for at any speed."""
        leader = await make.session((await people.team()).leader)
        assert (await client.get("/api/users", headers=leader)).status_code == 200
        database: Database = app.state.resources.database
        company = company_of_bearer(app.state.resources.keys, leader["Authorization"])
        assert company is not None
        async with database.tenant(company):
            calls = [
                asyncio.create_task(client.get("/api/users", headers=leader))
                for _ in range(TURNS_WAITED_FOR + 1)
            ]
            await until(lambda: waiting(database) >= len(calls))
            yield database, leader
        answers = await asyncio.gather(*calls)
        assert {answer.status_code for answer in answers} == {200}, "what was accepted is answered"

    async def test_calls_that_would_wait_too_long_are_refused_at_once(
        self,
        busy: tuple[Database, dict[str, str]],
        client: httpx.AsyncClient,
        people: People,
        make: Factory,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        database, leader = busy
        stranger = await make.session((await people.team()).leader)
        before = REFUSED._value.get()
        monkeypatch.setattr(fair_queue, "LONGEST_WAIT", -1)
        refused = await client.get("/api/users", headers=leader)
        assert error_of(refused) == (503, "busy")
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["cache-control"] == "no-store"
        assert waiting(database) == TURNS_WAITED_FOR + 1
        for path, headers in (("/api/users", stranger), ("/api/config", {}), ("/healthz", leader)):
            assert (await client.get(path, headers=headers)).status_code == 200
        assert REFUSED._value.get() == before + 1

    async def test_every_kind_of_token_names_its_company(
        self,
        busy: tuple[Database, dict[str, str]],
        client: httpx.AsyncClient,
        app: FastAPI,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        _, leader = busy
        company = company_of_bearer(app.state.resources.keys, leader["Authorization"])
        assert company is not None
        monkeypatch.setattr(fair_queue, "LONGEST_WAIT", -1)
        for path, token in (
            ("/api/users", new_api_token(company)[0]),
            ("/scim/v2/Users", new_scim_token(company)[0]),
        ):
            refused = await client.get(path, headers={"Authorization": f"Bearer {token}"})
            assert refused.status_code == 503
            assert refused.headers["retry-after"] == "1"
        assert refused.json()["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]

    async def test_many_calls_are_waited_for_if_they_are_short(
        self, busy: tuple[Database, dict[str, str]], client: httpx.AsyncClient
    ) -> None:
        database, leader = busy
        call = asyncio.create_task(client.get("/api/users", headers=leader))
        await until(lambda: waiting(database) >= TURNS_WAITED_FOR + 2)
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call

    async def test_calls_of_all_companies_are_refused_if_together_they_wait_too_long(
        self, client: httpx.AsyncClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fair_queue, "LONGEST_WAIT", -1)
        pool = app.state.resources.database.app
        async with AsyncExitStack() as held:
            for _ in range(2):
                await held.enter_async_context(pool.connection())
            others = [
                asyncio.create_task(pool.acquire(company))
                for company in range(2 * TURNS_WAITED_FOR + 1)
            ]
            await asyncio.sleep(0)
            refused = await client.post("/api/auth/prelogin", json={"emailAddress": "a@b.test"})
            assert error_of(refused) == (503, "busy")
        for company, other in enumerate(others):
            await pool.release(await other, company)
