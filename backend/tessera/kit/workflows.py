"""Durable work on PostgreSQL. Features declare workflows, queues and schedules in one line:

    @workflow(queue="messages", concurrency=8)
    async def deliver(company_id: int, message_id: int) -> None: ...

    await deliver.enqueue(connection, company_id, message_id, key=f"message-{message_id}")

The enqueue is part of the caller's transaction. Inputs are row ids: the engine stores them, so
they must never contain a secret. A killed step runs again, so every step must be safe to repeat.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Generic, ParamSpec

import asyncpg
from dbos import DBOS

from tessera.kit import clock, queue_workers
from tessera.kit.announcements import Announcements
from tessera.kit.countries import CountryDatabase
from tessera.kit.database import Connection, Database, DatabaseAway
from tessera.kit.keys import Keys
from tessera.kit.spans import span
from tessera.settings import Settings

P = ParamSpec("P")

# How long steps wait for a database that is away, and how often they try.
OUTAGE_SECONDS = 120
OUTAGE_RETRY_SECONDS = 1.0
DATABASE_LOST = (
    DatabaseAway,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.CrashShutdownError,
)


@dataclass(frozen=True)
class Resources:
    settings: Settings
    database: Database
    keys: Keys
    announcements: Announcements = field(default_factory=Announcements)
    countries: CountryDatabase | None = None


@dataclass(frozen=True)
class DeclaredQueue:
    name: str
    concurrency: int


QUEUES: dict[str, DeclaredQueue] = {}
SCHEDULES: list[tuple[str, str, Callable[..., Any]]] = []
_resources: Resources | None = None


def run_with(resources: Resources | None) -> None:
    """What workflows of this process use."""
    global _resources  # noqa: PLW0603
    _resources = resources


def current_resources() -> Resources:
    assert _resources is not None, "the workflow engine is not running"
    return _resources


class Workflow(Generic[P]):
    def __init__(self, run: Callable[P, Awaitable[None]], name: str, queue: str) -> None:
        self.run = run
        self.name = name
        self.queue = queue

    async def enqueue(
        self, connection: Connection, *ids: int, key: str, after: float | None = None
    ) -> None:
        """Enqueues work once per key, even if called twice. `after` delays it by that many seconds;
        a delayed workflow takes no slot in the queue."""
        await connection.execute(
            "SELECT dbos.enqueue_workflow(workflow_name => $1, queue_name => $2,"
            " positional_args => $3::text[]::json[], workflow_id => $4, delay_until_epoch_ms =>"
            " (extract(epoch FROM now() + make_interval(secs => $5)) * 1000)::bigint),"
            " pg_notify($6, $7)",
            self.name,
            self.queue,
            [json.dumps(value) for value in ids],
            key,
            after,
            queue_workers.CHANNEL,
            queue_workers.notification(self.queue, after),
        )

    async def enqueue_many(
        self, connection: Connection, works: Mapping[str, tuple[int, ...]]
    ) -> None:
        """Enqueues many in one statement; `works` maps keys to ids."""
        await connection.execute(
            "SELECT dbos.enqueue_workflow(workflow_name => $1, queue_name => $2,"
            " positional_args => ARRAY(SELECT json_array_elements(given.ids)),"
            " workflow_id => given.key), pg_notify($5, $6)"
            " FROM unnest($3::text[]::json[], $4::text[]) AS given (ids, key)",
            self.name,
            self.queue,
            [json.dumps(ids) for ids in works.values()],
            list(works),
            queue_workers.CHANNEL,
            queue_workers.notification(self.queue),
        )

    async def enqueue_for_companies(
        self,
        find: Callable[[Connection], Awaitable[list[int]]],
        name: str,
        *,
        period: str = "%Y%m%d",
    ) -> None:
        """Enqueues one for each company that is found as the platform role, at most once in the
        period; `name` begins the keys."""
        database = current_resources().database
        async with database.platform.transaction() as connection:
            companies = await find(connection)
        moment = f"{clock.now():{period}}"
        works = {f"{name}-{company_id}-{moment}": (company_id,) for company_id in companies}
        async with database.without_tenant() as connection:
            await self.enqueue_many(connection, works)

    async def enqueue_daily(self, connection: Connection, name: str, ids: Iterable[int]) -> None:
        """Enqueues one for each id, at most once a day; `name` begins the keys."""
        day = f"{clock.now():%Y%m%d}"
        await self.enqueue_many(connection, {f"{name}-{each}-{day}": (each,) for each in ids})


def workflow(
    *, queue: str, concurrency: int = 8, attempts: int | None = None
) -> Callable[[Callable[P, Awaitable[None]]], Workflow[P]]:
    """With `attempts`, the whole workflow is one step."""
    QUEUES[queue] = DeclaredQueue(queue, concurrency)

    def declare(function: Callable[P, Awaitable[None]]) -> Workflow[P]:
        name = _name(function)
        run = function if attempts is None else step(attempts=attempts)(function)

        @wraps(function)
        async def work(*args: P.args, **kwargs: P.kwargs) -> None:
            with span(f"workflow {name}"):
                await run(*args, **kwargs)

        return Workflow(DBOS.workflow(name=name)(work), name, queue)

    return declare


def step(
    *, attempts: int = 8, first_wait: float = 1.0
) -> Callable[[Callable[P, Awaitable[Any]]], Callable[P, Awaitable[Any]]]:
    """Declares a step whose result is stored; retried with growing delays. While the database is
    away, as in a failover, it is repeated without counting attempts."""

    def declare(function: Callable[P, Awaitable[Any]]) -> Callable[P, Awaitable[Any]]:
        return DBOS.step(
            name=_name(function),
            retries_allowed=True,
            max_attempts=attempts,
            interval_seconds=first_wait,
        )(_through_outages(function))

    return declare


def _through_outages(function: Callable[P, Awaitable[Any]]) -> Callable[P, Awaitable[Any]]:
    name = _name(function)

    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401
        give_up = time.monotonic() + OUTAGE_SECONDS
        while True:
            try:
                with span(f"step {name}"):
                    return await function(*args, **kwargs)
            except DATABASE_LOST:
                if time.monotonic() > give_up:
                    raise
            await asyncio.sleep(OUTAGE_RETRY_SECONDS)

    return run


def schedule(
    cron: str, *, attempts: int | None = None
) -> Callable[[Callable[[], Awaitable[None]]], Callable[..., Any]]:
    """`cron` is in UTC. With `attempts`, the whole function is one step."""

    def declare(function: Callable[[], Awaitable[None]]) -> Callable[..., Any]:
        name = _name(function)
        run = function if attempts is None else step(attempts=attempts)(function)

        # The engine passes the scheduled time and a context.
        @wraps(function)
        async def work(*_: object) -> None:
            with span(f"workflow {name}"):
                await run()

        registered = DBOS.workflow(name=name)(work)
        SCHEDULES.append((name, cron, registered))
        return registered

    return declare


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__name__}"


async def purge_expired_workflows(connection: Connection, names: list[str]) -> None:
    """The engine keeps finished workflows indefinitely; a day is enough for rounds."""
    await connection.execute(
        "DELETE FROM dbos.workflow_status WHERE name = ANY($1::text[]) AND status = 'SUCCESS'"
        " AND created_at < (extract(epoch FROM now() - interval '1 day') * 1000)::bigint",
        names,
    )
