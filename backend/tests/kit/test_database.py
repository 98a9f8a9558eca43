import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import asyncpg
import pytest
import sqlalchemy

from tessera.kit import database
from tessera.kit.database import Connection, DatabaseAway, Pool
from tessera.kit.embedded_postgres import EmbeddedPostgres, EmbeddedUrls
from tessera.kit.migrations import engine_url
from tests.fixtures.process import free_port

SEARCH = "target_session_attrs=read-write"


@dataclass(frozen=True)
class Hosts:
    """One does not listen, one never answers, one is the database."""

    closed: str
    silent: str
    answering: str

    def url(self, url: str, *hosts: str) -> str:
        parts = urlsplit(url)
        return f"postgresql://{parts.netloc}{','.join(hosts)}{parts.path}?{SEARCH}"


@pytest.fixture
async def pool(urls: EmbeddedUrls):  # type: ignore[no-untyped-def]  # noqa: ANN201
    pool = Pool(urls.app, 2, 500)
    await pool.open()
    yield pool
    await pool.close()


@pytest.mark.own_database
async def test_statement_that_a_migration_has_outdated_succeeds_the_next_time(
    urls: EmbeddedUrls, owner: Connection
) -> None:
    pool = Pool(urls.platform, 1, 500)
    await pool.open()

    async def read() -> None:
        async with pool.transaction() as connection:
            await connection.fetch("SELECT * FROM installation")

    await read()
    await owner.execute("ALTER TABLE installation ADD COLUMN added text")
    with pytest.raises(DatabaseAway):
        await read()
    await read()
    await pool.close()


async def test_connections_are_given_in_order(pool: Pool) -> None:
    """With both connections taken, twelve waiting callers are served one after the other."""
    first, second = await pool.acquire(), await pool.acquire()
    served: list[int] = []

    async def client(number: int) -> None:
        connection = await pool.acquire()
        served.append(number)
        await pool.release(connection)

    tasks = []
    for number in range(12):
        tasks.append(asyncio.create_task(client(number)))
        await asyncio.sleep(0)
    assert served == []
    await pool.release(first)
    await asyncio.gather(*tasks)
    await pool.release(second)
    assert served == list(range(12))


async def test_a_slow_statement_is_stopped(pool: Pool) -> None:
    with pytest.raises(Exception, match="statement timeout"):
        async with pool.transaction() as connection:
            await connection.execute("SELECT pg_sleep(5)")
    async with pool.transaction() as connection:
        assert await connection.fetchval("SELECT 1") == 1


async def test_an_error_rolls_back_and_frees_the_connection(pool: Pool) -> None:
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            async with pool.transaction():
                raise ZeroDivisionError
    assert pool.in_use == 0


async def test_a_mistake_of_ours_is_not_taken_for_a_lost_connection(pool: Pool) -> None:
    with pytest.raises(asyncpg.InterfaceError, match="expects 1 argument"):
        async with pool.connection() as connection:
            await connection.fetchval("SELECT $1::int")


class TestFailover:
    @pytest.mark.parametrize("then", ["read", "commit"])
    @pytest.mark.parametrize("noticed", [True, False])
    async def test_a_call_whose_connection_ends_is_told_so(
        self, pool: Pool, platform: Connection, then: str, noticed: bool
    ) -> None:
        """Also if the driver has not read the end of the connection yet."""

        async def call() -> None:
            async with pool.transaction() as connection:
                pid = await connection.fetchval("SELECT pg_backend_pid()")
                await platform.fetchval("SELECT pg_terminate_backend($1, 5000)", pid)
                while noticed and not _is_closed(connection):  # noqa: ASYNC110 - the driver reads
                    await asyncio.sleep(0)
                if then == "read":
                    await connection.fetchval("SELECT 1")

        with pytest.raises((DatabaseAway, asyncpg.PostgresConnectionError)):
            await call()
        async with pool.connection() as connection:
            assert await connection.fetchval("SELECT 1") == 1
        assert pool.in_use == 0

    async def test_all_hosts_of_the_database_address_are_tried(
        self, urls: EmbeddedUrls, hosts: Hosts, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database, "NEXT_HOST_SECONDS", 1)
        url = hosts.url(urls.app, hosts.closed, hosts.silent, hosts.answering)
        connection = await database.connect(url)
        assert await connection.fetchval("SELECT 1") == 1
        await connection.close()

    async def test_database_without_a_primary_is_away(
        self, urls: EmbeddedUrls, hosts: Hosts
    ) -> None:
        url = hosts.url(urls.app, hosts.closed, hosts.answering)
        with pytest.raises(DatabaseAway):
            await database.connect(url.replace("=read-write", "=read-only"))

    def test_the_workflow_engine_gets_every_host(self) -> None:
        url = sqlalchemy.make_url(engine_url("postgresql://a:b%40c@one:1,two:2/tessera?sslmode=x"))
        _, arguments = url.get_dialect()().create_connect_args(url)
        assert arguments["host"] == "one,two"
        assert arguments["port"] == "1,2"
        assert (arguments["user"], arguments["password"]) == ("a", "b@c")
        assert (arguments["dbname"], arguments["sslmode"]) == ("tessera", "x")


def _is_closed(connection: Connection) -> bool:
    """A connection that has left the pool answers with an error."""
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:
        return True


@pytest.fixture
async def hosts(postgres: EmbeddedPostgres) -> AsyncIterator[Hosts]:
    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = f"{postgres.socket_dir}/.s.PGSQL.5432"
        inner, outer = await asyncio.open_unix_connection(path)
        await asyncio.gather(pipe(reader, outer), pipe(inner, writer))

    async def ignore(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(ignore, "127.0.0.1")
    answering = await asyncio.start_server(relay, "127.0.0.1")
    addresses = [server.sockets[0].getsockname() for server in (silent, answering)]
    yield Hosts(f"127.0.0.1:{free_port()}", *(f"127.0.0.1:{port}" for _, port in addresses))
    silent.close()
    answering.close()
