"""Workflows that one version has begun and another one has to end."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field

from tessera.kit.database import Connection
from tessera.kit.processes import HOLDERS, SLOT_LOCK, read_connection_name

WAIT_SECONDS = 60.0
SLOTS = f"SELECT l.objid::int AS slot, a.application_name AS name FROM {HOLDERS}"
# A check that fails without asking a cloud ends within a second.
UNDER_WAY = (
    "SELECT workflow_uuid, queue_name = $2 AND started_at_epoch_ms > $3"
    "  AND started_at_epoch_ms < (extract(epoch FROM now()) - 1) * 1000 AS is_slow"
    " FROM dbos.workflow_status"
    " WHERE status = 'PENDING' AND executor_id = ANY($1)"
)
# Unfinished, or ended by another process since.
TAKEN_OVER = (
    "SELECT workflow_uuid FROM dbos.workflow_status WHERE workflow_uuid = ANY($1)"
    " AND (status IN ('PENDING', 'ENQUEUED', 'DELAYED') OR executor_id <> ALL($2))"
)
RESULTS = (
    "SELECT status, count(*) FROM dbos.workflow_status WHERE workflow_uuid = ANY($1) GROUP BY 1"
)


async def running_versions(connection: Connection) -> dict[str, str]:
    """The version of each executor."""
    names = {
        f"slot-{row['slot']}": read_connection_name(row["name"])
        for row in await connection.fetch(SLOTS, SLOT_LOCK)
    }
    return {slot: name.version for slot, name in names.items() if name is not None}


@dataclass
class UnfinishedWork:
    """What the processes of a version were running, before they were stopped."""

    executors: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)

    async def taken_over(self, connection: Connection) -> list[str]:
        """Once the processes have ended, what others have to end or have ended."""
        rows = await connection.fetch(TAKEN_OVER, self.begun, self.executors)
        return [row["workflow_uuid"] for row in rows]


async def under_way(connection: Connection, version: str, queue: str) -> UnfinishedWork:
    """Waits until the version runs a slow workflow of the queue that begins from now on."""
    since = await connection.fetchval("SELECT (extract(epoch FROM now()) * 1000)::bigint")
    running = await running_versions(connection)
    work = UnfinishedWork([slot for slot, each in running.items() if each == version])
    give_up = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < give_up:
        rows = await connection.fetch(UNDER_WAY, work.executors, queue, since)
        if any(row["is_slow"] for row in rows):
            work.begun = [row["workflow_uuid"] for row in rows]
            break
        await asyncio.sleep(0.1)
    return work


async def results(connection: Connection, workflows: list[str]) -> Counter[str]:
    """How many ended with each status."""
    rows = await connection.fetch(RESULTS, workflows)
    return Counter({row["status"]: row["count"] for row in rows})
