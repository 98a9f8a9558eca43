"""Durable work on PostgreSQL. Features declare workflows, queues and schedules in one line:

    @workflow(queue="messages", concurrency=8)
    async def deliver(company_id: int, message_id: int) -> None: ...

    await deliver.enqueue(connection, company_id, message_id, key=f"message-{message_id}")

The enqueue is part of the caller's transaction. Inputs are row ids: the engine stores them, so
they must never contain a secret. A killed step runs again, so every step must be safe to repeat.
"""

import asyncio
import json
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Generic, ParamSpec

import asyncpg
import sqlalchemy
import structlog
from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer

from tessera.kit import clock, dbos_internals, queue_workers
from tessera.kit.announcements import Announcements
from tessera.kit.database import Connection, Database, DatabaseAway, connect
from tessera.kit.keys import Keys
from tessera.kit.migrations import engine_url
from tessera.settings import Settings

log = structlog.get_logger()
P = ParamSpec("P")

# Pending work is resumed by the version that runs next, so steps stay compatible.
APPLICATION_VERSION = "1"
SLOT_LOCK = 7_301_978
SLOTS = 512
WATCH_SECONDS = 1
ORPHANED_AFTER_SECONDS = 20
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


@dataclass(frozen=True)
class _Queue:
    name: str
    concurrency: int


_queues: dict[str, _Queue] = {}
_schedules: list[tuple[str, str, Callable[..., Any]]] = []
_resources: Resources | None = None


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
    _queues[queue] = _Queue(queue, concurrency)

    def declare(function: Callable[P, Awaitable[None]]) -> Workflow[P]:
        name = _name(function)
        run = function if attempts is None else step(attempts=attempts)(function)

        @wraps(function)
        async def work(*args: P.args, **kwargs: P.kwargs) -> None:
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
    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401
        give_up = time.monotonic() + OUTAGE_SECONDS
        while True:
            try:
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
            await run()

        registered = DBOS.workflow(name=name)(work)
        _schedules.append((name, cron, registered))
        return registered

    return declare


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__name__}"


class Engine:
    """One per process. Its executor slot is an advisory lock: unique among running processes and
    taken over from dead ones, so that work interrupted by a crash is found again."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._slot = -1
        self._lease: asyncpg.Connection[asyncpg.Record] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._workers = queue_workers.QueueWorkers()
        # Workflows claimed by this process that it was not running at the last check.
        self._unstarted: set[str] = set()

    async def start(self) -> None:
        global _resources  # noqa: PLW0603
        _resources = self._resources
        url = self._resources.settings.database_url
        self._lease = await self._connect()
        slot = await self._claim_slot(range(SLOTS))
        if slot is None:
            raise RuntimeError("no free executor slot")
        self._slot = slot
        config: DBOSConfig = {
            "name": "tessera",
            "system_database_url": engine_url(url),
            "application_version": APPLICATION_VERSION,
            "executor_id": _executor(self._slot),
            "serializer": DBOSPortableJSONSerializer(),
            "run_migrations": False,
            "sys_db_pool_size": 5,
            # For events and streams, which we do not use. The default wakes 100 times a second.
            "notification_coalesce_sec": 1.0,
            "log_level": "WARNING",
            "console_log_level": "ERROR",
        }
        DBOS(config=config)
        dbos_internals.poll_less_often(
            deadlines=queue_workers.DEADLINE_SECONDS, own_queue=queue_workers.ENGINE_POLL_SECONDS
        )
        # The queues have workers of their own.
        DBOS.listen_queues([])
        DBOS.launch()
        queues = [
            await DBOS.register_queue_async(
                queue.name,
                worker_concurrency=queue.concurrency,
                polling_interval_sec=queue_workers.POLL_SECONDS,
            )
            for queue in _queues.values()
        ]
        self._workers.start(queues)
        await self._listen()
        await DBOS.apply_schedules_async(
            [
                {"schedule_name": name, "workflow_fn": function, "schedule": cron}
                for name, cron, function in _schedules
            ]
        )
        self._watch = asyncio.create_task(self._watch_over())

    async def stop(self) -> None:
        global _resources  # noqa: PLW0603
        if self._watch is not None:
            self._watch.cancel()
        await asyncio.to_thread(DBOS.destroy, workflow_completion_timeout_sec=5)
        if self._lease is not None:
            await self._lease.close()
        _resources = None

    async def _listen(self) -> None:
        assert self._lease is not None
        await self._workers.listen(self._lease)
        await self._resources.announcements.listen(self._lease)

    def is_alive(self) -> bool:
        return self._lease is not None and not self._lease.is_closed()

    async def _connect(self) -> "asyncpg.Connection[asyncpg.Record]":
        return await connect(
            self._resources.settings.database_url, server_settings={"application_name": "tessera"}
        )

    async def _claim_slot(self, slots: Iterable[int]) -> int | None:
        assert self._lease is not None
        for slot in slots:
            if await self._lease.fetchval("SELECT pg_try_advisory_lock($1, $2)", SLOT_LOCK, slot):
                return slot
        return None

    async def _watch_over(self) -> None:
        """Keeps the slot and adopts orphans. A database restart frees every slot; each process
        takes its own again within about a second, and no process looks for orphans before that."""
        held_since = time.monotonic()
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                if not self.is_alive():
                    await self._take_slot_again()
                    held_since = time.monotonic()
                elif time.monotonic() - held_since >= ORPHANED_AFTER_SECONDS:
                    held_since = time.monotonic()
                    await self._adopt_orphans()
                    await self._requeue_unstarted()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning(
                    "workflow engine lost its database connection", error=type(error).__name__
                )
            except Exception:
                log.exception("orphaned workflows could not be adopted")

    async def _take_slot_again(self) -> None:
        """Takes the same slot again, or exits to restart with another one: of two processes with
        one id, each would be taken for the other when it dies, and its work would be lost."""
        self._lease = await self._connect()
        for _ in range(ORPHANED_AFTER_SECONDS):
            if await self._claim_slot([self._slot]) is not None:
                await self._listen()
                return
            await asyncio.sleep(WATCH_SECONDS)
        log.critical("another process took the executor slot", slot=self._slot)
        os.kill(os.getpid(), signal.SIGTERM)

    async def _adopt_orphans(self) -> None:
        """Re-queues the work of processes that died and did not restart."""
        assert self._lease is not None
        for slot in await self._orphaned_slots():
            await asyncio.to_thread(dbos_internals.recover, _executor(slot))
            await self._lease.execute("SELECT pg_advisory_unlock($1, $2)", SLOT_LOCK, slot)

    async def _requeue_unstarted(self) -> None:
        """Re-queues workflows that this process claimed but never started, because the connection
        was lost after the claim was committed."""
        assert self._lease is not None
        rows = await self._lease.fetch(
            "SELECT workflow_uuid FROM dbos.workflow_status"
            " WHERE status = 'PENDING' AND executor_id = $1",
            _executor(self._slot),
        )
        running = set(dbos_internals.active_workflows().activeList())
        unstarted = {row["workflow_uuid"] for row in rows} - running
        # One that was claimed a moment ago may be about to start, so it has to be seen twice.
        for workflow_id in unstarted & self._unstarted:
            executor = _executor(self._slot)
            if await asyncio.to_thread(dbos_internals.requeue, workflow_id, executor):
                log.warning("re-queued a workflow that never started", workflow_id=workflow_id)
        self._unstarted = unstarted

    async def _orphaned_slots(self) -> list[int]:
        assert self._lease is not None
        rows = await self._lease.fetch(
            "SELECT DISTINCT executor_id FROM dbos.workflow_status"
            " WHERE status = 'PENDING' AND executor_id LIKE 'slot-%' AND executor_id <> $1",
            _executor(self._slot),
        )
        free = []
        for row in rows:
            slot = int(row["executor_id"].removeprefix("slot-"))
            if await self._lease.fetchval("SELECT pg_try_advisory_lock($1, $2)", SLOT_LOCK, slot):
                free.append(slot)
        return free


@sqlalchemy.event.listens_for(sqlalchemy.Engine, "handle_error")
def _wait_for_the_database(context: sqlalchemy.ExceptionContext) -> None:
    """Treats a failed connection as a lost one. The engine waits for a lost database, but takes one
    that it cannot reach (no socket, no such host) for a failure of the current work, which would
    then never finish."""
    if context.connection is None:
        context.is_disconnect = True


def _executor(slot: int) -> str:
    return f"slot-{slot}"


async def purge_expired_workflows(connection: Connection, names: list[str]) -> None:
    """The engine keeps finished workflows indefinitely; a day is enough for rounds."""
    await connection.execute(
        "DELETE FROM dbos.workflow_status WHERE name = ANY($1::text[]) AND status = 'SUCCESS'"
        " AND created_at < (extract(epoch FROM now() - interval '1 day') * 1000)::bigint",
        names,
    )
