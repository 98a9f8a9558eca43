"""Reads from a replica of the database. A caller never misses what was committed before the call:
the replica is used only when it has replayed everything up to the primary's position at that
moment, whichever process wrote it."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import asyncpg
import structlog
from prometheus_client import Counter

if TYPE_CHECKING:
    from tessera.kit.database import Connection, Pool

log = structlog.get_logger()

READS = Counter("tessera_replica_reads_total", "Reads that the replica may serve", ["served_by"])

# How long a read waits for a replica that is a little behind, before it goes to the primary.
MAX_WAIT_SECONDS = 0.05
POLL_SECONDS = 0.005
# How long it may take to reach the replica, or for a connection to become free.
REACH_SECONDS = 1.0
# How long no read tries a replica that could not be reached.
AWAY_SECONDS = 5.0


@dataclass(frozen=True)
class Position:
    """A place in the write-ahead log. A failover starts a new timeline, on which a place may lie
    before one that a replica reached on the former."""

    lsn: str
    timeline: int


async def position_of(primary: "Connection") -> Position:
    """The end of everything acknowledged so far."""
    row = await primary.fetchrow(
        "SELECT lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int AS timeline FROM ("
        " SELECT CASE current_setting('synchronous_commit') WHEN 'off'"
        "  THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END AS lsn) AS flushed"
    )
    assert row is not None
    return Position(row["lsn"], row["timeline"])


class Replica:
    def __init__(self, pool: "Pool") -> None:
        self.pool = pool
        self._away_until = 0.0

    async def begin(
        self, stack: AsyncExitStack, company_id: int, position: Position
    ) -> "Connection | None":
        """Enters a transaction that sees everything up to the position; None if the replica is
        behind or away."""
        if time.monotonic() < self._away_until:
            READS.labels("primary, replica away").inc()
            return None
        try:
            async with AsyncExitStack() as attempt:
                async with asyncio.timeout(REACH_SECONDS):
                    transaction = self.pool.transaction(company_id)
                    connection = await attempt.enter_async_context(transaction)
                    replayed = await _wait_for(connection, position)
                if replayed:
                    READS.labels("replica").inc()
                    await stack.enter_async_context(attempt.pop_all())
                    return connection
        except (OSError, asyncpg.PostgresError) as error:
            self._leave(type(error).__name__)
            return None
        if replayed is None:
            await self.pool.expire()
            self._leave("not a replica")
        else:
            READS.labels("primary, replica behind").inc()
        return None

    def _leave(self, reason: str) -> None:
        log.warning("the replica cannot be used", error=reason)
        READS.labels("primary, replica away").inc()
        self._away_until = time.monotonic() + AWAY_SECONDS


async def _wait_for(replica: "Connection", position: Position) -> bool | None:
    """Whether the position has been replayed; None on a server that is, or has become, a primary.
    The timeline is the control file's, which every role may read."""
    give_up = time.monotonic() + MAX_WAIT_SECONDS
    while True:
        replayed: bool | None = await replica.fetchval(
            "SELECT CASE WHEN pg_is_in_recovery() THEN"
            " pg_last_wal_replay_lsn() >= $1::text::pg_lsn"
            " AND greatest(c.timeline_id, r.min_recovery_end_timeline) >= $2 END"
            " FROM pg_control_checkpoint() AS c, pg_control_recovery() AS r",
            position.lsn,
            position.timeline,
        )
        if replayed is not False or time.monotonic() > give_up:
            return replayed
        await asyncio.sleep(POLL_SECONDS)
