"""Counters of attempts and sends. An attempt is counted in its own transaction before the counted
action, so that neither a rollback nor a race loses it."""

from collections.abc import Collection
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
    rows = await connection.fetch(
        "INSERT INTO counters AS c (key, count, resets_at)"
        " SELECT given, $3, now() + $2 FROM unnest($1::bytea[]) AS given ORDER BY given"
        " ON CONFLICT (key) DO UPDATE SET"
        " count = CASE WHEN c.resets_at <= now() THEN $3 ELSE c.count + $3 END,"
        " resets_at = CASE WHEN c.resets_at <= now() THEN now() + $2 ELSE c.resets_at END"
        " RETURNING count, ceil(extract(epoch FROM resets_at - now()))::int AS resets_in",
        keys, window, by,
    )  # fmt: skip
    highest = max(rows, key=lambda row: row["count"])
    return Count(highest["count"], highest["resets_in"])


async def decrement(database: Database, *keys: bytes) -> None:
    """Takes back an attempt that succeeded."""
    async with database.without_tenant() as connection:
        await connection.execute(
            "UPDATE counters SET count = greatest(count - 1, 0) WHERE key = ANY($1)", list(keys)
        )


async def forget_old(database: Database) -> None:
    async with database.without_tenant() as connection:
        await connection.execute("DELETE FROM counters WHERE resets_at < now() - interval '1 day'")
