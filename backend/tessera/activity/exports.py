"""Exports activity as CSV: once at a time in a company, a batch of rows at a time.

The keys of all rows are selected first. Their rows follow in short transactions, so that nothing is
held while a client reads slowly, and other calls run in between.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta

import structlog
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tessera.activity import queries
from tessera.activity.errors import ExportRunning
from tessera.activity.spreadsheet import ActivityCsv
from tessera.authz.context import Identity
from tessera.kit import clock, leases
from tessera.kit.database import Connection, Database
from tessera.kit.leases import Lease
from tessera.kit.pagination import PageRequest

log = structlog.get_logger()

# Small enough for a spreadsheet; a narrower date range gives older rows.
MAX_ROWS = 50_000
# Read and written in a few milliseconds, during which the process does nothing else.
BATCH = 250
MAX_SECONDS = 120
LEASE = timedelta(seconds=MAX_SECONDS + 30)
# An export usually takes a few seconds.
RETRY_AFTER_SECONDS = 5


@dataclass(frozen=True)
class _Source:
    transaction: Callable[[], AbstractAsyncContextManager[Connection]]
    keys: Callable[[Connection], Awaitable[list[int]]]
    rows: Callable[[Connection, Sequence[int]], Awaitable[Sequence[queries.Activity]]]
    csv: ActivityCsv


async def export_activity(identity: Identity, request: PageRequest) -> Response:
    company_id = identity.current_user.company_id
    database = identity.context.database
    position = await database.position()
    source = _Source(
        lambda: database.export(company_id, position),
        lambda connection: queries.keys_of_company(connection, company_id, request, MAX_ROWS),
        lambda connection, keys: queries.rows_of_company(connection, company_id, keys),
        ActivityCsv(identity.context.language, with_company=False),
    )
    return await _export(identity, source)


async def export_all_activity(identity: Identity, request: PageRequest) -> Response:
    source = _Source(
        identity.context.database.platform.transaction,
        lambda connection: queries.keys_of_all(connection, request, MAX_ROWS),
        queries.rows_of_all,
        ActivityCsv(identity.context.language, with_company=True),
    )
    return await _export(identity, source)


async def _export(identity: Identity, source: _Source) -> Response:
    database = identity.context.database
    lease = await leases.take(database, identity.current_user.company_id, "export", LEASE)
    if lease is None:
        raise ExportRunning(retry_after=RETRY_AFTER_SECONDS)
    try:
        async with source.transaction() as connection:
            keys = await source.keys(connection)
    except BaseException:
        await leases.release(database, lease)
        raise
    return _ExportResponse(_csv(source, keys), database, lease)


async def _csv(source: _Source, keys: Sequence[int]) -> AsyncIterator[bytes]:
    yield source.csv.head()
    for start in range(0, len(keys), BATCH):
        began = time.perf_counter()
        async with source.transaction() as connection:
            rows = await source.rows(connection, keys[start : start + BATCH])
        made = source.csv.rows(rows)
        busy_seconds = time.perf_counter() - began
        yield made
        # Leaves at least half of the process to other calls.
        await asyncio.sleep(busy_seconds)


class _ExportResponse(StreamingResponse):
    """Ends the lease with the download, and the download before the lease runs out."""

    def __init__(self, content: AsyncIterator[bytes], database: Database, lease: Lease) -> None:
        name = f"activity-{clock.now():%Y-%m-%d}.csv"
        super().__init__(
            content,
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
        self._database = database
        self._lease = lease

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await super().__call__(scope, receive, send)
        except TimeoutError:
            # The server closes the connection, so that the client sees an incomplete download.
            log.warning("an export was read too slowly and cut off")
        finally:
            await leases.release(self._database, self._lease)
