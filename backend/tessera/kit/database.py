"""Database connections. All access goes through a transaction, from a fair queue."""

from collections.abc import AsyncIterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    suppress,
)
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias
from urllib.parse import urlsplit

import asyncpg

from tessera.kit import spans
from tessera.kit.fair_queue import FairQueue
from tessera.kit.replica import Position, Replica, position_of
from tessera.kit.traced_connection import TracedConnection
from tessera.settings import Settings

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]
else:
    Connection = asyncpg.Connection


# What a host may take to accept a connection: the only one, and one of several.
CONNECT_SECONDS = 10.0
NEXT_HOST_SECONDS = 5.0


# Has PostgreSQL end the connections of a machine that vanished after 20 seconds, not two hours, so
# that others get its locks.
NOTICE_DEAD_CLIENTS = {
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "20000",
}


class DatabaseAway(ConnectionError):
    """The database cannot be reached at all, has no primary at the moment, or has changed since the
    statement was prepared. The same call succeeds a little later."""


_NEXT_HOST = (OSError, asyncpg.CannotConnectNowError, asyncpg.TargetServerAttributeNotMatched)


async def connect(
    dsn: str | None = None,
    **options: Any,  # noqa: ANN401 - those of asyncpg.connect
) -> "asyncpg.Connection[asyncpg.Record]":
    """Tries the hosts of the URL in turn. asyncpg does so too, but with one timeout for all of
    them, which a host that does not answer uses up."""
    assert dsn is not None
    hosts = urlsplit(dsn).netloc.rpartition("@")[2]
    several = hosts.split(",")
    seconds = CONNECT_SECONDS if len(several) == 1 else NEXT_HOST_SECONDS
    failure: Exception | None = None
    for host in several:
        one = dsn.replace(hosts, host, 1) if len(several) > 1 else dsn
        try:
            return await asyncpg.connect(one, timeout=seconds, **options)
        except _NEXT_HOST as error:
            failure = error
    raise DatabaseAway(str(failure)) from failure


async def _nothing_to_reset(_: Connection) -> None:
    """Skips asyncpg's reset, which costs one more round trip per request, and 6 % of the processor
    time of a list of members (15 interleaved rounds). Settings and locks end with their transaction
    here, and asyncpg still ends an open transaction."""


# Exports read in short transactions on separate connections, never on those of other calls.
EXPORT_CONNECTIONS = 2


class Pool:
    """Connection pool with a fair queue in front; asyncpg's own pool lets some callers starve
    under load."""

    def __init__(self, url: str, size: int, statement_timeout_ms: int, *, kept: int = 2) -> None:
        self._url = url
        self._size = size
        self._kept = kept
        self._timeout = statement_timeout_ms
        self.queue = FairQueue(size)
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._taken: set[PoolConnectionProxy[asyncpg.Record]] = set()

    async def open(self) -> None:
        self._pool = await asyncpg.create_pool(
            self._url,
            connect=connect,
            connection_class=TracedConnection if spans.are_on() else asyncpg.Connection,
            min_size=min(self._kept, self._size),
            max_size=self._size,
            reset=_nothing_to_reset,
            server_settings={
                "application_name": "tessera",
                "statement_timeout": str(self._timeout),
                "idle_in_transaction_session_timeout": "30000",
                "jit": "off",
                **NOTICE_DEAD_CLIENTS,
            },
        )

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    async def expire(self) -> None:
        """Has every connection replaced before its next use."""
        assert self._pool is not None
        await self._pool.expire_connections()

    async def drop(self) -> None:
        """Ends the statements under way on this side, and has every connection replaced."""
        await self.expire()
        for connection in list(self._taken):
            with suppress(asyncpg.InterfaceError):
                connection.terminate()

    @property
    def in_use(self) -> int:
        if self._pool is None:
            return 0
        return self._pool.get_size() - self._pool.get_idle_size()

    async def acquire(self, company_id: int | None = None) -> "PoolConnectionProxy[asyncpg.Record]":
        assert self._pool is not None, "the pool is not open"
        await self.queue.acquire(company_id)
        try:
            connection = await self._pool.acquire()
        except OSError as error:
            self.queue.release(company_id)
            raise DatabaseAway from error
        except BaseException:
            self.queue.release(company_id)
            raise
        self._taken.add(connection)
        return connection

    async def release(
        self, connection: "PoolConnectionProxy[asyncpg.Record]", company_id: int | None = None
    ) -> None:
        assert self._pool is not None
        self._taken.discard(connection)
        try:
            await self._pool.release(connection)
        finally:
            self.queue.release(company_id)

    @asynccontextmanager
    async def connection(self, company_id: int | None = None) -> AsyncIterator[Connection]:
        """For a single statement, which is a transaction by itself: two round trips fewer."""
        connection = await self.acquire(company_id)
        try:
            yield connection
        except asyncpg.InvalidCachedStatementError as error:
            raise DatabaseAway(str(error)) from error
        except (asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
            if not _is_lost(connection, error):
                raise
            raise DatabaseAway(str(error)) from error
        finally:
            await self.release(connection, company_id)

    @asynccontextmanager
    async def transaction(self, company_id: int | None = None) -> AsyncIterator[Connection]:
        """`company_id` limits how many connections the company holds at a time, nothing else."""
        async with self.connection(company_id) as connection, connection.transaction():
            yield connection


def _is_lost(
    connection: "PoolConnectionProxy[asyncpg.Record]",
    error: asyncpg.InterfaceError | asyncpg.InternalClientError,
) -> bool:
    """Whether the server ended the connection. asyncpg does not say so if it happened between two
    statements: it complains about its own state, or that the connection is closed."""
    # Of a connection that has left the pool, nothing can be asked.
    with suppress(asyncpg.InterfaceError):
        if isinstance(error, asyncpg.InternalClientError):
            connection.terminate()
        return connection.is_closed()
    return True


class Database:
    """`app` is subject to row-level security; `platform` sees every company."""

    def __init__(self, settings: Settings) -> None:
        self.app = Pool(settings.database_url, settings.pool_size, settings.statement_timeout_ms)
        self.platform = Pool(
            settings.database_platform_url,
            settings.platform_pool_size,
            settings.statement_timeout_ms,
        )
        self.exports = Pool(
            settings.database_url, EXPORT_CONNECTIONS, settings.statement_timeout_ms, kept=0
        )
        self.replica = _replica(settings) if settings.database_replica_url else None

    async def __aenter__(self) -> Self:
        for pool in self._pools():
            await pool.open()
        return self

    def _pools(self) -> list[Pool]:
        replica = [self.replica.pool] if self.replica else []
        return [self.app, self.platform, self.exports, *replica]

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pool in self._pools():
            await pool.close()

    async def drop_connections(self) -> None:
        """Answers calls that wait for a database which is out of reach."""
        for pool in (self.app, self.platform, self.exports):
            await pool.drop()

    @asynccontextmanager
    async def without_tenant(self) -> AsyncIterator[Connection]:
        """Without a company: row-level security hides all but what narrow functions return."""
        async with self.app.transaction() as connection:
            yield connection

    @asynccontextmanager
    async def tenant(self, company_id: int, *, is_proven: bool = True) -> AsyncIterator[Connection]:
        """Before it is proven that the caller belongs to the company, the transaction takes nothing
        of the company's share: an invented token may name any company."""
        async with self.app.transaction(company_id if is_proven else None) as connection:
            await enter_tenant(connection, company_id)
            yield connection

    async def position(self) -> Position | None:
        """For reads that follow; None without a replica."""
        if self.replica is None:
            return None
        async with self.app.connection() as connection:
            return await position_of(connection)

    def export(
        self, company_id: int, position: Position | None
    ) -> AbstractAsyncContextManager[Connection]:
        """Like `reading`, else on the connections for exports."""
        return self.reading(company_id, position, self.exports)

    @asynccontextmanager
    async def reading(
        self, company_id: int, position: Position | None, primary: Pool | None = None
    ) -> AsyncIterator[Connection]:
        """Like `tenant`, on the replica if it has everything up to the position."""
        async with AsyncExitStack() as stack:
            connection = None
            if self.replica is not None and position is not None:
                connection = await self.replica.begin(stack, company_id, position)
            if connection is None:
                transaction = (primary or self.app).transaction(company_id)
                connection = await stack.enter_async_context(transaction)
            await enter_tenant(connection, company_id)
            yield connection


def _replica(settings: Settings) -> Replica:
    """Holds no connection at the start, when the replica may be away."""
    url, timeout = settings.database_replica_url, settings.statement_timeout_ms
    return Replica(Pool(url, settings.pool_size, timeout, kept=0))


async def enter_tenant(connection: Connection, company_id: int) -> None:
    """Lasts until the transaction ends, so that it never leaks to the connection's next user."""
    await connection.execute("SELECT set_config('app.company', $1, true)", str(company_id))
