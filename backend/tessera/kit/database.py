"""Database connections. All access goes through a transaction, from a fair queue."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias

import asyncpg

from tessera.settings import Settings

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]
else:
    Connection = asyncpg.Connection


class DatabaseAway(Exception):
    """The database cannot be reached at all."""


async def _nothing_to_reset(_: Connection) -> None:
    """Skips asyncpg's reset, which costs one more round trip per request. Settings and locks end
    with their transaction here, and asyncpg still ends an open transaction."""


class Pool:
    """Connection pool with a semaphore in front, which serves callers in order; asyncpg's own pool
    lets some callers starve under load."""

    def __init__(self, url: str, size: int, statement_timeout_ms: int) -> None:
        self._url = url
        self._size = size
        self._timeout = statement_timeout_ms
        self._turn = asyncio.Semaphore(size)
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    async def open(self) -> None:
        self._pool = await asyncpg.create_pool(
            self._url,
            min_size=min(2, self._size),
            max_size=self._size,
            reset=_nothing_to_reset,
            server_settings={
                "application_name": "tessera",
                "statement_timeout": str(self._timeout),
                "idle_in_transaction_session_timeout": "30000",
                "jit": "off",
            },
        )

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    @property
    def in_use(self) -> int:
        if self._pool is None:
            return 0
        return self._pool.get_size() - self._pool.get_idle_size()

    async def acquire(self) -> "PoolConnectionProxy[asyncpg.Record]":
        assert self._pool is not None, "the pool is not open"
        await self._turn.acquire()
        try:
            return await self._pool.acquire()
        except OSError as error:
            self._turn.release()
            raise DatabaseAway from error
        except BaseException:
            self._turn.release()
            raise

    async def release(self, connection: "PoolConnectionProxy[asyncpg.Record]") -> None:
        assert self._pool is not None
        try:
            await self._pool.release(connection)
        finally:
            self._turn.release()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        connection = await self.acquire()
        try:
            async with connection.transaction():
                yield connection
        finally:
            await self.release(connection)


class Database:
    """`app` is subject to row-level security; `platform` sees every company."""

    def __init__(self, settings: Settings) -> None:
        self.app = Pool(settings.database_url, settings.pool_size, settings.statement_timeout_ms)
        self.platform = Pool(
            settings.database_platform_url,
            settings.platform_pool_size,
            settings.statement_timeout_ms,
        )

    async def __aenter__(self) -> Self:
        await self.app.open()
        await self.platform.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.app.close()
        await self.platform.close()

    @asynccontextmanager
    async def without_tenant(self) -> AsyncIterator[Connection]:
        """Without a company: row-level security hides all but what narrow functions return."""
        async with self.app.transaction() as connection:
            yield connection

    @asynccontextmanager
    async def tenant(self, company_id: int) -> AsyncIterator[Connection]:
        async with self.app.transaction() as connection:
            await enter_tenant(connection, company_id)
            yield connection


async def enter_tenant(connection: Connection, company_id: int) -> None:
    """Lasts until the transaction ends, so that it never leaks to the connection's next user."""
    await connection.execute("SELECT set_config('app.company', $1, true)", str(company_id))
