"""The workflow engine of one process: its executor slot, the takeover from dead processes, and the
handover to others when it stops."""

import asyncio
import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

import asyncpg
import sqlalchemy
import structlog
from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer
from prometheus_client import Gauge

from tessera.kit import clock, dbos_internals, queue_workers
from tessera.kit.database import NOTICE_DEAD_CLIENTS, connect
from tessera.kit.migrations import engine_url
from tessera.kit.processes import SLOT_LOCK, connection_name
from tessera.kit.workflows import QUEUES, SCHEDULES, Resources, run_with

log = structlog.get_logger()

# Pending work is resumed by the version that runs next, so steps stay compatible.
APPLICATION_VERSION = "1"
SLOTS = 512
WATCH_SECONDS = 1
ORPHANED_AFTER_SECONDS = 20
# What the database may take to answer the engine's own connection.
ANSWER_SECONDS = 3
# How long the last answer counts.
FRESH_SECONDS = 5
# When calls under way are given up: later than the database itself gives up their statements.
GIVE_UP_SECONDS = 10
# What running workflows may take to end before others get them, and until all of it is theirs.
FINISH_SECONDS = 3
HANDOVER_SECONDS = 5
# Threads of the engine wait for one of its connections as long as it takes. SQLAlchemy measures 30
# seconds by the machine's clock: when that is set forward, the work of those that wait would fail.
POOL_OPTIONS = {"pool_timeout": None}
LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)

CLOCK_OFFSET = Gauge(
    "tessera_clock_offset_seconds",
    "How far the database's clock is ahead of this process's",
    multiprocess_mode="mostrecent",
)


class Engine:
    """One per process. Its executor slot is an advisory lock: unique among running processes and
    taken over from dead ones, so that work interrupted by a crash is found again."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._name = connection_name(resources.settings.commit)
        self._slot = -1
        self._has_slot = False
        self._lease: asyncpg.Connection[asyncpg.Record] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._handover: asyncio.Task[None] | None = None
        self._workers = queue_workers.QueueWorkers()
        # Workflows claimed by this process that it was not running at the last check.
        self._unstarted: set[str] = set()
        self._answered_at = 0.0

    async def start(self) -> None:
        run_with(self._resources)
        url = self._resources.settings.database_url
        self._lease = await self._connect()
        slot = await self._claim_slot(range(SLOTS))
        if slot is None:
            raise RuntimeError("no free executor slot")
        self._slot, self._has_slot = slot, True
        config: DBOSConfig = {
            "name": "tessera",
            "system_database_url": engine_url(url, notice_outages=True),
            "application_version": APPLICATION_VERSION,
            "executor_id": _executor(self._slot),
            "serializer": DBOSPortableJSONSerializer(),
            "run_migrations": False,
            "sys_db_pool_size": 5,
            "db_engine_kwargs": POOL_OPTIONS,
            # For events and streams, which we do not use. The default wakes 100 times a second.
            "notification_coalesce_sec": 1.0,
            "log_level": "WARNING",
            "console_log_level": "ERROR",
        }
        DBOS(config=config)
        dbos_internals.follow_database_clock()
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
            for queue in QUEUES.values()
        ]
        self._workers.start(queues)
        await self._listen()
        await DBOS.apply_schedules_async(
            [
                {"schedule_name": name, "workflow_fn": function, "schedule": cron}
                for name, cron, function in SCHEDULES
            ]
        )
        await self._ask()
        self._watch = asyncio.create_task(self._watch_over())

    @property
    def is_stopping(self) -> bool:
        return self._handover is not None

    def hand_over(self) -> None:
        """Begins to leave the work to other processes, while calls of this one may still end."""
        if self._handover is None:
            self._handover = asyncio.create_task(self._leave_work())

    async def stop(self) -> None:
        self.hand_over()
        assert self._handover is not None
        await self._handover
        await asyncio.to_thread(DBOS.destroy)
        if self._lease is not None:
            with suppress(*LOST):
                await self._lease.close(timeout=ANSWER_SECONDS)
        run_with(None)

    async def _leave_work(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        dbos_internals.stop_taking()
        began = time.monotonic()
        if running := dbos_internals.tasks():
            await asyncio.wait(running, timeout=FINISH_SECONDS)
        # What was claimed just before may be dispatched now.
        while not await self._gave_up_all():
            if time.monotonic() - began > HANDOVER_SECONDS:
                log.warning("workflows were not handed over; others find them within 20 s")
                return
            await asyncio.sleep(0.2)

    async def _gave_up_all(self) -> bool:
        for task in dbos_internals.tasks():
            task.cancel()
        if not self._has_slot:
            # The work of this name may be another process's by now.
            return True
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                left = await self._requeue(self._slot)
        except LOST as error:
            log.warning("workflows could not be handed over", error=type(error).__name__)
            return False
        return not left and not dbos_internals.tasks()

    async def _listen(self) -> None:
        assert self._lease is not None
        await self._workers.listen(self._lease)
        await self._resources.announcements.listen(self._lease)

    def is_alive(self) -> bool:
        return self._lease is not None and not self._lease.is_closed()

    @property
    def has_database(self) -> bool:
        """Whether it answered a moment ago. Asking it now would wait in line with the calls."""
        return self.is_alive() and time.monotonic() - self._answered_at < FRESH_SECONDS

    async def _connect(self) -> "asyncpg.Connection[asyncpg.Record]":
        return await connect(
            self._resources.settings.database_url,
            server_settings={"application_name": self._name, **NOTICE_DEAD_CLIENTS},
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
                await self._ask()
                if time.monotonic() - held_since >= ORPHANED_AFTER_SECONDS:
                    held_since = time.monotonic()
                    await self._adopt_orphans()
                    await self._requeue_unstarted()
            except LOST as error:
                log.warning(
                    "workflow engine lost its database connection", error=type(error).__name__
                )
                if time.monotonic() - self._answered_at > GIVE_UP_SECONDS:
                    await self._resources.database.drop_connections()
            except Exception:
                log.exception("orphaned workflows could not be adopted")

    async def _ask(self) -> None:
        """Whether the database answers, and what time it is there. A connection through a network
        that drops everything is not closed by itself for a quarter of an hour."""
        assert self._lease is not None
        before, asked_at = time.monotonic(), clock.own()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                there = await self._lease.fetchval("SELECT clock_timestamp()")
        except TimeoutError:
            self._lease.terminate()
            raise
        self._answered_at = time.monotonic()
        took = timedelta(seconds=self._answered_at - before)
        if took < timedelta(seconds=1):
            offset = there - (asked_at + took / 2)
            clock.follow(offset)
            CLOCK_OFFSET.set(offset.total_seconds())

    async def _take_slot_again(self) -> None:
        """Takes the same slot again, or exits to restart with another one: of two processes with
        one id, each would be taken for the other when it dies, and its work would be lost."""
        self._has_slot = False
        async with asyncio.timeout(ANSWER_SECONDS):
            self._lease = await self._connect()
        for _ in range(ORPHANED_AFTER_SECONDS):
            if await self._claim_slot([self._slot]) is not None:
                self._has_slot = True
                await self._listen()
                return
            await asyncio.sleep(WATCH_SECONDS)
        log.critical("another process took the executor slot", slot=self._slot)
        os.kill(os.getpid(), signal.SIGTERM)

    async def _adopt_orphans(self) -> None:
        """Re-queues the work of processes that died and did not restart."""
        assert self._lease is not None
        for slot in await self._orphaned_slots():
            await self._requeue(slot)
            await self._lease.execute("SELECT pg_advisory_unlock($1, $2)", SLOT_LOCK, slot)

    async def _requeue(self, slot: int) -> int:
        """Gives what a slot was doing back to the queues, and wakes them in every process."""
        assert self._lease is not None
        rows = await self._lease.fetch(
            "SELECT DISTINCT queue_name FROM dbos.workflow_status"
            " WHERE status = 'PENDING' AND executor_id = $1",
            _executor(slot),
        )
        if rows:
            await asyncio.to_thread(dbos_internals.recover, _executor(slot))
            await self._lease.execute(
                "SELECT pg_notify($1, given) FROM unnest($2::text[]) AS given",
                queue_workers.CHANNEL,
                [
                    queue_workers.notification(row["queue_name"])
                    for row in rows
                    if row["queue_name"] in QUEUES
                ],
            )
        return len(rows)

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
