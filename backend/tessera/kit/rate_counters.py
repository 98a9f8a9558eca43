"""Counters of attempts and sends. An attempt is counted in its own transaction before the counted
action, so that neither a rollback nor a race loses it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from tessera.kit.database import Connection, Database


@dataclass(frozen=True)
class Count:
    count: int
    resets_in: int


@dataclass(frozen=True)
class Limit:
    key: bytes
    maximum: int
    window: timedelta


@dataclass(frozen=True)
class LimitReached:
    key: bytes
    resets_in: int


async def increment(database: Database, key: bytes, window: timedelta) -> Count:
    async with database.without_tenant() as connection:
        return await increment_within(connection, [key], window)


async def increment_within(
    connection: Connection, keys: Collection[bytes], window: timedelta, by: int = 1
) -> Count:
    """Counts in the counted action's transaction: both or neither. Returns the highest count."""
    counts = await _add(connection, dict.fromkeys(keys, window), by)
    return max(counts.values(), key=lambda each: each.count)


async def _add(
    connection: Connection, windows: Mapping[bytes, timedelta], by: int
) -> dict[bytes, Count]:
    """Takes the rows in one order, so that two calls with common keys cannot deadlock."""
    rows = await connection.fetch(
        "INSERT INTO counters AS c (key, count, resets_at)"
        " SELECT given.key, $3, now() + given.lasting"
        "  FROM unnest($1::bytea[], $2::interval[]) AS given (key, lasting) ORDER BY given.key"
        " ON CONFLICT (key) DO UPDATE SET"
        " count = CASE WHEN c.resets_at <= now() THEN $3 ELSE c.count + $3 END,"
        " resets_at = CASE WHEN c.resets_at <= now() THEN excluded.resets_at ELSE c.resets_at END"
        " RETURNING key, count, ceil(extract(epoch FROM resets_at - now()))::int AS resets_in",
        list(windows), list(windows.values()), by,
    )  # fmt: skip
    return {row["key"]: Count(row["count"], row["resets_in"]) for row in rows}


async def increment_all(database: Database, limits: Sequence[Limit]) -> LimitReached | None:
    """Counts one action under every key, or under none if that would exceed a limit."""
    try:
        async with database.without_tenant() as connection:
            counts = await _add(connection, {limit.key: limit.window for limit in limits}, 1)
            for limit in limits:
                if counts[limit.key].count > limit.maximum:
                    raise _Exceeded(LimitReached(limit.key, counts[limit.key].resets_in))
    except _Exceeded as exceeded:
        return exceeded.reached
    return None


class _Exceeded(Exception):
    """Rolls the counting back."""

    def __init__(self, reached: LimitReached) -> None:
        self.reached = reached


async def read(connection: Connection, keys: Collection[bytes]) -> dict[bytes, int]:
    rows = await connection.fetch(
        "SELECT key, count FROM counters WHERE key = ANY($1) AND resets_at > now()", list(keys)
    )
    return {row["key"]: row["count"] for row in rows}


async def decrement(database: Database, *keys: bytes) -> None:
    """Takes back an attempt that succeeded."""
    async with database.without_tenant() as connection:
        await connection.execute(
            "UPDATE counters SET count = greatest(count - 1, 0) WHERE key = ANY($1)", list(keys)
        )


async def purge_expired(database: Database) -> None:
    async with database.without_tenant() as connection:
        await connection.execute("DELETE FROM counters WHERE resets_at < now() - interval '1 day'")
