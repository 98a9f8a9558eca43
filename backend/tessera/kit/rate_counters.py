"""Counters of attempts and sends. An attempt is counted in its own transaction before the counted
action, so that neither a rollback nor a race loses it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

from tessera.kit.database import Connection, Database


@dataclass(frozen=True)
class Count:
    count: int
    resets_in: int


async def increment(database: Database, key: bytes, window: timedelta) -> Count:
    async with database.without_tenant() as connection:
        return await increment_within(connection, [key], window)


async def increment_within(
    connection: Connection, keys: Collection[bytes], window: timedelta, by: int = 1
) -> Count:
    """Counts in the counted action's transaction: both or neither. Returns the highest count."""
    counts = await _add(connection, keys, window, by)
    return max(counts.values(), key=lambda each: each.count)


async def _add(
    connection: Connection, keys: Collection[bytes], window: timedelta, by: int
) -> dict[bytes, Count]:
    """Takes the rows in one order, so that two calls with common keys cannot deadlock."""
    rows = await connection.fetch(
        "INSERT INTO counters AS c (key, count, resets_at)"
        " SELECT given, $3, now() + $2 FROM unnest($1::bytea[]) AS given ORDER BY given"
        " ON CONFLICT (key) DO UPDATE SET"
        " count = CASE WHEN c.resets_at <= now() THEN $3 ELSE c.count + $3 END,"
        " resets_at = CASE WHEN c.resets_at <= now() THEN now() + $2 ELSE c.resets_at END"
        " RETURNING key, count, ceil(extract(epoch FROM resets_at - now()))::int AS resets_in",
        keys, window, by,
    )  # fmt: skip
    return {row["key"]: Count(row["count"], row["resets_in"]) for row in rows}


async def increment_all(
    database: Database, limits: Mapping[bytes, int], window: timedelta
) -> bytes | None:
    """Counts one action under every key, or under none if it would exceed a limit; returns the
    key of that limit."""
    try:
        async with database.without_tenant() as connection:
            counts = await _add(connection, list(limits), window, 1)
            for key, count in counts.items():
                if count.count > limits[key]:
                    raise _LimitReached(key)
    except _LimitReached as reached:
        return reached.key
    return None


class _LimitReached(Exception):
    def __init__(self, key: bytes) -> None:
        self.key = key


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


async def forget_old(database: Database) -> None:
    async with database.without_tenant() as connection:
        await connection.execute("DELETE FROM counters WHERE resets_at < now() - interval '1 day'")
