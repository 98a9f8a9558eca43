"""Counters of tries and sends. Each change is a transaction of its own, made before whatever
is being counted, so that neither a rollback nor a race forgets a try."""

from dataclasses import dataclass
from datetime import timedelta

from tessera.kit.database import Database


@dataclass(frozen=True)
class Count:
    count: int
    resets_in: int


async def count_up(database: Database, key: bytes, window: timedelta) -> Count:
    async with database.before_tenant() as connection:
        row = await connection.fetchrow(
            "INSERT INTO counters AS c (key, count, resets_at) VALUES ($1, 1, now() + $2)"
            " ON CONFLICT (key) DO UPDATE SET"
            " count = CASE WHEN c.resets_at <= now() THEN 1 ELSE c.count + 1 END,"
            " resets_at = CASE WHEN c.resets_at <= now() THEN now() + $2 ELSE c.resets_at END"
            " RETURNING count, ceil(extract(epoch FROM resets_at - now()))::int AS resets_in",
            key, window,
        )  # fmt: skip
    assert row is not None
    return Count(row["count"], row["resets_in"])


async def give_back(database: Database, *keys: bytes) -> None:
    """A try that turned out well does not count."""
    async with database.before_tenant() as connection:
        await connection.execute(
            "UPDATE counters SET count = greatest(count - 1, 0) WHERE key = ANY($1)", list(keys)
        )


async def forget_old(database: Database) -> None:
    async with database.before_tenant() as connection:
        await connection.execute("DELETE FROM counters WHERE resets_at < now() - interval '1 day'")
