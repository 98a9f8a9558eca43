"""Counters of attempts and sends, each of a limit and what it limits. An attempt is counted in its
own transaction before the counted action, so that neither a rollback nor a race loses it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tessera.kit.database import Connection, Database
from tessera.kit.keys import Keys
from tessera.limits import Limit


@dataclass(frozen=True)
class Counter:
    limit: Limit
    key: bytes


@dataclass(frozen=True)
class Count:
    counter: Counter
    count: int
    resets_in: int

    @property
    def left(self) -> int:
        return self.counter.limit.maximum - self.count


class LimitReached(Exception):
    """Rolls the counting back: an action is counted under every limit or under none."""

    def __init__(self, count: Count) -> None:
        self.limit = count.counter.limit
        self.resets_in = count.resets_in


def counter_of(keys: Keys, limit: Limit, *subject: object) -> Counter:
    """`subject` says whose attempts are counted, as the limit's scope demands."""
    return Counter(limit, keys.mac("counters", "|".join(map(str, (limit.name, *subject)))))


async def increment(database: Database, counters: Sequence[Counter]) -> list[Count]:
    async with database.without_tenant() as connection:
        return await increment_within(connection, counters)


async def increment_within(
    connection: Connection, counters: Sequence[Counter], by: int = 1
) -> list[Count]:
    """Counts in the counted action's transaction: both or neither."""
    by_key = {counter.key: counter for counter in counters}
    # In one order, so that two calls with common keys cannot deadlock.
    rows = await connection.fetch(
        "INSERT INTO counters AS c (key, count, resets_at)"
        " SELECT given.key, $3, now() + given.lasting"
        "  FROM unnest($1::bytea[], $2::interval[]) AS given (key, lasting) ORDER BY given.key"
        " ON CONFLICT (key) DO UPDATE SET"
        " count = CASE WHEN c.resets_at <= now() THEN $3 ELSE c.count + $3 END,"
        " resets_at = CASE WHEN c.resets_at <= now() THEN excluded.resets_at ELSE c.resets_at END"
        " RETURNING key, count, ceil(extract(epoch FROM resets_at - now()))::int AS resets_in",
        list(by_key), [counter.limit.window for counter in by_key.values()], by,
    )  # fmt: skip
    counts = [Count(by_key[row["key"]], row["count"], row["resets_in"]) for row in rows]
    if exceeded := [count for count in counts if count.left < 0]:
        raise LimitReached(max(exceeded, key=lambda count: count.resets_in))
    return counts


async def read(connection: Connection, keys: Collection[bytes]) -> dict[bytes, int]:
    rows = await connection.fetch(
        "SELECT key, count FROM counters WHERE key = ANY($1) AND resets_at > now()", list(keys)
    )
    return {row["key"]: row["count"] for row in rows}


async def decrement(database: Database, *counters: Counter, by: int = 1) -> None:
    """Takes back an attempt that succeeded, or what was not needed after all."""
    async with database.without_tenant() as connection:
        await connection.execute(
            "UPDATE counters SET count = greatest(count - $2, 0) WHERE key = ANY($1)",
            [counter.key for counter in counters],
            by,
        )


async def purge_expired(database: Database) -> None:
    async with database.without_tenant() as connection:
        await connection.execute("DELETE FROM counters WHERE resets_at < now() - interval '1 day'")
